import CInterleaving

/// Something that an entity can wait for.
struct Resource {
  enum Kind: UInt8 {
    case guarded, lock, condition, word, semaphore, group, readers, sleep, queue, object

    init(_ kind: ci_wait_kind) {
      self =
        switch kind {
        case CI_WAITS_FOR_LOCK: .lock
        case CI_WAITS_FOR_CONDITION: .condition
        case CI_WAITS_FOR_WORD: .word
        case CI_WAITS_FOR_SEMAPHORE: .semaphore
        case CI_WAITS_FOR_GROUP: .group
        default: .readers
        }
    }

    /// Whether another may have it: the rest comes by itself, or is given.
    var isTaken: Bool { self == .guarded || self == .lock || self == .readers }
  }

  var address: UInt
  var kind: Kind
  /// The entity that holds it; -1 for none, or one that is not known.
  var owner: Int32 = -1
  /// Who waits for it, as bits.
  var waiters: UInt64 = 0
  /// Who of the entities has met it, as bits.
  var metBy: UInt64 = 0
  /// Names it over executions: the least of what its entities' meetings with it are called; 0 when none is.
  var label: UInt64 = 0
  /// How often it was taken.
  var taken = 0
  /// What happened to it so far, as a hash: two orders of its accesses have two.
  var history: UInt64 = 0
}

/// Where the resources are, by address. Open addressing; one execution's entries are cleared one by one.
struct AddressTable {
  private var keys: UnsafeMutablePointer<UInt>
  private var values: UnsafeMutablePointer<Int32>
  /// Which places are taken, in the order of their taking.
  private var places: UnsafeMutablePointer<Int32>
  private var mask: Int
  private var used = 0
  /// A bit for each line of memory that an address is in, folded: most objects have none, and are passed by.
  private var lines: UInt64 = 0

  init(room: Int = 256) {
    keys = .allocate(capacity: room)
    keys.initialize(repeating: 0, count: room)
    values = .allocate(capacity: room)
    values.initialize(repeating: 0, count: room)
    places = .allocate(capacity: room)
    mask = room - 1
  }

  @inline(__always)
  private func home(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
  }

  /// The value at an address, and -1 for none.
  @inline(__always)
  func value(at address: UInt) -> Int {
    var place = home(address)
    while keys[place] != 0 {
      if keys[place] == address { return Int(values[place]) }
      place = (place &+ 1) & mask
    }
    return -1
  }

  @inline(__always)
  private static func line(_ address: UInt) -> UInt64 { 1 << UInt64((address >> 6) & 63) }

  /// Whether an address may be in the memory.
  @inline(__always)
  func mayHave(_ start: UInt, _ size: Int) -> Bool {
    guard lines != 0 else { return false }
    var bits: UInt64 = 0
    for address in stride(from: start, to: start &+ UInt(size), by: 64) { bits |= Self.line(address) }
    return lines & (bits | Self.line(start &+ UInt(size) &- 1)) != 0
  }

  mutating func set(_ address: UInt, _ value: Int) {
    lines |= Self.line(address)
    if used * 2 > mask { grow() }
    var place = home(address)
    while keys[place] != 0, keys[place] != address { place = (place &+ 1) & mask }
    if keys[place] == 0 {
      places[used] = Int32(truncatingIfNeeded: place)
      used &+= 1
    }
    keys[place] = address
    values[place] = Int32(truncatingIfNeeded: value)
  }

  private mutating func grow() {
    let old = self
    self = AddressTable(room: (mask + 1) * 2)
    for number in 0..<old.used {
      let place = Int(old.places[number])
      set(old.keys[place], Int(old.values[place]))
    }
    old.free()
  }

  mutating func removeAll() {
    for number in 0..<used { keys[Int(places[number])] = 0 }
    used = 0
    lines = 0
  }

  func free() {
    keys.deallocate()
    values.deallocate()
    places.deallocate()
  }
}

extension Scheduler {
  /// The place of the resource at an address, which is made where there is none.
  @inline(__always)
  func resource(at address: UInt, _ kind: Resource.Kind) -> Int {
    let known = state.pointee.addresses.value(at: address)
    guard known >= 0 else { return newResource(at: address, kind) }
    // A guarded lock's owner is known, a pthread lock's is what its last waiter found: memory that came back may be either.
    let wasAnother = kind == .guarded && state.pointee.resources[known].kind == .lock
    return wasAnother ? newResource(at: address, kind) : known
  }

  @inline(never)
  private func newResource(at address: UInt, _ kind: Resource.Kind) -> Int {
    let number = state.pointee.resourceCount
    if number == state.pointee.resourceRoom {
      let grown = UnsafeMutablePointer<Resource>.allocate(capacity: number * 2)
      grown.moveInitialize(from: state.pointee.resources, count: number)
      state.pointee.resources.deallocate()
      state.pointee.resources = grown
      state.pointee.resourceRoom = number * 2
    }
    (state.pointee.resources + number).initialize(to: Resource(address: address, kind: kind))
    state.pointee.resourceCount = number + 1
    state.pointee.addresses.set(address, number)
    return number
  }

  /// An object is gone: the locks in it are, and what comes to be at their addresses is something else.
  @inline(__always)
  func forget(_ object: UInt, _ size: Int) {
    guard state.pointee.addresses.mayHave(object, size) else { return }
    // Past the object's own two words.
    for address in stride(from: object &+ 16, to: object &+ UInt(size), by: 4)
    where state.pointee.addresses.value(at: address) >= 0 {
      state.pointee.addresses.set(address, -1)
    }
  }

  func forgetMeetings(of entity: Entity) {
    for number in 0..<state.pointee.resourceCount { state.pointee.resources[number].metBy &= ~entity.bit }
  }

  // MARK: Waiting

  /// Has the running entity wait; false when the deadline ended it.
  func block(_ me: Entity, on resource: Int, until deadline: UInt64 = .max) -> Bool {
    state.pointee.resources[resource].waiters |= me.bit
    me.pointee.wanted = resource
    me.pointee.isTimedOut = false
    me.pointee.wait &+= 1
    if state.pointee.resources[resource].kind.isTaken { me.pointee.bypassed &+= 1 }
    state.pointee.runnable &= ~me.bit
    state.pointee.waiting.pointee += 1
    if deadline != .max {
      addTimer(at: deadline, .wake(entity: me.pointee.number, wait: me.pointee.wait))
    }
    if state.pointee.collectsStacks { collectStack(me) }
    touchAll(me)
    tell(me, .waits, name(of: resource))
    state.pointee.steps += 1
    // As at a point: what only waits and sleeps need not pass one.
    if state.pointee.steps >= state.pointee.dueStep { due(me) }
    switchFrom(me)
    me.pointee.wanted = -1
    if deadline != .max, !me.pointee.isTimedOut { state.pointee.timers.removeWake(of: me.pointee.number) }
    return !me.pointee.isTimedOut
  }

  private func collectStack(_ me: Entity) {
    me.pointee.stack = Finding.Stack(entity: me.pointee.name, frames: StackFrames.here())
  }

  @inline(__always)
  func release(_ entity: Entity) {
    state.pointee.runnable |= entity.bit
    state.pointee.waiting.pointee -= 1
  }

  /// Makes all who wait for a resource runnable: who gets it is the strategy's choice.
  @inline(__always)
  func wakeAll(_ resource: Int) {
    let waiters = state.pointee.resources[resource].waiters
    guard waiters != 0 else { return }
    state.pointee.resources[resource].waiters = 0
    state.pointee.runnable |= waiters
    state.pointee.waiting.pointee -= Int32(truncatingIfNeeded: waiters.nonzeroBitCount)
  }

  func wakeOne(_ resource: Int, _ me: Entity) {
    let waiters = state.pointee.resources[resource].waiters
    guard waiters != 0 else { return }
    let count = waiters.nonzeroBitCount
    let place = count == 1 ? 0 : choose(.waiter, count: count, current: -1, candidates: waiters)
    if state.pointee.isOver { leave(me) }
    let woken = state.pointee.entities + waiters.setBit(at: place)
    state.pointee.resources[resource].waiters &= ~woken.bit
    release(woken)
    state.pointee.digest = Self.mixed(state.pointee.digest, woken.bit)
  }

  /// A wait for something of the C library's, the system's or Dispatch's; in the kernel.
  func wait(_ me: Entity, _ address: UInt, _ kind: ci_wait_kind, owner: Int32, until deadline: UInt64) -> Bool
  {
    let resource = resource(at: address, Resource.Kind(kind))
    state.pointee.resources[resource].kind = Resource.Kind(kind)
    state.pointee.resources[resource].owner = Int32(truncatingIfNeeded: number(ofThread: owner))
    let isWoken = block(me, on: resource, until: deadline)
    touchAll(me)
    if !isWoken { state.pointee.resources[resource].waiters &= ~me.bit }
    clocks?.acquire(me, resource)
    return isWoken
  }

  func wake(_ me: Entity, _ address: UInt, all: Bool) {
    touchAll(me)
    guard state.pointee.waiting.pointee > 0 else { return }
    let resource = state.pointee.addresses.value(at: address)
    guard resource >= 0 else { return }
    clocks?.release(me, resource)
    if all { wakeAll(resource) } else { wakeOne(resource, me) }
  }

  /// The entity whose context has a thread's number; -1 for none.
  func number(ofThread thread: Int32) -> Int {
    guard thread != 0 else { return -1 }
    var rest = state.pointee.live
    while rest != 0 {
      let number = rest.trailingZeroBitCount
      rest &= rest &- 1
      if let context = state.pointee.entities[number].context, ci_context_thread(context) == thread {
        return number
      }
    }
    return -1
  }

  // MARK: Guarded locks

  /// Passes a point before something is done with an object, or with anything.
  func pass(_ me: Entity, _ object: UnsafeRawPointer?) {
    guard let object else {
      point(me)
      touchAll(me)
      tell(me, .says, me.pointee.label.map { String(cString: $0) } ?? "goes on")
      return
    }
    let touched = resource(at: UInt(bitPattern: object), .object)
    me.pointee.next = Int32(truncatingIfNeeded: touched)
    point(me)
    touch(me, touched, .writes)
    if let label = me.pointee.label { tell(me, .says, String(cString: label)) }
  }

  /// The running entity wants the lock, and goes on when it has it.
  ///
  /// From its point on it is one of those who wait, and can run while the lock is free: it never runs in vain.
  @inline(__always)
  func acquire(_ me: Entity, _ address: UInt) {
    let lock = resource(at: address, .guarded)
    if state.pointee.resources[lock].owner == Int32(truncatingIfNeeded: me.pointee.number) {
      found(.reentrancy, "\(me.pointee.name) takes \(name(of: lock)), which it holds")
      leave(me)
    }
    if state.pointee.options.detectsLockOrder {
      if state.pointee.resources[lock].metBy & me.bit == 0 { meet(me, lock) }
      if me.pointee.heldCount > 0 { noteOrder(me, lock) }
    }
    state.pointee.resources[lock].waiters |= me.bit
    me.pointee.wanted = lock
    me.pointee.next = Int32(truncatingIfNeeded: lock)
    me.pointee.takenBefore = state.pointee.resources[lock].taken
    if state.pointee.collectsStacks { collectStack(me) }
    if state.pointee.resources[lock].owner >= 0 {
      state.pointee.runnable &= ~me.bit
      state.pointee.waiting.pointee += 1
      tell(me, .waits, name(of: lock))
    }
    point(me)
    me.pointee.wanted = -1
    state.pointee.resources[lock].owner = Int32(truncatingIfNeeded: me.pointee.number)
    state.pointee.resources[lock].taken &+= 1
    let others = state.pointee.resources[lock].waiters & ~me.bit
    state.pointee.resources[lock].waiters = others
    if others != 0 {
      state.pointee.runnable &= ~others
      state.pointee.waiting.pointee += Int32(truncatingIfNeeded: others.nonzeroBitCount)
    }
    precondition(me.pointee.heldCount < EntityState.mostHeld, "an entity holds at most 64 locks")
    me.pointee.held[me.pointee.heldCount] = Int32(truncatingIfNeeded: lock)
    me.pointee.heldCount &+= 1
    touch(me, lock, .acquires)
    if let clocks { clocks.acquire(me, lock) }
  }

  /// The running entity gave the lock back.
  @inline(__always)
  func release(_ me: Entity, _ address: UInt) {
    let lock = resource(at: address, .guarded)
    state.pointee.resources[lock].owner = -1
    var last = me.pointee.heldCount &- 1
    while last >= 0, me.pointee.held[last] != Int32(truncatingIfNeeded: lock) { last &-= 1 }
    if last >= 0 {
      for place in last..<me.pointee.heldCount &- 1 { me.pointee.held[place] = me.pointee.held[place + 1] }
      me.pointee.heldCount &-= 1
    }
    touch(me, lock, .releases)
    if let clocks { clocks.release(me, lock) }
    let waiters = state.pointee.resources[lock].waiters
    if waiters != 0 {
      state.pointee.runnable |= waiters
      state.pointee.waiting.pointee -= Int32(truncatingIfNeeded: waiters.nonzeroBitCount)
    }
    point(me)
  }

  private func meet(_ me: Entity, _ lock: Int) {
    state.pointee.resources[lock].metBy |= me.bit
    me.pointee.met &+= 1
    // Carriers take whichever job comes: what one of them meets says nothing of the next execution.
    guard me.pointee.role == .thread else { return }
    let label = Self.mixed(Self.mixed(me.pointee.key, me.pointee.met), ci_site()) | 1
    let known = state.pointee.resources[lock].label
    state.pointee.resources[lock].label = known == 0 ? label : min(known, label)
  }

  private func noteOrder(_ me: Entity, _ lock: Int) {
    for place in 0..<me.pointee.heldCount {
      let held = Int(me.pointee.held[place])
      guard state.pointee.order.note(held: held, wanted: lock), state.pointee.order.message == nil else {
        continue
      }
      state.pointee.order.message =
        "\(me.pointee.name) takes \(name(of: lock)) while it holds \(name(of: held)), "
        + "and once it was the other way round"
    }
  }

  func name(of resource: Int) -> String {
    switch state.pointee.resources[resource].kind {
    case .guarded, .lock: "lock \(resource)"
    case .condition: "condition \(resource)"
    case .word: "word \(resource)"
    case .semaphore: "semaphore \(resource)"
    case .group: "group \(resource)"
    case .readers: "readers' lock \(resource)"
    case .sleep: "a time that does not come"
    case .object: "object \(resource)"
    case .queue: "queue '\(state.pointee.queues.label(ofResource: resource))'"
    }
  }

  func names(ofHeldBy entity: Entity) -> String {
    (0..<entity.pointee.heldCount).map { name(of: Int(entity.pointee.held[$0])) }.joined(separator: " and ")
  }
}
