import VLCNative

/// The parse of one native media: performs what `ParseMachine` decides, on the instance's serial queue.
///
/// Everything mutable is touched on that queue alone, so there is no lock, and a cancellation handler does nothing but
/// enqueue.
final class MediaParse: Sendable {
  private let owner: NativeMediaOwner
  nonisolated(unsafe) private var machine = ParseMachine()
  nonisolated(unsafe) private var waiters: [ParseWaiter] = []
  nonisolated(unsafe) private var request: ParseRequest?

  init(owner: NativeMediaOwner) {
    self.owner = owner
  }

  private var library: any NativeLibrary { owner.instance.library }
  private var queue: SerialQueue { owner.instance.queue }

  /// Waits for the media to be parsed; when the task is cancelled, for libVLC to have let it go.
  func result(timeoutMilliseconds: Int) async -> ParseResult {
    let waiter = ParseWaiter()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          waiter.continuation = continuation
          join(waiter, timeoutMilliseconds: timeoutMilliseconds)
        }
      }
    } onCancel: {
      queue.async { self.leave(waiter) }
    }
  }

  // MARK: On the queue

  private func join(_ waiter: ParseWaiter, timeoutMilliseconds: Int) {
    guard !waiter.isCancelled else {
      waiter.answer(.cancelled)
      return
    }
    waiters.append(waiter)
    switch machine.asked() {
    case .request: begin(timeoutMilliseconds: timeoutMilliseconds)
    case .complete(let result): complete(result)
    case .nothing, .stop: break
    }
  }

  /// The waiter's task was cancelled: before it joined, while it waits, or after it was answered.
  private func leave(_ waiter: ParseWaiter) {
    waiter.isCancelled = true
    guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return }
    switch machine.waiterLeft() {
    case .stop:
      library.stopParsing(owner.instance.native, owner.native)
      let status = library.parsedStatus(owner.native)
      end()
      perform(machine.stopReturned(status: status))
    case .nothing:
      waiters.remove(at: index)
      waiter.answer(.cancelled)
    case .request, .complete: break
    }
  }

  private func begin(timeoutMilliseconds: Int) {
    let request = ParseRequest(parse: self, library: library)
    self.request = request
    let isAttached = library.attach(
      .media(owner.native), .mediaParsedChanged, ParseRequest.callback, context: request.opaque())
    guard isAttached else {
      request.release()
      self.request = nil
      perform(machine.statusTold(.failed))
      return
    }
    let isAccepted = library.parseMedia(
      owner.instance.native, owner.native, options: [.local, .network, .fetchLocal],
      timeoutMilliseconds: timeoutMilliseconds)
    guard !isAccepted else { return }
    // The media was parsed before, by somebody or by playback.
    let status = library.parsedStatus(owner.native)
    end()
    perform(machine.statusTold(ParseResult(status) == nil ? .failed : status))
  }

  /// An event of a request told a status; it may be of one that is over.
  fileprivate func told(_ status: NativeParsedStatus, by request: ParseRequest) {
    guard request === self.request, ParseResult(status) != nil else { return }
    end()
    perform(machine.statusTold(status))
  }

  /// Detaches the listener, after which no callback runs, and lets its context go.
  private func end() {
    guard let request = request.take() else { return }
    library.detach(.media(owner.native), .mediaParsedChanged, ParseRequest.callback, context: request.address)
    request.release()
  }

  private func perform(_ action: ParseMachine.Action) {
    if case .complete(let result) = action { complete(result) }
  }

  private func complete(_ result: ParseResult) {
    for waiter in waiters.takeAll() { waiter.answer(result) }
  }

  fileprivate func enqueueTold(_ status: NativeParsedStatus, by request: ParseRequest) {
    queue.async { self.told(status, by: request) }
  }
}

/// One who waits for a parse; touched on the instance's queue alone.
private final class ParseWaiter: Sendable {
  nonisolated(unsafe) var continuation: CheckedContinuation<ParseResult, Never>?
  nonisolated(unsafe) var isCancelled = false

  func answer(_ result: ParseResult) {
    continuation.take()?.resume(returning: result)
  }
}

/// The context of one request's listener: owned by the attachment, from before it until after its detach.
private final class ParseRequest: Sendable {
  private let parse: MediaParse
  private let library: any NativeLibrary

  init(parse: MediaParse, library: any NativeLibrary) {
    self.parse = parse
    self.library = library
  }

  static let callback: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    let request = Unmanaged<ParseRequest>.fromOpaque(context).takeUnretainedValue()
    guard case .mediaParsedChanged(let status) = request.library.decode(event) else { return }
    request.parse.enqueueTold(status, by: request)
  }

  /// The attachment's own count.
  func opaque() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  func release() { Unmanaged.passUnretained(self).release() }
}
