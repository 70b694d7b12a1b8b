/// Explores every schedule that can be another, once: depth first, with the reduction of Abdulla and others (source sets
/// and sleep sets) where the search is whole, and that of Coons and others where it is bounded by preemptions.
///
/// Two steps are independent where they touch no object in common, or only read it. Schedules that differ in the order of
/// independent steps are one, and one of them is enough. After each execution its races are looked for: pairs of steps of
/// two entities that touch an object, that nothing else orders. For each there has to be a schedule where the later one
/// comes first; where it starts is a place of the path to come back to.
///
/// What an object is, is what points declare: guarded locks, checked cells, points with an object. All else (points without
/// one, queues, tasks, conditions) counts as one object that everything touches. An `Atomic` and an uncontended `Mutex` touch
/// nothing that is seen.
final class DepthFirstSearch: Search {
  /// How many preemptions an execution has at most: switches away from an entity that could have gone on.
  private let bound: Int?
  private let chooser: DepthFirstChooser
  private var isComplete = false
  private var hasRun = false

  init(bound: Int?) {
    self.bound = bound
    chooser = DepthFirstChooser(isWhole: bound == nil)
  }

  static func name(_ bound: Int?) -> String { bound.map { "dfs\($0)" } ?? "dfs" }

  override func strategy(seed: UInt64) -> Strategy? {
    if isComplete { return nil }
    return Strategy(kind: .searched(chooser, name: Self.name(bound), seed: 0))
  }

  override func learn(_ scheduler: Scheduler, isNew: Bool, isOwn: Bool) {
    guard isOwn else { return }
    let path = chooser.path
    var analysis = RaceAnalysis(path: path, accesses: chooser.accesses, bound: bound)
    if !chooser.isRedundant { analysis.findRaces(scheduler) }
    chooser.path = analysis.path
    isComplete = !chooser.stepBack()
  }

  override var isCut: Bool { chooser.isRedundant }
  override var completeness: Completeness? { isComplete ? Completeness(bound: bound) : nil }
}

/// A step of one entity, from a point to its next, or the answer to a choice of another kind.
struct DepthFirstNode {
  /// For a step, the entities that could go on, as bits; none for another choice.
  var enabled: UInt64 = 0
  /// Of these, idle carriers: one that goes on begins a job, which has nothing to do with the carrier's last.
  var idle: UInt64 = 0
  /// The entity, or the answer.
  var chosen: Int
  /// Of another choice, how many answers there are.
  var count = 0
  /// Entities to try here, and those that were.
  var wanted: UInt64 = 0
  var tried: UInt64 = 0
  /// Whose next steps were tried from an earlier place, with nothing since that they have to do with.
  var asleep: [Sleeper] = []
  /// What the step did after other answers than the present ones.
  var otherAccesses: [DepthFirstAccess] = []
  var afterTime = false
  /// Its accesses begin here.
  var firstAccess = 0

  struct Sleeper {
    let entity: Int
    let accesses: [DepthFirstAccess]
  }

  var isStep: Bool { count == 0 }
  var beginsJob: Bool { idle & (1 << UInt64(chosen)) != 0 }
  var asleepEntities: UInt64 { asleep.reduce(0) { $0 | 1 << UInt64($1.entity) } }
}

struct DepthFirstAccess {
  enum Kind: UInt8 { case acquires, releases, writes, reads, makes }
  /// A resource, or the entity that is made; -1 for anything.
  let object: Int
  let kind: Kind

  /// Whether nothing changes when two steps with these come in the other order.
  func isIndependent(of other: DepthFirstAccess) -> Bool {
    if kind == .makes || other.kind == .makes { return true }
    guard object == other.object || object < 0 || other.object < 0 else { return true }
    return kind == .reads && other.kind == .reads
  }
}

/// Repeats the path, then goes on without preemption where nothing is asleep.
final class DepthFirstChooser: Chooser, @unchecked Sendable {
  var path: [DepthFirstNode] = []
  var accesses: [DepthFirstAccess] = []
  /// Whether the execution has nothing that another has not, and was ended.
  private(set) var isRedundant = false
  private let isWhole: Bool
  private var scheduler: Scheduler?
  private var used = 0
  /// The node of the running step; -1 before the first.
  private var step = -1
  private var timePassedBefore = false
  /// Entities that did not run yet, as bits, and the one that touched something last.
  private var new: UInt64 = 0
  private var lastVisible = -1

  init(isWhole: Bool) { self.isWhole = isWhole }

  override var observes: Bool { true }

  override func begin(_ scheduler: Scheduler) {
    self.scheduler = scheduler
    used = 0
    step = -1
    isRedundant = false
    timePassedBefore = false
    new = 0
    lastVisible = -1
    accesses.removeAll(keepingCapacity: true)
  }

  override func answer(_ point: ChoicePoint) -> Int {
    if point.kind == .entity {
      if used < path.count { return point.candidates.place(of: path[used].chosen) }
      let awake = point.candidates & ~nextAsleep().reduce(0) { $0 | 1 << UInt64($1.entity) }
      return awake == 0 ? 0 : point.candidates.place(of: first(of: awake, point.current))
    }
    if used == path.count { path.append(DepthFirstNode(chosen: 0, count: point.count)) }
    used += 1
    return path[used - 1].chosen
  }

  /// Who goes on where nothing was decided: each new one to its first point, which mostly touches nothing; then the one that
  /// touched something last, so that there is no preemption.
  private func first(of awake: UInt64, _ current: Int?) -> Int {
    if awake & new != 0 { return (awake & new).trailingZeroBitCount }
    for entity in [lastVisible, current ?? -1] where entity >= 0 && awake & (1 << UInt64(entity)) != 0 {
      return entity
    }
    return awake.trailingZeroBitCount
  }

  override func began(_ entity: Int, enabled: UInt64) -> Bool {
    new &= ~(1 << UInt64(entity))
    if used == path.count {
      let asleep = nextAsleep()
      if asleep.contains(where: { $0.entity == entity }) {
        isRedundant = true
        return false
      }
      let idle = enabled & (scheduler?.state.pointee.idle ?? 0)
      path.append(
        DepthFirstNode(
          enabled: enabled, idle: idle, chosen: entity, wanted: 1 << UInt64(entity), asleep: asleep))
    }
    path[used].firstAccess = accesses.count
    path[used].afterTime = timePassedBefore
    timePassedBefore = false
    step = used
    used += 1
    return true
  }

  override func touched(_ object: Int, _ kind: AccessKind) {
    if kind != .releases, step >= 0 { lastVisible = path[step].chosen }
    let kind: DepthFirstAccess.Kind =
      switch kind {
      case .acquires: .acquires
      case .releases: .releases
      case .writes: .writes
      case .reads: .reads
      }
    accesses.append(DepthFirstAccess(object: object, kind: kind))
  }

  override func made(_ entity: Int, by parent: Int) {
    accesses.append(DepthFirstAccess(object: entity, kind: .makes))
    new |= 1 << UInt64(entity)
  }

  override func timePassed() { timePassedBefore = true }

  /// Who is asleep after the running step.
  private func nextAsleep() -> [DepthFirstNode.Sleeper] {
    // Before and after a time passes is not the same, whatever is touched.
    guard isWhole, step >= 0, !timePassedBefore, !path[step].asleep.isEmpty else { return [] }
    let done = accesses[path[step].firstAccess...]
    return path[step].asleep.filter { sleeper in
      sleeper.entity != path[step].chosen
        && sleeper.accesses.allSatisfy { access in done.allSatisfy { $0.isIndependent(of: access) } }
    }
  }

  /// Goes back to the last place where something is left to try; false when there is none.
  func stepBack() -> Bool {
    var end = accesses.count
    while var node = path.popLast() {
      guard node.isStep else {
        // Its step may have done something else after another answer.
        if isWhole, let step = path.lastIndex(where: \.isStep) {
          path[step].otherAccesses += accesses[path[step].firstAccess..<end]
        }
        guard node.chosen + 1 < node.count else { continue }
        node.chosen += 1
        path.append(node)
        return true
      }
      node.tried |= 1 << UInt64(node.chosen)
      if isWhole {
        // From here on its next step sleeps, until something has to do with it.
        let done = Array(accesses[node.firstAccess..<end]) + node.otherAccesses
        node.asleep.append(DepthFirstNode.Sleeper(entity: node.chosen, accesses: done))
        node.otherAccesses = []
      }
      end = node.firstAccess
      let left = node.wanted & ~node.tried & ~node.asleepEntities
      guard left != 0 else { continue }
      node.chosen = left.trailingZeroBitCount
      path.append(node)
      return true
    }
    return false
  }
}
