/// Answers the choices of an execution.
public enum Strategy: Sendable {
  /// Each answer as likely as the others.
  case random(SeededRandom)
  /// Probabilistic concurrency testing: fixed random priorities, lowered at a few random steps.
  case priorities(PriorityStrategy)
  /// The recorded answers, and a finding at the first choice that differs.
  case strictReplay(Replay)
  /// The recorded answers while they are possible, then the running entity goes on.
  case tolerantReplay(Replay)
  /// Each entity in turn: what is to settle settles.
  case fair(last: Int)

  mutating func answer(_ point: ChoicePoint) -> Answer {
    switch self {
    case .random(var random):
      let answer = random.below(point.count)
      self = .random(random)
      return .chosen(answer)
    case .priorities(var priorities):
      defer { self = .priorities(priorities) }
      return .chosen(priorities.answer(point))
    case .strictReplay(var replay):
      defer { self = .strictReplay(replay) }
      guard let answer = replay.next() else { return .differs("the recorded choices are used up") }
      guard answer < point.count else {
        return .differs("choice \(replay.used) was \(answer), and now there are \(point.count) answers")
      }
      return .chosen(answer)
    case .tolerantReplay(var replay):
      defer { self = .tolerantReplay(replay) }
      if let answer = replay.next(), answer < point.count { return .chosen(answer) }
      return .chosen(point.current ?? 0)
    case .fair(let last):
      guard point.kind == .entity else { return .chosen(0) }
      // The next entity above the last one that ran, around the circle.
      let above = point.candidates & ~(last >= 63 ? .max : (1 << UInt64(last + 1)) - 1)
      let entity = (above != 0 ? above : point.candidates).trailingZeroBitCount
      self = .fair(last: entity)
      return .chosen((point.candidates & ((1 << UInt64(entity)) - 1)).nonzeroBitCount)
    }
  }

  enum Answer {
    case chosen(Int)
    /// A strict replay met another program than it was recorded of.
    case differs(String)
  }
}

/// The choices of a recorded execution, taken one by one.
public struct Replay: Sendable {
  private let choices: ChoiceSequence
  /// How many were taken.
  public private(set) var used = 0

  public init(_ choices: ChoiceSequence) { self.choices = choices }

  mutating func next() -> Int? {
    guard used < choices.answers.count else { return nil }
    defer { used += 1 }
    return Int(choices.answers[used])
  }
}

/// Burckhardt's probabilistic concurrency testing: a bug of depth d in n entities and k steps is found with a chance of
/// at least 1 / (n · k^(d-1)) an execution.
public struct PriorityStrategy: Sendable {
  private var random: SeededRandom
  /// By entity; higher runs first. Zero is not drawn yet.
  private var priorities = [UInt64](repeating: 0, count: World.mostEntities)
  /// The steps at which the running entity falls below all others.
  private var changes: [Int]
  private var lowest: UInt64

  /// - Parameters:
  ///   - seed: from which everything follows.
  ///   - depth: how many ordering constraints the sought bug has, from 1.
  ///   - steps: how many steps the body makes, estimated.
  public init(seed: UInt64, depth: Int, steps: Int) {
    precondition(depth >= 1 && steps >= 1, "a bug has a depth and a body has steps")
    var random = SeededRandom(seed: seed)
    changes = (1..<depth).map { _ in random.below(steps) }
    self.random = random
    lowest = UInt64(depth)
  }

  mutating func answer(_ point: ChoicePoint) -> Int {
    guard point.kind == .entity else { return random.below(point.count) }
    if changes.contains(point.step), let current = point.current {
      lowest -= 1
      priorities[entity(at: current, of: point.candidates)] = lowest
    }
    var best = 0
    var bestPriority: UInt64 = 0
    var candidates = point.candidates
    for place in 0..<point.count {
      let entity = candidates.trailingZeroBitCount
      candidates &= candidates - 1
      // Above every lowered one.
      if priorities[entity] == 0 { priorities[entity] = (random.next() | 1 << 63) }
      if priorities[entity] >= bestPriority {
        bestPriority = priorities[entity]
        best = place
      }
    }
    return best
  }

  private func entity(at place: Int, of candidates: UInt64) -> Int {
    var rest = candidates
    for _ in 0..<place { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }
}
