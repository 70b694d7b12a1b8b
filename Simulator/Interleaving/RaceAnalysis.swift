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
