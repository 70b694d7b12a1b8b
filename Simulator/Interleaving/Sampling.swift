/// A walk that takes each interleaving of the entities' points about as often as the others: an entity is chosen the more
/// often, the more points it has before it (Zhao and others). How many there are is known from earlier executions.
final class UniformWalkSearch: Search {
  private var expected: [UInt64: Int] = [:]
  override func strategy(seed: UInt64) -> Strategy? {
    Strategy(
      kind: .searched(UniformWalkChooser(seed: seed, expected: expected), name: "urw", seed: seed))
  }

  override func learn(_ scheduler: Scheduler, isNew: Bool, isOwn: Bool) {
    var used = scheduler.state.pointee.used
    while used != 0 {
      let entity = scheduler.state.pointee.entities + used.trailingZeroBitCount
      used &= used &- 1
      let known = expected[entity.pointee.key, default: 0]
      if entity.pointee.passed > known { expected[entity.pointee.key] = entity.pointee.passed }
    }
  }
}

final class UniformWalkChooser: Chooser, @unchecked Sendable {
  private var random: SeededRandom
  private let expected: [UInt64: Int]
  private var scheduler: Scheduler?
  private var weights = [Int](repeating: 0, count: World.mostEntities)

  init(seed: UInt64, expected: [UInt64: Int]) {
    random = SeededRandom(seed: seed)
    self.expected = expected
  }

  override var observes: Bool { true }
  override func begin(_ scheduler: Scheduler) { self.scheduler = scheduler }

  override func answer(_ point: ChoicePoint) -> Int {
    guard point.kind == .entity, let scheduler else { return random.otherAnswer(point) }
    var total = 0
    for place in 0..<point.count {
      let entity = scheduler.state.pointee.entities + point.candidates.setBit(at: place)
      // Its last step is before it when it passed all its points.
      let left = expected[entity.pointee.key, default: 0] + 1 - entity.pointee.passed
      weights[place] = max(1, left)
      total += weights[place]
    }
    var drawn = random.below(total)
    for place in 0..<point.count {
      drawn -= weights[place]
      if drawn < 0 { return place }
    }
    return point.count - 1
  }
}

/// Samples partial orders (Yuan, Yang and Gu): each step before an entity has a random priority, the highest runs, and the
/// steps that touch the same object as it get new ones.
final class PartialOrderSearch: Search {
  override func strategy(seed: UInt64) -> Strategy? {
    Strategy(kind: .searched(PartialOrderChooser(seed: seed), name: "pos", seed: seed))
  }
}

final class PartialOrderChooser: Chooser, @unchecked Sendable {
  private var random: SeededRandom
  private var scheduler: Scheduler?
  /// By entity; zero is not drawn yet.
  private var priorities = [UInt64](repeating: 0, count: World.mostEntities)
  private var running = -1

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  override var observes: Bool { true }
  override func begin(_ scheduler: Scheduler) { self.scheduler = scheduler }

  override func answer(_ point: ChoicePoint) -> Int {
    guard point.kind == .entity else { return random.otherAnswer(point) }
    var best = 0
    var bestPriority: UInt64 = 0
    for place in 0..<point.count {
      let entity = point.candidates.setBit(at: place)
      if priorities[entity] == 0 { priorities[entity] = random.next() | 1 }
      if priorities[entity] >= bestPriority {
        bestPriority = priorities[entity]
        best = place
      }
    }
    return best
  }

  override func began(_ entity: Int, enabled: UInt64) -> Bool {
    running = entity
    priorities[entity] = 0
    return true
  }

  override func touched(_ object: Int, _ kind: AccessKind) {
    guard kind != .releases, let scheduler else { return }
    var live = scheduler.state.pointee.live
    while live != 0 {
      let number = live.trailingZeroBitCount
      live &= live &- 1
      let next = Int(scheduler.state.pointee.entities[number].next)
      if number != running, next == object || next < 0 || object < 0 { priorities[number] = 0 }
    }
  }
}

extension SeededRandom {
  /// A choice of another kind than who runs, at random.
  mutating func otherAnswer(_ point: ChoicePoint) -> Int {
    point.kind == .time ? (below(16) == 0 ? 1 : 0) : below(point.count)
  }
}

/// Goes on from executions that were unlike all before: repeats the beginning of one, then chooses at random.
final class FeedbackSearch: Search {
  private var kept: [ChoiceSequence] = []
  private var random = SeededRandom(seed: 0xfeed)
  private static let mostKept = 256

  override func strategy(seed: UInt64) -> Strategy? {
    var start = ArraySlice<ChoiceSequence.Choice>()
    if !kept.isEmpty, random.below(4) != 0 {
      let choices = kept[random.below(kept.count)].choices
      start = choices.prefix(random.below(choices.count + 1))
    }
    return Strategy(
      kind: .searched(FeedbackChooser(seed: seed, start: Array(start)), name: "feedback", seed: seed))
  }

  override func learn(_ scheduler: Scheduler, isNew: Bool, isOwn: Bool) {
    guard isNew, scheduler.state.pointee.count > 0 else { return }
    let choices = ChoiceSequence(
      recorded: scheduler.state.pointee.choices, count: scheduler.state.pointee.count)
    if kept.count < Self.mostKept {
      kept.append(choices)
    } else {
      kept[random.below(kept.count)] = choices
    }
  }
}

final class FeedbackChooser: Chooser, @unchecked Sendable {
  private var random: SeededRandom
  private let start: [ChoiceSequence.Choice]
  private var used = 0

  override func begin(_ scheduler: Scheduler) { used = 0 }

  init(seed: UInt64, start: [ChoiceSequence.Choice]) {
    random = SeededRandom(seed: seed)
    self.start = start
  }

  override func answer(_ point: ChoicePoint) -> Int {
    defer { used += 1 }
    if used < start.count, start[used].answer < point.count { return start[used].answer }
    return point.kind == .entity ? random.below(point.count) : random.otherAnswer(point)
  }
}
