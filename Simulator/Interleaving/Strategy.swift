/// How the choices of an execution are answered.
public struct Strategy: Sendable, CustomStringConvertible {
  enum Kind: Sendable {
    case random(seed: UInt64)
    case priorities(seed: UInt64, depth: Int, steps: Int)
    case replay(ChoiceSequence, isStrict: Bool)
    case fair
    /// What a search that learns from its executions made.
    case searched(Chooser, name: String, seed: UInt64)
  }

  let kind: Kind

  /// Each answer as likely as the others.
  public static func random(seed: UInt64) -> Strategy { Strategy(kind: .random(seed: seed)) }

  /// Burckhardt's probabilistic concurrency testing: fixed random priorities, lowered at a few random steps.
  ///
  /// A bug of depth d in n entities and k steps is found with a chance of at least 1 / (n · k^(d-1)) an execution.
  ///
  /// - Parameters:
  ///   - seed: from which everything follows.
  ///   - depth: how many ordering constraints the sought bug has, from 1.
  ///   - steps: how many steps the body makes, estimated.
  public static func priorities(seed: UInt64, depth: Int, steps: Int) -> Strategy {
    precondition(depth >= 1 && steps >= 1, "a bug has a depth and a body has steps")
    return Strategy(kind: .priorities(seed: seed, depth: depth, steps: steps))
  }

  /// Recorded answers.
  ///
  /// - Parameter isStrict: whether the first choice that differs is a finding. Otherwise an answer that is not
  ///   possible any more is skipped, and the entity that runs goes on.
  public static func replay(_ choices: ChoiceSequence, isStrict: Bool = true) -> Strategy {
    Strategy(kind: .replay(choices, isStrict: isStrict))
  }

  /// Each entity in turn: what is to settle settles.
  public static let fair = Strategy(kind: .fair)

  /// The strategy's name, as lines and commands say it.
  public var description: String {
    switch kind {
    case .random: "random"
    case .priorities(_, let depth, _): "pct\(depth)"
    case .replay(_, isStrict: true): "replay"
    case .replay(_, isStrict: false): "tolerant-replay"
    case .fair: "fair"
    case .searched(_, let name, _): name
    }
  }

  /// The object that answers; none for uniform random, which the scheduler answers itself.
  func chooser() -> Chooser? {
    switch kind {
    case .random: nil
    case .priorities(let seed, let depth, let steps): PriorityChooser(seed: seed, depth: depth, steps: steps)
    case .replay(let choices, let isStrict): ReplayChooser(choices, isStrict: isStrict)
    case .fair: FairChooser()
    case .searched(let chooser, _, _): chooser
    }
  }

  var seed: UInt64 {
    switch kind {
    case .random(let seed), .priorities(let seed, _, _), .searched(_, _, let seed): seed
    case .replay, .fair: 0
    }
  }
}

/// Answers one choice after another.
///
/// It is its world's, and so one OS thread's.
class Chooser: @unchecked Sendable {
  /// Why the program is not the one that was recorded.
  var difference: String?

  /// An execution begins, or begins again.
  func begin(_ scheduler: Scheduler) {}
  func answer(_ point: ChoicePoint) -> Int { 0 }

  // MARK: What is done, for those that ask

  /// Whether the rest of these is to be called.
  var observes: Bool { false }
  /// The entity runs to its next point; false ends the execution, which has nothing new.
  func began(_ entity: Int, enabled: UInt64) -> Bool { true }
  /// The running entity touches an object; -1 for any.
  func touched(_ object: Int, _ kind: AccessKind) {}
  /// An entity was made by another; -1 for the host.
  func made(_ entity: Int, by parent: Int) {}
  /// Time passes: what comes is after all that was.
  func timePassed() {}
  /// Something happens that people want to read.
  func happened(_ entity: Int?, _ action: Trace.Action, _ object: String) {}
  /// What a recorded execution has left over at its end.
  var leftOver: Int { 0 }
  /// Who answers when everything is to settle.
  func settled() -> Chooser { FairChooser() }
}

final class FairChooser: Chooser, @unchecked Sendable {
  private var last = 63

  override func answer(_ point: ChoicePoint) -> Int {
    guard point.kind == .entity else { return 0 }
    // The next entity above the last one that ran, around the circle.
    let above = point.candidates & ~(last >= 63 ? .max : (1 << UInt64(last + 1)) - 1)
    last = (above != 0 ? above : point.candidates).trailingZeroBitCount
    return point.candidates.place(of: last)
  }
}

final class ReplayChooser: Chooser, @unchecked Sendable {
  private let choices: [ChoiceSequence.Choice]
  private let isStrict: Bool
  private var used = 0

  init(_ sequence: ChoiceSequence, isStrict: Bool) {
    choices = sequence.choices
    self.isStrict = isStrict
  }

  override var leftOver: Int { isStrict ? choices.count - used : 0 }
  override func begin(_ scheduler: Scheduler) { used = 0 }

  override func answer(_ point: ChoicePoint) -> Int {
    let staying = point.defaultAnswer
    guard used < choices.count else {
      if isStrict { difference = "at step \(point.step) the \(choices.count) recorded choices are used up" }
      return staying
    }
    let recorded = choices[used]
    used += 1
    if recorded.isByDefault { return staying }
    if isStrict, recorded.count != point.count {
      difference =
        "at step \(point.step), choice \(used) was one of \(recorded.count) and is one of \(point.count)"
      return staying
    }
    return recorded.answer < point.count ? recorded.answer : staying
  }
}

final class PriorityChooser: Chooser, @unchecked Sendable {
  private var random: SeededRandom
  /// By entity; higher runs first. Zero is not drawn yet.
  private var priorities = [UInt64](repeating: 0, count: World.mostEntities)
  /// The steps at which the running entity falls below all others.
  private var changes: [Int]
  private var lowest: UInt64

  init(seed: UInt64, depth: Int, steps: Int) {
    var random = SeededRandom(seed: seed)
    changes = (1..<depth).map { _ in 1 + random.below(steps) }
    self.random = random
    lowest = UInt64(depth)
  }

  override func answer(_ point: ChoicePoint) -> Int {
    switch point.kind {
    case .entity: break
    case .time: return random.below(16) == 0 ? 1 : 0
    case .job, .waiter, .value: return random.below(point.count)
    }
    // A change falls on the first choice at or after its step: not every step is a choice.
    while let due = changes.firstIndex(where: { $0 <= point.step }) {
      changes.swapAt(due, changes.count - 1)
      changes.removeLast()
      guard point.last >= 0 else { continue }
      lowest -= 1
      priorities[point.last] = lowest
    }
    var best = 0
    var bestPriority: UInt64 = 0
    var candidates = point.candidates
    for place in 0..<point.count {
      let entity = candidates.trailingZeroBitCount
      candidates &= candidates &- 1
      // Above every lowered one.
      if priorities[entity] == 0 { priorities[entity] = random.next() | 1 << 63 }
      if priorities[entity] >= bestPriority {
        bestPriority = priorities[entity]
        best = place
      }
    }
    return best
  }
}
