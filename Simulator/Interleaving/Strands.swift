import CInterleaving

/// Deep mode's order of tasks.
///
/// The runtime goes on with whatever task it likes, on whatever carrier: which carrier it was orders nothing. What does is
/// a task's own course, the executor that it runs on, and what it waited for: who made it, who resumed it, whose end it
/// awaits. So each task has a clock of its own, for each part of it from where the runtime enters its code to where it
/// leaves. What a task waited for in the runtime's own code is not known on an actor: then all that was comes before, which
/// says too little and never too much.
final class Strands {
  /// How many tasks of an execution have a clock; the others share their carriers'.
  static let most = 192

  private struct Strand {
    let parent: Int
    let isChild: Bool
    /// Whether it left its code for a hop, or for something that it awaits.
    var isDepartureKnown = false
    var awaits: [Int] = []
    /// Whether it awaits something of which nothing is known.
    var awaitsAnything = false
  }
  /// A job that an entity runs.
  private struct Running {
    let job: UInt64
    let before: Int
    var isEntered = false
  }

  unowned(unsafe) var clocks: VectorClocks!
  private var strands: [Strand] = []
  private var places: [UInt64: Int] = [:]
  private var executors: [UInt: VectorClocks.Clock] = [:]
  private var childrens: [UInt: UInt64] = [:]
  private var running: [[Running]] = Array(repeating: [], count: World.mostEntities)

  var count: Int { strands.count }

  func removeAll() {
    strands.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    if clocks != nil { clocks.recycle(executors.values) }
    executors.removeAll(keepingCapacity: true)
    childrens.removeAll(keepingCapacity: true)
    for number in running.indices where !running[number].isEmpty { running[number].removeAll() }
  }

  private func place(of task: UInt64, parent: Int = -1, isChild: Bool = false) -> Int? {
    if let known = places[task] { return known }
    guard strands.count < Self.most else { return nil }
    strands.append(Strand(parent: parent, isChild: isChild))
    let place = World.mostEntities + strands.count - 1
    places[task] = place
    clocks.tick(place)
    return place
  }

  private func joinMine(_ place: Int, _ me: Entity) {
    let mine = clocks.strand(of: me)
    guard mine != place else { return }
    clocks.join(clocks.clock(of: place), clocks.clock(of: mine))
    clocks.tick(mine)
  }

  private func change(_ me: Entity, _ body: (inout Strand) -> Void) {
    let mine = clocks.strand(of: me) - World.mostEntities
    if mine >= 0 { body(&strands[mine]) }
  }

  // MARK: What orders tasks

  func made(_ task: UInt64, isChild: Bool, _ me: Entity) {
    guard let place = place(of: task, parent: clocks.strand(of: me), isChild: isChild) else { return }
    joinMine(place, me)
  }

  func ended(_ task: UInt64) {
    guard let place = places[task] else { return }
    let strand = strands[place - World.mostEntities]
    if strand.isChild, strand.parent >= World.mostEntities {
      strands[strand.parent - World.mostEntities].awaits.append(place)
    }
  }

  func resumes(_ task: UInt64, _ me: Entity) {
    if let place = place(of: task) { joinMine(place, me) }
  }

  func departs(_ me: Entity) { change(me) { $0.isDepartureKnown = true } }

  func awaits(_ task: UInt64, _ me: Entity) {
    let place = place(of: task)
    change(me) {
      $0.isDepartureKnown = true
      if let place { $0.awaits.append(place) } else { $0.awaitsAnything = true }
    }
  }

  func named(_ child: UInt, _ task: UInt64) { childrens[child] = task }
  func awaits(named child: UInt, _ me: Entity) {
    if let task = childrens[child] {
      awaits(task, me)
    } else {
      change(me) { $0.awaitsAnything = true }
    }
  }

  // MARK: The parts of a task

  func jobBegins(_ job: UInt64, _ me: Entity) {
    running[me.pointee.number].append(Running(job: job, before: clocks.strand(of: me)))
  }

  func jobEnds(_ me: Entity) {
    guard let job = running[me.pointee.number].popLast() else { return }
    let mine = clocks.strand(of: me)
    clocks.setStrand(of: me, job.before)
    // A thread that runs a job itself goes on after it; what a carrier does next has its own order.
    if me.pointee.role != .carrier, mine != job.before {
      clocks.join(clocks.clock(of: job.before), clocks.clock(of: mine))
      clocks.tick(mine)
    }
  }

  func partBegins(_ task: UInt64, _ executor: UInt, _ me: Entity) {
    guard let job = running[me.pointee.number].last else { return }
    let base = clocks.clock(of: job.before)
    guard let place = place(of: task) else {
      clocks.setStrand(of: me, job.before)
      joinAll(base)
      return
    }
    let clock = clocks.clock(of: place)
    let isOwnJob = !job.isEntered && job.job == task
    let goesOn = executor == 0 && clocks.strand(of: me) == place
    running[me.pointee.number][running[me.pointee.number].count - 1].isEntered = true
    clocks.setStrand(of: me, place)
    if isOwnJob || me.pointee.role != .carrier { clocks.join(clock, base) }
    let strand = strands[place - World.mostEntities]
    for awaited in strand.awaits { clocks.join(clock, clocks.clock(of: awaited)) }
    let isKnown = strand.isDepartureKnown || isOwnJob || goesOn || me.pointee.role != .carrier
    if !isKnown || strand.awaitsAnything { joinAll(clock) }
    strands[place - World.mostEntities].awaits.removeAll(keepingCapacity: true)
    strands[place - World.mostEntities].isDepartureKnown = false
    strands[place - World.mostEntities].awaitsAnything = false
    if let known = executors[executor] { clocks.join(clock, known) }
  }

  func partEnds(_ executor: UInt, _ me: Entity) {
    guard let job = running[me.pointee.number].last else { return }
    let mine = clocks.strand(of: me)
    let clock = clocks.clock(of: mine)
    if executor != 0 {
      let known = executors[executor] ?? clocks.fresh()
      executors[executor] = known
      clocks.join(known, clock)
    }
    if me.pointee.role != .carrier { clocks.join(clocks.clock(of: job.before), clock) }
    clocks.tick(mine)
  }

  private func joinAll(_ clock: VectorClocks.Clock) {
    for number in 0..<World.mostEntities + strands.count { clocks.join(clock, clocks.clock(of: number)) }
    // What they do from now on is not known.
    for number in 0..<World.mostEntities + strands.count { clocks.tick(number) }
  }
}
