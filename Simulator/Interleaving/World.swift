import CInterleaving

/// One execution after another of a body whose threads, tasks and time a strategy controls.
///
/// A world belongs to the OS thread that made it. Of its entities, which are threads of control of the world's own
/// (spawned threads, carriers that run Swift jobs, a main thread, the work of Dispatch queues), one runs at a time, and
/// another only at a scheduling point. Everything that is not determined is a choice. What it can be asked from inside a
/// body is for the body's own threads and tasks.
public final class World: @unchecked Sendable {
  /// Entities are bits of a set; a body that needs more of them wants to be smaller.
  public static let mostEntities = 64

  /// How contexts are made.
  public enum Substrate: String, Sendable, CaseIterable {
    /// Stacks of our own on one OS thread, with borrowed thread-local storage.
    case fibers
    /// Pooled OS threads that hand a token over: for sanitizers, debuggers and other processors.
    case threads

    /// Fibers where they work, which is tried and not assumed.
    public static var best: Substrate { ci_fibers_work() ? .fibers : .threads }
  }

  /// What a world does and looks for.
  public struct Options: Sendable {
    /// Threads that run Swift jobs, from 1 to 8.
    public var carriers = 2
    /// How many steps the strategy decides; then the schedule is fair, and everything is to settle.
    public var steps = 100_000
    /// In how many steps of a fair schedule everything is to settle.
    public var settling = 20_000
    /// Whether locks that are taken in opposite orders are a finding of a clean execution.
    public var detectsLockOrder = true
    /// Whether time may pass although something could run: a timeout may beat what it waits for.
    public var timePassesEarly = true
    /// How much processor time may pass without a scheduling point, in seconds, before that is an endless loop.
    public var hangSeconds = 10.0

    public init() {}
  }

  public let substrate: Substrate
  let scheduler: Scheduler
  let record: UnsafeMutablePointer<ci_record>
  private var threads: (World) -> Void = { _ in }
  // Made once: an execution of threads allocates nothing for its first.
  private lazy var runThreads: () -> Void = { [unowned self] in body()(self) }

  private func body() -> (World) -> Void {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    return threads
  }

  /// What is true of every execution from the next one on.
  public var options: Options {
    get { scheduler.state.pointee.options }
    set {
      precondition((1...Scheduler.mostCarriers).contains(newValue.carriers), "a world has 1 to 8 carriers")
      precondition(newValue.steps > 0 && newValue.settling >= 0, "a limit is a count of steps")
      scheduler.state.pointee.options = newValue
    }
  }

  /// What was decided in the last execution.
  public var choices: ChoiceSequence {
    ChoiceSequence(recorded: scheduler.state.pointee.choices, count: scheduler.state.pointee.count)
  }
  /// How many choices the execution has made so far; to be asked from inside it, too.
  public var choiceCount: Int { scheduler.state.pointee.count }
  /// A number that two equal executions share.
  public var digest: UInt64 { scheduler.state.pointee.digest }
  /// How many scheduling points were passed.
  public var steps: Int { scheduler.state.pointee.steps }
  /// The first thing that went wrong.
  public var finding: Finding? { scheduler.state.pointee.finding }

  /// Makes a world of the calling OS thread's.
  public convenience init(substrate: Substrate = .best) {
    WarmUp.once()
    self.init(substrate: substrate, recordFile: -1)
  }

  /// - Parameter recordFile: a file that keeps the choices as they are made; none for a negative one.
  init(substrate: Substrate, recordFile: Int32) {
    precondition(substrate != .fibers || ci_fibers_work(), "fibers do not work here: use threads")
    Hooks.install()
    guard let record = ci_record_make(recordFile) else {
      preconditionFailure("the system gives no memory for a record of choices")
    }
    self.substrate = substrate
    self.record = record
    scheduler = .make(substrate: substrate, record: record)
    Worlds.add(scheduler.state.pointee.tasks)
    if Self.isDeep {
      scheduler.state.pointee.clocks = VectorClocks(scheduler)
      scheduler.state.pointee.shadow = Shadow()
    }
  }

  /// Whether the code that worlds run was compiled for deep mode: each atomic operation is a scheduling point, and each access
  /// of memory is checked.
  public static var isDeep: Bool { ci_is_deep() }

  deinit {
    Worlds.remove(scheduler.state.pointee.tasks)
    scheduler.free()
    ci_record_free(record)
  }

  /// The world that the calling code runs in; nil outside every world.
  public static var current: World? {
    Entity.current.flatMap { $0.pointee.scheduler.state.pointee.world }
  }

  /// A number of the running thread of control of the current world, which no other of its execution has; nil outside every world.
  public static var currentThread: UInt64? { Entity.current.map { $0.pointee.key } }

  /// Whether the calling code is on the main thread of a world.
  public static var isOnMainThread: Bool { Entity.current?.pointee.role == .main }

  /// How many jobs of worlds threads outside enqueued or resumed, in the process's life; each was held back.
  public static var foreignEnqueues: Int { Worlds.foreignEnqueues }

  // MARK: Running

  /// Runs the body once, as the world's first thread, until everything has ended or something is found.
  ///
  /// - Parameters:
  ///   - strategy: answers the choices.
  ///   - body: makes its threads by `spawn`, and what tasks and queues it likes.
  @discardableResult
  public func run(_ strategy: Strategy, body: @escaping (World) -> Void) -> Finding? {
    ci_enter_kernel()
    threads = body
    ci_leave_kernel()
    return execute(strategy) { scheduler.spawn("body", role: .thread, parent: nil, body: runThreads) }
  }

  /// Runs an asynchronous body once, as a task of the world's, until everything has ended or something is found.
  ///
  /// What it throws is a finding.
  @discardableResult
  public func run(_ strategy: Strategy, body: @escaping @Sendable (World) async throws -> Void) -> Finding? {
    execute(strategy) {
      scheduler.state.pointee.isBodyDone = false
      // The task is made here, on the host, so that it has the host's task-locals; its first job is the world's.
      let entity = scheduler.state.pointee.entities + Scheduler.mainNumber
      let simulated = UnsafeMutableRawPointer(entity)
      ci_leave_kernel()
      scheduler.setWorld()
      ci_set_simulated(simulated)
      Task {
        do { try await body(self) } catch { self.fail("the body threw: \(error)") }
        self.bodyEnded()
      }
      ci_set_simulated(nil)
      ci_enter_kernel()
    }
  }

  private func bodyEnded() {
    ci_enter_kernel()
    scheduler.state.pointee.isBodyDone = true
    ci_leave_kernel()
  }

  private func execute(_ strategy: Strategy, begin: () -> Void) -> Finding? {
    precondition(ci_simulated() == nil, "a world runs beside others, not inside one")
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    ci_host_adopt(scheduler.state.pointee.host)
    once(strategy, begin)
    if scheduler.state.pointee.wantsClocks {
      // A checked cell was met. From now on the world knows what comes before what: the execution again, from its first
      // step, since what came before the cell counts too.
      scheduler.state.pointee.wantsClocks = false
      scheduler.state.pointee.clocks = VectorClocks(scheduler)
      once(strategy, begin)
    }
    return scheduler.state.pointee.finding
  }

  private func once(_ strategy: Strategy, _ begin: () -> Void) {
    scheduler.reset(strategy, self)
    record.pointee.digest = 0
    record.pointee.phase = CI_RUNNING.rawValue
    begin()
    let first = scheduler.next(after: nil)
    if first >= 0 { ci_switch(scheduler.state.pointee.host, scheduler.context(of: first)) }
    var ended = scheduler.state.pointee.used
    while ended != 0 {
      ci_announce_acquire(scheduler.state.pointee.entities + ended.trailingZeroBitCount)
      ended &= ended &- 1
    }
    scheduler.judgeEnd()
    scheduler.abandonAll()
    if !scheduler.state.pointee.queues.queues.isEmpty { scheduler.state.pointee.queues.removeAll() }
    record.pointee.phase = CI_IDLE.rawValue
    record.pointee.digest = scheduler.state.pointee.digest
  }

  // MARK: From inside a body

  /// Adds a thread that runs the body; to be called from inside the world.
  ///
  /// - Parameter name: how findings call it.
  public func spawn(_ name: String, _ body: @escaping () -> Void) {
    inKernel { me in
      guard scheduler.spawn(name, role: .thread, parent: me, body: body) == nil else { return }
      scheduler.found(
        .failure, "the body has more threads at once than the 64 of a world: make it smaller, or let some end"
      )
      scheduler.leave(me)
    }
  }

  /// Passes a scheduling point.
  public func point() {
    inKernel { me in
      scheduler.point(me)
      scheduler.touchAll(me)
      scheduler.tell(me, .says, "goes on")
    }
  }

  /// A value in 0 ..< count, at most 65,536, that the strategy chooses.
  public func draw(_ count: Int) -> Int { inKernel { scheduler.draw(count, $0) } }

  /// Says that something does not hold, and ends the execution.
  public func fail(_ message: String) {
    inKernel { me in
      scheduler.found(.failure, message)
      scheduler.leave(me)
    }
  }

  /// Tells whoever reads the execution's trace what the body does; nothing is done, and the text is not made, where nobody does.
  public func say(_ text: @autoclosure () -> String) {
    inKernel { scheduler.tell($0, .notes, text()) }
  }

  /// Says that this execution passes a window that an exploration should pass: `Statistics.marks` counts it once.
  ///
  /// - Parameter name: at most 55 bytes of UTF-8 count; a body has at most 128 marks.
  public func mark(_ name: String) {
    inKernel { me in
      scheduler.tell(me, .notes, "mark '\(name)'")
      guard let place = Marks(record).place(of: name) else { return }
      scheduler.state.pointee.marks[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  /// The time since the world began; it passes when nothing can run, or when the strategy lets it.
  public var elapsed: Duration {
    .nanoseconds(Int64(scheduler.state.pointee.now - Scheduler.start))
  }

  /// Mixes a value into the digest: what two equal executions have to agree on.
  public func note(_ value: UInt64) {
    inKernel { _ in scheduler.state.pointee.digest = Scheduler.mixed(scheduler.state.pointee.digest, value) }
  }

  @inline(__always)
  private func inKernel<Result>(_ body: (Entity) -> Result) -> Result {
    guard let me = Entity.current else {
      preconditionFailure("only a thread or a task of the world's own may ask it for that")
    }
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    return body(me)
  }
}

extension Scheduler {
  /// Makes everything as it is at the beginning of an execution.
  func reset(_ strategy: Strategy, _ world: World) {
    let options = state.pointee.options
    state.pointee.world = world
    if case .random(let seed) = strategy.kind {
      state.pointee.random = SeededRandom(seed: seed)
      state.pointee.chooser = nil
    } else {
      state.pointee.chooser = strategy.chooser()
    }
    state.pointee.observer = state.pointee.chooser.flatMap { $0.observes ? $0 : nil }
    state.pointee.fingerprint = 0
    state.pointee.marks = [0, 0]
    state.pointee.history = 0
    state.pointee.record.pointee.seed = strategy.seed
    state.pointee.record.pointee.count = 0
    state.pointee.count = 0
    state.pointee.execution &+= 1
    state.pointee.steps = 0
    state.pointee.dueStep = options.steps
    state.pointee.isSettling = false
    state.pointee.digest = 0xcbf2_9ce4_8422_2325
    state.pointee.finding = nil
    state.pointee.isOver = false
    state.pointee.progress = 0
    state.pointee.used = 0
    state.pointee.runnable = 0
    state.pointee.running = -1
    state.pointee.waiting.pointee = 0
    if state.pointee.resourceCount > 0 {
      state.pointee.resourceCount = 0
      state.pointee.addresses.removeAll()
    }
    state.pointee.order.removeExecution()
    state.pointee.now = Self.start
    state.pointee.isBodyDone = true
    state.pointee.bytes = nil
    state.pointee.clocks?.reset()
    state.pointee.shadow?.removeAll()
    state.pointee.chooser?.begin(self)
    if !state.pointee.jobs.isEmpty { state.pointee.jobs.removeAll() }
    if !state.pointee.mainJobs.isEmpty { state.pointee.mainJobs.removeAll() }
    if !state.pointee.timers.isEmpty { state.pointee.timers.removeAll() }
    if state.pointee.entities[1].context != nil || state.pointee.entities[0].context != nil {
      renewCarriers()
    }
    if state.pointee.hasTasks {
      state.pointee.tasks.removeAll()
      state.pointee.hasTasks = false
    }
  }
}

extension World {
  /// Makes a crash of what the world runs a finding: with a prefix its line is written to standard error; nil ends it.
  func catchCrashes(_ prefix: String?) {
    if let prefix {
      ci_catch_crashes(record, prefix)
    } else {
      ci_catch_crashes(nil, nil)
    }
  }
}
