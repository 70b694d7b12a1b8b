/// Whom an execution should run: the body says it as it goes, where it knows what is to come next.
///
/// For a search that is to show that some schedule does what was once seen: the body compares what happens with what was recorded,
/// and has the thread run whose turn it is. It belongs to one world at a time, and is changed from inside it alone.
public final class Guide: @unchecked Sendable {
  /// Threads by ``World/currentThread``.
  public enum Wish: Sendable {
    case anyone
    case thread(UInt64)
    /// One that is not known yet, of one of these names where there are any.
    case other(than: Set<UInt64>, named: Set<String>)
  }

  /// Whom to run. Where it sleeps, time passes as a rule; where it waits for somebody, anybody runs.
  public var wish = Wish.anyone

  public init() {}

  fileprivate func wants(_ entity: Entity) -> Bool {
    switch wish {
    case .anyone: true
    case .thread(let wanted): entity.pointee.key == wanted
    case .other(let known, let names):
      !known.contains(entity.pointee.key) && (names.isEmpty || names.contains(entity.pointee.name))
    }
  }
}

extension Strategy {
  /// Uniform random among those whom the guide wishes for, wherever one of them can run; now and then somebody else goes
  /// on for a while.
  ///
  /// - Parameters:
  ///   - guide: what the body changes as it goes.
  ///   - seed: from which the rest follows.
  ///   - strays: how many of 1,024 choices are made against the wish.
  ///   - beginning: answers that come first, such as those of an execution that went well for a while.
  public static func guided(
    by guide: Guide, seed: UInt64, strays: Int = 32, after beginning: ChoiceSequence = ChoiceSequence()
  ) -> Strategy {
    let chooser = GuidedChooser(guide, seed: seed, strays: strays, beginning: beginning.choices)
    return Strategy(kind: .searched(chooser, name: "guided", seed: seed))
  }
}

final class GuidedChooser: Chooser, @unchecked Sendable {
  private let guide: Guide
  private let seed: UInt64
  private let strays: Int
  private let beginning: [ChoiceSequence.Choice]
  private var used = 0
  private var random: SeededRandom
  private var scheduler: Scheduler?
  /// Who runs against the wish, and for how many points yet.
  private var stray = 0
  private var burst = 0

  init(_ guide: Guide, seed: UInt64, strays: Int, beginning: [ChoiceSequence.Choice]) {
    self.guide = guide
    self.beginning = beginning
    self.strays = strays
    self.seed = seed
    random = SeededRandom(seed: seed)
  }

  override func begin(_ scheduler: Scheduler) {
    self.scheduler = scheduler
    random = SeededRandom(seed: seed)
    burst = 0
    used = 0
  }

  override func answer(_ point: ChoicePoint) -> Int {
    if used < beginning.count {
      used += 1
      // What went wrong after it wants another order, of which the wish knows nothing.
      if used == beginning.count, random.below(2) == 0 {
        (stray, burst) = (random.below(64), random.below(32))
      }
      if beginning[used - 1].answer < point.count { return beginning[used - 1].answer }
    }
    switch point.kind {
    case .entity:
      if burst > 0 {
        burst -= 1
        if point.candidates & (1 << UInt64(stray)) == 0 {
          stray = point.candidates.setBit(at: random.below(point.count))
        }
        return point.candidates.place(of: stray)
      }
      burst = 0
      let wished = wished(among: point.candidates)
      if wished == 0 { return random.below(point.count) }
      if random.below(1_024) < strays {
        stray = point.candidates.setBit(at: random.below(point.count))
        burst = random.below(32)
        return point.candidates.place(of: stray)
      }
      return point.candidates.place(of: wished.setBit(at: random.below(wished.nonzeroBitCount)))
    case .time:
      guard let state = scheduler?.state, wished(among: state.pointee.runnable) == 0 else {
        // Of those who are not known yet the right one may be asleep.
        if case .other = guide.wish { return random.below(16) == 0 ? 1 : 0 }
        return 0
      }
      let isAsleep = wished(among: state.pointee.timers.sleepers) != 0
      return random.below(64) < (isAsleep ? 48 : 1) ? 1 : 0
    case .job, .waiter, .value: return random.below(point.count)
    }
  }

  private func wished(among candidates: UInt64) -> UInt64 {
    guard let scheduler else { return 0 }
    var wished: UInt64 = 0
    var rest = candidates
    while rest != 0 {
      let number = rest.trailingZeroBitCount
      rest &= rest &- 1
      if guide.wants(scheduler.state.pointee.entities + number) { wished |= 1 << UInt64(number) }
    }
    return wished
  }
}
