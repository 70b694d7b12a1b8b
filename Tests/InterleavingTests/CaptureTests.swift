import Dispatch
import Foundation
import Interleaving
import Observation
import Synchronization
import TestSupport
import Testing

/// Ends the execution where something does not hold; what runs outside every world fails the test by itself.
func require(
  _ holds: Bool, _ what: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let world = World.current else {
    Issue.record("this ran outside the world", sourceLocation: sourceLocation)
    return
  }
  if !holds { world.fail("\(what()), line \(sourceLocation.line)") }
}

/// What an execution did, in its order; noted without a scheduling point, and only from inside a world.
final class Journal: Sendable {
  private let entries = Mutex<[Int]>([])
  var all: [Int] { entries.withLock { $0 } }
  func add(_ entry: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let world = World.current else {
      Issue.record("this ran outside the world", sourceLocation: sourceLocation)
      return
    }
    world.note(UInt64(truncatingIfNeeded: entry))
    entries.withLock { $0.append(entry) }
  }
}

/// Runs a body under many seeds on each substrate, and expects the same digests run after run.
///
/// - Parameters:
///   - distinct: how many digests there are to be at least; a schedule that nobody chooses has one.
///   - configure: changes the worlds' options.
/// - Returns: the orders that the body's journals had.
@discardableResult
func expectOwned(
  _ seeds: Int = 40, distinct: Int = 2, _ configure: (inout World.Options) -> Void = { _ in },
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable (World, Journal) async throws -> Void
) -> Set<[Int]> {
  let current = Mutex(Journal())
  let task = Body.task { world in try await body(world, current.withLock { $0 }) }
  var orders: Set<[Int]> = []
  var digests: [UInt64: UInt64] = [:]
  let best = World.Substrate.best
  for substrate in [best, best, World.Substrate.threads] {
    let world = World(substrate: substrate)
    configure(&world.options)
    // What a process does once only is done by the first execution.
    world.run(.fair, body: task)
    for seed in UInt64(0)..<UInt64(seeds) {
      let journal = Journal()
      current.withLock { $0 = journal }
      let finding = world.run(.random(seed: seed), body: task)
      let expected = digests[seed] ?? world.digest
      #expect(finding == nil, "seed \(seed), \(substrate)", sourceLocation: sourceLocation)
      #expect(world.digest == expected, "seed \(seed), \(substrate)", sourceLocation: sourceLocation)
      guard finding == nil, world.digest == expected else { return orders }
      digests[seed] = expected
      orders.insert(journal.all)
    }
  }
  #expect(Set(digests.values).count >= distinct, sourceLocation: sourceLocation)
  return orders
}

private actor Account {
  private var isInside = false
  private(set) var total = 0

  func add(_ amount: Int, _ world: World) {
    require(!isInside, "an actor ran two jobs at once")
    isInside = true
    world.point()
    isInside = false
    total += amount
  }

  func addAfterHop(_ amount: Int) async {
    let before = total
    await Task.yield()
    total = before + amount
  }
}

private actor Dropped {
  let journal: Journal
  init(_ journal: Journal) { self.journal = journal }
  isolated deinit {
    assertIsolated()
    journal.add(1)
  }
}

@Observable @MainActor private final class Model {
  var count = 0
  @ObservationIgnored let journal: Journal
  init(_ journal: Journal) { self.journal = journal }
  isolated deinit {
    MainActor.assertIsolated()
    journal.add(77)
  }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "of an executor")
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

private actor OnQueue {
  private let executor = QueueExecutor()
  private var isInside = false
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func add(_ number: Int, _ journal: Journal) {
    executor.checkIsolated()
    require(!isInside, "an executor ran two jobs at once")
    isInside = true
    World.current?.point()
    isInside = false
    journal.add(number)
  }
}

private final class Preferred: TaskExecutor {
  private let queue = DispatchQueue(label: "preferred", attributes: .concurrent)
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
  func isCurrent() -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    return true
  }
}

/// Swift's concurrency in a world.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct CaptureTests {
  // MARK: Tasks

  @Test func `tasks, children, groups and detached tasks run in any order that the world chooses`() {
    let orders = expectOwned { _, journal in
      let task = Task { journal.add(1) }
      let detached = Task.detached { journal.add(2) }
      async let child: Void = journal.add(3)
      await withTaskGroup { group in
        for number in 4...5 { group.addTask { journal.add(number) } }
      }
      await withDiscardingTaskGroup { group in group.addTask { journal.add(6) } }
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...3 { group.addTask { number } }
        return await group.reduce(0, +)
      }
      require(sum == 6, "a group lost a child")
      await child
      await task.value
      await detached.value
    }
    #expect(orders.count > 10 && orders.allSatisfy { $0.sorted() == Array(1...6) })
  }

  @Test func `priorities are kept and decide nothing`() {
    let orders = expectOwned { _, journal in
      await withTaskGroup { group in
        for priority in [TaskPriority.background, .low, .medium, .high] {
          group.addTask(priority: priority) {
            require(Task.basePriority == priority, "a priority was lost")
            journal.add(Int(priority.rawValue))
          }
        }
      }
    }
    #expect(Set(orders.compactMap(\.first)).count == 4)
  }

  @Test func `a task that waits for a slower one raises its priority in the world`() {
    expectOwned(distinct: 1) { _, journal in
      let raised = Tally()
      let low = Task.detached(priority: .background) {
        await withTaskPriorityEscalationHandler {
          for _ in 0..<4 { await Task.yield() }
        } onPriorityEscalated: { _, _ in
          World.current?.point()
          raised.add()
        }
      }
      await Task.yield()
      low.escalatePriority(to: .high)
      await low.value
      journal.add(raised.count)
    }
  }

  @Test func `a yield lets others run`() {
    let orders = expectOwned { _, journal in
      await withTaskGroup { group in
        for number in 0..<2 {
          group.addTask {
            for step in 0..<3 {
              journal.add(number * 10 + step)
              await Task.yield()
            }
          }
        }
      }
    }
    #expect(orders.contains([0, 1, 2, 10, 11, 12]) || orders.contains([10, 11, 12, 0, 1, 2]))
    #expect(orders.count > 5)
  }

  @Test func `task-locals follow the tasks, and come from who runs the world`() {
    Self.$local.withValue(5) {
      _ = expectOwned { _, journal in
        require(Self.local == 5, "the caller's task-local is lost")
        await withTaskGroup { group in
          for number in 0..<3 {
            group.addTask {
              await Self.$local.withValue(number) {
                await Task.yield()
                require(Self.local == number, "a task-local went to another task")
                journal.add(number)
              }
            }
          }
        }
      }
    }
  }
  @TaskLocal private static var local = 0

  // MARK: Sleeps and cancellation

  enum Sleep: CaseIterable {
    case duration, continuous, suspending, nanoseconds, until

    func hour() async throws {
      switch self {
      case .duration: try await Task.sleep(for: .seconds(3_600))
      case .continuous: try await ContinuousClock().sleep(for: .seconds(3_600))
      case .suspending: try await Task.sleep(for: .seconds(3_600), clock: .suspending)
      case .nanoseconds: try await Task.sleep(nanoseconds: 3_600_000_000_000)
      case .until: try await Task.sleep(until: .now + .seconds(3_600), clock: .continuous)
      }
    }
  }

  @Test(arguments: Sleep.allCases)
  func `an hour of sleep passes at once, in the world's time`(sleep: Sleep) {
    let started = ContinuousClock.now
    expectOwned(10, distinct: 1) { world, journal in
      let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
      try await sleep.hour()
      require(world.elapsed == .seconds(3_600), "\(world.elapsed) passed")
      require(ContinuousClock.now - continuous == .seconds(3_600), "the continuous clock differs")
      require(SuspendingClock.now - suspending == .seconds(3_600), "the suspending clock differs")
      journal.add(1)
    }
    #expect(ContinuousClock.now - started < .seconds(60))
  }

  @Test func `a sleep with a tolerance is refused, for the runtime makes a timer of Dispatch's`() {
    expectRefused("dispatch_source_create") { _ in
      try? await Task.sleep(for: .seconds(1), tolerance: .seconds(1))
    }
  }

  @Test func `sleepers wake by their times where time passes by need only`() {
    let orders = expectOwned(distinct: 1) {
      $0.timePassesEarly = false
    } _: { _, journal in
      await withTaskGroup { group in
        for number in [3, 1, 2] {
          group.addTask {
            try? await Task.sleep(for: .seconds(number))
            journal.add(number)
          }
        }
      }
    }
    #expect(orders == [[1, 2, 3]])
  }

  @Test func `a timeout may beat what it waits for, and need not`() {
    let orders = expectOwned(200) { _, journal in
      await withTaskGroup { group in
        group.addTask {
          try? await Task.sleep(for: .seconds(30))
          journal.add(1)
        }
        group.addTask {
          for _ in 0..<5 { await Task.yield() }
          journal.add(2)
        }
      }
    }
    #expect(orders == [[1, 2], [2, 1]])
  }

  @Test(arguments: Sleep.allCases)
  func `a cancelled sleep throws at once`(sleep: Sleep) {
    expectOwned(10, distinct: 1) {
      $0.timePassesEarly = false
    } _: { world, journal in
      let sleeper = Task {
        do {
          try await sleep.hour()
          require(false, "a cancelled sleep went on")
        } catch is CancellationError { journal.add(1) }
      }
      await Task.yield()
      sleeper.cancel()
      try await sleeper.value
      require(world.elapsed == .zero, "\(world.elapsed) passed")
    }
  }

  @Test func `a cancellation handler passes points, and may run before, in and after the operation`() {
    let orders = expectOwned(200) { world, journal in
      let task = Task {
        await withTaskCancellationHandler {
          journal.add(1)
          await Task.yield()
          world.point()
          journal.add(2)
        } onCancel: {
          world.point()
          journal.add(3)
          world.point()
        }
      }
      for _ in 0..<3 { world.point() }
      task.cancel()
      await task.value
    }
    #expect(orders.contains([3, 1, 2]) && orders.contains([1, 3, 2]) && orders.contains([1, 2]))
  }

  // MARK: Actors

  @Test func `an actor runs one job at a time, and others between its awaits`() {
    let totals = expectOwned(100) { world, journal in
      let account = Account()
      await withTaskGroup { group in
        for number in 1...3 { group.addTask { await account.add(number, world) } }
      }
      require(await account.total == 6, "an actor lost an addition")
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await account.addAfterHop(1) } }
      }
      journal.add(await account.total)
    }
    #expect(totals == [[7], [8]])
  }

  @MainActor private static func onMain(_ number: Int, _ journal: Journal) async {
    MainActor.assertIsolated()
    World.current?.point()
    journal.add(number)
    await Task.yield()
    MainActor.assertIsolated()
    journal.add(number + 10)
  }

  @Test func `the main actor is a thread of the world's, and the main queue is the same`() {
    let orders = expectOwned { world, journal in
      await withTaskGroup { group in
        for number in 0..<2 { group.addTask { await Self.onMain(number, journal) } }
        group.addTask { @MainActor in
          dispatchPrecondition(condition: .onQueue(.main))
          journal.add(5)
        }
      }
      await MainActor.run { journal.add(6) }
      await withUnsafeContinuation { continuation in
        DispatchQueue.main.async {
          MainActor.assumeIsolated { journal.add(7) }
          dispatchPrecondition(condition: .onQueue(.main))
          continuation.resume()
        }
      }
      world.spawn("thread") {
        DispatchQueue.main.sync {
          MainActor.preconditionIsolated()
          journal.add(8)
        }
      }
    }
    #expect(orders.count > 3 && orders.allSatisfy { Set($0) == [0, 1, 10, 11, 5, 6, 7, 8] })
  }

  @Test func `what is not on the main actor is told so`() async {
    await #expect(processExitsWith: .failure) {
      World().run(.fair) { _ in MainActor.preconditionIsolated() }
    }
    await #expect(processExitsWith: .success) {
      World().run(.fair) { _ in
        DispatchQueue.main.async { MainActor.preconditionIsolated() }
      }
      exit(0)
    }
  }

  @Test func `an isolated deinit hops to its actor`() {
    expectOwned(distinct: 1) { _, journal in
      let model = await Model(journal)
      let dropped = Dropped(journal)
      await Task.yield()
      _ = (model, dropped)
    }.forEach { #expect($0.sorted() == [1, 77]) }
  }

  @Test func `a change is observed in the world, once and by streams`() {
    let orders = expectOwned { _, journal in
      await observeOnce(journal)
      let model = await Model(journal)
      let observer = Task { @MainActor in
        for await count in Observations({ model.count }) {
          journal.add(100 + count)
          if count == 2 { break }
        }
      }
      for _ in 0..<2 {
        await MainActor.run { model.count += 1 }
        await Task.yield()
      }
      await observer.value
    }
    #expect(orders.allSatisfy { $0.filter { $0 == 1 }.count == 1 && $0.contains(102) })
  }

  @MainActor private func observeOnce(_ journal: Journal) {
    let model = Model(journal)
    withObservationTracking {
      _ = model.count
    } onChange: {
      World.current?.point()
      journal.add(1)
    }
    model.count += 1
    model.count += 1
  }

  // MARK: Streams and continuations

  @Test func `a stream's elements, end and cancellation are the world's`() {
    let orders = expectOwned(100) { world, journal in
      let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
      continuation.onTermination = { _ in journal.add(50) }
      world.spawn("produces") {
        for number in 0..<3 {
          continuation.yield(number)
          world.point()
        }
        continuation.finish()
      }
      for await number in stream { journal.add(number) }
      let endless = AsyncStream<Int>.makeStream()
      let reader = Task {
        for await _ in endless.stream {}
        journal.add(60)
      }
      reader.cancel()
      await reader.value
      let throwing = AsyncThrowingStream<Int, any Error> { continuation in
        continuation.yield(70)
        continuation.finish(throwing: CancellationError())
      }
      do { for try await number in throwing { journal.add(number) } } catch { journal.add(71) }
    }
    #expect(orders.count > 5 && orders.allSatisfy { $0.suffix(3) == [60, 70, 71] })
  }

  @Test func `continuations are resumed by the world's threads, early or late`() {
    let orders = expectOwned(200) { world, journal in
      let early = await withCheckedContinuation { $0.resume(returning: 1) }
      let late = await withUnsafeContinuation { continuation in
        world.spawn("resumes") {
          journal.add(3)
          continuation.resume(returning: 2)
          world.point()
          journal.add(4)
        }
      }
      do {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          world.spawn("throws") { continuation.resume(throwing: CancellationError()) }
        }
        require(false, "nothing was thrown")
      } catch { journal.add(5) }
      try await withUnsafeThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      journal.add(early + late)
    }
    #expect(orders.count > 1, "\(orders)")
  }

  // MARK: Executors

  @Test func `an actor with an executor of its own runs on that, one job at a time`() {
    let orders = expectOwned { _, journal in
      let actor = OnQueue()
      await withTaskGroup { group in
        for number in 0..<3 { group.addTask { await actor.add(number, journal) } }
      }
    }
    #expect(orders.count > 3)
  }

  @Test func `an immediate task begins before its maker goes on`() {
    let orders = expectOwned(distinct: 1) { _, journal in
      let task = Task.immediate {
        journal.add(1)
        await Task.yield()
        journal.add(3)
      }
      journal.add(2)
      await task.value
      await withTaskGroup { group in
        group.addImmediateTask { journal.add(4) }
        journal.add(5)
      }
    }
    #expect(orders.allSatisfy { $0 == [1, 2, 3, 4, 5] || $0 == [1, 3, 2, 4, 5] })
  }

  @Test func `a preferred executor runs tasks and their children`() {
    let orders = expectOwned(200) { _, journal in
      let executor = Preferred()
      await withTaskExecutorPreference(executor) {
        require(executor.isCurrent(), "not on the preferred executor")
        async let child = executor.isCurrent()
        await withTaskGroup { group in
          for number in 1...3 {
            group.addTask {
              require(executor.isCurrent(), "a child is not on the preferred executor")
              journal.add(number)
            }
          }
        }
        require(await child, "a child is not on the preferred executor")
      }
      await Task(executorPreference: executor) { journal.add(4) }.value
      await withTaskExecutorPreference(globalConcurrentExecutor) {
        await Task.yield()
        journal.add(5)
      }
    }
    #expect(orders.count > 3 && orders.allSatisfy { $0.suffix(2) == [4, 5] }, "\(orders)")
  }
}
