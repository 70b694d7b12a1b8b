import CInterleaving

/// A piece of work for a carrier or the main thread.
struct Job {
  /// A job of the Swift runtime's, or what `function` is called with.
  let pointer: UnsafeMutableRawPointer
  let function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  /// The main queue's work, by its place; -1 for none.
  var work: Int32 = -1
  /// Who enqueued it, in the vector clocks; -1 for none.
  var clock: Int32 = -1
}

/// Jobs of which any may be taken. What is taken from the middle is replaced by the last.
struct JobQueue {
  private var jobs: UnsafeMutablePointer<Job>
  private var room: Int
  private(set) var count = 0

  init() {
    room = 64
    jobs = .allocate(capacity: room)
  }

  var isEmpty: Bool {
    @inline(__always) get { count == 0 }
  }

  @inline(__always)
  mutating func append(_ job: Job) {
    if count == room { grow() }
    (jobs + count).initialize(to: job)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let grown = UnsafeMutablePointer<Job>.allocate(capacity: room * 2)
    grown.moveInitialize(from: jobs, count: count)
    jobs.deallocate()
    jobs = grown
    room *= 2
  }

  @inline(__always)
  mutating func take(_ place: Int) -> Job {
    let job = jobs[place]
    count &-= 1
    if place != count { jobs[place] = jobs[count] }
    return job
  }

  /// The first, and the others in their order.
  mutating func takeFirst() -> Job {
    let job = jobs[0]
    count -= 1
    for place in 0..<count { jobs[place] = jobs[place + 1] }
    return job
  }

  mutating func removeAll() { count = 0 }
  func free() { jobs.deallocate() }
}

extension Scheduler {
  /// A job that any carrier may run; in the kernel.
  @inline(__always)
  func enqueue(_ job: Job) {
    var job = job
    if let clocks, job.clock < 0 { job.clock = clocks.snapshot() }
    // A job outlives its enqueuing: what was written before comes before what it does.
    ci_announce_release(job.pointer)
    touchAllIfInside()
    if state.pointee.jobs.isEmpty { wantCarriers() }
    state.pointee.jobs.append(job)
  }

  func enqueueMain(_ job: Job) {
    var job = job
    if let clocks, job.clock < 0 { job.clock = clocks.snapshot() }
    ci_announce_release(job.pointer)
    touchAllIfInside()
    makeCarrier(Self.mainNumber)
    state.pointee.mainJobs.append(job)
  }

  /// Timers and the host enqueue as well.
  @inline(__always)
  private func touchAllIfInside() {
    let running = state.pointee.running
    if running >= 0 { touchAll(state.pointee.entities + running) }
  }

  @inline(__always)
  private func wantCarriers() {
    for number in 1...state.pointee.options.carriers where state.pointee.entities[number].context == nil {
      makeCarrier(number)
    }
  }

  /// One job of a carrier's endless life, from idle to idle; outside the kernel.
  func carry(_ me: Entity) {
    ci_enter_kernel()
    state.pointee.idle &= ~me.bit
    state.pointee.runnable |= me.bit
    me.pointee.isBusy = true
    setWorld()
    let job = takeJob(me)
    touchAll(me)
    tell(me, .says, "takes a job")
    if state.pointee.isOver { leave(me) }
    ci_announce_acquire(job.pointer)
    if let clocks { clocks.join(me, job.clock) }
    let work = job.work >= 0 ? state.pointee.queues.mainWork[Int(job.work)] : nil
    ci_leave_kernel()

    if let work {
      perform(work, me)
    } else if let function = job.function {
      function(job.pointer)
    } else if me.pointee.role == .main {
      unsafeBitCast(job.pointer, to: UnownedJob.self)
        .runSynchronously(on: MainExecutor.shared.asUnownedSerialExecutor())
    } else {
      unsafeBitCast(job.pointer, to: UnownedJob.self).runSynchronously(on: Self.generic)
    }

    ci_enter_kernel()
    if let clocks { clocks.jobEnded(me) }
    state.pointee.progress &+= 1
    me.pointee.isBusy = false
    state.pointee.runnable &= ~me.bit
    state.pointee.idle |= me.bit
    touchAll(me)
    tell(me, .says, "ends its job")
    point(me)
    ci_leave_kernel()
  }

  @inline(__always)
  private func takeJob(_ me: Entity) -> Job {
    if me.pointee.role == .main { return state.pointee.mainJobs.takeFirst() }
    let count = state.pointee.jobs.count
    guard count > 1 else { return state.pointee.jobs.take(0) }
    let place = choose(.job, count: min(count, 65_536), current: -1, candidates: 0)
    state.pointee.digest = Self.mixed(state.pointee.digest, UInt64(place))
    return state.pointee.jobs.take(state.pointee.isOver ? 0 : place)
  }

  /// The generic executor is the null reference: a job that runs on it need not hop again.
  private static let generic = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
}

/// The main actor's executor in every world; which world it is follows from who enqueues.
final class MainExecutor: SerialExecutor {
  static let shared = MainExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let pointer = unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self)
    // From a thread outside every world it is held back: the task is a world's, and the thread is not.
    guard let me = Entity.current else {
      _ = Worlds.holdsBack(pointer)
      return
    }
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    me.pointee.scheduler.enqueueMain(Job(pointer: pointer, function: nil))
  }

  func checkIsolated() {
    precondition(
      Entity.current?.pointee.role == .main, "this is the main actor's, and another thread of the world runs")
  }

  static func install() {
    ci_set_main_executor(unsafeBitCast(shared.asUnownedSerialExecutor(), to: ci_executor.self))
  }
}
