import CInterleaving

/// The scheduler of one world.
///
/// A pointer and nothing else, which C's callbacks get from the entity that calls: no reference is counted on the way.
/// Its state lies in memory that is allocated once. No method holds the whole of it, or any part, over a switch.
struct Scheduler {
  let state: UnsafeMutablePointer<SchedulerState>
}

struct SchedulerState {
  let host: OpaquePointer
  let record: UnsafeMutablePointer<ci_record>
  let choices: UnsafeMutablePointer<UInt32>
  let entities: UnsafeMutablePointer<EntityState>
  var options = World.Options()
  // Not counted: a world outlives what runs in it.
  unowned(unsafe) var world: World?

  // Sets of entities, as bits.
  /// In use.
  var live: UInt64 = 0
  /// In use at some time of this execution.
  var used: UInt64 = 0
  /// Can go on.
  var runnable: UInt64 = 0
  /// Carriers without a job.
  var idle: UInt64 = 0
  var running = -1

  // What decides.
  var random = SeededRandom(seed: 0)
  var chooser: Chooser?
  /// The chooser, where it wants to know what is done as well.
  var observer: Chooser?
  var isSettling = false
  var count = 0

  // What happened.
  var steps = 0
  /// How many executions there were.
  var execution: UInt64 = 0
  /// At which step the next thing that is not the hot path's is due: settling, or the end.
  var dueStep = 0
  var digest: UInt64 = 0
  /// Of what happens before what: a sum over all accesses, the same for all orders of those that have nothing in common.
  var fingerprint: UInt64 = 0
  /// What those did that touch nothing in particular.
  var history: UInt64 = 0
  /// The marks of this execution, as bits.
  var marks: InlineArray<2, UInt64> = [0, 0]
  var finding: Finding?
  var isOver = false
  /// Grows when an entity, a job or a task ends or time passes.
  var progress: UInt64 = 0
  var progressAtSettling: UInt64 = 0

  // What is waited for.
  var resources: UnsafeMutablePointer<Resource>
  var resourceCount = 0
  var resourceRoom: Int
  var addresses = AddressTable()
  /// How many wait, where C looks.
  let waiting: UnsafeMutablePointer<Int32>
  var order = LockOrder()

  // What runs later.
  var jobs = JobQueue()
  var mainJobs = JobQueue()
  var timers = TimerQueue()
  var now: UInt64 = 0
  var queues = DispatchQueues()
  let tasks = TaskTable()
  var hasTasks = false
  var isBodyDone = true
  var bytes: SeededRandom?
  var clocks: VectorClocks?
  var wantsClocks = false
  /// Deep mode's.
  var shadow: Shadow?
  var collectsStacks = false
  /// Whether answers that go without saying are recorded as such, and whether events are told.
  var leavesOutDefaults = false
  var isTraced = false
}

extension Scheduler {
  static let start: UInt64 = 1_000_000_000_000

  static func make(substrate: World.Substrate, record: UnsafeMutablePointer<ci_record>) -> Scheduler {
    let state = UnsafeMutablePointer<SchedulerState>.allocate(capacity: 1)
    let scheduler = Scheduler(state: state)
    let entities = UnsafeMutablePointer<EntityState>.allocate(capacity: World.mostEntities)
    for number in 0..<World.mostEntities {
      (entities + number).initialize(to: EntityState(scheduler, number))
    }
    state.initialize(
      to: SchedulerState(
        host: ci_host_make(substrate == .fibers ? CI_FIBERS : CI_THREADS), record: record,
        choices: ci_record_choices(record), entities: entities, resources: .allocate(capacity: 64),
        resourceRoom: 64, waiting: .allocate(capacity: 1)))
    return scheduler
  }

  func free() {
    for number in 0..<World.mostEntities {
      let entity = state.pointee.entities + number
      // An idle carrier: it waits for a job that will not come.
      if let context = entity.pointee.context { ci_abandon(context) }
      entity.pointee.held.deallocate()
    }
    state.pointee.entities.deinitialize(count: World.mostEntities)
    state.pointee.entities.deallocate()
    state.pointee.queues.removeAll()
    state.pointee.resources.deallocate()
    state.pointee.addresses.free()
    state.pointee.waiting.deallocate()
    state.pointee.jobs.free()
    state.pointee.mainJobs.free()
    ci_host_free(state.pointee.host)
    state.deinitialize(count: 1)
    state.deallocate()
  }

  var clocks: VectorClocks? {
    @inline(__always) get { state.pointee.clocks }
  }

  @inline(__always)
  static func mixed(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
  }

  /// The history of who did one thing more, to something that has one of its own: which is which matters.
  @inline(__always)
  static func after(_ mine: UInt64, _ its: UInt64) -> UInt64 {
    mixed(mine, (its << 23 | its >> 41) &+ 1)
  }

  // MARK: Choosing

  /// Answers a choice of more than one, and records the answer.
  @inline(__always)
  func choose(_ kind: ChoiceKind, count: Int, current: Int, candidates: UInt64) -> Int {
    let answer: Int
    if let chooser = state.pointee.chooser {
      answer = answered(by: chooser, kind, count, current, candidates)
    } else if kind == .time {
      answer = state.pointee.random.below(16) == 0 ? 1 : 0
    } else {
      answer = state.pointee.random.below(count)
    }
    // A fair schedule follows from what was before.
    if state.pointee.isSettling { return answer }
    let place = state.pointee.count
    guard place < ChoiceSequence.most else { return noRoom() }
    state.pointee.choices[place] = UInt32(truncatingIfNeeded: answer | (count &- 1) &<< 16)
    if state.pointee.leavesOutDefaults { leaveOutDefault(place) }
    state.pointee.count = place &+ 1
    state.pointee.record.pointee.count = UInt32(truncatingIfNeeded: place &+ 1)
    return answer
  }

  /// An answer that goes without saying is a nought: no other is one.
  @inline(never)
  private func leaveOutDefault(_ place: Int) {
    if let tracer = state.pointee.chooser as? Tracer, tracer.lastIsDefault {
      state.pointee.choices[place] = 0
    }
  }

  /// Has a tracer note something.
  @inline(__always)
  func tell(_ me: Entity?, _ action: Trace.Action, _ object: @autoclosure () -> String) {
    guard state.pointee.isTraced else { return }
    state.pointee.observer?.happened(me?.pointee.number, action, object())
  }

  /// Every caller looks whether the execution is over before it uses an answer.
  @inline(never)
  private func noRoom() -> Int {
    found(
      .stepLimit,
      "the body made \(ChoiceSequence.most) choices, more than a record holds: it does not end, or wants fewer steps"
    )
    return 0
  }

  @inline(never)
  private func answered(
    by chooser: Chooser, _ kind: ChoiceKind, _ count: Int, _ current: Int, _ candidates: UInt64
  ) -> Int {
    let isCandidate = current >= 0 && candidates & (1 << UInt64(current)) != 0
    let answer = chooser.answer(
      ChoicePoint(
        kind: kind, count: count, current: isCandidate ? current : nil, last: current, candidates: candidates,
        step: state.pointee.steps))
    if let difference = chooser.difference { found(.differs, difference) }
    return answer
  }

  /// The number of the entity that runs next; -1 when none does, and the execution is over.
  @inline(__always)
  func next(after current: Entity?) -> Int {
    while true {
      if state.pointee.isOver { return -1 }
      let number = current?.pointee.number ?? -1
      var candidates = state.pointee.runnable
      if state.pointee.idle != 0 { candidates |= ready(idle: state.pointee.idle, current: number) }
      if state.pointee.timers.isEmpty {
        guard candidates != 0 else { return quiescent() }
      } else if letsTimePass(candidates, number) {
        continue
      }
      let count = candidates.nonzeroBitCount
      var chosen: Int
      if count == 1 {
        chosen = candidates.trailingZeroBitCount
      } else {
        let place = choose(.entity, count: count, current: number, candidates: candidates)
        if state.pointee.isOver { return -1 }
        chosen = candidates.setBit(at: place)
      }
      state.pointee.running = chosen
      if let observer = state.pointee.observer, !observes(observer, chosen, candidates) { return -1 }
      state.pointee.digest =
        (state.pointee.digest ^ UInt64(truncatingIfNeeded: chosen &+ 1)) &* 0x100_0000_01b3
      return chosen
    }
  }

  /// Tells who runs next; false when the strategy has seen enough of this execution.
  @inline(never)
  private func observes(_ observer: Chooser, _ chosen: Int, _ candidates: UInt64) -> Bool {
    if observer.began(chosen, enabled: candidates) { return true }
    state.pointee.isOver = true
    return false
  }

  /// Notes that the running entity touches an object.
  @inline(__always)
  func touch(_ me: Entity, _ resource: Int, _ kind: AccessKind) {
    if kind != .releases {
      let history = Self.after(me.pointee.history, state.pointee.resources[resource].history)
      me.pointee.history = history
      if kind != .reads { state.pointee.resources[resource].history = history }
      state.pointee.fingerprint &+= history
    }
    if let observer = state.pointee.observer { observer.touched(resource, kind) }
  }

  /// Notes that the running entity does something that may have to do with whatever others do.
  @inline(__always)
  func touchAll(_ me: Entity) {
    let history = Self.after(me.pointee.history, state.pointee.history)
    me.pointee.history = history
    state.pointee.history = history
    state.pointee.fingerprint &+= history
    if let observer = state.pointee.observer { observer.touched(-1, .writes) }
  }

  /// Which idle carriers could take a job: they are all alike, so one stands for all, the running one where it is idle.
  @inline(__always)
  private func ready(idle: UInt64, current: Int) -> UInt64 {
    var ready: UInt64 = 0
    if !state.pointee.jobs.isEmpty {
      let carriers = idle & ~(1 << UInt64(Self.mainNumber))
      let mine: UInt64 = current > 0 ? carriers & (1 << UInt64(current)) : 0
      ready = mine != 0 ? mine : carriers & (0 &- carriers)
    }
    if !state.pointee.mainJobs.isEmpty { ready |= idle & (1 << UInt64(Self.mainNumber)) }
    return ready
  }

  /// Whether time passed, by need or by choice, so that there is to be looked again.
  @inline(never)
  private func letsTimePass(_ candidates: UInt64, _ current: Int) -> Bool {
    if candidates == 0 {
      advance()
      return true
    }
    guard !state.pointee.isSettling, state.pointee.options.timePassesEarly else { return false }
    guard choose(.time, count: 2, current: current, candidates: 0) == 1, !state.pointee.isOver else {
      return state.pointee.isOver
    }
    advance()
    return true
  }

  @inline(__always)
  func context(of number: Int) -> OpaquePointer? {
    number < 0 ? state.pointee.host : (state.pointee.entities + number).pointee.context
  }

  /// Goes from the running entity to the one that is chosen; returns when it is chosen again.
  @inline(__always)
  func switchFrom(_ me: Entity) {
    let number = next(after: me)
    guard number != me.pointee.number else { return }
    me.pointee.switches &+= 1
    ci_switch(me.pointee.context, context(of: number))
  }

  // MARK: Points

  /// Passes a scheduling point of the running entity; in the kernel.
  @inline(__always)
  func point(_ me: Entity) {
    let steps = state.pointee.steps &+ 1
    state.pointee.steps = steps
    me.pointee.bypassed = 0
    me.pointee.passed &+= 1
    if steps >= state.pointee.dueStep { due(me) }
    switchFrom(me)
    me.pointee.next = -1
  }

  /// The chaos is over, or the settling is.
  @inline(never)
  func due(_ me: Entity) {
    let options = state.pointee.options
    if !state.pointee.isSettling {
      state.pointee.isSettling = true
      let chooser = state.pointee.chooser?.settled() ?? FairChooser()
      state.pointee.chooser = chooser
      if !chooser.observes { state.pointee.observer = nil }
      state.pointee.progressAtSettling = state.pointee.progress
      state.pointee.dueStep = options.steps + options.settling
      resetBypassed()
      if options.settling > 0 { return }
    }
    if let starved = starvedEntity(after: options.settling) {
      found(.starvation, starved)
    } else if options.settling > 0, state.pointee.progress == state.pointee.progressAtSettling {
      found(
        .livelock,
        "for \(options.settling) steps of a fair schedule nothing ended and no time passed: "
          + "\(names(of: state.pointee.runnable)) go on without end")
    } else {
      found(
        .stepLimit,
        "the body made \(state.pointee.steps) steps, \(options.settling) of them under a fair schedule: "
          + "it does not end, or the limit is too low")
    }
    // The point that was come to goes to the host, from where a carrier between two jobs goes on in the next execution.
  }

  /// Goes to the host for good: the execution is over.
  func leave(_ me: Entity) {
    ci_switch(me.pointee.context, state.pointee.host)
    preconditionFailure("an execution that is over went on")
  }

  func found(_ kind: Finding.Kind, _ message: String) {
    guard !state.pointee.isOver else { return }
    let running = state.pointee.running
    tell(running >= 0 ? state.pointee.entities + running : nil, .finds, "\(kind.rawValue)!")
    state.pointee.finding = Finding(kind, message)
    state.pointee.isOver = true
  }

  func names(of entities: UInt64) -> String {
    var names: [String] = []
    var rest = entities
    while rest != 0 {
      let entity = state.pointee.entities[rest.trailingZeroBitCount]
      names.append(entity.name + (entity.label.map { " (at '\(String(cString: $0))')" } ?? ""))
      rest &= rest &- 1
    }
    return names.isEmpty ? "nobody" : names.joined(separator: ", ")
  }

  /// A value in 0 ..< count that the strategy chooses; in the kernel.
  func draw(_ count: Int, _ me: Entity) -> Int {
    precondition((1...65_536).contains(count), "a draw has 1 to 65,536 answers: draw twice for more")
    let answer = count == 1 ? 0 : choose(.value, count: count, current: -1, candidates: 0)
    if state.pointee.isOver { leave(me) }
    tell(me, .says, "draws \(answer) of \(count)")
    state.pointee.digest = Self.mixed(state.pointee.digest, UInt64(answer))
    return answer
  }

  /// Bytes that follow from the first value that an execution draws for them.
  func fill(_ bytes: UnsafeMutableRawBufferPointer, _ me: Entity) {
    var random = state.pointee.bytes ?? SeededRandom(seed: UInt64(draw(65_536, me)) &+ 0x5eed)
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next() >> 32) }
    state.pointee.bytes = random
  }
}
