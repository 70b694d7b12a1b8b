import CInterleaving

/// Something that happens at a time of the world's.
struct TimerEntry {
  enum Action {
    /// Ends an entity's wait, if it is still that one.
    case wake(entity: Int, wait: UInt64)
    /// A job of the runtime's.
    case job(Job)
    /// A piece of work for a queue.
    case work(DispatchWork, queue: Int)
  }
  let deadline: UInt64
  let action: Action
}

/// Timers by deadline, those of one deadline by their coming.
struct TimerQueue {
  // Sorted, the earliest last: there are few, and only that one is taken.
  private var entries: [TimerEntry] = []
  private(set) var isEmpty = true

  mutating func add(at deadline: UInt64, _ action: TimerEntry.Action) {
    var place = entries.count
    while place > 0, entries[place - 1].deadline <= deadline { place -= 1 }
    entries.insert(TimerEntry(deadline: deadline, action: action), at: place)
    isEmpty = false
  }

  var earliest: UInt64? { entries.last?.deadline }

  /// The entities that one of these wakes, as bits.
  var sleepers: UInt64 {
    entries.reduce(into: 0) { sleepers, entry in
      if case .wake(let entity, _) = entry.action { sleepers |= 1 << UInt64(entity) }
    }
  }

  mutating func takeEarliest() -> TimerEntry? {
    let entry = entries.popLast()
    isEmpty = entries.isEmpty
    return entry
  }

  /// Forgets the timer of a wait that ended otherwise: time need not pass for it.
  mutating func removeWake(of entity: Int) {
    entries.removeAll {
      if case .wake(let woken, _) = $0.action { woken == entity } else { false }
    }
    isEmpty = entries.isEmpty
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    isEmpty = true
  }
}

extension Scheduler {
  func addTimer(at deadline: UInt64, _ action: TimerEntry.Action) {
    state.pointee.timers.add(at: max(deadline, state.pointee.now), action)
  }

  /// Lets time pass to the earliest deadline, and does all that is due then.
  func advance() {
    guard let deadline = state.pointee.timers.earliest else { return }
    state.pointee.now = max(deadline, state.pointee.now)
    state.pointee.progress &+= 1
    state.pointee.digest = Self.mixed(state.pointee.digest, state.pointee.now)
    state.pointee.fingerprint &+= Self.mixed(state.pointee.history, state.pointee.now)
    state.pointee.observer?.timePassed()
    while let next = state.pointee.timers.earliest, next <= state.pointee.now,
      let entry = state.pointee.timers.takeEarliest()
    {
      switch entry.action {
      case .wake(let number, let wait):
        let entity = state.pointee.entities + number
        guard entity.pointee.wait == wait, entity.pointee.wanted >= 0,
          state.pointee.resources[entity.pointee.wanted].waiters & entity.bit != 0
        else { continue }
        state.pointee.resources[entity.pointee.wanted].waiters &= ~entity.bit
        entity.pointee.isTimedOut = true
        release(entity)
      case .job(let job): enqueue(job)
      case .work(let work, let queue): submit(work, to: queue)
      }
    }
  }

  /// Has the running entity sleep; in the kernel.
  func sleep(_ me: Entity, until deadline: UInt64) {
    // An address of its own: nobody wakes it.
    let resource = resource(at: UInt(bitPattern: me), .sleep)
    _ = block(me, on: resource, until: deadline)
  }
}
