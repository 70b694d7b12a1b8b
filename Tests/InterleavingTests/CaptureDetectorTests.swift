import ConcurrencySeam
import Dispatch
import Foundation
import Interleaving
import Synchronization
import TestSupport
import Testing

/// A cell that a world checks, and what may order its accesses.
private final class Cells: Sendable {
  let cell = Checked(0, "cell")
  let guarded = Guarded(0)
  let lock = NSLock()
  let mutex = Mutex(0)
  let semaphore = DispatchSemaphore(value: 0)
}

private actor Owner {
  let cell = Checked(0, "owned")
  func add() { cell.value += 1 }
}

/// A continuation on its way out of a world, without a scheduling point.
private final class WayOut: Sendable {
  private let handed = Atomic<UInt>(0)
  private let isResumed = Atomic(false)

  /// Hands the continuation over, and spins until the other thread has resumed it.
  func hand(_ continuation: UnsafeContinuation<Void, Never>) {
    handed.store(unsafeBitCast(continuation, to: UInt.self), ordering: .releasing)
    while !isResumed.load(ordering: .acquiring) {}
  }

  func resumeWhatComes() {
    var word: UInt = 0
    while word == 0 { word = handed.load(ordering: .acquiring) }
    unsafeBitCast(word, to: UnsafeContinuation<Void, Never>.self).resume()
    isResumed.store(true, ordering: .releasing)
  }
}

@MainActor private func hopAndCount(_ counts: Journal) async {
  counts.add(1)
  await Task.yield()
  counts.add(2)
}

/// What a world finds, and that it finds nothing where nothing is.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct CaptureDetectorTests {
  /// What a body of threads is found to do, under some seeds.
  private static func foundInThreads(
    _ seeds: Int, steps: Int? = nil, settling: Int? = nil, _ body: @escaping (World) -> Void
  ) -> Finding? {
    let world = World()
    if let steps { world.options.steps = steps }
    if let settling { world.options.settling = settling }
    for seed in UInt64(0)..<UInt64(seeds) {
      if let finding = world.run(.random(seed: seed), body: body) { return finding }
    }
    return nil
  }

  // MARK: Awaits that never return
  // Two of these leave tasks that nothing can end, which leak detection would tell.

  @Test(.enabled(if: World.Substrate.best == .fibers))
  func `a continuation that nobody resumes is told, and is none of the next execution's`() {
    let world = World()
    for _ in 0..<20 {
      let finding = world.run(
        .random(seed: 1),
        body: .task { _ in await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      )
      #expect(finding?.kind == .neverReturns)
      #expect(world.run(.random(seed: 1), body: .task { _ in await Task.yield() }) == nil)
    }
  }

  @Test func `a stream that nobody finishes is an await that never returns`() {
    let kept = Mutex<[AsyncStream<Int>.Continuation]>([])
    let finding = found(1) { _ in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      kept.withLock { $0.append(continuation) }
      continuation.yield(1)
      for await _ in stream {}
    }
    #expect(finding?.kind == .neverReturns, "\(finding as Any)")
  }

  @Test(.enabled(if: World.Substrate.best == .fibers))
  func `a sleep without an end is an await that never returns, and one that is cancelled is not`() {
    let endless = found(1) { _ in
      await withUnsafeContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .distantFuture) { continuation.resume() }
      }
    }
    #expect(endless?.kind == .neverReturns)
    let cancelled = found(10) { _ in
      let sleeper = Task { try await Task.sleep(for: .seconds(1 << 40)) }
      await Task.yield()
      sleeper.cancel()
      _ = await sleeper.result
    }
    #expect(cancelled == nil, "\(cancelled as Any)")
  }

  // MARK: Threads outside

  @Test(arguments: World.Substrate.here)
  func `a thread outside that resumes a continuation is one finding, and held back`(
    substrate: World.Substrate
  ) async {
    let before = World.foreignEnqueues
    let wayOut = WayOut()
    let wentOn = Tally()
    let finding = await onOwnThread {
      Thread.detachNewThread { wayOut.resumeWhatComes() }
      return World(substrate: substrate).run(
        .fair,
        body: .task { _ in
          await withUnsafeContinuation { wayOut.hand($0) }
          wentOn.add()
        })
    }
    #expect(finding?.kind == .foreignEnqueue && finding?.message.contains(" 1 of its tasks") == true)
    #expect(World.foreignEnqueues > before && wentOn.count == 0)
  }

  // MARK: Races

  private enum Order: CaseIterable { case guarded, lock, semaphore, queue, group, main, actor, await, none }

  @Sendable private static func pair(_ order: Order, _ world: World) async {
    let cells = Cells()
    let add: @Sendable () -> Void = { cells.cell.value += 1 }
    switch order {
    case .guarded:
      world.spawn("other") { cells.guarded.withLock { _ in add() } }
      cells.guarded.withLock { _ in add() }
    case .lock:
      world.spawn("other") { cells.lock.withLock { add() } }
      cells.lock.withLock { add() }
    case .semaphore:
      world.spawn("other") {
        cells.semaphore.wait()
        add()
      }
      add()
      cells.semaphore.signal()
    case .queue:
      let queue = DispatchQueue(label: "orders")
      world.spawn("other") { queue.sync(execute: add) }
      queue.async(execute: add)
    case .group:
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group, execute: add)
      group.notify(queue: .global(), execute: add)
    case .main:
      world.spawn("other") { DispatchQueue.main.sync(execute: add) }
      await MainActor.run(body: add)
    case .actor:
      let owner = Owner()
      // A point in between: a hop to an idle actor is no job of its own, whose beginning would order it.
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            world.point()
            await owner.add()
          }
        }
      }
    case .await:
      add()
      await Task(operation: add).value
      add()
    case .none:
      world.spawn("other", add)
      add()
    }
  }

  @Test func `two accesses that nothing orders are a race, whichever comes first`() {
    let racing = found(1) { await Self.pair(.none, $0) }
    #expect(racing?.kind == .race && racing?.message.contains("'cell'") == true)
    let readers = Self.foundInThreads(500) { world in
      let cells = Cells()
      for number in 0..<2 { world.spawn("reads \(number)") { _ = cells.cell.value } }
    }
    #expect(readers == nil, "\(readers as Any)")
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func `what is ordered is no race`(place: Int) {
    let order = Order.allCases[place]
    let finding = found(500) { await Self.pair(order, $0) }
    #expect(finding == nil, "\(order): \(finding as Any)")
  }

  // MARK: Executions without an end

  @Test func `threads that go on without an end are a livelock`() {
    let threads = Self.foundInThreads(1, steps: 500, settling: 500) { world in
      world.spawn("spins") { while true { sched_yield() } }
    }
    #expect(threads?.kind == .livelock && threads?.message.contains("spins") == true)
  }

  // It leaves a task that nothing can end.
  @Test(.enabled(if: World.Substrate.best == .fibers))
  func `tasks that go on without an end meet the limit of steps`() {
    // A job ends at each yield: something happens, and yet it never ends.
    let tasks = Self.foundInThreads(1, steps: 500, settling: 500) { _ in
      Task { while true { await Task.yield() } }
    }
    #expect(tasks?.kind == .stepLimit, "\(tasks as Any)")
  }

  @Test func `sleeping again and again meets the limit of steps`() {
    let alone = Self.foundInThreads(1, steps: 500, settling: 500) { _ in while true { usleep(1) } }
    #expect(alone?.kind == .stepLimit, "\(alone as Any)")
  }

  @Test(.enabled(if: World.Substrate.best == .fibers))
  func `an execution whose limit comes anywhere leaves the world's carriers to the next`() {
    let world = World()
    world.options.settling = 0
    for steps in 1...400 {
      world.options.steps = steps
      let body: @Sendable (World) async -> Void = { _ in
        async let other: Void = { while true { await Task.yield() } }()
        while true { await Task.yield() }
        await other
      }
      let finding = world.run(.random(seed: UInt64(steps)), body: body)
      #expect(finding?.kind == .stepLimit, "\(steps): \(finding as Any)")
    }
    #expect(world.run(.random(seed: 1)) { _ async in await Task.yield() } == nil)
  }

  @Test func `a thread that never gets what others take again and again is starved`() {
    let finding = Self.foundInThreads(1, steps: 200, settling: 4_000) { world in
      let cells = Cells()
      for name in ["one", "other"] {
        // Given back and taken again without a point in between: whoever waits comes too late.
        world.spawn(name) { while true { cells.mutex.withLock { _ in world.point() } } }
      }
    }
    #expect(finding?.kind == .starvation, "\(finding as Any)")
  }

  // MARK: The watchdog

  @Test(arguments: World.Substrate.here)
  func `a block that no world knows is named`(substrate: World.Substrate) async {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let end = ends[0]
    var options = ExplorationOptions(executions: 1)
    options.substrate = substrate
    let exploration = await explore("block", options) { world in
      world.spawn("reads") { waitForAByte(end) }
    }
    let finding = exploration.finding
    #expect(finding?.kind == .unmodelled, "\(finding as Any)")
    #expect(finding?.message.contains("reads sleeps in system call 'read'") == true, "\(finding as Any)")
    #expect(exploration.artefact?.body == "block")
    // Lets the thread that stays behind go.
    write(ends[1], "x", 1)
  }

  @Test func `a loop without a point is a hang, and a slow world is none`() async {
    var options = ExplorationOptions(executions: 1)
    options.world.hangSeconds = 0.5
    // It ends when it was found, so that it takes no processor from the tests that come after.
    let isFound = Tally()
    let hang = await explore("loop", options) { _ in while isFound.count == 0 {} }
    isFound.add()
    #expect(hang.finding?.kind == .hang && hang.artefact?.finding == .hang)
    let slow = await explore("slow", options) { world in
      for _ in 0..<200_000 { world.point() }
    }
    #expect(slow.finding?.kind == nil || slow.finding?.kind == .stepLimit || slow.finding?.kind == .livelock)
  }

  // MARK: Determinism

  /// Nearly all that a world takes over, at once.
  @Sendable private static func everything(_ world: World, _ journal: Journal) async throws {
    let (locked, cells, owner) = (LockedCount(), Cells(), Owner())
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let (serial, group) = (DispatchQueue(label: "serial"), DispatchGroup())
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for number in 0..<2 {
      world.spawn("thread \(number)") {
        locked.add(world)
        cells.guarded.withLock { $0 += 1 }
        cells.lock.withLock { journal.add(number) }
        serial.sync { journal.add(10 + number) }
        continuation.yield(number)
        usleep(UInt32(Int.random(in: 1...50)))
        if number == 1 { continuation.finish() }
        cells.semaphore.signal()
      }
    }
    concurrent.async(group: group) { locked.add(world) }
    concurrent.async(group: group) { journal.add(20) }
    concurrent.async(flags: .barrier) { journal.add(21) }
    group.notify(queue: .main) { MainActor.assumeIsolated { journal.add(22) } }
    serial.asyncAfter(deadline: .now() + .milliseconds(Int.random(in: 1...5))) { journal.add(23) }
    world.spawn("waits") {
      for _ in 0..<2 { cells.semaphore.wait() }
      group.wait()
      journal.add(Int(Date().timeIntervalSince1970 * 1_000_000) & 0xFFFF)
    }
    async let child: Void = owner.add()
    let handler = Task(priority: .low) {
      await withTaskCancellationHandler {
        try? await Task.sleep(for: .milliseconds(3))
        journal.add(30)
      } onCancel: {
        world.point()
        journal.add(31)
      }
    }
    await withTaskGroup { tasks in
      for number in 40...42 {
        tasks.addTask(priority: number == 40 ? .high : .background) {
          await owner.add()
          await Task.yield()
          journal.add(number)
        }
      }
      tasks.addTask { await hopAndCount(journal) }
    }
    handler.cancel()
    for await number in stream { journal.add(50 + number) }
    await withCheckedContinuation { resumed in concurrent.async { resumed.resume() } }
    await Task.detached { journal.add(UUID().hashValue & 0xFF) }.value
    await child
    await handler.value
    journal.add(Int(truncatingIfNeeded: world.elapsed.components.attoseconds / 1_000_000_000))
  }

  @Test func `a body that uses all of it is the same for the same seed, on both substrates`() async {
    let orders = await onOwnThread {
      expectOwned(200, distinct: 190) { try await Self.everything($0, $1) }
    }
    #expect(orders.count > 190)
  }

  @Test func `the order of a set and of a dictionary is the same each time, wherever they lie`() {
    var kept: [[Set<Int>]] = []
    let orders = (0..<20).map { _ in
      // Each is kept, so that none lies where another did.
      let sets = (0..<8).map { Set(0..<(16 + $0)) }
      kept.append(sets)
      return sets.map { Array($0) }
    }
    #expect(Set(orders).count == 1)
    #expect(kept.count == 20)
  }

  @Test func `a body that uses all of it replays from its choices, under each strategy`() async {
    await onOwnThread {
      let world = World()
      let body = Body.task { try await Self.everything($0, Journal()) }
      world.run(.fair, body: body)
      for seed in UInt64(0)..<20 {
        for strategy in [Strategy.random(seed: seed), .priorities(seed: seed, depth: 3, steps: 300), .fair] {
          #expect(world.run(strategy, body: body) == nil)
          let digest = world.digest
          #expect(world.run(.replay(world.choices), body: body) == nil)
          #expect(world.digest == digest, "seed \(seed), \(strategy)")
        }
      }
    }
  }
}

private final class LockedCount: Sendable {
  private let count = Mutex(0)
  func add(_ world: World) {
    count.withLock { count in
      world.point()
      count += 1
    }
  }
}

private func waitForAByte(_ file: Int32) {
  var byte: UInt8 = 0
  _ = read(file, &byte, 1)
}
