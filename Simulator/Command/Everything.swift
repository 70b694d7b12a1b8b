import ConcurrencySeam
import Dispatch
import Glibc
import Interleaving
import Observation
import Synchronization

@Observable @MainActor private final class Model {
  var count = 0
  isolated deinit { World.current?.note(UInt64(count)) }
}

private actor Account {
  private(set) var total = 0
  func add(_ amount: Int) { total += amount }
}

/// An actor's executor over a queue.
private final class QueueExecutor: SerialExecutor, TaskExecutor {
  let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private final class PreferredExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "preferred", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private actor OnQueue {
  private let executor = QueueExecutor()
  private(set) var total = 0
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func add(_ amount: Int) { total += amount }
}

/// A pthread lock and condition in memory that does not move.
private final class Gate: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isOpen = false

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    condition.deallocate()
  }

  func open() {
    pthread_mutex_lock(lock)
    isOpen = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(lock)
  }

  func pass() {
    pthread_mutex_lock(lock)
    while !isOpen { pthread_cond_wait(condition, lock) }
    pthread_mutex_unlock(lock)
  }
}

private let lazily: Int = {
  World.current?.point()
  return 3
}()

private final class Shared: Sendable {
  let guarded = Guarded(0)
  let mutex = Mutex(0)
}

extension NamedBody {
  /// All that a world takes over, in one body: what its determinism is measured with.
  static let everything = NamedBody(
    name: "everything", summary: "tasks, actors, queues, locks, time and randomness at once", finding: nil,
    body: .task { world in
      let shared = Shared()
      async let streamed = stream(world, shared)
      async let queued: Void = queues(world, shared)
      await tasks(world)
      threads(world, shared)
      await executors(world)
      try await time(world)
      await queued
      world.note(UInt64(await streamed))
      world.note(UInt64(shared.guarded.withLock { $0 } + shared.mutex.withLock { $0 }))
    })

  private static func stream(_ world: World, _ shared: Shared) async -> Int {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    world.spawn("producer") {
      for number in 0..<3 {
        shared.guarded.withLock { $0 += number }
        continuation.yield(number)
      }
      continuation.finish()
    }
    var sum = 0
    for await number in stream { sum += number }
    return sum
  }

  private static func tasks(_ world: World) async {
    let account = Account()
    await withTaskGroup { group in
      for number in 0..<3 {
        group.addTask(priority: number == 1 ? .high : .low) {
          await account.add(number)
          await Task.yield()
        }
      }
    }
    let detached = Task.detached { await account.add(10) }
    let immediate = Task.immediate { await account.add(20) }
    await detached.value
    await immediate.value
    world.note(UInt64(await account.total))
    await observed(world)
    let sleeper = Task {
      await withTaskCancellationHandler {
        try? await Task.sleep(for: .seconds(3600))
      } onCancel: {
        world.point()
      }
    }
    await Task.yield()
    sleeper.cancel()
    await sleeper.value
    world.note(
      UInt64(
        await withCheckedContinuation { continuation in
          world.spawn("resumes") { continuation.resume(returning: 5) }
        }))
  }

  @MainActor private static func observed(_ world: World) async {
    let model = Model()
    withObservationTracking {
      _ = model.count
    } onChange: {
      world.note(1)
    }
    model.count += 1
    await Task.yield()
  }

  private static func queues(_ world: World, _ shared: Shared) async {
    let serial = DispatchQueue(label: "serial")
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let group = DispatchGroup()
    let semaphore = DispatchSemaphore(value: 0)
    for number in 0..<2 {
      serial.async(group: group) { shared.mutex.withLock { $0 += number } }
      concurrent.async(group: group) { shared.guarded.withLock { $0 += number } }
    }
    concurrent.async(flags: .barrier) { semaphore.signal() }
    await withCheckedContinuation { continuation in
      group.notify(queue: serial) { continuation.resume() }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
        semaphore.wait()
        serial.sync { world.note(2) }
        continuation.resume()
      }
    }
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }

  private static func threads(_ world: World, _ shared: Shared) {
    let gate = Gate()
    for name in ["one", "two"] {
      world.spawn(name) {
        gate.pass()
        shared.mutex.withLock { value in
          world.point()
          value += lazily
        }
        usleep(10)
        sched_yield()
      }
    }
    world.spawn("opens") { gate.open() }
  }

  private static func executors(_ world: World) async {
    let onQueue = OnQueue()
    await onQueue.add(1)
    await withTaskExecutorPreference(PreferredExecutor()) { await onQueue.add(2) }
    await withTaskExecutorPreference(globalConcurrentExecutor) { await Task.yield() }
    world.note(UInt64(await onQueue.total))
  }

  private static func time(_ world: World) async throws {
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(5))
    try await SuspendingClock().sleep(for: .milliseconds(5))
    try await Task.sleep(nanoseconds: 1_000)
    let passed = ContinuousClock.now - start
    world.note(UInt64(truncatingIfNeeded: passed.components.attoseconds))
    world.note(UInt64.random(in: 0...1_000_000))
    world.note(UInt64(world.draw(100)))
  }

  // MARK: What no world allows

  /// A thread that is no world's resumes a continuation of one: exactly one job is held back.
  static let foreign = NamedBody(
    name: "foreign", summary: "a plain thread resumes a world's continuation", finding: .foreignEnqueue,
    prepare: { PlainThread.shared.start() },
    body: .task { _ in
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        PlainThread.shared.run { continuation.resume() }
      }
    })
}

/// A thread of the system's own, started outside every world.
final class PlainThread: Sendable {
  static let shared = PlainThread()
  // The body hands its work over and waits without a scheduling point: the world stands still in the meantime.
  private let work = Mutex<(@Sendable () -> Void)?>(nil)
  private let isDone = Atomic(false)

  func start() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        while true {
          let work = PlainThread.shared.work.withLock { work in
            defer { work = nil }
            return work
          }
          if let work {
            work()
            PlainThread.shared.isDone.store(true, ordering: .sequentiallyConsistent)
            return nil
          }
          sched_yield()
        }
      }, nil)
    pthread_detach(thread)
  }

  func run(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0 = body }
    while !isDone.load(ordering: .sequentiallyConsistent) {}
  }
}
