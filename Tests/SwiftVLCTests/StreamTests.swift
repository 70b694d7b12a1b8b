import ConcurrencySeam
import TestSupport
import Testing

@testable import SwiftVLC

@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct StreamTests {
  @Test func `an unbounded stream delivers everything in order, then ends`() async {
    let broadcaster = Broadcaster<Int>()
    let stream = broadcaster.subscribe(policy: .unbounded)
    for number in 0..<1_000 { broadcaster.broadcast(number) }
    broadcaster.terminate()
    var received: [Int] = []
    for await number in stream { received.append(number) }
    #expect(received == Array(0..<1_000))
  }

  @Test func `a bounded stream keeps the newest`() async {
    let broadcaster = Broadcaster<Int>()
    let stream = broadcaster.subscribe(policy: .newest(64))
    for number in 0..<1_000 { broadcaster.broadcast(number) }
    broadcaster.finishAll()
    var received: [Int] = []
    for await number in stream { received.append(number) }
    #expect(received == Array(936..<1_000))
  }

  @Test func `a burst of one kind does not evict the newest of another, and order stays`() async {
    let broadcaster = Broadcaster<PlayerEvent>()
    let stream = broadcaster.subscribe(
      policy: .newestOfEachKind(count: PlayerEvent.timingKinds, kind: \.timingKind))
    broadcaster.broadcast(.bufferingProgress(0.5))
    broadcaster.broadcast(.voutChanged(1))
    broadcaster.broadcast(.muted)
    for number in 0..<1_000 { broadcaster.broadcast(.timeChanged(.milliseconds(number))) }
    broadcaster.broadcast(.unmuted)
    broadcaster.terminate()
    var received: [PlayerEvent] = []
    for await event in stream { received.append(event) }
    #expect(
      received == [
        .bufferingProgress(0.5), .voutChanged(1), .muted, .timeChanged(.milliseconds(999)), .unmuted,
      ])
  }

  @Test func `a waiting consumer is woken`() async {
    let broadcaster = Broadcaster<Int>()
    let stream = broadcaster.subscribe(policy: .unbounded)
    async let sum = stream.reduce(0, +)
    for number in 1...1_000 {
      broadcaster.broadcast(number)
      if number.isMultiple(of: 10) { await Task.yield() }
    }
    broadcaster.terminate()
    #expect(await sum == 500_500)
  }

  @Test func `what is buffered is delivered to a cancelled task before its end`() async {
    let broadcaster = Broadcaster<Int>()
    let stream = broadcaster.subscribe(policy: .unbounded)
    broadcaster.broadcast(1)
    broadcaster.broadcast(2)
    let received = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var received: [Int] = []
      for await number in stream { received.append(number) }
      return received
    }.value
    #expect(received == [1, 2])
  }

  @Test func `tasks that share a stream share its elements`() async {
    let broadcaster = Broadcaster<Int>()
    let stream = broadcaster.subscribe(policy: .unbounded)
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { await stream.reduce(0, +) } }
      group.addTask {
        for number in 1...10_000 { broadcaster.broadcast(number) }
        broadcaster.terminate()
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(sums == 50_005_000)
  }

  @Test func `cancellation in the middle of broadcasts neither deadlocks nor loses others' elements`() async {
    let broadcaster = Broadcaster<Int>()
    let stays = broadcaster.subscribe(policy: .unbounded)
    await withTaskGroup { group in
      for _ in 0..<50 {
        let stream = broadcaster.subscribe(policy: .newest(4))
        let task = Task { for await _ in stream {} }
        group.addTask {
          broadcaster.broadcast(1)
          task.cancel()
          broadcaster.broadcast(1)
          await task.value
        }
      }
    }
    broadcaster.terminate()
    #expect(await stays.reduce(0, +) == 100)
  }

  @Test func `a subscriber that is gone is let go`() {
    let broadcaster = Broadcaster<Int>()
    var stream: EventStream<Int>? = broadcaster.subscribe(policy: .unbounded)
    #expect(broadcaster.hasSubscribers)
    stream = nil
    _ = stream
    #expect(!broadcaster.hasSubscribers)
  }

  @Test func `a filter may subscribe, ask and broadcast on its own broadcaster`() async {
    let broadcaster = Broadcaster<Int>()
    let inner = Guarded<EventStream<Int>?>(nil)
    let stream = broadcaster.subscribe(policy: .unbounded) { number in
      guard number == 1 else { return true }
      let subscribed = broadcaster.subscribe(policy: .unbounded)
      inner.withLock { $0 = subscribed }
      broadcaster.broadcast(2)
      return broadcaster.hasSubscribers
    }
    broadcaster.broadcast(1)
    broadcaster.terminate()
    var received: [Int] = []
    for await number in stream { received.append(number) }
    #expect(received == [2, 1])
    let nested = inner.withLock { $0 }
    #expect(await nested?.reduce(0, +) == 2)
  }

  @Test func `after terminate a subscriber gets a finished stream, after finishAll a live one`() async {
    let broadcaster = Broadcaster<Int>()
    broadcaster.finishAll()
    let live = broadcaster.subscribe(policy: .unbounded)
    broadcaster.broadcast(7)
    broadcaster.terminate()
    let late = broadcaster.subscribe(policy: .unbounded)
    broadcaster.broadcast(8)
    #expect(await live.reduce(0, +) == 7)
    #expect(await late.reduce(0, +) == 0)
  }

  @Test func `a late subscriber of a replaying broadcaster sees the latest first`() async {
    let broadcaster = Broadcaster<Int>(replays: true)
    broadcaster.broadcast(1)
    broadcaster.broadcast(2)
    let stream = broadcaster.subscribe(policy: .unbounded)
    broadcaster.broadcast(3)
    broadcaster.terminate()
    var received: [Int] = []
    for await number in stream { received.append(number) }
    #expect(received == [2, 3])
  }

  @Test func `the standard stream bridges`() async {
    let broadcaster = Broadcaster<Int>()
    let stream = AsyncStream(broadcaster.subscribe(policy: .unbounded))
    for number in 1...3 { broadcaster.broadcast(number) }
    broadcaster.terminate()
    #expect(await stream.reduce(0, +) == 6)
  }
}

@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct DemandTests {
  /// A producer that records its attaches and detaches, and can be told to fail.
  private final class Producer: Sendable {
    let log = Guarded<[Bool]>([])
    let failures = Guarded(0)
    let queue = SerialQueue(label: "demand")

    var demand: Broadcaster<Int>.Demand {
      .init(
        queue: queue,
        attach: {
          let fails = self.failures.withLock { failures in
            defer { failures = max(0, failures - 1) }
            return failures > 0
          }
          if !fails { self.log.withLock { $0.append(true) } }
          return !fails
        },
        detach: { self.log.withLock { $0.append(false) } })
    }

    /// Returns when the queue has done everything up to now.
    func settle() async {
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
  }

  @Test func `attach and detach alternate under a storm of subscriptions and end detached`() async {
    let producer = Producer()
    let broadcaster = Broadcaster<Int>(demand: producer.demand)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            let stream = broadcaster.subscribe(policy: .newest(1))
            await Task.yield()
            _ = stream
          }
        }
      }
    }
    await producer.settle()
    let log = producer.log.withLock { $0 }
    #expect(log.first == true && log.last == false)
    #expect(zip(log, log.dropFirst()).allSatisfy { $0 != $1 })
    let kept = broadcaster.subscribe(policy: .newest(1))
    await producer.settle()
    #expect(producer.log.withLock { $0.last } == true)
    _ = kept
  }

  @Test func `an installation that failed is tried again at the next subscription`() async {
    let producer = Producer()
    producer.failures.withLock { $0 = 1 }
    let broadcaster = Broadcaster<Int>(demand: producer.demand)
    let first = broadcaster.subscribe(policy: .unbounded)
    await producer.settle()
    #expect(producer.log.withLock { $0 } == [])
    let second = broadcaster.subscribe(policy: .unbounded)
    await producer.settle()
    #expect(producer.log.withLock { $0 } == [true])
    _ = (first, second)
  }

  @Test func `terminate detaches, and a later subscriber attaches nothing`() async {
    let producer = Producer()
    let broadcaster = Broadcaster<Int>(demand: producer.demand)
    let stream = broadcaster.subscribe(policy: .unbounded)
    await producer.settle()
    broadcaster.terminate()
    await producer.settle()
    _ = broadcaster.subscribe(policy: .unbounded)
    await producer.settle()
    #expect(producer.log.withLock { $0 } == [true, false])
    _ = stream
  }
}
