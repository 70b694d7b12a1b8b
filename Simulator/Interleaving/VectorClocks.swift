import CInterleaving

/// Which accesses come before which, by vector clocks: one number for each entity in each clock.
///
/// What orders is what the scheduler sees: locks, queues, jobs, spawning, ends. What it cannot see orders nothing here:
/// the inlined fast path of a `Mutex`, and an `Atomic`. To be without false reports, all that Swift's runtime orders at
/// the borders of jobs (actors, awaits) is taken as one order of all of them.
final class VectorClocks {
  typealias Clock = UnsafeMutablePointer<UInt32>
  static let width = World.mostEntities

  private let scheduler: Scheduler
  private let entities: Clock
  private let runtime: Clock
  private var ofResources: [Int: Clock] = [:]
  private var snapshots: [Clock] = []
  private var free: [Clock] = []

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
    entities = .allocate(capacity: Self.width * Self.width)
    runtime = .allocate(capacity: Self.width)
    reset()
  }

  deinit {
    entities.deallocate()
    runtime.deallocate()
    for clock in ofResources.values { clock.deallocate() }
    for clock in snapshots + free { clock.deallocate() }
  }

  func reset() {
    entities.initialize(repeating: 0, count: Self.width * Self.width)
    for number in 0..<Self.width { clock(of: number)[number] = 1 }
    runtime.initialize(repeating: 0, count: Self.width)
    free.append(contentsOf: ofResources.values)
    free.append(contentsOf: snapshots)
    ofResources.removeAll(keepingCapacity: true)
    snapshots.removeAll(keepingCapacity: true)
  }

  private func clock(of number: Int) -> Clock { entities + number * Self.width }
  private func clock(of entity: Entity) -> Clock { clock(of: entity.pointee.number) }

  private static func join(_ clock: Clock, _ other: Clock) {
    for place in 0..<width { clock[place] = max(clock[place], other[place]) }
  }

  private func fresh() -> Clock {
    let clock = free.popLast() ?? .allocate(capacity: Self.width)
    clock.initialize(repeating: 0, count: Self.width)
    return clock
  }

  private func tick(_ entity: Entity) { clock(of: entity)[entity.pointee.number] += 1 }

  func fork(from parent: Entity?, to child: Entity) {
    // The place may have been another's: what that one did is over, and its count goes on.
    if let parent { Self.join(clock(of: child), clock(of: parent)) }
    tick(child)
    if let parent { tick(parent) }
  }

  func ended(_ entity: Entity) {
    // What ends tells the host, and nobody else: the next in its place begins after it.
    tick(entity)
  }

  func acquire(_ entity: Entity, _ resource: Int) {
    if let clock = ofResources[resource] { Self.join(self.clock(of: entity), clock) }
  }

  func release(_ entity: Entity, _ resource: Int) {
    let clock: Clock
    if let known = ofResources[resource] {
      clock = known
    } else {
      clock = fresh()
      ofResources[resource] = clock
    }
    Self.join(clock, self.clock(of: entity))
    tick(entity)
  }

  func clear(_ resource: Int) {
    if let clock = ofResources.removeValue(forKey: resource) { free.append(clock) }
  }

  func handOver(_ entity: Entity, to resource: Int) { release(entity, resource) }

  /// What the running entity knows now, for what it enqueues.
  func snapshot() -> Int32 {
    guard let entity = Entity.current else { return -1 }
    let clock = fresh()
    Self.join(clock, self.clock(of: entity))
    tick(entity)
    snapshots.append(clock)
    return Int32(snapshots.count - 1)
  }

  func join(_ entity: Entity, _ snapshot: Int32) {
    if snapshot >= 0 { Self.join(clock(of: entity), snapshots[Int(snapshot)]) }
    acquireRuntime(entity)
    tickCarriers()
  }

  /// The entity may be in the runtime, which goes on with whatever job it finds: after a point there, what ended before is before
  /// that job.
  func passed(_ entity: Entity) {
    acquireRuntime(entity)
    tickCarriers()
  }

  /// What they do from now on is not known yet.
  private func tickCarriers() {
    for number in 0...Scheduler.mostCarriers { clock(of: number)[number] += 1 }
  }

  /// A carrier gives an actor back somewhere in the runtime, before its job ends: what carriers did until now may come before.
  private func acquireRuntime(_ entity: Entity) {
    for number in 0...Scheduler.mostCarriers where number != entity.pointee.number {
      Self.join(runtime, clock(of: number))
    }
    Self.join(clock(of: entity), runtime)
  }

  func switched(_ entity: Entity) {
    Self.join(runtime, clock(of: entity))
    acquireRuntime(entity)
    tickCarriers()
  }

  func jobEnded(_ entity: Entity) {
    Self.join(runtime, clock(of: entity))
    tick(entity)
  }

  /// Whether everything that the entity did up to `time` comes before what the other does now.
  func isBefore(_ number: Int, _ time: UInt32, _ entity: Entity) -> Bool {
    time <= clock(of: entity)[number]
  }

  func time(of entity: Entity) -> UInt32 { clock(of: entity)[entity.pointee.number] }
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
  private var write: (entity: Int, time: UInt32, name: String)?
  private var reads: [Int: UInt32] = [:]

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
    let mine = me.pointee.number
    if let write, write.entity != mine, !clocks.isBefore(write.entity, write.time, me) {
      let verb = isWrite ? "writes" : "reads"
      race(
        scheduler, me,
        "\(me.pointee.name) \(verb) '\(name)', which \(write.name) writes: nothing orders the two")
    }
    if isWrite {
      if let read = reads.first(where: { $0.key != mine && !clocks.isBefore($0.key, $0.value, me) }) {
        let reader = scheduler.state.pointee.entities[read.key].name
        race(
          scheduler, me,
          "\(me.pointee.name) writes '\(name)', which \(reader) reads: nothing orders the two")
      }
      write = (mine, clocks.time(of: me), me.pointee.name)
      reads.removeAll()
    } else {
      reads[mine] = clocks.time(of: me)
    }
  }

  private func race(_ scheduler: Scheduler, _ me: Entity, _ message: String) {
    scheduler.found(.race, message)
    scheduler.leave(me)
  }
}
