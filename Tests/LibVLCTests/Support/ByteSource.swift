#if LibVLC
import Glibc
import VLCNative

/// A file's bytes behind media callbacks.
///
/// Each open has a cursor of its own.
final class ByteSource: Sendable {
  enum Call: Hashable, Sendable {
    case open, seek(UInt64), close
    case read(Int)
  }

  let calls = Record<Call>()
  let bytes: [UInt8]
  /// What open returns: 0 is success.
  let openStatus: Int32

  init(_ bytes: [UInt8], openStatus: Int32 = 0) {
    self.bytes = bytes
    self.openStatus = openStatus
  }

  /// The opaque pointer to make the media with; the source has to outlive it.
  var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let callbacks = NativeMediaCallbacks(
    open: { opaque, data, size in
      guard let opaque, let data, let size else { return -1 }
      let source = Unmanaged<ByteSource>.fromOpaque(opaque).takeUnretainedValue()
      source.calls.append(.open)
      guard source.openStatus == 0 else { return source.openStatus }
      size.pointee = UInt64(source.bytes.count)
      data.pointee = Unmanaged.passRetained(Cursor(source)).toOpaque()
      return 0
    },
    read: { data, buffer, length in
      guard let data, let buffer else { return -1 }
      return Unmanaged<Cursor>.fromOpaque(data).takeUnretainedValue().read(into: buffer, length)
    },
    seek: { data, offset in
      guard let data else { return -1 }
      return Unmanaged<Cursor>.fromOpaque(data).takeUnretainedValue().seek(to: offset)
    },
    close: { data in
      guard let data else { return }
      Unmanaged<Cursor>.fromOpaque(data).takeRetainedValue().source.calls.append(.close)
    })
}

/// Where one open of a source reads.
///
/// The library reads and seeks one after the other.
private final class Cursor {
  let source: ByteSource
  private var offset = 0

  init(_ source: ByteSource) { self.source = source }

  func read(into buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Int {
    let count = min(length, source.bytes.count - offset)
    source.bytes.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress, count > 0 { buffer.update(from: base + offset, count: count) }
    }
    offset += count
    source.calls.append(.read(count))
    return count
  }

  func seek(to offset: UInt64) -> Int32 {
    guard offset <= UInt64(source.bytes.count) else { return -1 }
    self.offset = Int(offset)
    source.calls.append(.seek(offset))
    return 0
  }
}
#endif
