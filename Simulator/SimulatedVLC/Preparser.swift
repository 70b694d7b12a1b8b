import VLCNative

/// S12: media are parsed one after the other, on a thread that lives while there are any.
final class Preparser: Sendable {
  private struct Request {
    let media: SimulatedMediaObject
    let timeout: Duration?
  }
  private struct State {
    var queue: [Request] = []
    var current: SimulatedMediaObject?
    var isCancelled = false
    /// Its media is released: nobody is told.
    var isDropped = false
    var hasThread = false
  }
  private let state = Monitor(State())
  private let chance: Chance
  /// How often a parse looks whether it is to end.
  private static let look = Duration.milliseconds(100)

  init(chance: Chance) { self.chance = chance }

  func parse(_ media: SimulatedMediaObject, _ options: NativeParseOptions, _ timeout: Int) -> Bool {
    let isNew = media.parsed.read { $0 == .none }
    let isQueued = state.read { state in
      state.current === media || state.queue.contains { $0.media === media }
    }
    guard isNew, !isQueued else { return false }
    // A byte source is never parsed, and what comes over a network only when it may be: told on the caller.
    if media.item.source != nil || media.item.medium.isRemote && !options.contains(.network) {
      tell(media, .skipped)
      return true
    }
    let isIdle = state.change { state in
      state.queue.append(Request(media: media, timeout: timeout > 0 ? .milliseconds(timeout) : nil))
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if isIdle { NativeThread.start("preparser") { self.work() } }
    return true
  }

  /// What is parsed ends soon, with its event, before this returns; what waits is dropped without one.
  func cancel(_ media: SimulatedMediaObject, isReleased: Bool = false) {
    let isRunning = state.change { state in
      state.queue.removeAll { $0.media === media }
      guard state.current === media else { return false }
      state.isCancelled = true
      state.isDropped = isReleased
      return true
    }
    guard isRunning else { return }
    state.wait { $0.current === media ? nil : () }
  }

  private func work() {
    while let request = next() {
      let status = run(request)
      if status == .done { request.media.learn() }
      if !state.read({ $0.isDropped }) { tell(request.media, status) }
      state.change { $0.current = nil }
    }
  }

  private func next() -> Request? {
    state.change { state in
      guard !state.queue.isEmpty else {
        state.hasThread = false
        return nil
      }
      let request = state.queue.removeFirst()
      state.current = request.media
      state.isCancelled = false
      state.isDropped = false
      return request
    }
  }

  private func run(_ request: Request) -> NativeParsedStatus {
    let medium = request.media.item.medium
    if case .open = medium.failure { return .failed }
    let needed = chance.duration(in: medium.parsing)
    let allowed = request.timeout.map { min($0, needed) } ?? needed
    var waited = Duration.zero
    while waited < allowed || medium.barrier.map({ !$0.reached() }) == true {
      if let timeout = request.timeout, waited >= timeout { return .timeout }
      let slice = waited < allowed ? min(Self.look, allowed - waited) : Self.look
      if state.wait(for: slice, { $0.isCancelled ? true : nil }) != nil { return .timeout }
      waited += slice
    }
    return allowed < needed ? .timeout : .done
  }

  private func tell(_ media: SimulatedMediaObject, _ status: NativeParsedStatus) {
    media.parsed.read { $0 = status }
    media.events.send(.mediaParsedChanged(status))
  }
}
