import CInterleaving

/// What an entity is: a thread of control that a world schedules.
enum EntityRole: UInt8 {
  /// A thread that the body spawned.
  case thread
  /// Runs Swift jobs.
  case carrier
  /// Runs the main actor's jobs and the main queue's work.
  case main
  /// Runs one piece of a Dispatch queue's work.
  case work
}

/// The scheduler's state of one entity.
///
/// It lies in memory that is allocated once and never moves: its address is what the entity is to C, and each access to
/// a field is one of its own, because a switch to another entity may come between any two.
struct EntityState {
  let scheduler: Scheduler
  let number: Int
  var role = EntityRole.thread
  var context: OpaquePointer?
  var name = ""
  var body: (() -> Void)?
  /// What it waits for: a place among the resources; -1 for nothing.
  var wanted = -1
  /// Whether a deadline ended its last wait.
  var isTimedOut = false
  /// A number that its timer carries: one of an earlier wait is not for it.
  var wait: UInt64 = 0
  /// The guarded locks that it holds, in the order in which they were taken.
  let held: UnsafeMutablePointer<Int32>
  var heldCount = 0
  /// Names it over executions: its parent's key and its place among the parent's children.
  var key: UInt64 = 0
  var children: UInt64 = 0
  /// How many locks it has met.
  var met: UInt64 = 0
  /// A carrier's: whether it is in the middle of a job.
  var isBusy = false
  /// How often another ran in its place.
  var switches: UInt64 = 0
  /// The point that it passed last.
  var label: UnsafePointer<CChar>?
  /// The Dispatch queues whose work it does, innermost last.
  var queues: [Int] = []
  /// What the entity does when it is the work of a queue.
  var work: DispatchWork?
  /// Where it was when it began to wait, where that is collected.
  var stack: Finding.Stack?
  /// How often it was woken and had to wait again, since it last passed a point.
  var bypassed = 0
  /// How often the lock that it wants had been taken when it came to want it.
  var takenBefore = 0
  /// What it did and what came before that, as a hash.
  var history: UInt64 = 0
  /// How many points it passed.
  var passed = 0
  /// The object that its next step touches, where that is known; -1 otherwise.
  var next: Int32 = -1

  static let mostHeld = 64

  init(_ scheduler: Scheduler, _ number: Int) {
    self.scheduler = scheduler
    self.number = number
    held = .allocate(capacity: Self.mostHeld)
  }
}

typealias Entity = UnsafeMutablePointer<EntityState>

extension Entity {
  @inline(__always)
  init(_ raw: UnsafeMutableRawPointer) { self = raw.assumingMemoryBound(to: EntityState.self) }

  @inline(__always)
  var bit: UInt64 { 1 << UInt64(pointee.number) }

  /// The calling thread of control, where it is one of a world's.
  @inline(__always)
  static var current: Entity? { ci_simulated().map { Entity($0) } }
}

// MARK: Life

extension Scheduler {
  /// Adds an entity that runs the body; nil when all are in use.
  @discardableResult
  func spawn(
    _ name: String, role: EntityRole, parent: Entity?, body: (() -> Void)?, work: DispatchWork? = nil
  ) -> Entity? {
    let free = ~state.pointee.live & ~Self.reserved
    guard free != 0 else { return nil }
    let entity = state.pointee.entities + free.trailingZeroBitCount
    begin(entity, name, role)
    entity.pointee.body = body
    entity.pointee.work = work
    if let parent, parent.pointee.role == .thread {
      parent.pointee.children &+= 1
      entity.pointee.key = Self.mixed(parent.pointee.key, parent.pointee.children)
    } else if parent != nil {
      // Which carrier a task runs on says nothing of what it makes.
      entity.pointee.key = keyByName(of: entity)
    } else {
      entity.pointee.key = 1
    }
    entity.pointee.history = Self.mixed(entity.pointee.key, parent?.pointee.history ?? 0)
    state.pointee.observer?.made(entity.pointee.number, by: parent?.pointee.number ?? -1)
    if state.pointee.used & entity.bit != 0 { forgetMeetings(of: entity) }
    state.pointee.used |= entity.bit
    entity.pointee.context = ci_context_make(state.pointee.host, Self.live, entity)
    precondition(entity.pointee.context != nil, "the system gives no more threads to make an entity of")
    state.pointee.runnable |= entity.bit
    clocks?.fork(from: parent, to: entity)
    ci_announce_release(entity)
    return entity
  }

  private func keyByName(of entity: Entity) -> UInt64 {
    var key: UInt64 = 0x7ea3
    for byte in entity.pointee.name.utf8 { key = Self.mixed(key, UInt64(byte)) }
    var others = state.pointee.used
    while others != 0 {
      let other = state.pointee.entities + others.trailingZeroBitCount
      others &= others &- 1
      // The next of its name; from the beginning, for the one before may have the place that was looked at already.
      guard other != entity, other.pointee.key == key else { continue }
      key = Self.mixed(key, 1)
      others = state.pointee.used
    }
    return key
  }

  private func begin(_ entity: Entity, _ name: String, _ role: EntityRole) {
    state.pointee.live |= entity.bit
    entity.pointee.role = role
    entity.pointee.name = name
    entity.pointee.wanted = -1
    entity.pointee.heldCount = 0
    entity.pointee.children = 0
    entity.pointee.met = 0
    entity.pointee.isBusy = false
    entity.pointee.label = nil
    entity.pointee.bypassed = 0
    entity.pointee.passed = 0
    entity.pointee.next = -1
  }

  /// Carriers keep their places, so that an entity's number does not depend on whether an earlier execution had any.
  static let mainNumber = 0
  static let mostCarriers = 8
  static let reserved: UInt64 = (1 << UInt64(mostCarriers + 1)) - 1

  func makeCarrier(_ number: Int) {
    let entity = state.pointee.entities + number
    guard entity.pointee.context == nil else { return }
    begin(
      entity, number == Self.mainNumber ? "main" : "carrier \(number)",
      number == Self.mainNumber ? .main : .carrier)
    entity.pointee.key = UInt64(number) &+ 0x1000
    entity.pointee.context = ci_context_make(state.pointee.host, Self.carry, entity)
    precondition(entity.pointee.context != nil, "the system gives no more threads to make a carrier of")
    state.pointee.idle |= entity.bit
    ci_announce_release(entity)
  }

  /// Carriers stay from one execution to the next, and begin each as new ones.
  func renewCarriers() {
    for number in 0...Self.mostCarriers {
      let entity = state.pointee.entities + number
      entity.pointee.history = entity.pointee.key
      entity.pointee.children = 0
      entity.pointee.met = 0
      entity.pointee.passed = 0
      entity.pointee.next = -1
    }
  }

  @inline(__always)
  private static func arrive(_ raw: UnsafeMutableRawPointer) -> Entity {
    let entity = Entity(raw)
    ci_enter_kernel()
    ci_set_simulated(raw)
    entity.pointee.scheduler.setWorld()
    ci_leave_kernel()
    ci_announce_acquire(raw)
    return entity
  }

  @inline(__always)
  func setWorld() {
    ci_set_world(
      state.pointee.record, state.pointee.waiting, clocks != nil || state.pointee.observer != nil)
  }

  private static let live: @convention(c) (UnsafeMutableRawPointer?) -> Void = { raw in
    guard let raw else { return }
    let entity = arrive(raw)
    runBody(entity)
    ci_announce_release(raw)
    ci_enter_kernel()
    let scheduler = entity.pointee.scheduler
    let from = entity.pointee.context
    let to = scheduler.end(entity)
    // The last act: from here on the context may be another's.
    ci_finish(from, to)
    ci_leave_kernel()
  }

  /// Apart, so that everything the body holds is let go before the context is, and outside the kernel.
  @inline(never)
  private static func runBody(_ entity: Entity) {
    if let work = work(of: entity) {
      entity.pointee.scheduler.perform(work, entity)
    } else {
      takeBody(of: entity)?()
    }
  }

  private static func work(of entity: Entity) -> DispatchWork? {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    return entity.pointee.work
  }

  private static func takeBody(of entity: Entity) -> (() -> Void)? {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    return entity.pointee.body.take()
  }

  private static let carry: @convention(c) (UnsafeMutableRawPointer?) -> Void = { raw in
    guard let raw else { return }
    let entity = arrive(raw)
    while true { entity.pointee.scheduler.carry(entity) }
  }

  /// Takes the entity out of the world; what runs next.
  private func end(_ entity: Entity) -> OpaquePointer? {
    state.pointee.runnable &= ~entity.bit
    state.pointee.live &= ~entity.bit
    entity.pointee.context = nil
    state.pointee.progress &+= 1
    tell(entity, .says, "ends")
    clocks?.ended(entity)
    if entity.pointee.heldCount != 0, !state.pointee.isOver {
      found(.deadlock, "\(entity.pointee.name) ended while it held \(names(ofHeldBy: entity))")
    }
    workEnded(entity)
    return context(of: next(after: nil))
  }

  /// What waits for ever never returns: its stack goes as it is.
  func abandonAll() {
    var rest = state.pointee.live
    while rest != 0 {
      let entity = state.pointee.entities + rest.trailingZeroBitCount
      rest &= rest &- 1
      let isIdle = entity.pointee.role == .carrier || entity.pointee.role == .main
      if isIdle && !entity.pointee.isBusy { continue }
      if let context = entity.pointee.context { ci_abandon(context) }
      entity.pointee.context = nil
      entity.pointee.body = nil
      entity.pointee.work = nil
      entity.pointee.queues.removeAll()
      state.pointee.live &= ~entity.bit
      state.pointee.idle &= ~entity.bit
    }
  }
}
