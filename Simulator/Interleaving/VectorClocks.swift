import CInterleaving

/// Which accesses come before which, by vector clocks: one number for each entity in each clock.
///
/// What orders is what the scheduler sees: locks, queues, jobs, spawning, ends. What it cannot see orders nothing here:
/// the inlined fast path of a `Mutex`, and an `Atomic`. To be without false reports, all that Swift's runtime orders at
/// the borders of jobs (actors, awaits) is taken as one order of all of them.
final class VectorClocks {
  typealias Clock = UnsafeMutablePointer<UInt32>

  private let scheduler: Scheduler
  /// Deep mode's, where each task has a clock of its own.
  let strands: Strands?
  let width: Int
  private let clocks: Clock
  private let runtime: Clock
  /// Whose clock each entity's is: its own, or its task's.
  private let current: UnsafeMutablePointer<Int32>
  private var ofResources: [Int: Clock] = [:]
  private var snapshots: [Clock] = []
  private var free: [Clock] = []

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
    strands = World.isDeep ? Strands() : nil
    width = World.mostEntities + (World.isDeep ? Strands.most : 0)
    clocks = .allocate(capacity: width * width)
    clocks.initialize(repeating: 0, count: width * width)
    runtime = .allocate(capacity: width)
    current = .allocate(capacity: World.mostEntities)
    reset()
    strands?.clocks = self
  }

  deinit {
    clocks.deallocate()
    runtime.deallocate()
    current.deallocate()
    for clock in ofResources.values { clock.deallocate() }
    for clock in snapshots + free { clock.deallocate() }
  }

  func reset() {
    let used = World.mostEntities + (strands?.count ?? 0)
    clocks.update(repeating: 0, count: used * width)
    for number in 0..<World.mostEntities { tick(number) }
    runtime.initialize(repeating: 0, count: width)
    for number in 0..<World.mostEntities { current[number] = Int32(number) }
    free.append(contentsOf: ofResources.values)
    free.append(contentsOf: snapshots)
    ofResources.removeAll(keepingCapacity: true)
    snapshots.removeAll(keepingCapacity: true)
    strands?.removeAll()
  }

  func clock(of number: Int) -> Clock { clocks + number * width }
  private func clock(of entity: Entity) -> Clock { clock(of: strand(of: entity)) }

  /// Whose clock the entity's is.
  func strand(of entity: Entity) -> Int { Int(current[entity.pointee.number]) }
  func setStrand(of entity: Entity, _ strand: Int) { current[entity.pointee.number] = Int32(strand) }

  func join(_ clock: Clock, _ other: Clock) {
    for place in 0..<width { clock[place] = max(clock[place], other[place]) }
  }

  func fresh() -> Clock {
    let clock = free.popLast() ?? .allocate(capacity: width)
    clock.initialize(repeating: 0, count: width)
    return clock
  }

  func recycle(_ clocks: some Sequence<Clock>) { free.append(contentsOf: clocks) }

  private func tick(_ entity: Entity) { tick(strand(of: entity)) }
  func tick(_ strand: Int) { clock(of: strand)[strand] += 1 }

  func fork(from parent: Entity?, to child: Entity) {
    // The place may have been another's: what that one did is over, and its count goes on.
    setStrand(of: child, child.pointee.number)
    if let parent { join(clock(of: child), clock(of: parent)) }
    tick(child)
    if let parent { tick(parent) }
  }

  func ended(_ entity: Entity) {
    // What ends tells the host, and nobody else: the next in its place begins after it.
    tick(entity)
  }

  func acquire(_ entity: Entity, _ resource: Int) {
    if let clock = ofResources[resource] { join(self.clock(of: entity), clock) }
  }

  func release(_ entity: Entity, _ resource: Int) {
    let clock: Clock
    if let known = ofResources[resource] {
      clock = known
    } else {
      clock = fresh()
      ofResources[resource] = clock
    }
    join(clock, self.clock(of: entity))
    tick(entity)
  }

  func clear(_ resource: Int) {
    if let clock = ofResources.removeValue(forKey: resource) { free.append(clock) }
  }

  /// What the running entity knows now, for what it enqueues.
  func snapshot() -> Int32 {
    guard let entity = Entity.current else { return -1 }
    defer { tick(entity) }
    return keep(clock(of: entity))
  }

  /// What was given to a resource by now.
  func snapshot(of resource: Int) -> Int32 { ofResources[resource].map(keep) ?? -1 }

  private func keep(_ known: Clock) -> Int32 {
    let clock = fresh()
    join(clock, known)
    snapshots.append(clock)
    return Int32(snapshots.count - 1)
  }

  /// A job or a queue's work begins: what its enqueuer knew comes before it.
  func join(_ entity: Entity, _ snapshot: Int32) {
    guard strands == nil else {
      // A carrier brings nothing along from one job to the next, where the main thread's are one after the other.
      if entity.pointee.role == .carrier { forgetOthers(entity) }
      if snapshot >= 0 { join(clock(of: entity), snapshots[Int(snapshot)]) }
      return
    }
    if snapshot >= 0 { join(clock(of: entity), snapshots[Int(snapshot)]) }
    acquireRuntime(entity)
    tickCarriers()
  }

  private func forgetOthers(_ entity: Entity) {
    let clock = clock(of: entity)
    let mine = strand(of: entity)
    let time = clock[mine] + 1
    clock.initialize(repeating: 0, count: width)
    clock[mine] = time
  }

  /// What they do from now on is not known yet.
  private func tickCarriers() {
    for number in 0...Scheduler.mostCarriers { clock(of: number)[number] += 1 }
  }

  /// A carrier gives an actor back somewhere in the runtime, before its job ends: what carriers did until now may come before.
  private func acquireRuntime(_ entity: Entity) {
    for number in 0...Scheduler.mostCarriers where number != entity.pointee.number {
      join(runtime, clock(of: number))
    }
    join(clock(of: entity), runtime)
  }

  func switched(_ entity: Entity) {
    if let strands {
      strands.departs(entity)
      return
    }
    join(runtime, clock(of: entity))
    acquireRuntime(entity)
    tickCarriers()
  }

  func jobEnded(_ entity: Entity) {
    guard strands == nil else { return }
    join(runtime, clock(of: entity))
    tick(entity)
  }

  /// Whether everything that the entity did up to `time` comes before what the other does now.
  func isBefore(_ strand: Int, _ time: UInt32, _ entity: Entity) -> Bool {
    time <= clock(of: entity)[strand]
  }

  func time(of entity: Entity) -> UInt32 { clock(of: entity)[strand(of: entity)] }
}

/// A cell whose accesses a world checks: two that nothing orders, one of them a write, are a finding.
///
/// Outside a world it is a plain variable. What is to order its accesses must be what a world sees: a `Guarded` lock, a
/// pthread lock, a queue, the borders of jobs; a `Mutex` whose lock was free and an `Atomic` are not seen.
public final class Checked<Value>: @unchecked Sendable {
  private var storage: Value
  private let name: String
  // Of the execution that the cell was last used in.
  private var execution: UInt64 = 0
  private var write: (strand: Int, time: UInt32, name: String)?
  private var reads: [Int: (time: UInt32, name: String)] = [:]

  /// - Parameter name: how findings call it.
  public init(_ value: Value, _ name: String = "\(Value.self)") {
    storage = value
    self.name = name
  }

  public var value: Value {
    get {
      check(isWrite: false)
      return storage
    }
    set {
      check(isWrite: true)
      storage = newValue
    }
  }

  private func check(isWrite: Bool) {
    guard let me = Entity.current else { return }
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    let scheduler = me.pointee.scheduler
    if let clocks = scheduler.clocks {
      compare(me, isWrite, clocks)
    } else {
      scheduler.state.pointee.wantsClocks = true
    }
    let object = scheduler.resource(at: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), .object)
    me.pointee.next = Int32(truncatingIfNeeded: object)
    scheduler.point(me)
    scheduler.touch(me, object, isWrite ? .writes : .reads)
  }

  private func compare(_ me: Entity, _ isWrite: Bool, _ clocks: VectorClocks) {
    let scheduler = me.pointee.scheduler
    if execution != scheduler.state.pointee.execution {
      execution = scheduler.state.pointee.execution
      write = nil
      reads.removeAll()
    }
    let mine = clocks.strand(of: me)
    if let write, write.strand != mine, !clocks.isBefore(write.strand, write.time, me) {
      let verb = isWrite ? "writes" : "reads"
      race(
        scheduler, me,
        "\(me.pointee.name) \(verb) '\(name)', which \(write.name) writes: nothing orders the two")
    }
    if isWrite {
      if let read = reads.first(where: { $0.key != mine && !clocks.isBefore($0.key, $0.value.time, me) }) {
        let reader = read.value.name
        race(
          scheduler, me,
          "\(me.pointee.name) writes '\(name)', which \(reader) reads: nothing orders the two")
      }
      write = (mine, clocks.time(of: me), me.pointee.name)
      reads.removeAll()
    } else {
      reads[mine] = (clocks.time(of: me), me.pointee.name)
    }
  }

  private func race(_ scheduler: Scheduler, _ me: Entity, _ message: String) {
    scheduler.found(.race, message)
    scheduler.leave(me)
  }
}
