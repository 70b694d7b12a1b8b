public import Foundation
public import VLCNative

/// A library that does all that another one does, but for one deviation.
///
/// It stands where a check meets the library, at the seam: the simulated libVLC has no switch for it, and neither has the engine.
public final class DeviatingLibrary: NativeLibrary {
  let base: any NativeLibrary
  let deviation: Deviation?
  let currentThread: @Sendable () -> UInt64
  private let spawn: @Sendable (@escaping @Sendable () -> Void) -> Void
  let shared = Shared()

  /// Without a deviation it does what the base does.
  init(_ base: any NativeLibrary, _ deviation: Deviation?, on harness: Harness) {
    self.base = base
    self.deviation = deviation
    spawn = harness.spawn
    currentThread = harness.currentThread
  }

  public var capabilities: NativeCapabilities { base.capabilities }

  /// What was told and called until now.
  public var seen: (kinds: Set<NativeEventKind>, calls: Set<Deviation.Call>) {
    shared.change { (Set($0.kinds.keys), Set($0.numbers.keys)) }
  }

  /// Makes a call as the deviation wants it.
  func pass<Answer: Falsifiable>(_ call: Deviation.Call, _ body: @escaping () -> Answer) -> Answer {
    let number = shared.change { state in
      state.running += 1
      defer { state.numbers[call, default: 0] += 1 }
      return state.numbers[call, default: 0]
    }
    defer { shared.change { $0.running -= 1 } }
    switch deviation {
    case .skips(call, let first) where number >= first: return .unmade
    case .lies(call, let first) where number >= first: return body().falsified
    case .repeats(call):
      _ = body()
      return body()
    case .recurs(call): shared.change { $0.recurring = Work { _ = body() } }
    case .hurries(call): return hurry(body)
    case .hurriesInCallbacks(call) where shared.change({ $0.callbacks > 0 }): return hurry(body)
    case .returnsInside(call) where isInCallback: return .unmade
    case .waitsForCallbacks(call): shared.wait { $0.callbacks == 0 ? () : nil }
    case .waitsForCalls(call): shared.wait { $0.running == 1 ? () : nil }
    case .draws(_, into: call): return draw(body)
    case .echoes(_, in: call):
      let echoes = shared.change { $0.echoes }
      let answer = body()
      for told in echoes { told.relay.deliver(told.event) }
      return answer
    case .lingers(call, let kind):
      let answer = body()
      let before = shared.change { $0.kinds[kind, default: 0] }
      shared.wait { $0.kinds[kind, default: 0] > before ? () : nil }
      return answer
    default: break
    }
    let answer = body()
    if call == .play { shared.change { $0.recurring }?.body() }
    return answer
  }

  func pass(_ call: Deviation.Call, _ body: @escaping () -> Void) {
    let _: Nothing = pass(call) {
      body()
      return Nothing()
    }
  }

  private var isInCallback: Bool {
    let thread = currentThread()
    return shared.change { $0.depths[thread, default: 0] > 0 }
  }

  private func hurry<Answer: Falsifiable>(_ body: @escaping () -> Answer) -> Answer {
    runLater { _ = body() }
    return .unmade
  }

  /// Runs a body on another thread, and does not wait for it.
  func runLater(_ body: @escaping () -> Void) {
    let work = Work(body)
    spawn { [self] in withExtendedLifetime(self) { work.body() } }
  }

  /// Runs a body on another thread, and waits for it.
  func runElsewhere(_ body: @escaping () -> Void) {
    let work = Work(body)
    let done = Done()
    spawn { [self] in
      withExtendedLifetime(self) { work.body() }
      done.set()
    }
    done.wait()
  }

  /// Runs a body on the one thread that there is for that, and waits for it.
  func runOnOneThread(_ body: @escaping () -> Void) {
    let work = Work(body)
    let done = Done()
    let isFirst = shared.change { state in
      state.queue.append(
        Work {
          work.body()
          done.set()
        })
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if isFirst {
      spawn { [self] in
        while let next = shared.wait({ state -> Work?? in
          if !state.queue.isEmpty { return state.queue.removeFirst() }
          return state.hasThread ? nil : .some(nil)
        }) { next.body() }
      }
    }
    done.wait()
  }

  /// Nobody is told any more on the one thread.
  func endThread() { shared.change { $0.hasThread = false } }
}

extension Harness {
  /// The same harness with a library that deviates, and another patience: much of what a check waits for does not come.
  public func deviating(
    by deviation: Deviation?, patience: TimeInterval
  ) -> (harness: Harness, library: DeviatingLibrary) {
    let library = DeviatingLibrary(self.library, deviation, on: self)
    return (
      Harness(
        library: library,
        media: deviation == .wasRecordedOtherwise ? OtherRecordings(base: media) : media, spawn: spawn,
        currentThread: currentThread, threadName: threadName, patience: patience, announce: announce),
      library
    )
  }
}

/// Recordings of a library that did otherwise: what was recorded to return never did.
private struct OtherRecordings: MediaSource {
  let base: any MediaSource

  func recording(_ name: String) throws -> String {
    try base.recording(name).replacing(" ok", with: " DEADLOCK")
  }

  func path(_ fixture: String) -> String { base.path(fixture) }
  func filmPath(milliseconds: Int) -> String { base.filmPath(milliseconds: milliseconds) }
  var missingPath: String { base.missingPath }
  func bytes(_ fixture: String) -> [UInt8] { base.bytes(fixture) }
  func outputPath(_ name: String) -> String { base.outputPath(name) }
  func makeStalledFile() throws -> any StalledFile { try base.makeStalledFile() }
  func makeLoginServer() throws -> any LoginServer { try base.makeLoginServer() }
}
