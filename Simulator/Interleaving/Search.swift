/// Hands out the strategies of an exploration's executions, and learns from what they did.
class Search {
  /// The next execution's; nil when nothing is left to explore.
  func strategy(seed: UInt64) -> Strategy? { nil }
  /// What an execution did, whether its order of accesses was none of the earlier ones, and whether this search's strategy
  /// made it.
  func learn(_ scheduler: Scheduler, isNew: Bool, isOwn: Bool) {}
  /// Whether the last execution was ended in the middle, for the rest of it is another's.
  var isCut: Bool { false }
  /// How much of all there is was explored, when that is known.
  var completeness: Completeness? { nil }
}

/// What a depth-first search that came to its end has seen: every schedule, or each with at most so many preemptions.
struct Completeness: CustomStringConvertible {
  let bound: Int?

  init(bound: Int?) { self.bound = bound }

  /// As a record has it: none is nought.
  init?(code: UInt32) {
    guard code > 0 else { return nil }
    bound = code == 1 ? nil : Int(code) - 2
  }
  var code: UInt32 { bound.map { UInt32($0) + 2 } ?? 1 }

  var description: String { bound.map { "complete at bound \($0)" } ?? "complete" }
}

/// A strategy by its name, before it has a seed.
public enum StrategyChoice: Hashable, Sendable, CustomStringConvertible {
  /// Uniform at each choice.
  case random
  /// Probabilistic concurrency testing of a depth, whose step count is measured.
  case priorities(depth: Int)
  /// A random walk that is uniform over interleavings, by the number of points that each entity has before it.
  case uniformWalk
  /// Partial-order sampling: uniform over the orders of steps that touch a common object, about.
  case partialOrder
  /// Every schedule that can be another, once, with at most so many preemptions; nil for any number.
  case depthFirst(bound: Int?)
  /// Goes on from executions whose order of accesses was new.
  case feedback
  /// Each of the others in turn; a finding says whose it is.
  case portfolio

  public static let all: [StrategyChoice] =
    [.random] + (1...4).map { .priorities(depth: $0) } + [.uniformWalk, .partialOrder, .feedback]
    + [nil, 0, 1, 2, 3].map { .depthFirst(bound: $0) } + [.portfolio]

  public init?(_ name: some StringProtocol) {
    guard let found = Self.all.first(where: { $0.description == name }) else { return nil }
    self = found
  }

  public var description: String {
    switch self {
    case .random: "random"
    case .priorities(let depth): "pct\(depth)"
    case .uniformWalk: "urw"
    case .partialOrder: "pos"
    case .depthFirst(let bound): DepthFirstSearch.name(bound)
    case .feedback: "feedback"
    case .portfolio: "portfolio"
    }
  }

  func search() -> Search {
    switch self {
    case .random: RandomSearch()
    case .priorities(let depth): PrioritySearch(depth: depth)
    case .uniformWalk: UniformWalkSearch()
    case .partialOrder: PartialOrderSearch()
    case .depthFirst(let bound): DepthFirstSearch(bound: bound)
    case .feedback: FeedbackSearch()
    case .portfolio: PortfolioSearch()
    }
  }
}

private final class RandomSearch: Search {
  override func strategy(seed: UInt64) -> Strategy? { .random(seed: seed) }
}

private final class PrioritySearch: Search {
  private let depth: Int
  private var longest = 1

  init(depth: Int) { self.depth = depth }

  override func strategy(seed: UInt64) -> Strategy? {
    .priorities(seed: seed, depth: depth, steps: longest)
  }

  override func learn(_ scheduler: Scheduler, isNew: Bool, isOwn: Bool) {
    longest = max(longest, scheduler.state.pointee.steps)
  }
}

final class PortfolioSearch: Search {
  private static let choices: [StrategyChoice] = [
    .random, .partialOrder, .priorities(depth: 2), .uniformWalk, .priorities(depth: 3), .feedback,
    .depthFirst(bound: 2), .priorities(depth: 1),
  ]
  private var searches = choices.map { $0.search() }
  private var current = -1

  override func strategy(seed: UInt64) -> Strategy? {
    while !searches.isEmpty {
      current = (current + 1) % searches.count
      if let strategy = searches[current].strategy(seed: seed) { return strategy }
      // It has explored all that it can.
      if let completeness = searches[current].completeness { whole = completeness }
      searches.remove(at: current)
      current -= 1
    }
    return nil
  }

  override func learn(_ scheduler: Scheduler, isNew: Bool, isOwn: Bool) {
    for (place, search) in searches.enumerated() {
      search.learn(scheduler, isNew: isNew, isOwn: isOwn && place == current)
    }
  }

  override var isCut: Bool { searches.indices.contains(current) && searches[current].isCut }
  private var whole: Completeness?
  override var completeness: Completeness? { whole }
}
