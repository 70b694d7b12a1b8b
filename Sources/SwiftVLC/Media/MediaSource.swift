import VLCNative

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a media's bytes come from.
enum MediaSource: Sendable {
  case location(String)
  case path(String)
  case descriptor(MediaDescriptor)
  case bytes(any ByteSource)

  /// Whether a native media may be opened by several at once; otherwise each use gets one of its own.
  var isShareable: Bool {
    switch self {
    case .location, .path: true
    case .descriptor, .bytes: false
    }
  }

  /// As it was given; descriptors and byte sources have no text of their own.
  var text: String {
    switch self {
    case .location(let location): location
    case .path(let path): path
    case .descriptor(let descriptor): "fd://\(descriptor.number)"
    case .bytes: "imem://"
    }
  }

  /// A native media with the options, or nil when libVLC makes none.
  ///
  /// - Parameter isForParsing: libVLC 3 skips the parse of a descriptor, and parses the system's name of it.
  func makeOwner(in instance: VLCInstance, options: [String], isForParsing: Bool) -> NativeMediaOwner? {
    let library = instance.library
    let owner: NativeMediaOwner?
    switch self {
    case .location(let location):
      owner = library.newMedia(instance.native, location: location).map {
        NativeMediaOwner($0, instance: instance)
      }
    case .path(let path):
      owner = library.newMedia(instance.native, path: path).map { NativeMediaOwner($0, instance: instance) }
    case .descriptor(let descriptor):
      guard let opened = descriptor.reopened() else { return nil }
      let native =
        isForParsing
        ? library.newMedia(instance.native, path: MediaDescriptor.systemName(of: opened.number))
        : library.newMedia(instance.native, descriptor: opened.number)
      owner =
        native
        .map { NativeMediaOwner($0, instance: instance, descriptor: opened) }
    case .bytes(let source):
      let context = ByteSourceContext(source)
      owner = library.newMedia(
        instance.native, callbacks: ByteSourceContext.callbacks,
        opaque: Unmanaged.passUnretained(context).toOpaque()
      ).map { NativeMediaOwner($0, instance: instance, bytes: context) }
    }
    guard let owner else { return nil }
    for option in options { library.addMediaOption(owner.native, option) }
    return owner
  }
}

/// A file descriptor of our own, closed with its last reference.
final class MediaDescriptor: Sendable {
  let number: Int32

  /// Takes over an open descriptor.
  init(owning number: Int32) {
    self.number = number
  }

  deinit { close(number) }

  /// A path that opens what the descriptor is open on.
  static func systemName(of number: Int32) -> String {
    #if os(Linux)
    "/proc/self/fd/\(number)"
    #else
    "/dev/fd/\(number)"
    #endif
  }

  /// A descriptor with a place in the file of its own where the system can make one, else a duplicate.
  func reopened() -> MediaDescriptor? {
    // A duplicate shares its place in the file with the original; what the system opens anew does not. Only files are
    // opened anew: the opening of a pipe waits for its writer.
    var status = stat()
    let isFile = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var reopened = isFile ? open(Self.systemName(of: number), O_RDONLY | O_CLOEXEC) : -1
    if reopened < 0 { reopened = fcntl(number, F_DUPFD_CLOEXEC, 0) }
    guard reopened >= 0 else { return nil }
    let descriptor = MediaDescriptor(owning: reopened)
    descriptor.rewind()
    return descriptor
  }

  /// Back to the beginning; what cannot be sought in stays where it is.
  func rewind() { lseek(number, 0, SEEK_SET) }
}
