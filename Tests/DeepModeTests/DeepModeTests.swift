import Dispatch
import Foundation
import Interleaving
import Synchronization
import Testing

/// Memory that nothing protects.
private final class Plain: @unchecked Sendable {
  var value = 0
  func write() { value += 1 }
  func read() -> Int { value }
}

private actor Place {
  private let plain: Plain
  init(_ plain: Plain) { self.plain = plain }
  func write() { plain.write() }
  func read() -> Int { plain.read() }
  /// Gives the actor up in between.
  func writeTwice() async {
    plain.write()
    await Task.yield()
    plain.write()
  }
  func readAfter(_ wait: @Sendable () async -> Void) async -> Int {
    await wait()
    return plain.read()
  }
}

private final class Madeonce: Sendable {
  let number: Int
  init(_ plain: Plain) {
    plain.write()
    number = plain.read()
  }
}

/// An executor whose jobs a Dispatch queue runs.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
private actor OnQueue {
  private let executor = QueueExecutor()
  private let plain: Plain
  init(_ plain: Plain) { self.plain = plain }
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func write() { plain.write() }
}

/// One way to order a write before a read, or to seem to.
private struct Handover: Sendable, CustomTestStringConvertible {
  let name: String
  let body: @Sendable (World, Plain) async throws -> Void
  var testDescription: String { name }

  init(_ name: String, _ body: @escaping @Sendable (World, Plain) async throws -> Void) {
    (self.name, self.body) = (name, body)
  }

  func explored(_ executions: Int = 200) async -> Exploration {
    var options = ExplorationOptions(executions: executions)
    options.world.detectsLockOrder = false
    options.world.steps = 20_000
    let body = body
    return await explore(name.filter { $0 != " " }, options) { world in try await body(world, Plain()) }
  }

  // MARK: What orders

  static let ordered: [Handover] = tasks + queues + locks

  private static let tasks: [Handover] = [
    Handover("a task's value") { _, plain in
      let task = Task { plain.write() }
      await task.value
      plain.write()
    },
    Handover("a task's result") { _, plain in
      let task = Task {
        plain.write()
        throw CancellationError()
      }
      _ = await task.result
      plain.write()
    },
    Handover("a throwing task's value, from an actor") { _, plain in
      let place = Place(plain)
      let task = Task {
        try await Task {
          try Task.checkCancellation(); plain.write()
        }.value
      }
      _ = await place.readAfter { try? await task.value }
    },
    Handover("making a task") { _, plain in
      plain.write()
      await Task { plain.write() }.value
      plain.write()
    },
    Handover("an async let") { _, plain in
      plain.write()
      async let child = plain.read()
      _ = await child
      plain.write()
    },
    Handover("an async let that is left") { _, plain in
      let place = Place(plain)
      do {
        async let child: Void = place.write()
        _ = place
        _ = Task.isCancelled
      }
      plain.write()
    },
    Handover("a group") { _, plain in
      plain.write()
      await withTaskGroup { group in
        group.addTask { _ = plain.read() }
        group.addTask { _ = plain.read() }
      }
      plain.write()
    },
    Handover("a group's children, one after the other") { _, plain in
      try await withThrowingTaskGroup { group in
        for _ in 0..<3 {
          group.addTask { plain.write() }
          try await group.next()
        }
      }
      plain.write()
    },
    Handover("a discarding group") { _, plain in
      await withDiscardingTaskGroup { group in
        group.addTask { plain.write() }
      }
      plain.write()
    },
    Handover("an actor") { _, plain in
      let place = Place(plain)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await place.write() } }
      }
      _ = await place.read()
    },
    Handover("an actor that is given up in between") { _, plain in
      let place = Place(plain)
      async let first: Void = place.writeTwice()
      async let second: Void = place.writeTwice()
      _ = await (first, second)
    },
    Handover("the main actor") { _, plain in
      async let first: Void = Task { @MainActor in plain.write() }.value
      await MainActor.run { plain.write() }
      await first
      DispatchQueue.main.async { plain.write() }
    },
    Handover("an executor of the program's own") { _, plain in
      let place = OnQueue(plain)
      async let first: Void = place.write()
      async let second: Void = place.write()
      _ = await (first, second)
    },
    Handover("a checked continuation") { _, plain in
      await withCheckedContinuation { continuation in
        Task {
          plain.write()
          continuation.resume()
        }
      }
      plain.write()
    },
    Handover("a continuation of an actor's") { _, plain in
      let place = Place(plain)
      _ = await place.readAfter {
        await withCheckedContinuation { continuation in
          Task.detached {
            plain.write()
            continuation.resume()
          }
        }
      }
    },
    Handover("an unsafe continuation that a thread resumes") { world, plain in
      await withUnsafeContinuation { continuation in
        world.spawn("thread") {
          plain.write()
          continuation.resume()
        }
      }
      plain.write()
    },
    Handover("a stream") { _, plain in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      Task {
        plain.write()
        continuation.yield(1)
        continuation.finish()
      }
      for await _ in stream { plain.write() }
    },
    Handover("a stream of an actor's") { _, plain in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let place = Place(plain)
      Task {
        plain.write()
        continuation.finish()
      }
      _ = await place.readAfter { for await _ in stream {} }
    },
    Handover("a sleep of one's own") { _, plain in
      plain.write()
      try await Task.sleep(for: .milliseconds(1))
      plain.write()
    },
    Handover("a cancellation") { _, plain in
      let task = Task {
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .seconds(5))
        } onCancel: {
          plain.write()
        }
      }
      await Task.yield()
      task.cancel()
      await task.value
      plain.write()
    },
  ]

  private static let queues: [Handover] = [
    Handover("a serial queue") { _, plain in
      let queue = DispatchQueue(label: "serial")
      plain.write()
      for _ in 0..<3 { queue.async { plain.write() } }
      queue.sync { plain.write() }
      plain.write()
    },
    Handover("a barrier") { _, plain in
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      queue.async { _ = plain.read() }
      queue.async { _ = plain.read() }
      queue.async(flags: .barrier) { plain.write() }
      queue.sync { _ = plain.read() }
    },
    Handover("a delay") { _, plain in
      plain.write()
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { plain.write() }
    },
    Handover("waiting for a group") { world, plain in
      let group = DispatchGroup()
      world.spawn("waits") {
        DispatchQueue.global().async(group: group) { plain.write() }
        group.wait()
        plain.write()
      }
    },
    Handover("a group that is left") { world, plain in
      let group = DispatchGroup()
      group.enter()
      world.spawn("leaves") {
        plain.write()
        group.leave()
      }
      group.notify(queue: .global()) { plain.write() }
    },
    Handover("a group's notification") { _, plain in
      let group = DispatchGroup()
      plain.write()
      DispatchQueue.global().async(group: group) { _ = plain.read() }
      DispatchQueue.global().async(group: group) { _ = plain.read() }
      group.notify(queue: .global()) { plain.write() }
    },
    Handover("a Dispatch semaphore") { world, plain in
      let semaphore = DispatchSemaphore(value: 0)
      world.spawn("writes") {
        plain.write()
        semaphore.signal()
      }
      world.spawn("waits") {
        semaphore.wait()
        plain.write()
      }
    },
  ]

  private static let locks: [Handover] = [
    Handover("a Mutex") { world, plain in
      let lock = Box(Mutex(0))
      for _ in 0..<3 { world.spawn("writes") { lock.value.withLock { _ in plain.write() } } }
    },
    Handover("an NSLock") { world, plain in
      let lock = NSLock()
      for _ in 0..<3 { world.spawn("writes") { lock.withLock { plain.write() } } }
    },
    Handover("a condition") { world, plain in
      let condition = NSCondition()
      let isThere = Plain()
      world.spawn("waits") {
        condition.lock()
        while isThere.value == 0 { condition.wait() }
        condition.unlock()
        plain.write()
      }
      world.spawn("writes") {
        plain.write()
        condition.lock()
        isThere.write()
        condition.broadcast()
        condition.unlock()
      }
    },
    Handover("a released Atomic") { world, plain in
      let flag = Box(Atomic(false))
      world.spawn("writes") {
        plain.write()
        flag.value.store(true, ordering: .releasing)
      }
      world.spawn("reads") { if flag.value.load(ordering: .acquiring) { plain.write() } }
    },
    Handover("an exchange that both acquires and releases") { world, plain in
      let turns = Box(Atomic(0))
      for _ in 0..<2 {
        world.spawn("takes") {
          let isFirst = turns.value.add(1, ordering: .acquiringAndReleasing).oldValue == 0
          if isFirst {
            plain.write()
            turns.value.add(1, ordering: .acquiringAndReleasing)
          } else if turns.value.load(ordering: .acquiring) == 3 {
            plain.write()
          }
        }
      }
    },
    Handover("memory that comes back") { world, _ in
      for _ in 0..<3 {
        world.spawn("makes") {
          for _ in 0..<3 { Plain().write() }
        }
      }
    },
  ]

  // MARK: What does not

  static let unordered: [Handover] = [
    Handover("two tasks") { _, plain in
      let (first, second) = (Task { plain.write() }, Task { plain.write() })
      _ = await (first.value, second.value)
    },
    Handover("a task that nobody awaits") { _, plain in
      Task { plain.write() }
      plain.write()
    },
    Handover("the same carrier") { _, plain in
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { plain.write() } }
      }
    },
    Handover("two actors") { _, plain in
      let (one, other) = (Place(plain), Place(plain))
      async let first: Void = one.write()
      await other.write()
      await first
    },
    Handover("an actor and beside it") { _, plain in
      let place = Place(plain)
      async let first: Void = place.write()
      plain.write()
      await first
    },
    Handover("the main actor and beside it") { _, plain in
      async let first: Void = Task { @MainActor in plain.write() }.value
      plain.write()
      await first
    },
    Handover("a sleep that is long enough") { _, plain in
      let task = Task { plain.write() }
      try await Task.sleep(for: .seconds(1))
      plain.write()
      await task.value
    },
    Handover("a concurrent queue") { _, plain in
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      for _ in 0..<2 { queue.async { plain.write() } }
    },
    Handover("a delay that is longer") { _, plain in
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { plain.write() }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) { plain.write() }
    },
    Handover("a relaxed Atomic") { world, plain in
      let flag = Box(Atomic(false))
      world.spawn("writes") {
        plain.write()
        flag.value.store(true, ordering: .relaxed)
      }
      world.spawn("reads") { if flag.value.load(ordering: .acquiring) { plain.write() } }
    },
    Handover("a semaphore that has a permit") { world, plain in
      let semaphore = DispatchSemaphore(value: 1)
      world.spawn("writes") {
        plain.write()
        semaphore.signal()
      }
      world.spawn("waits") {
        semaphore.wait()
        plain.write()
      }
    },
    Handover("a read under another lock") { world, plain in
      let (one, other) = (NSLock(), NSLock())
      world.spawn("writes") { one.withLock { plain.write() } }
      world.spawn("reads") { other.withLock { _ = plain.read() } }
    },
  ]
}

private final class Box<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

/// What was instrumented is looked at access by access.
@Suite(.timeLimit(.minutes(10))) struct DeepModeTests {
  @Test func `this is deep mode`() { #expect(World.isDeep) }

  @Test(arguments: Handover.ordered)
  private func `what is ordered is no race, in any schedule`(handover: Handover) async {
    let exploration = await handover.explored()
    #expect(exploration.finding == nil, "\(exploration.finding as Any)")
    #expect(exploration.executions >= 200)
  }

  @Test func `more tasks than have clocks are no race`() async {
    let many = Handover("many") { _, plain in
      for _ in 0..<250 { await Task { plain.write() }.value }
      plain.write()
    }
    let exploration = await many.explored(2)
    #expect(exploration.finding == nil, "\(exploration.finding as Any)")
  }

  @Test(arguments: Handover.unordered)
  private func `what nothing orders is a race, with both stacks, and replays from its line`(
    handover: Handover
  )
    async throws
  {
    let exploration = await handover.explored()
    let finding = try #require(exploration.finding)
    #expect(finding.kind == .race)
    #expect(finding.message.contains("nothing orders the two"))
    #expect(finding.stacks.count == 2, "\(finding)")
    #expect(finding.stacks.allSatisfy { $0.frames.contains { $0.contains("Plain") } }, "\(finding.stacks)")
    let line = try #require(exploration.artefact)
    let body = handover.body
    let again = await replay(line, body: .task { world in try await body(world, Plain()) })
    #expect(again?.kind == .race && again?.stacks.count == 2, "\(again as Any)")
  }

  @Test func `each atomic operation is a point`() async {
    let values = Mutex<Set<[Int]>>([])
    let exploration = await explore("atomics", .init(executions: 300)) { world in
      let count = Box(Atomic(0))
      let seen = Box(Mutex<[Int]>([]))
      world.spawn("other") { for _ in 0..<2 { count.value.add(1, ordering: .relaxed) } }
      for _ in 0..<2 {
        let number = count.value.load(ordering: .relaxed)
        seen.value.withLock { $0.append(number) }
      }
      values.withLock { _ = $0.insert(seen.value.withLock { $0 }) }
    }
    #expect(exploration.finding == nil, "\(exploration.finding as Any)")
    #expect(values.withLock { $0 } == [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]])
  }
}
