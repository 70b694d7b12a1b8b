import CInterleaving

/// One execution after another of a body whose threads a strategy schedules.
///
/// A world belongs to the OS thread that made it. Of its entities, which are threads of control of the world's own, one
/// runs at a time, and another only at a scheduling point: an acquire or a release of a modelled lock, or a point that
/// the code names. Everything that is not determined is a choice.
public final class World {
  /// Entities and locks are sets of bits; a body that needs more of them wants to be smaller.
  public static let mostEntities = 64

  /// How contexts are made.
  public enum Substrate: Sendable, CaseIterable {
    /// Stacks of our own on one OS thread, with borrowed thread-local storage.
    case fibers
    /// Pooled OS threads that hand a token over: for sanitizers, debuggers and other processors.
    case threads

    /// Fibers where they work, which is tried and not assumed.
    public static var best: Substrate { ci_fibers_work() ? .fibers : .threads }
  }

  final class Entity {
    let number: Int
    unowned let world: World
    var name = ""
    var context: OpaquePointer?
    var body: (() -> Void)?
    /// The locks that it holds, as bits.
    var held: UInt64 = 0
    /// The lock that it waits for.
    var wanted: Int?

    init(_ number: Int, _ world: World) {
      self.number = number
      self.world = world
    }
  }

  private struct Lock {
    var address: UInt
    var owner: Int?
    /// Who waits for it, as bits.
    var waiters: UInt64 = 0
  }

  public let substrate: Substrate
  private let host: OpaquePointer
  private var entities: [Entity] = []
  private var entityCount = 0
  private var runnable: UInt64 = 0
  private var running = 0
  private var locks: [Lock] = []
  private var lockOrder = LockOrder()
  // Told when the execution ends well: an execution that deadlocks says more.
  private var inversion: String?
  private var strategy = Strategy.fair(last: 0)
  private var stepLimit = 0

  /// What was decided in the execution of now or the last one.
  public private(set) var choices = ChoiceSequence()
  /// A number that two equal executions share.
  public private(set) var digest: UInt64 = 0
  /// How many scheduling points were passed.
  public private(set) var steps = 0
  /// The first thing that went wrong.
  public private(set) var finding: Finding?

  public init(substrate: Substrate = .best) {
    self.substrate = substrate
    host = ci_host_make(substrate == .fibers ? CI_FIBERS : CI_THREADS)
    WorldListener.install()
  }

  deinit { ci_host_free(host) }

  // MARK: Running

  /// Runs the body once, as the world's first entity, until all entities are done or something is found.
  ///
  /// - Parameters:
  ///   - strategy: answers the choices.
  ///   - stepLimit: how many scheduling points may be passed.
  ///   - body: makes its entities by `spawn`.
  @discardableResult
  public func run(_ strategy: Strategy, stepLimit: Int = 100_000, body: @escaping (World) -> Void) -> Finding?
  {
    precondition(ci_simulated() == nil, "a world runs beside others, not inside one")
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    self.strategy = strategy
    self.stepLimit = stepLimit
    choices.removeAll()
    digest = 0xcbf2_9ce4_8422_2325
    steps = 0
    finding = nil
    locks.removeAll(keepingCapacity: true)
    inversion = nil
    entityCount = 0
    runnable = 0
    spawn("body") { body(self) }
    running = 0
    if let context = entities[0].context { ci_switch(host, context) }
    for entity in entities[..<entityCount] {
      ci_announce_acquire(Unmanaged.passUnretained(entity).toOpaque())
    }
    // What cannot run any more never returns: its stack goes as it is.
    for entity in entities[..<entityCount] {
      if entity.body != nil, let context = entity.context { ci_abandon(context) }
      entity.context = nil
      entity.body = nil
    }
    if let inversion { found(.lockOrder, inversion) }
    return finding
  }

  /// Adds an entity that runs the body; to be called by one, or before the first runs.
  public func spawn(_ name: String, _ body: @escaping () -> Void) {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    precondition(
      entityCount < Self.mostEntities,
      "a world has at most \(Self.mostEntities) entities: make the body smaller")
    if entityCount == entities.count { entities.append(Entity(entityCount, self)) }
    let entity = entities[entityCount]
    entityCount += 1
    entity.name = name
    entity.body = body
    entity.held = 0
    entity.wanted = nil
    entity.context = ci_context_make(host, Self.live, Unmanaged.passUnretained(entity).toOpaque())
    precondition(entity.context != nil, "the system gives no more threads to make an entity of")
    runnable |= 1 << UInt64(entity.number)
    ci_announce_release(Unmanaged.passUnretained(entity).toOpaque())
  }

  private static let live: @convention(c) (UnsafeMutableRawPointer?) -> Void = { raw in
    guard let raw else { return }
    ci_set_simulated(raw)
    ci_announce_acquire(raw)
    runBody(raw)
    ci_announce_release(raw)
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    let entity = Unmanaged<Entity>.fromOpaque(raw).takeUnretainedValue()
    let from = entity.context
    let to = entity.world.nextAfterEnd(of: entity)
    // The last act: from here on the context may be another's.
    ci_finish(from, to)
  }

  /// Apart, so that everything the body holds is let go before the context is.
  @inline(never)
  private static func runBody(_ raw: UnsafeMutableRawPointer) {
    body(of: raw)?()
    // Said only now: until here the body is one that may never return.
    ci_enter_kernel()
    Unmanaged<Entity>.fromOpaque(raw).takeUnretainedValue().body = nil
    ci_leave_kernel()
  }

  private static func body(of raw: UnsafeMutableRawPointer) -> (() -> Void)? {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    return Unmanaged<Entity>.fromOpaque(raw).takeUnretainedValue().body
  }

  private func nextAfterEnd(of entity: Entity) -> OpaquePointer {
    runnable &= ~(1 << UInt64(entity.number))
    entity.context = nil
    if entity.held != 0, finding == nil {
      found(.deadlock, "\(entity.name) ended while it held \(names(of: entity.held))")
    }
    return next(current: nil) ?? host
  }

  // MARK: Scheduling

  /// Passes a scheduling point of the running entity.
  public func point() {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    steps += 1
    guard steps <= stepLimit else {
      found(
        .stepLimit, "the body made more than \(stepLimit) steps: it does not end, or the limit is too low")
      leave()
      return
    }
    resume(next(current: running))
  }

  /// A value in 0 ..< count that the strategy chooses.
  public func draw(_ count: Int) -> Int {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    precondition(count > 0, "something is drawn from at least one value")
    return count == 1 ? 0 : choose(.value, count: count, current: nil, candidates: 0)
  }

  /// Says that something does not hold, and ends the execution.
  public func fail(_ message: String) {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    found(.failure, message)
    leave()
  }

  private func found(_ kind: Finding.Kind, _ message: String) {
    if finding == nil { finding = Finding(kind, message) }
  }

  /// Goes to the host for good: the execution is over.
  private func leave() {
    let me = entities[running]
    ci_switch(me.context, host)
  }

  private func choose(_ kind: ChoiceKind, count: Int, current: Int?, candidates: UInt64) -> Int {
    let point = ChoicePoint(kind: kind, count: count, current: current, candidates: candidates, step: steps)
    switch strategy.answer(point) {
    case .chosen(let answer):
      choices.append(answer)
      return answer
    case .differs(let message):
      found(.differs, message)
      return current ?? 0
    }
  }

  /// The context that runs next; nil when none can, or when something was found.
  private func next(current: Int?) -> OpaquePointer? {
    guard finding == nil else { return nil }
    let count = runnable.nonzeroBitCount
    guard count > 0 else {
      if let stuck = entities[..<entityCount].first(where: { $0.wanted != nil }) {
        foundDeadlock(from: stuck)
      }
      return nil
    }
    var place = 0
    if count > 1 {
      let isRunnable = current.map { runnable & (1 << UInt64($0)) != 0 } ?? false
      let currentPlace = isRunnable ? (runnable & ((1 << UInt64(current ?? 0)) - 1)).nonzeroBitCount : nil
      place = choose(.entity, count: count, current: currentPlace, candidates: runnable)
      if finding != nil { return nil }
    }
    var rest = runnable
    for _ in 0..<place { rest &= rest - 1 }
    running = rest.trailingZeroBitCount
    digest = (digest ^ UInt64(running + 1)) &* 0x100_0000_01b3
    return entities[running].context
  }

  private func resume(_ context: OpaquePointer?) {
    guard let raw = ci_simulated() else { preconditionFailure("only an entity passes a scheduling point") }
    let me = Unmanaged<Entity>.fromOpaque(raw).takeUnretainedValue()
    ci_switch(me.context, context ?? host)
  }

  // MARK: Locks

  /// The running entity wants the lock at an address, and goes on when it has it.
  func acquire(_ address: UInt) {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    point()
    let lock = number(of: address)
    let bit: UInt64 = 1 << UInt64(lock)
    let me = running
    let entity = entities[me]
    if entity.held & bit != 0 {
      found(.reentrancy, "\(entity.name) takes \(name(of: lock)), which it holds")
      leave()
      return
    }
    if let inverted = lockOrder.noted(held: entity.held, wanted: lock), inversion == nil {
      inversion =
        "\(entity.name) takes \(name(of: lock)) while it holds \(name(of: inverted)), and once it was the other way round"
    }
    while locks[lock].owner != nil {
      locks[lock].waiters |= 1 << UInt64(me)
      entity.wanted = lock
      runnable &= ~(1 << UInt64(me))
      resume(next(current: me))
    }
    entity.wanted = nil
    locks[lock].owner = me
    entity.held |= bit
  }

  /// The running entity gave the lock at an address back.
  func release(_ address: UInt) {
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    let lock = number(of: address)
    locks[lock].owner = nil
    entities[running].held &= ~(1 << UInt64(lock))
    // Whoever waits tries again: who gets it is the strategy's choice.
    runnable |= locks[lock].waiters
    locks[lock].waiters = 0
    point()
  }

  /// A lock is known by the order in which an execution meets it: addresses differ from one to the next.
  private func number(of address: UInt) -> Int {
    if let known = locks.firstIndex(where: { $0.address == address }) { return known }
    precondition(locks.count < 64, "a world has at most 64 locks: make the body smaller")
    locks.append(Lock(address: address))
    return locks.count - 1
  }

  private func name(of lock: Int) -> String { "lock \(lock)" }

  private func names(of locks: UInt64) -> String {
    (0..<64).filter { locks & (1 << UInt64($0)) != 0 }.map(name).joined(separator: " and ")
  }

  /// Follows who waits for whom from one that waits.
  private func foundDeadlock(from start: Entity) {
    var parts: [String] = []
    var seen: Set<Int> = []
    var entity = start
    while let wanted = entity.wanted, seen.insert(entity.number).inserted {
      guard let owner = locks[wanted].owner else { break }
      parts.append("\(entity.name) waits for \(name(of: wanted)), which \(entities[owner].name) holds")
      entity = entities[owner]
    }
    found(.deadlock, parts.joined(separator: "; "))
  }
}
