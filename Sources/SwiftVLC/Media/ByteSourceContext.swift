import ConcurrencySeam
import VLCNative

/// What the callbacks of a byte-source media reach; one for each native media.
///
/// The native media's opaque pointer leads here without a count of its own: the media's owner has it, and goes after
/// everything native has let the media go. Each open reader holds one too.
final class ByteSourceContext: Sendable {
  private struct State {
    var readers: [ObjectIdentifier: OpenReader] = [:]
    var interruptions = 0
  }

  private let source: any ByteSource
  private let state = Guarded(State())
  // Where the application's `close` runs when a read must be made to return: never on the main actor, never behind
  // a handle's queue that waits for that read.
  private let queue = SerialQueue(label: "org.swiftvlc.bytes")

  init(_ source: any ByteSource) {
    self.source = source
  }

  // MARK: Interruption

  /// Closes the open readers and refuses new ones until `endInterruption` was called as often.
  func interrupt() {
    let readers = state.withLock { state in
      state.interruptions += 1
      return Array(state.readers.values)
    }
    guard !readers.isEmpty else { return }
    queue.async { for reader in readers { reader.close() } }
  }

  func endInterruption() {
    state.withLock { state in
      precondition(state.interruptions > 0, "an interruption ended that never began")
      state.interruptions -= 1
    }
  }

  // MARK: libVLC's calls

  static let callbacks = NativeMediaCallbacks(
    open: { opaque, data, size in
      guard let opaque, let data, let size else { return -1 }
      let context = Unmanaged<ByteSourceContext>.fromOpaque(opaque).takeUnretainedValue()
      guard let reader = context.open() else { return -1 }
      size.pointee = reader.byteCount ?? .max
      data.pointee = Unmanaged.passRetained(reader).toOpaque()
      return 0
    },
    read: { data, buffer, length in
      guard let data, let buffer else { return -1 }
      let reader = Unmanaged<OpenReader>.fromOpaque(data).takeUnretainedValue()
      return reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
    },
    seek: { data, offset in
      guard let data else { return -1 }
      return Unmanaged<OpenReader>.fromOpaque(data).takeUnretainedValue().seek(to: offset) ? 0 : -1
    },
    close: { data in
      guard let data else { return }
      let reader = Unmanaged<OpenReader>.fromOpaque(data).takeRetainedValue()
      reader.close()
      reader.context.forget(reader)
    })

  private func open() -> OpenReader? {
    guard state.withLock({ $0.interruptions == 0 }), let reader = try? source.open() else { return nil }
    let opened = OpenReader(reader, context: self)
    // An interruption that came meanwhile has not seen the reader: it is refused here.
    let isWelcome = state.withLock { state in
      guard state.interruptions == 0 else { return false }
      state.readers[ObjectIdentifier(opened)] = opened
      return true
    }
    if !isWelcome { opened.close() }
    return isWelcome ? opened : nil
  }

  private func forget(_ reader: OpenReader) {
    // Taken out under the lock, let go outside it.
    _ = state.withLock { $0.readers.removeValue(forKey: ObjectIdentifier(reader)) }
  }
}

/// One opening: calls the application's reader, and closes it exactly once.
private final class OpenReader: Sendable {
  let context: ByteSourceContext
  let byteCount: UInt64?
  private let reader: any ByteReader
  private let isClosed = Guarded(false)

  init(_ reader: any ByteReader, context: ByteSourceContext) {
    self.reader = reader
    self.context = context
    byteCount = reader.byteCount
  }

  /// The count of bytes, 0 at the end, -1 for an error; an answer that is out of range is an error too.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !isClosed.withLock({ $0 }), let count = try? reader.read(into: buffer) else { return -1 }
    return (0...buffer.count).contains(count) ? count : -1
  }

  func seek(to offset: UInt64) -> Bool {
    guard !isClosed.withLock({ $0 }) else { return false }
    return (try? reader.seek(to: offset)) != nil
  }

  func close() {
    let closes = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if closes { reader.close() }
  }
}
