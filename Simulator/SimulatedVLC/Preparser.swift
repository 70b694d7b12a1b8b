import VLCNative

/// S12: media are parsed one after the other, each by a thread of its own that tells what it learns; how that ended tells a worker
/// that lives while there are any.
final class Preparser: Sendable {
  private struct Request {
    let media: SimulatedMediaObject
    let timeout: Duration?
    /// Called when the request is over, however it came to that.
    let isOver: @Sendable () -> Void
  }
  private struct State {
    var queue: [Request] = []
    var current: SimulatedMediaObject?
    var isCancelled = false
    /// Its media is released: nobody is told.
    var isDropped = false
    var result: NativeParsedStatus?
    /// Of these it is still to be told how they ended, while the next one is parsed; those that are released meanwhile are not told.
    var told: [SimulatedMediaObject] = []
    var untold: [SimulatedMediaObject] = []
    var hasThread = false
  }
  private let state = Monitor(State())
  private let profile: SimulatedProfile
  private let chance: Chance
  private let faults: Faults
  /// How often a parse looks whether it is to end.
  private static let look = Duration.milliseconds(100)
  private static let patience = Duration.seconds(5)

  init(_ profile: SimulatedProfile, _ chance: Chance, _ faults: Faults) {
    self.profile = profile
    self.chance = chance
    self.faults = faults
  }

  /// A media is parsed when it is asked for the first time, whatever playing it has shown. False where it is not taken, and then
  /// nothing is over.
  func parse(
    _ media: SimulatedMediaObject, _ options: NativeParseOptions, _ timeout: Int,
    isOver: @escaping @Sendable () -> Void
  ) -> Bool {
    let isFirst = media.item.state.read { state -> Bool in
      defer { state.isAskedToParse = true }
      return !state.isAskedToParse
    }
    guard isFirst, profile == .libVLC3 || media.parsed.read({ $0 == .none }) else { return false }
    // A byte source is never parsed by 3.0, and what comes over a network only when it may be: told on the caller.
    let isUnreadable = media.item.source != nil && profile == .libVLC3
    if isUnreadable || media.item.medium.isRemote && !options.contains(.network)
      || faults.fires(.parsingIsSkipped)
    {
      media.tell(.skipped)
      isOver()
      return true
    }
    let isIdle = state.change { state in
      state.queue.append(
        Request(media: media, timeout: timeout > 0 ? .milliseconds(timeout) : nil, isOver: isOver))
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if isIdle { startWorker() }
    return true
  }

  private func startWorker() { NativeThread.start(.preparser) { self.work() } }

  /// What is parsed ends soon, with its event, before this returns; what waits is dropped without one.
  func cancel(_ media: SimulatedMediaObject, isReleased: Bool = false) {
    let (isRunning, dropped) = state.change { state -> (Bool, [Request]) in
      let dropped = state.queue.filter { $0.media === media }
      state.queue.removeAll { $0.media === media }
      guard state.current === media else { return (false, dropped) }
      state.isCancelled = true
      state.isDropped = isReleased
      return (true, dropped)
    }
    for request in dropped { request.isOver() }
    if isReleased {
      state.read { state in if state.told.contains(where: { $0 === media }) { state.untold.append(media) } }
      state.wait { $0.told.contains { $0 === media } ? nil : () }
    }
    // 4.parse: a stop does not wait.
    guard isRunning, profile == .libVLC3 else { return }
    state.wait { $0.current === media ? nil : () }
  }

  private func work() {
    while let request = next() {
      if profile == .libVLC4 {
        let status = run(request)
        learn(request.media, status)
        if !state.read({ $0.isDropped }) { request.media.tell(status) }
        state.change { $0.current = nil }
        request.isOver()
        continue
      }
      let isKnown = request.media.item.state.read { $0.isPreparsed }
      if case .open = request.media.item.medium.failure {
        finish(.failed, of: request.media)
      } else if !isKnown {
        NativeThread.start(.parser) { self.finish(self.run(request), of: request.media) }
      }
      if isKnown {
        let needed = chance.duration(in: .zero...request.media.item.medium.parsing.upperBound)
        _ = state.wait(for: needed) { $0.isCancelled ? true : nil }
      }
      let status = isKnown ? .done : state.wait { $0.result }
      if status == .done { request.media.learn(isParse: true) }
      let (isDropped, isRelieved) = state.change { state in
        let isDropped = state.isDropped
        // The next one may begin before it is told how this one ended.
        guard !state.queue.isEmpty, chance.draw(2) == 0 else { return (isDropped, false) }
        state.current = nil
        if !isDropped { state.told.append(request.media) }
        return (isDropped, true)
      }
      if isRelieved { return tellLate(request, status, isDropped: isDropped) }
      if !isDropped { request.media.tell(status) }
      state.change { $0.current = nil }
      request.isOver()
    }
  }

  /// Leaves the rest to another worker, and tells how this one ended.
  private func tellLate(_ request: Request, _ status: NativeParsedStatus, isDropped: Bool) {
    startWorker()
    _ = state.wait(for: chance.duration(in: .zero...(.milliseconds(16)))) { _ in Optional<Bool>.none }
    let isWanted = !isDropped && !state.read { $0.untold.contains { $0 === request.media } }
    if isWanted { request.media.tell(status) }
    state.change { state in
      state.told.removeAll { $0 === request.media }
      state.untold.removeAll { $0 === request.media }
    }
    request.isOver()
  }

  /// 4.parse: a duration and metadata are told before each end, also of what failed.
  private func learn(_ media: SimulatedMediaObject, _ status: NativeParsedStatus) {
    let news: [NativeEvent] =
      status == .done
      ? media.news(duration: true) : [.mediaDurationChanged(media.item.state.read { $0.duration })]
    for event in news + [.mediaMetadataChanged(nil)] { media.events.send(event) }
  }

  private func next() -> Request? {
    // 4.parse: its thread waits a while for more.
    if profile == .libVLC4 { _ = state.wait(for: Self.patience) { $0.queue.isEmpty ? nil : true } }
    return state.change { state in
      guard !state.queue.isEmpty else {
        state.hasThread = false
        return nil
      }
      let request = state.queue.removeFirst()
      state.current = request.media
      state.isCancelled = false
      state.isDropped = false
      state.result = nil
      return request
    }
  }

  private func finish(_ status: NativeParsedStatus, of media: SimulatedMediaObject) {
    // What it has not told, the worker tells.
    if status == .done, chance.draw(4) > 0 { media.learn(isParse: true) }
    // A player that has it tells that it is over for the first time, whatever came of it.
    let isTold = media.item.state.read { state -> Bool in
      defer { state.isPreparsed = true }
      return !state.isPreparsed && state.watchers > 0
    }
    if isTold { media.tell(.done) }
    state.change { $0.result = status }
  }

  private func run(_ request: Request) -> NativeParsedStatus {
    let medium = request.media.item.medium
    if profile == .libVLC4, case .open = medium.failure { return .failed }
    if let source = request.media.item.source {
      // 4.0 reads a byte source as playing does.
      let reader = SourceReader(source)
      guard reader.open() else { return .failed }
      reader.start()
      defer { reader.join() }
      guard reader.waitForData() else { return .failed }
    }
    if faults.fires(.parsingFails) { return .failed }
    let needed = chance.duration(in: medium.parsing) + faults.delay(.parsingIsSlow)
    let isDeaf = faults.fires(.parseOutlivesStop)
    let allowed = request.timeout.map { min($0, needed) } ?? needed
    var waited = Duration.zero
    while waited < allowed || medium.barrier.map({ !$0.reached() }) == true {
      if let timeout = request.timeout, waited >= timeout { return .timeout }
      let slice = waited < allowed ? min(Self.look, allowed - waited) : Self.look
      if state.wait(for: slice, { $0.isCancelled && !isDeaf ? true : nil }) != nil { return .timeout }
      waited += slice
    }
    return allowed < needed ? .timeout : .done
  }
}
