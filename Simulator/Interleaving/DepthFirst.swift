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

/// Looks for the races of an execution, and notes where the path is to be come back to for the other order.
struct RaceAnalysis {
  private(set) var path: [DepthFirstNode]
  private let accesses: [DepthFirstAccess]
  private let bound: Int?

  /// For an entity, up to which step of each entity all comes before what it does next: places in the path plus one, by
  /// owner.
  private typealias Clock = [Int]

  private struct Object {
    var clock: Clock
    var readClock: Clock
    var write = -1
    var reads: [Int] = []
  }

  /// Whose each step is: an entity's, or a job's where a carrier begins one. And of each entity, whose its last was.
  private let owners: [Int]
  private let latest: [Int]
  /// Of each owner, its first step.
  private let firstSteps: [Int]
  private let width: Int
  private var clocks: [Clock]
  /// Of each step, at its end.
  private var stepClocks: [Clock] = []
  private var objects: [Int: Object] = [:]
  /// Of what touches anything, and of everything.
  private var everything: Object
  private var anything: Clock
  private var lastOf: [Int]

  // Of preemptions, which count between steps that touch something.
  private var cost = 0
  private var lastVisible = -1
  private var costs: [Int] = []
  private var lastVisibles: [Int] = []
  /// The first step of the row of steps of one entity that a step is in.
  private var blockStarts: [Int] = []

  init(path: [DepthFirstNode], accesses: [DepthFirstAccess], bound: Int?) {
    self.path = path
    self.accesses = accesses
    self.bound = bound
    var owners: [Int] = []
    var firstSteps: [Int] = []
    var latest = [Int](repeating: -1, count: World.mostEntities)
    for (place, node) in path.enumerated() {
      guard node.isStep else {
        owners.append(-1)
        continue
      }
      if node.beginsJob || latest[node.chosen] < 0 {
        latest[node.chosen] = firstSteps.count
        firstSteps.append(place)
      }
      owners.append(latest[node.chosen])
      // The place of one that ended may become another's.
      for access in Self.done(place, path, accesses) where access.kind == .makes {
        latest[access.object] = -1
      }
    }
    self.owners = owners
    self.firstSteps = firstSteps
    self.latest = latest
    let width = firstSteps.count
    self.width = width
    let none = Clock(repeating: 0, count: width)
    clocks = Array(repeating: none, count: width)
    everything = Object(clock: none, readClock: none)
    anything = none
    lastOf = Array(repeating: -1, count: width)
  }

  private var none: Clock { Clock(repeating: 0, count: width) }
  /// What has to be chosen at a place, as bits, for the next step of an owner to come there.
  private func choice(of owner: Int, _ entity: Int, at place: Int) -> UInt64 {
    // A job that has not begun is any idle carrier's.
    firstSteps[owner] > place && path[place].idle != 0 && isJob(owner)
      ? path[place].idle : 1 << UInt64(entity)
  }
  private func isJob(_ owner: Int) -> Bool {
    firstSteps[owner] < path.count && path[firstSteps[owner]].beginsJob
  }

  private func done(_ place: Int) -> ArraySlice<DepthFirstAccess> { Self.done(place, path, accesses) }

  private static func done(_ place: Int, _ path: [DepthFirstNode], _ accesses: [DepthFirstAccess])
    -> ArraySlice<DepthFirstAccess>
  {
    var end = accesses.count
    if let next = path[(place + 1)...].first(where: \.isStep) { end = next.firstAccess }
    return accesses[path[place].firstAccess..<end]
  }

  mutating func findRaces(_ scheduler: Scheduler) {
    for place in path.indices {
      costs.append(cost)
      lastVisibles.append(lastVisible)
      blockStarts.append(place)
      stepClocks.append([])
      if path[place].isStep { take(place) }
    }
    // What waits at the end would have gone on in another order.
    var rest = scheduler.state.pointee.live
    while rest != 0 {
      let number = rest.trailingZeroBitCount
      rest &= rest &- 1
      let wanted = scheduler.state.pointee.entities[number].wanted
      guard wanted >= 0, latest[number] >= 0,
        scheduler.state.pointee.resources[wanted].kind == .guarded
      else { continue }
      let access = DepthFirstAccess(object: wanted, kind: .acquires)
      let (partners, _) = raced(by: access, latest[number])
      for partner in partners { reverse(partner, path.count, latest[number], number, clocks[latest[number]]) }
    }
  }

  private mutating func take(_ place: Int) {
    let entity = owners[place]
    if path[place].afterTime { timePassed() }
    let done = done(place)
    var clock = clocks[entity]
    var partners: [Int] = []
    for access in done where access.kind != .releases && access.kind != .makes {
      let (raced, known) = raced(by: access, entity)
      for partner in raced where !partners.contains(partner) { partners.append(partner) }
      clock = Self.joined(clock, known)
    }
    noteCost(place, isVisible: done.contains { $0.kind != .releases && $0.kind != .makes })
    for partner in partners { reverse(partner, place, entity, path[place].chosen, clock) }
    clock[entity] = place + 1
    clocks[entity] = clock
    stepClocks[place] = clock
    lastOf[entity] = place
    anything = Self.joined(anything, clock)
    for access in done { note(access, place, clock) }
  }

  /// What the steps' other order would change, and what comes before through the object.
  private func raced(by access: DepthFirstAccess, _ entity: Int) -> (partners: [Int], known: Clock) {
    var partners: [Int] = []
    func consider(_ partner: Int) {
      guard partner >= 0 else { return }
      let other = owners[partner]
      guard other != entity, clocks[entity][other] < partner + 1 else { return }
      partners.append(partner)
    }
    if bound != nil {
      // While it waited for its turn the step could have come at any place since its entity's last: an order that is come to
      // through another may cost more preemptions than there are.
      for partner in path.indices.reversed() where partner < stepClocks.count && path[partner].isStep {
        guard partner > lastOf[entity] else { break }
        if touches(partner, access) { consider(partner) }
      }
    }
    if access.object < 0 {
      for partner in lastOf { consider(partner) }
      return (partners, anything)
    }
    consider(everything.write)
    let object = objects[access.object] ?? Object(clock: none, readClock: none)
    consider(object.write)
    var known = Self.joined(everything.clock, object.clock)
    if access.kind != .reads {
      for read in object.reads { consider(read) }
      known = Self.joined(known, object.readClock)
    }
    return (partners, known)
  }

  /// Whether a step and an access may come in two orders that differ: giving a lock back has one place only.
  private func touches(_ place: Int, _ access: DepthFirstAccess) -> Bool {
    done(place).contains { $0.kind != .releases && !$0.isIndependent(of: access) }
  }

  private mutating func note(_ access: DepthFirstAccess, _ place: Int, _ clock: Clock) {
    if access.kind == .makes {
      made(access.object, place, clock)
      return
    }
    if access.object < 0 {
      everything.write = place
      everything.clock = Self.joined(everything.clock, clock)
      return
    }
    var object = objects[access.object] ?? Object(clock: none, readClock: none)
    switch access.kind {
    case .acquires, .writes:
      object.write = place
      object.clock = Self.joined(object.clock, clock)
      object.reads = []
      object.readClock = none
    case .releases: object.clock = Self.joined(object.clock, clock)
    case .reads:
      object.reads.append(place)
      object.readClock = Self.joined(object.readClock, clock)
    case .makes: break
    }
    objects[access.object] = object
  }

  /// The next owner of an entity's steps begins with what its maker knows.
  private mutating func made(_ entity: Int, _ place: Int, _ clock: Clock) {
    guard let first = path[(place + 1)...].firstIndex(where: { $0.isStep && $0.chosen == entity }) else {
      return
    }
    let owner = owners[first]
    clocks[owner] = Self.joined(clocks[owner], clock)
  }

  private mutating func timePassed() {
    for number in clocks.indices { clocks[number] = Self.joined(clocks[number], anything) }
  }

  private static func joined(_ one: Clock, _ other: Clock) -> Clock {
    var joined = one
    var place = 0
    while place < joined.count {
      if other[place] > joined[place] { joined[place] = other[place] }
      place += 1
    }
    return joined
  }

  // MARK: The other order

  /// Has the path come back to `earlier`, so that the step at `later`, of `entity`, comes before it.
  private mutating func reverse(
    _ earlier: Int, _ later: Int, _ owner: Int, _ entity: Int, _ clock: Clock
  ) {
    guard let bound else {
      // What can begin a schedule of all that does not come after the earlier step.
      let rest = (earlier + 1..<later).filter {
        path[$0].isStep && stepClocks[$0][owners[earlier]] < earlier + 1
      }
      var initials: UInt64 = 0
      var begun: Set<Int> = []
      for (number, place) in rest.enumerated() where begun.insert(owners[place]).inserted {
        let isFirst = rest[..<number].allSatisfy { stepClocks[place][owners[$0]] < $0 + 1 }
        if isFirst { initials |= choice(of: owners[place], path[place].chosen, at: earlier) }
      }
      let mine = choice(of: owner, entity, at: earlier)
      let isFirst = !begun.contains(owner) && rest.allSatisfy { clock[owners[$0]] < $0 + 1 }
      if isFirst { initials |= mine }
      if initials & path[earlier].wanted != 0 { return }
      let possible = initials & path[earlier].enabled
      if isFirst, possible & mine != 0 {
        path[earlier].wanted |= possible & mine
      } else if possible != 0 {
        path[earlier].wanted |= possible & (0 &- possible)
      } else {
        path[earlier].wanted |= path[earlier].enabled
      }
      return
    }
    want(choice(of: owner, entity, at: earlier), at: earlier, bound)
    // Where it costs no preemption, too: the row of steps that the earlier one is in begins where another could.
    let start = blockStarts[earlier]
    want(choice(of: owner, entity, at: start), at: start, bound)
  }

  private mutating func want(_ choice: UInt64, at place: Int, _ bound: Int) {
    let enabled = path[place].enabled
    var wanted = enabled & choice != 0 ? enabled & choice : enabled
    let last = lastVisibles[place]
    if last >= 0, enabled & ~path[place].idle & (1 << UInt64(last)) != 0, costs[place] >= bound {
      wanted &= 1 << UInt64(last)
    }
    path[place].wanted |= wanted
  }

  private mutating func noteCost(_ place: Int, isVisible: Bool) {
    let entity = path[place].chosen
    guard isVisible else { return }
    if lastVisible == entity, let last = lastVisiblePlace {
      blockStarts[place] = blockStarts[last]
    } else if lastVisible >= 0, path[place].enabled & ~path[place].idle & (1 << UInt64(lastVisible)) != 0 {
      cost += 1
    }
    lastVisible = entity
    lastVisiblePlace = place
  }

  private var lastVisiblePlace: Int?
}
