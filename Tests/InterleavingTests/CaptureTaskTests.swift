import ConcurrencySeam
import Dispatch
import Foundation
import Interleaving
import Observation
import Synchronization
import TestSupport
import Testing

private actor Account {
  private(set) var total = 0
  func add(_ amount: Int) {
    total += amount
    note(amount)
  }
}

@Observable @MainActor private final class Model {
  var count = 0
  isolated deinit {
    MainActor.assertIsolated()
    note(77)
  }
}

@MainActor private func onMain(_ number: Int) async {
  MainActor.assertIsolated()
  note(number)
  await Task.yield()
  MainActor.assertIsolated()
}

/// A serial executor over a queue, and an actor that runs on it.
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
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func add(_ number: Int) { note(number) }
}

private final class Preferred: TaskExecutor {
  private let queue = DispatchQueue(label: "preferred", attributes: .concurrent)
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Swift's own concurrency in a world.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct CaptureTaskTests {
  @Test func `tasks, groups, detached tasks and priorities are the world's jobs`() {
    expectCaptured { _ in
      await withTaskGroup { group in
        for number in 0..<3 { group.addTask(priority: number == 0 ? .high : .low) { note(number) } }
      }
      async let child: Void = note(10)
      let task = Task { note(11) }
      let detached = Task.detached(priority: .background) { note(12) }
      await child
      await task.value
      await detached.value
    }
  }

  @Test func `a yield is a hop of the world's`() {
    expectCaptured { _ in
      await withTaskGroup { group in
        for number in 0..<2 {
          group.addTask {
            for step in 0..<3 {
              note(number * 10 + step)
              await Task.yield()
            }
          }
        }
      }
    }
  }

  @Test func `sleeps take the world's time on every clock, and none of ours`() {
    expectCaptured(distinct: 1) { world in
      try await Task.sleep(for: .seconds(3_600))
      #expect(world.elapsed == .seconds(3_600))
      try await SuspendingClock().sleep(for: .seconds(10))
      try await ContinuousClock().sleep(until: .now + .seconds(10))
      try await Task.sleep(nanoseconds: 1_000_000_000)
      #expect(world.elapsed == .seconds(3_621))
    }
  }

  @Test func `sleepers wake in the order of their times, and a timeout may come first`() {
    let order = Mutex<Set<[Int]>>([])
    _ = found(300) { _ in
      let woken = Woken()
      await withTaskGroup { group in
        for number in [3, 1, 2] {
          group.addTask {
            try? await Task.sleep(for: .seconds(number))
            woken.add(number)
          }
        }
      }
      order.withLock { _ = $0.insert(woken.all) }
    }
    // A later time never passes before an earlier one; that two woke before either ran, either may run first.
    #expect(order.withLock { $0.contains([1, 2, 3]) })
  }

  private final class Woken: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  @Test func `a cancelled sleep ends at once, and its handler may pass points`() {
    expectCaptured { world in
      let sleeper = Task {
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .seconds(3_600))
          note(1)
        } onCancel: {
          world.point()
          note(2)
        }
      }
      await Task.yield()
      sleeper.cancel()
      await sleeper.value
    }
  }

  @Test func `actors, and an actor with an executor of its own, run in the world`() {
    expectCaptured { _ in
      let account = Account()
      let onQueue = OnQueue()
      await withTaskGroup { group in
        for number in 1...3 {
          group.addTask {
            await account.add(number)
            await onQueue.add(number * 10)
          }
        }
      }
      #expect(await account.total == 6)
    }
  }

  @Test func `the main actor is the world's, wherever its work comes from`() {
    expectCaptured { _ in
      await withTaskGroup { group in
        for number in 0..<3 {
          group.addTask { await onMain(number) }
        }
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          MainActor.assumeIsolated { note(9) }
          continuation.resume()
        }
      }
    }
  }

  @Test func `an isolated deinit and observation happen in the world`() {
    expectCaptured(distinct: 1) { _ in
      let changes = Tally()
      await observe(changes)
      #expect(changes.count == 1)
      // Dropped off the main actor: its end hops there.
      let model = await Model()
      await Task.yield()
      _ = model
    }
  }

  @MainActor private func observe(_ changes: Tally) {
    let model = Model()
    withObservationTracking {
      _ = model.count
    } onChange: {
      changes.add()
    }
    model.count += 1
  }

  @Test func `streams and continuations are resumed in the world`() {
    expectCaptured { world in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      world.spawn("producer") {
        for number in 0..<4 {
          continuation.yield(number)
          world.point()
        }
        continuation.finish()
      }
      var sum = 0
      for await number in stream {
        sum += number
        note(number)
      }
      #expect(sum == 6)
      let value = await withUnsafeContinuation { unsafe in
        world.spawn("resumes") { unsafe.resume(returning: 5) }
      }
      #expect(value == 5)
    }
  }

  @Test func `immediate tasks and preferred executors are the world's`() {
    expectCaptured { _ in
      let immediate = Task.immediate {
        note(1)
        await Task.yield()
        note(2)
      }
      await withTaskExecutorPreference(Preferred()) {
        await withTaskGroup { group in
          for number in 3...4 { group.addTask { note(number) } }
        }
      }
      await withTaskExecutorPreference(globalConcurrentExecutor) { note(5) }
      await immediate.value
    }
  }

  // MARK: Tasks that do not end

  @Test func `a continuation that nobody resumes is an await that never returns`() {
    let finding = found(1) { _ in
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(finding?.kind == .neverReturns && finding?.message.contains("the body does not return") == true)
  }

  @Test func `a reader of a stream that nobody finishes is told with where it was made`() {
    let kept = Mutex<[AsyncStream<Int>.Continuation]>([])
    let finding = found(1) { _ in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      kept.withLock { $0.append(continuation) }
      Task { for await _ in stream {} }
    }
    #expect(finding?.kind == .neverReturns)
    #expect(finding?.message.contains("a task made in ") == true)
    #expect(finding?.message.contains("CaptureTaskTests") == true, "\(finding as Any)")
  }

  @Test func `a thread outside that resumes a world's continuation is one finding, and held back`() async {
    let outside = Outside()
    let finding = await onOwnThread {
      Thread.detachNewThread { outside.resume() }
      return World().run(
        .fair,
        body: .task { _ in
          await withUnsafeContinuation { outside.hand($0) }
          Issue.record("what was held back ran")
        })
    }
    #expect(finding?.kind == .foreignEnqueue && finding?.message.contains(" 1 of its tasks") == true)
  }

  /// A thread of no world's, which waits for a continuation and resumes it while the world stands still.
  private final class Outside: Sendable {
    private let handed = Guarded<UnsafeContinuation<Void, Never>?>(nil)
    private let isDone = Atomic(false)

    func hand(_ continuation: UnsafeContinuation<Void, Never>) {
      handed.withLock { $0 = continuation }
      while !isDone.load(ordering: .acquiring) {}
    }

    func resume() {
      while true {
        if let continuation = handed.withLock({ $0 }) {
          continuation.resume()
          isDone.store(true, ordering: .releasing)
          return
        }
      }
    }
  }

  @Test func `ordinary tasks beside a world are untouched`() async {
    let account = OrdinaryAccount()
    async let world: Void = onOwnThread {
      let world = World()
      for seed in UInt64(0)..<50 {
        world.run(.random(seed: seed), body: .task { _ in await Task.yield() })
      }
    }
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          await Task.yield()
          try? await Task.sleep(for: .milliseconds(1))
          await account.add()
        }
      }
    }
    await world
    #expect(await account.total == 100)
  }

  private actor OrdinaryAccount {
    private(set) var total = 0
    func add() { total += 1 }
  }
}
