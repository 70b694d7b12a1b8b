import CInterleaving

/// A piece of work for a Dispatch queue.
struct DispatchWork {
  let context: UnsafeMutableRawPointer?
  let function: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let isBlock: Bool
  var isBarrier = false
  /// Left when the work is done.
  var group: UnsafeMutableRawPointer?
  /// The queue's place.
  var queue = -1
  /// The entity that waits to do it itself (`sync`); -1 for none.
  var waiter = -1
  var clock: Int32 = -1

  /// Runs it, and lets go of its block; outside the kernel.
  func run() {
    function(context)
    if isBlock { ci_block_release(context) }
  }
}

/// The Dispatch queues that an execution has met.
struct DispatchQueues {
  struct Queue {
    let address: UnsafeMutableRawPointer
    let isConcurrent: Bool
    let isMain: Bool
    let resource: Int
    /// Of a concurrent queue, what its barriers have done: all that other work comes after.
    let barriers: Int
    var waiting: [DispatchWork] = []
    /// How many pieces of its work run.
    var active = 0
    var hasBarrier = false
  }
  struct Notification {
    let group: UnsafeMutableRawPointer
    let queue: Int
    let work: DispatchWork
  }

  var queues: [Queue] = []
  var notifications: [Notification] = []
  /// The main queue's work, which its jobs name by place.
  var mainWork: [DispatchWork] = []

  func label(ofResource resource: Int) -> String {
    guard let queue = queues.first(where: { $0.resource == resource }) else { return "" }
    return ci_dispatch_label(queue.address).map { String(cString: $0) } ?? ""
  }

  mutating func removeAll() {
    for queue in queues { ci_dispatch_release(queue.address) }
    queues.removeAll(keepingCapacity: true)
    notifications.removeAll(keepingCapacity: true)
    mainWork.removeAll(keepingCapacity: true)
  }
}

extension Scheduler {
  func queue(at address: UnsafeMutableRawPointer) -> Int {
    if let known = state.pointee.queues.queues.firstIndex(where: { $0.address == address }) { return known }
    let resource = resource(at: UInt(bitPattern: address), .queue)
    // Until the execution's end: work that waits keeps its queue, and no other may come to be at its address.
    ci_dispatch_retain(address)
    state.pointee.queues.queues.append(
      DispatchQueues.Queue(
        address: address, isConcurrent: ci_dispatch_is_concurrent(address),
        isMain: ci_dispatch_is_main(address), resource: resource,
        barriers: clocks == nil ? resource : self.resource(at: UInt(bitPattern: address) + 1, .queue)))
    return state.pointee.queues.queues.count - 1
  }

  /// Adds work to a queue, and starts what can start; in the kernel.
  func submit(_ work: DispatchWork, to queue: Int) {
    var work = work
    work.queue = queue
    if let clocks, work.clock < 0 { work.clock = clocks.snapshot() }
    if let me = Entity.current { touchAll(me) }
    ci_announce_release(state.pointee.queues.queues[queue].address)
    if state.pointee.queues.queues[queue].isMain, work.waiter < 0 {
      state.pointee.queues.mainWork.append(work)
      enqueueMain(
        Job(
          pointer: work.context ?? UnsafeMutableRawPointer(state), function: nil,
          work: Int32(state.pointee.queues.mainWork.count - 1)))
      return
    }
    state.pointee.queues.queues[queue].waiting.append(work)
    pump(queue)
  }

  private func pump(_ queue: Int) {
    while let first = state.pointee.queues.queues[queue].waiting.first {
      let now = state.pointee.queues.queues[queue]
      let isExclusive = !now.isConcurrent || first.isBarrier
      guard isExclusive ? now.active == 0 : !now.hasBarrier else { return }
      if first.waiter >= 0 {
        start(first, queue)
        let waiter = state.pointee.entities + first.waiter
        state.pointee.resources[now.resource].owner = isExclusive ? Int32(first.waiter) : -1
        state.pointee.resources[now.resource].waiters &= ~waiter.bit
        if waiter.pointee.wanted >= 0 { release(waiter) }
      } else {
        let label = ci_dispatch_label(now.address).map { String(cString: $0) } ?? ""
        // Without a place left it waits for one: see `workEnded`.
        guard
          let entity = spawn(
            "work of '\(label)'", role: .work, parent: Entity.current ?? nil, body: nil, work: first)
        else { return }
        start(first, queue)
        state.pointee.resources[now.resource].owner = isExclusive ? Int32(entity.pointee.number) : -1
      }
    }
  }

  private func start(_ work: DispatchWork, _ queue: Int) {
    state.pointee.queues.queues[queue].waiting.removeFirst()
    state.pointee.queues.queues[queue].active += 1
    if work.isBarrier { state.pointee.queues.queues[queue].hasBarrier = true }
  }

  private func finish(_ work: DispatchWork) {
    state.pointee.queues.queues[work.queue].active -= 1
    if work.isBarrier { state.pointee.queues.queues[work.queue].hasBarrier = false }
    state.pointee.resources[state.pointee.queues.queues[work.queue].resource].owner = -1
  }

  /// What comes before a piece of work, besides who submitted it.
  private func before(_ work: DispatchWork) -> Int {
    let queue = state.pointee.queues.queues[work.queue]
    return queue.isConcurrent && !work.isBarrier ? queue.barriers : queue.resource
  }
  private func after(_ work: DispatchWork, _ me: Entity) {
    guard let clocks else { return }
    let queue = state.pointee.queues.queues[work.queue]
    clocks.release(me, queue.resource)
    if queue.isConcurrent, work.isBarrier { clocks.release(me, queue.barriers) }
  }

  /// Does a piece of a queue's work; outside the kernel.
  func perform(_ work: DispatchWork, _ me: Entity) {
    ci_enter_kernel()
    me.pointee.queues.append(work.queue)
    touchAll(me)
    ci_announce_acquire(state.pointee.queues.queues[work.queue].address)
    clocks?.join(me, work.clock)
    clocks?.acquire(me, before(work))
    ci_leave_kernel()
    work.run()
    ci_enter_kernel()
    after(work, me)
    ci_announce_release(state.pointee.queues.queues[work.queue].address)
    me.pointee.queues.removeLast()
    if let group = work.group { leave(group, me) }
    ci_leave_kernel()
  }

  /// The entity is no more: its queue goes on, and so does each that found no place for its work.
  func workEnded(_ entity: Entity) {
    guard !state.pointee.isOver else { return }
    if entity.pointee.role == .work, let work = entity.pointee.work {
      entity.pointee.work = nil
      touchAll(entity)
      finish(work)
    }
    for queue in state.pointee.queues.queues.indices where !state.pointee.queues.queues[queue].waiting.isEmpty
    {
      pump(queue)
    }
  }

  /// Waits for the queue's turn and does the work itself; outside the kernel.
  func performSynchronously(_ work: DispatchWork, on address: UnsafeMutableRawPointer, _ me: Entity) {
    ci_enter_kernel()
    point(me)
    let queue = queue(at: address)
    var work = work
    work.waiter = me.pointee.number
    work.queue = queue
    let resource = state.pointee.queues.queues[queue].resource
    if state.pointee.queues.queues[queue].isMain {
      performOnMain(work, me)
    } else {
      submit(work, to: queue)
      // Started at once where the queue is free; the end of the one before starts it otherwise.
      if isWaiting(me, queue) { _ = block(me, on: resource) }
      clocks?.acquire(me, before(work))
      ci_announce_acquire(state.pointee.queues.queues[queue].address)
      me.pointee.queues.append(queue)
      ci_leave_kernel()
      work.function(work.context)
      ci_enter_kernel()
      me.pointee.queues.removeLast()
      after(work, me)
      ci_announce_release(state.pointee.queues.queues[queue].address)
      finish(work)
      pump(queue)
    }
    point(me)
    ci_leave_kernel()
  }

  private func isWaiting(_ me: Entity, _ queue: Int) -> Bool {
    state.pointee.queues.queues[queue].waiting.contains { $0.waiter == me.pointee.number }
  }

  /// The main queue's work is the main thread's to do, whoever waits for it.
  private func performOnMain(_ work: DispatchWork, _ me: Entity) {
    if me.pointee.role == .main {
      found(.deadlock, "main waits for its own queue: dispatch_sync on the main queue from the main thread")
      leave(me)
    }
    let resource = resource(at: UInt(bitPattern: me), .queue)
    state.pointee.resources[resource].owner = Int32(Self.mainNumber)
    let done = OnMain(work: work, scheduler: self, resource: resource)
    var forMain = DispatchWork(
      context: Unmanaged.passRetained(done).toOpaque(), function: OnMain.run, isBlock: false)
    forMain.queue = work.queue
    submit(forMain, to: work.queue)
    while !done.isDone { _ = block(me, on: resource) }
    state.pointee.resources[resource].owner = -1
    clocks?.acquire(me, resource)
  }

  private final class OnMain {
    let work: DispatchWork
    let scheduler: Scheduler
    let resource: Int
    var isDone = false

    init(work: DispatchWork, scheduler: Scheduler, resource: Int) {
      self.work = work
      self.scheduler = scheduler
      self.resource = resource
    }

    static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { raw in
      guard let raw else { return }
      let done = Unmanaged<OnMain>.fromOpaque(raw).takeRetainedValue()
      done.work.function(done.work.context)
      ci_enter_kernel()
      done.isDone = true
      if let me = Entity.current { done.scheduler.clocks?.release(me, done.resource) }
      done.scheduler.wakeAll(done.resource)
      ci_leave_kernel()
    }
  }

  // MARK: Groups

  func leave(_ group: UnsafeMutableRawPointer, _ me: Entity) {
    if let clocks { clocks.release(me, resource(at: UInt(bitPattern: group), .group)) }
    ci_dispatch_group_leave(group)
    left(group, me)
  }

  func left(_ group: UnsafeMutableRawPointer, _ me: Entity) {
    wake(me, UInt(bitPattern: group), all: true)
    guard ci_dispatch_group_is_empty(group) else { return }
    let due = state.pointee.queues.notifications.filter { $0.group == group }
    state.pointee.queues.notifications.removeAll { $0.group == group }
    for notification in due { submit(notification) }
  }

  /// The group is empty: what comes of it comes after all that was done in it.
  private func submit(_ notification: DispatchQueues.Notification) {
    var work = notification.work
    if let clocks {
      work.clock = clocks.snapshot(of: resource(at: UInt(bitPattern: notification.group), .group))
    }
    submit(work, to: notification.queue)
  }

  func notify(_ group: UnsafeMutableRawPointer, _ work: DispatchWork, on queue: Int) {
    if let clocks, let me = Entity.current {
      clocks.release(me, resource(at: UInt(bitPattern: group), .group))
    }
    ci_announce_release(state.pointee.queues.queues[queue].address)
    let notification = DispatchQueues.Notification(group: group, queue: queue, work: work)
    if ci_dispatch_group_is_empty(group) {
      submit(notification)
    } else {
      state.pointee.queues.notifications.append(notification)
    }
  }
}
