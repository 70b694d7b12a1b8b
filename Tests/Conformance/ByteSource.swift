import Synchronization
import VLCNative

/// Bytes behind media callbacks, which notes "open", "read", "seek" and "close".
final class ByteSource: Sendable {
  enum Behaviour: Sendable { case plays, doesNotOpen, doesNotRead, waitsInRead }

  private let trace: Trace
  private let bytes: [UInt8]
  private let behaviour: Behaviour
  private let offset = Mutex(0)
  private let isFirstRead = Once()

  init(_ trace: Trace, _ bytes: [UInt8], behaviour: Behaviour = .plays) {
    self.trace = trace
    self.bytes = bytes
    self.behaviour = behaviour
  }

  func makeMedia(_ stage: Stage) throws -> NativeMedia? {
    stage.library.newMedia(
      try stage.instance(), callbacks: Self.callbacks, opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  private func open(_ size: UnsafeMutablePointer<UInt64>) -> Int32 {
    trace.append(.mark("open"))
    if behaviour == .doesNotOpen { return -1 }
    // What cannot be read needs a size to be tried.
    size.pointee = behaviour == .doesNotRead ? 1_000 : UInt64(bytes.count)
    offset.withLock { $0 = 0 }
    return 0
  }

  private func read(into buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Int {
    trace.append(.mark("read"))
    if behaviour == .doesNotRead { return -1 }
    if behaviour == .waitsInRead, isFirstRead.take() {
      trace.append(.mark("read waits"))
      trace.gate("opens")
      trace.append(.mark("read goes on"))
    }
    return offset.withLock { offset in
      let count = min(length, bytes.count - offset)
      bytes.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress, count > 0 { buffer.update(from: base + offset, count: count) }
      }
      offset += count
      return count
    }
  }

  private func seek(to position: UInt64) -> Int32 {
    trace.append(.mark("seek"))
    guard position <= UInt64(bytes.count) else { return -1 }
    offset.withLock { $0 = Int(position) }
    return 0
  }

  private static let callbacks = NativeMediaCallbacks(
    open: { opaque, data, size in
      guard let opaque, let data, let size else { return -1 }
      data.pointee = opaque
      return source(opaque).open(size)
    },
    read: { data, buffer, length in
      guard let data, let buffer else { return -1 }
      return source(data).read(into: buffer, length)
    },
    seek: { data, position in
      guard let data else { return -1 }
      return source(data).seek(to: position)
    },
    close: { data in
      if let data { source(data).trace.append(.mark("close")) }
    })

  private static func source(_ opaque: UnsafeMutableRawPointer) -> ByteSource {
    Unmanaged<ByteSource>.fromOpaque(opaque).takeUnretainedValue()
  }
}
