import VLCNative

/// The parse of a media with one instance: performs what `ParseMachine` decides, on the instance's serial queue.
///
/// Everything mutable is touched on that queue alone, so there is no lock, and a cancellation handler does nothing but
/// enqueue. Time is the waiters' own: each has a task that sleeps, and libVLC is given none, because its clock begins
/// when the serial preparser comes to a media.
final class MediaParse: Sendable {
  typealias Answer = (result: ParseResult, owner: NativeMediaOwner?)

  private let instance: VLCInstance
  nonisolated(unsafe) private var machine = ParseMachine()
  nonisolated(unsafe) private var waiters: [ParseWaiter] = []
  nonisolated(unsafe) private var request: ParseRequest?
  /// The media of the last request.
  nonisolated(unsafe) private var owner: NativeMediaOwner?
  /// Whether a native media was parsed, for good: of a request that found none there is no owner, and the first may not be parsed again.
  nonisolated(unsafe) private var hasTried = false

  init(instance: VLCInstance) {
    self.instance = instance
  }

  private var library: any NativeLibrary { instance.library }
  private var queue: SerialQueue { instance.queue }

  /// Waits for the media to be parsed; when the task is cancelled or time is up, for libVLC to have let it go.
  ///
  /// - Parameter media: makes the native media of a request; true for a second try.
  func result(
    timeout: Duration, media: @escaping @Sendable (_ retries: Bool) -> NativeMediaOwner?
  ) async -> Answer {
    let waiter = ParseWaiter()
    let alarm = Task { [self] in
      try await Task.sleep(for: timeout)
      queue.async { self.leave(waiter, reason: .timeout) }
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          waiter.continuation = continuation
          join(waiter, media: media)
        }
      }
    } onCancel: {
      queue.async { self.leave(waiter, reason: .cancelled) }
    }
  }

  // MARK: On the queue

  private func join(_ waiter: ParseWaiter, media: (Bool) -> NativeMediaOwner?) {
    if let reason = waiter.leftBefore {
      waiter.answer((reason, owner))
      return
    }
    waiters.append(waiter)
    switch machine.asked() {
    case .request: begin(media(hasTried))
    case .complete(let result): complete(result)
    case .nothing, .stop: break
    }
  }

  /// The waiter was cancelled or ran out of time: before it joined, while it waits, or after it was answered.
  private func leave(_ waiter: ParseWaiter, reason: ParseResult) {
    guard let index = waiters.firstIndex(where: { $0 === waiter }) else {
      waiter.leftBefore = waiter.leftBefore ?? reason
      return
    }
    switch machine.waiterLeft() {
    case .stop:
      guard let owner else { preconditionFailure("a parse is under way without a native media") }
      library.stopParsing(instance.native, owner.native)
      let status = library.parsedStatus(owner.native)
      end()
      perform(machine.stopReturned(status: status, reason: reason))
    case .nothing:
      waiters.remove(at: index)
      waiter.answer((reason, owner))
    case .request, .complete: break
    }
  }

  private func begin(_ media: NativeMediaOwner?) {
    owner = media
    guard let media else {
      perform(machine.statusTold(.failed))
      return
    }
    hasTried = true
    let request = ParseRequest(parse: self, library: library)
    self.request = request
    guard
      library.attach(
        .media(media.native), .mediaParsedChanged, ParseRequest.callback, context: request.opaque())
    else {
      request.release()
      self.request = nil
      perform(machine.statusTold(.failed))
      return
    }
    let isAccepted = library.parseMedia(
      instance.native, media.native, options: [.local, .network, .fetchLocal], timeoutMilliseconds: 0)
    guard !isAccepted else { return }
    // The media was parsed before, by playback or by another of this source.
    let status = library.parsedStatus(media.native)
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
    guard let request = request.take(), let owner else { return }
    library.detach(.media(owner.native), .mediaParsedChanged, ParseRequest.callback, context: request.address)
    request.release()
  }

  private func perform(_ action: ParseMachine.Action) {
    if case .complete(let result) = action { complete(result) }
  }

  private func complete(_ result: ParseResult) {
    for waiter in waiters.takeAll() { waiter.answer((result, owner)) }
  }

  fileprivate func enqueueTold(_ status: NativeParsedStatus, by request: ParseRequest) {
    queue.async { self.told(status, by: request) }
  }
}

/// One who waits for a parse; touched on the instance's queue alone.
private final class ParseWaiter: Sendable {
  nonisolated(unsafe) var continuation: CheckedContinuation<MediaParse.Answer, Never>?
  /// Why it left, when that came before it joined.
  nonisolated(unsafe) var leftBefore: ParseResult?

  func answer(_ answer: MediaParse.Answer) {
    continuation.take()?.resume(returning: answer)
  }
}

/// The context of one request's listener: owned by the attachment, from before it until after its detach.
private final class ParseRequest: Sendable {
  // It keeps the parse, and with it the media, for as long as libVLC works on it.
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
