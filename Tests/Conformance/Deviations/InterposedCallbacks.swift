import CLibVLCSupport
import Synchronization
import VLCNative

/// Stands between a log and the host's function.
final class Lines: @unchecked Sendable {
  // Unchecked: what it holds is set once, and freed with it.
  let context = UnsafeMutablePointer<NativeLogContext>.allocate(capacity: 1)
  private let host: NativeLogContext
  private unowned let library: DeviatingLibrary

  init(_ library: DeviatingLibrary, _ host: NativeLogContext) {
    self.library = library
    self.host = host
    let receive: libvlc_support_log_function = { opaque, level, origin, text in
      guard let opaque else { return }
      let lines = Unmanaged<Lines>.fromOpaque(opaque).takeUnretainedValue()
      lines.library.runElsewhere { lines.host.function?(lines.host.opaque, level, origin, text) }
    }
    context.initialize(
      to: NativeLogContext(function: receive, opaque: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    context.deinitialize(count: 1)
    context.deallocate()
  }
}

/// Stands between an output and the host's picture callbacks.
final class Pictures: Sendable {
  struct Target: @unchecked Sendable {
    var callbacks: NativeVideoCallbacks?
    var opaque: UnsafeMutableRawPointer?
    /// What a setup made of it.
    var replaced: UnsafeMutableRawPointer?
    var setup: NativeVideoCallbacks.Setup?
    var cleanup: NativeVideoCallbacks.Cleanup?
  }
  private unowned let library: DeviatingLibrary
  private let target = Mutex(Target())

  init(_ library: DeviatingLibrary) { self.library = library }

  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func change(_ body: (inout Target) -> Void) { target.withLock { body(&$0) } }

  private static func find(_ opaque: UnsafeMutableRawPointer?) -> (pictures: Pictures, target: Target)? {
    opaque.map {
      let pictures = Unmanaged<Pictures>.fromOpaque($0).takeUnretainedValue()
      return (pictures, pictures.target.withLock { $0 })
    }
  }

  static let callbacks = NativeVideoCallbacks(
    lock: { opaque, planes in
      guard let (_, target) = find(opaque) else { return nil }
      return target.callbacks?.lock(target.replaced, planes)
    },
    unlock: { opaque, picture, planes in
      guard let (_, target) = find(opaque) else { return }
      target.callbacks?.unlock?(target.replaced, picture, planes)
    },
    display: { opaque, picture in
      guard let (pictures, target) = find(opaque) else { return }
      let show = { target.callbacks?.display?(target.replaced, picture) ?? () }
      if pictures.library.deviation == .showsElsewhere { pictures.library.runElsewhere(show) } else { show() }
    })

  static let setup: NativeVideoCallbacks.Setup = { opaque, chroma, width, height, pitches, lines in
    guard let (pictures, target) = find(opaque?.pointee) else { return 0 }
    var own = target.opaque
    let count = target.setup?(&own, chroma, width, height, pitches, lines) ?? 0
    pictures.change { $0.replaced = own }
    return count
  }

  static let cleanup: NativeVideoCallbacks.Cleanup = { opaque in
    guard let (pictures, target) = find(opaque) else { return }
    let isWrong = pictures.library.deviation == .cleansUpWhatWasReplaced
    target.cleanup?(isWrong ? target.opaque : target.replaced)
  }
}

/// Stands between an input and the host's byte source.
final class Source: @unchecked Sendable {
  // Unchecked: what the host's open gives is set by it, before anything else is called.
  private let host: NativeMediaCallbacks
  private let opaque: UnsafeMutableRawPointer?
  private var data: UnsafeMutableRawPointer?
  private unowned let library: DeviatingLibrary

  init(_ library: DeviatingLibrary, _ host: NativeMediaCallbacks, _ opaque: UnsafeMutableRawPointer?) {
    self.library = library
    self.host = host
    self.opaque = opaque
  }

  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func find(_ address: UnsafeMutableRawPointer?) -> Source? {
    address.map { Unmanaged<Source>.fromOpaque($0).takeUnretainedValue() }
  }

  private func run(_ deviation: Deviation, _ body: @escaping () -> Void) {
    if library.deviation == deviation { library.runElsewhere(body) } else { body() }
  }

  static let callbacks = NativeMediaCallbacks(
    open: { opaque, data, size in
      guard let source = find(opaque) else { return -1 }
      var answer: Int32 = 0
      source.data = source.opaque
      if let open = source.host.open {
        source.run(.opensElsewhere) { answer = open(source.opaque, &source.data, size) }
      }
      data?.pointee = opaque
      return answer
    },
    read: { data, buffer, length in
      guard let source = find(data) else { return -1 }
      return source.host.read(source.data, buffer, length)
    },
    seek: { data, position in
      guard let source = find(data) else { return -1 }
      return source.host.seek?(source.data, position) ?? -1
    },
    close: { data in
      guard let source = find(data) else { return }
      source.run(.closesElsewhere) { source.host.close?(source.data) }
    })
}
