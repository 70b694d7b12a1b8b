import Foundation
import Interleaving
public import VLCNative

/// Whether some schedule of a simulated library does what a trace says.
///
/// The trace's threads make its calls, each as soon as everything before it was seen. Whose line is next is whom the schedule
/// prefers; the first line that differs ends a try. What no try of a bounded number explains is refused.
public struct Acceptance: Sendable {
  public enum Verdict: Sendable {
    /// With the number of tries that it took.
    case accepted(tries: Int)
    /// With the number of the first line that no schedule explained, and what came instead in one of them.
    case refused(line: Int, instead: String)

    public var isAccepted: Bool { if case .accepted = self { true } else { false } }
  }

  private let makeLibrary: @Sendable () -> any NativeLibrary
  private let path: @Sendable (String) -> String
  private let tries: Int

  /// - Parameters:
  ///   - tries: how many schedules are tried at most.
  ///   - path: of a fixture by its name.
  ///   - makeLibrary: called in a world for each try.
  public init(
    tries: Int, path: @escaping @Sendable (String) -> String,
    makeLibrary: @escaping @Sendable () -> any NativeLibrary
  ) {
    self.tries = tries
    self.path = path
    self.makeLibrary = makeLibrary
  }

  /// Blocks the calling thread, which must not be the main one.
  public func verdict(on trace: RecordedTrace) -> Verdict {
    let world = World()
    var options = World.Options()
    options.detectsLockOrder = false
    options.steps = 60_000
    options.settling = 60_000
    world.options = options
    var best: Try?
    var random = SeededRandom(seed: 1)
    for number in 1...tries {
      // One in three begins anew; the others go back a little from where the furthest one came to.
      var beginning = ChoiceSequence()
      // Every other try lets as much time pass as did.
      var keepsTime = number % 2 == 0
      if let best, number % 3 > 0 {
        // Mostly a few lines: what a line needs is drawn shortly before it.
        let back = random.below(min(best.counts.count, random.below(2) == 0 ? 24 : 4) + 1)
        beginning = best.choices.prefix(
          back == best.counts.count ? 0 : best.counts[best.counts.count - 1 - back])
        keepsTime = best.keepsTime
      }
      let guide = Guide()
      let matcher = Matcher(trace, guide)
      let strategy = Strategy.guided(
        by: guide, seed: random.next(), strays: [0, 4, 16, 64][random.below(4)], after: beginning)
      let finding = world.run(strategy) { world in drive(trace, matcher, world, keepsTime: keepsTime) }
      if matcher.isAccepted, finding == nil { return .accepted(tries: number) }
      // Of those that come equally far the latest: one may have drawn what keeps it from going on.
      guard matcher.place >= best?.place ?? 0 else { continue }
      best = Try(
        place: matcher.place, instead: finding.map { "\($0)" } ?? matcher.instead, choices: world.choices,
        counts: matcher.counts, keepsTime: keepsTime)
    }
    return .refused(line: best?.place ?? 0, instead: best?.instead ?? "")
  }

  private struct Try {
    let place: Int
    let instead: String
    let choices: ChoiceSequence
    /// How many choices were made before each line.
    let counts: [Int]
    let keepsTime: Bool
  }

  private func drive(_ trace: RecordedTrace, _ matcher: Matcher, _ world: World, keepsTime: Bool) {
    let paths = trace.media.map(path)
    guard let rig = Rig(makeLibrary(), paths: paths, told: { matcher.observe($0) }) else {
      return world.fail("the simulated library makes no player")
    }
    let calls = trace.calls
    for (number, calls) in calls where number != 0 {
      matcher.willStart()
      world.spawn("driver \(number)") { matcher.make(calls, on: rig, as: number, keepsTime) }
    }
    matcher.willStart()
    matcher.make(calls[0] ?? [], on: rig, as: 0, keepsTime)
    matcher.waitForDrivers()
    rig.close()
  }
}

/// Compares what happens with a trace, line by line, and tells the guide whose line is next.
private final class Matcher: @unchecked Sendable {
  // Unchecked: a world runs one thread at a time, and switches nowhere between two accesses but in the condition.
  private let lines: [TraceLine]
  /// Whether it tells of media.
  private let hasMedia: Bool
  /// The threads that play.
  private let inputs: Set<Int>
  private let guide: Guide
  private let condition = NSCondition()
  private var keys: [Int: UInt64] = [:]
  private var numbers: [UInt64: Int] = [:]
  private var filter = RunFilter()
  private var isOver = false
  private var running = 0
  private(set) var place = 0
  private(set) var instead = ""
  private(set) var counts: [Int] = []

  init(_ trace: RecordedTrace, _ guide: Guide) {
    lines = trace.lines
    hasMedia = lines.contains { $0.text.hasPrefix("media ") }
    inputs = Set(trace.lines.filter { $0.text == "player opening" }.map(\.thread))
    self.guide = guide
  }

  var isAccepted: Bool { place == lines.count }

  func observe(_ text: String) {
    guard !isOver, let key = World.currentThread else { return }
    if !hasMedia, text.hasPrefix("media ") { return }
    let expected = lines[place]
    // Who was not heard of before is whoever is expected.
    let number = numbers[key] ?? (keys[expected.thread] == nil ? expected.thread : -1)
    let line = TraceLine(thread: number, text: text)
    if number >= 0, line != expected || !line.isRun {
      // The rest of a run, which stood for all of it.
      var copy = filter
      if !copy.keeps(line) { return }
    }
    // A recording does not say what a call returned.
    guard line == expected || expected.text == "<" && line.isReturn && number == expected.thread else {
      instead = number < 0 ? "a thread more: \(text)" : line.description
      return end()
    }
    if numbers[key] == nil { bind(key, to: number) }
    _ = filter.keeps(line)
    counts.append(World.current?.choiceCount ?? 0)
    place += 1
    guard place < lines.count else { return end() }
    wish()
    if lines[place].isBegin { wake() }
  }

  private func bind(_ key: UInt64, to number: Int) {
    keys[number] = key
    numbers[key] = number
  }

  private func wish() {
    let next = lines[place]
    guide.wish =
      keys[next.thread].map { .thread($0) }
      ?? .other(than: Set(keys.values), named: names(of: next))
  }

  /// The simulated library's own names of the threads that may say that.
  private func names(of next: TraceLine) -> Set<String> {
    if next.text.hasPrefix("player outputs") { return ["vlc-dec-video"] }
    return inputs.contains(next.thread) ? ["vlc-input"] : ["parser", "vlc-run-prepars"]
  }

  private func end() {
    isOver = true
    guide.wish = .anyone
    wake()
  }

  private func wake() { condition.withLock { condition.broadcast() } }

  // MARK: Drivers

  func willStart() { running += 1 }

  func make(_ calls: [(call: TraceCall, moment: Int)], on rig: Rig, as number: Int, _ keepsTime: Bool) {
    if let key = World.currentThread, !isOver { bind(key, to: number) }
    if !lines.isEmpty, !isOver { wish() }
    for (call, moment) in calls {
      waitForTurn(of: number)
      if keepsTime, !isOver, let world = World.current {
        let rest = Duration.milliseconds(moment) - world.elapsed
        if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
      }
      if isOver { break }
      observe("> \(call)")
      let result = rig.perform(call)
      // Whoever was woken or made by the call may say something first.
      World.current?.point()
      observe(result.isEmpty ? "<" : "< \(result)")
    }
    running -= 1
    wake()
  }

  func waitForDrivers() {
    condition.lock()
    while running > 0 { condition.wait() }
    condition.unlock()
    if !isOver { end() }
  }

  /// Returns when a call of the thread's is next. Where nothing comes for a long time, nothing comes any more.
  private func waitForTurn(of number: Int) {
    var patience = 20
    condition.lock()
    defer { condition.unlock() }
    while !isOver, lines[place].thread != number || !lines[place].isBegin {
      // Now and then time passes although somebody could run.
      guard !condition.wait(until: Date(timeIntervalSinceNow: 30)) else { continue }
      patience -= 1
      guard patience == 0 else { continue }
      instead = "nothing more"
      isOver = true
      guide.wish = .anyone
      condition.broadcast()
    }
  }
}
