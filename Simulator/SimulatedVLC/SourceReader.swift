import VLCNative

/// S15: a byte source is opened and closed on the input's thread, and read on another.
final class SourceReader: @unchecked Sendable {
  private struct State {
    var isStopping = false
    var isOver = false
    var hasFailed = false
    var hasRead = false
  }
  private let source: InputItem.ByteSource
  private let state = Monitor(State())
  private var data: UnsafeMutableRawPointer?
  private var hasThread = false

  init(_ source: InputItem.ByteSource) { self.source = source }

  /// Whether there is nothing left to read.
  var isOver: Bool { state.read { $0.isOver } }
  var hasFailed: Bool { state.read { $0.hasFailed } }

  func open() -> Bool {
    source.observer?(.reading(context: source.opaque))
    guard let open = source.callbacks.open else {
      data = source.opaque
      return true
    }
    var size = UInt64.max
    return open(source.opaque, &data, &size) == 0
  }

  /// Returns when there are data, or the end of them; false for an error before any.
  func waitForData() -> Bool { state.wait { $0.hasRead ? true : $0.hasFailed ? false : nil } }

  func start() {
    hasThread = true
    NativeThread.start(.prefetch) { self.read() }
  }

  private func read() {
    let room = 270_704
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    defer { buffer.deallocate() }
    while !state.read({ $0.isStopping }) {
      let count = source.callbacks.read(data, buffer, room)
      state.change { state in
        if count < 0 { state.hasFailed = true } else { state.hasRead = true }
      }
      if count <= 0 { break }
    }
    state.change { $0.isOver = true }
  }

  /// Waits for a read that runs, without a bound, and closes the source.
  func join() {
    if hasThread {
      state.change { $0.isStopping = true }
      state.wait { $0.isOver ? () : nil }
    }
    source.callbacks.close?(data)
  }
}
