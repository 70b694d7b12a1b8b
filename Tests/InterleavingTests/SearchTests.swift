import ConcurrencySeam
import Interleaving
import Synchronization
import TestSupport
import Testing

/// What the strategies promise, and what explorations count: many executions, so not on threads, as under sanitizers.
@Suite(.tags(.logic), .timeLimit(.minutes(5)), .enabled(if: World.Substrate.best == .fibers))
struct SearchTests {
  private static func explore(
    _ strategy: StrategyChoice, executions: Int, _ body: @escaping @Sendable (World) -> Void
  ) async -> Exploration {
    var options = ExplorationOptions(executions: executions)
    options.strategy = strategy
    options.repeatsOneOf = 0
    options.world.detectsLockOrder = false
    return await Interleaving.explore("search", options, body: body)
  }

  /// How often a mark is reached, of all executions.
  private static func rate(
    _ strategy: StrategyChoice, _ body: @escaping @Sendable (World) -> Void
  ) async -> Double {
    let done = await explore(strategy, executions: 4_000, body)
    return Double(done.statistics.marks["reached", default: 0]) / Double(done.executions)
  }

  /// Ten steps of one's own, and then the only one that has to do with another thread: which of the two is first?
  @Sendable private static func longAndShort(_ world: World) {
    let (mine, shared) = (Place(), Place())
    world.spawn("short") {
      shared.pass()
      if shared.count.withValue({ $0 == 1 }) { world.mark("reached") }
    }
    for _ in 0..<10 { mine.pass() }
    shared.pass()
    shared.count.withValue { $0 = 1 }
  }

  @Test func `partial-order sampling finds orders that a random walk hardly meets`() async {
    let walk = await Self.rate(.random, Self.longAndShort)
    let partial = await Self.rate(.partialOrder, Self.longAndShort)
    // One in twelve: the short thread's priority has to be the lowest of twelve.
    #expect(walk < 0.01 && partial > 1.0 / 16, "\(walk), \(partial)")
  }

  @Test func `a uniform walk meets each interleaving about as often`() async {
    // Two threads of seven steps and two (one before each point, and one after the last): of the 36 interleavings, eight end
    // with the short one's second step.
    let body: @Sendable (World) -> Void = { world in
      let place = Place()
      world.spawn("short") {
        place.pass()
        if place.count.withValue({ $0 == 6 }) { world.mark("reached") }
      }
      for _ in 0..<6 {
        place.pass()
        place.count.withValue { $0 += 1 }
      }
    }
    let walk = await Self.rate(.random, body)
    let uniform = await Self.rate(.uniformWalk, body)
    #expect(walk < 0.1 && abs(uniform - 8.0 / 36) < 0.03, "\(walk), \(uniform)")
  }

  @Test func `feedback goes on from what was new`() async {
    // Each right guess touches something that no execution touched before: a way of four steps, each one of eight.
    let body: @Sendable (World) -> Void = { world in
      for guess in [3, 5, 1, 6] {
        guard world.draw(8) == guess else { return }
        world.point()
      }
      world.fail("all were guessed")
    }
    var random = 0
    var feedback = 0
    for seed in UInt64(0)..<5 {
      for strategy in [StrategyChoice.random, .feedback] {
        var options = ExplorationOptions(executions: 20_000)
        options.strategy = strategy
        options.seed = seed &* 1_299_709
        let done = await Interleaving.explore("guess", options, body: body)
        if strategy == .random { random += done.executions } else { feedback += done.executions }
      }
    }
    #expect(feedback * 4 < random, "\(feedback), \(random)")
  }

  @Test func `a portfolio says whose finding it is, and ends when a search was complete`() async {
    let done = await Self.explore(.portfolio, executions: 1_000) { world in
      let both = Both()
      world.spawn("other") { both.second.withLock { _ in both.first.withLock { $0 += 1 } } }
      both.first.withLock { _ in both.second.withLock { $0 += 1 } }
    }
    let names = StrategyChoice.all.map(\.description)
    #expect(done.finding?.kind == .deadlock && names.contains(done.artefact?.strategy ?? ""))
    #expect(done.artefact?.strategy != "portfolio")
  }

  @Test func `schedules that differ in the order of independent steps are one`() async {
    let done = await Self.explore(.random, executions: 500) { world in
      let places = [Place(), Place()]
      world.spawn("other") { for _ in 0..<3 { places[1].pass() } }
      for _ in 0..<3 { places[0].pass() }
    }
    #expect(done.statistics.distinctSchedules == 1 && done.statistics.unseen == 0)
    let shared = await Self.explore(.random, executions: 2_000) { world in
      let place = Place()
      world.spawn("other") { for _ in 0..<3 { place.pass() } }
      for _ in 0..<3 { place.pass() }
    }
    // Twenty orders of three steps and three.
    #expect(shared.statistics.distinctSchedules == 20 && shared.statistics.unseen == 0)
    #expect(shared.statistics.entities == 2 && shared.statistics.missBounds == [1, 1, 1])
  }

  @Test func `more schedules than there is room for are estimated`() async {
    let done = await Self.explore(.random, executions: 120_000) { world in
      _ = (world.draw(65_536), world.point())
      let place = Place()
      world.spawn("other") { for _ in 0..<10 { place.pass() } }
      for _ in 0..<10 { place.pass() }
    }
    let distinct = Double(done.statistics.distinctSchedules)
    // Of 184,756 orders, uniform or not, 120,000 executions meet some tens of thousands.
    #expect(distinct > 33_000 && distinct < 120_000, "\(distinct)")
    #expect(done.statistics.unseen > 0.05 && done.statistics.unseen < 1)
  }

  @Test func `bounds on what was missed follow from the executions of each depth`() async {
    let done = await Self.explore(.priorities(depth: 2), executions: 200) { world in
      let place = Place()
      world.spawn("other") { place.pass() }
      place.pass()
    }
    let bounds = done.statistics.missBounds
    #expect(bounds[0] == 1 && bounds[1] < 0.01 && bounds[2] == 1, "\(bounds)")
  }
}

/// What points name; its count is changed without a point.
private final class Place: Sendable {
  // Never contended: the lock is there for whoever looks for races.
  let count = Counted()
  final class Counted: Sendable {
    private let value = Mutex(0)
    func withValue<Result: Sendable>(_ body: (inout Int) -> Result) -> Result { value.withLock { body(&$0) } }
  }

  func pass() {
    SchedulingPoint.pass("passes", UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
  }
}

private final class Both: Sendable {
  let first = Guarded(0)
  let second = Guarded(0)
}
