import Dispatch
import Interleaving
import Synchronization
import TestSupport
import Testing

// The C forms, which the overlay hides.
@_silgen_name("dispatch_queue_create")
private func makeQueue(_ label: UnsafePointer<CChar>?, _ attribute: OpaquePointer?) -> OpaquePointer
@_silgen_name("dispatch_release")
private func release(_ queue: OpaquePointer)
@_silgen_name("dispatch_async_f")
private func asyncFunction(
  _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?,
  _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void)
@_silgen_name("dispatch_sync_f")
private func syncFunction(
  _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?,
  _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void)
@_silgen_name("dispatch_after_f")
private func afterFunction(
  _ when: UInt64, _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?,
  _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void)

/// Dispatch in a world.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct CaptureDispatchTests {
  @Test func `a serial queue does its work in order, two of them in any`() {
    expectCaptured { world in
      let orders = [Order(), Order()]
      for (place, order) in orders.enumerated() {
        let queue = DispatchQueue(label: "serial \(place)")
        for number in 0..<3 {
          queue.async {
            order.add(number)
            note(place * 10 + number)
            world.point()
          }
        }
        queue.sync { note(99) }
        #expect(order.all == [0, 1, 2])
      }
    }
  }

  private final class Order: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  @Test func `the function forms are captured`() {
    expectCaptured(distinct: 2) { _ in
      let queue = makeQueue("functions", nil)
      let other = makeQueue("others", nil)
      asyncFunction(queue, nil) { _ in note(1) }
      asyncFunction(other, nil) { _ in note(2) }
      syncFunction(queue, nil) { _ in note(3) }
      afterFunction(DispatchTime.now().rawValue + 1_000, other, nil) { _ in note(4) }
      // Let go here, and freed when their work is done.
      for queue in [queue, other] { release(queue) }
    }
  }

  @Test func `concurrent work overlaps, and a barrier overlaps with nothing`() {
    let most = Mutex(0)
    expectCaptured { world in
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let now = Tally()
      for number in 0..<3 {
        queue.async {
          now.add()
          most.withLock { $0 = max($0, now.count) }
          world.point()
          note(number)
          now.add(-1)
        }
      }
      queue.async(flags: .barrier) {
        #expect(now.count == 0)
        world.point()
        #expect(now.count == 0)
        note(10)
      }
      queue.async { note(11) }
      queue.sync(flags: .barrier) { #expect(now.count == 0) }
    }
    #expect(most.withLock { $0 } > 1)
  }

  @Test func `delayed work comes at its time`() {
    expectCaptured(distinct: 1) { world in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { continuation.resume() }
      }
      #expect(world.elapsed == .seconds(60))
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + 60) { continuation.resume() }
      }
      #expect(world.elapsed == .seconds(120))
    }
  }

  @Test func `groups are waited for, notified and left in the world`() {
    expectCaptured { world in
      let group = DispatchGroup()
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let done = Tally()
      for number in 0..<2 {
        queue.async(group: group) {
          world.point()
          done.add()
          note(number)
        }
      }
      group.enter()
      queue.async {
        done.add()
        group.leave()
      }
      group.notify(queue: queue) { note(20) }
      group.wait()
      #expect(done.count == 3)
      group.enter()
      #expect(group.wait(timeout: .now() + 5) == .timedOut)
      group.leave()
    }
  }

  @Test func `semaphores block the world's threads, and time out in its time`() {
    expectCaptured { world in
      let semaphore = DispatchSemaphore(value: 0)
      for number in 0..<2 {
        world.spawn("waits \(number)") {
          semaphore.wait()
          note(number)
        }
      }
      semaphore.signal()
      semaphore.signal()
      #expect(DispatchSemaphore(value: 0).wait(timeout: .now() + 5) == .timedOut)
    }
    #expect(found(1) { _ in DispatchSemaphore(value: 0).wait() }?.kind == .deadlock)
  }

  @Test func `the main queue is the main thread's, and work knows its queue`() {
    let key = DispatchSpecificKey<Int>()
    expectCaptured(distinct: 1) { _ in
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          dispatchPrecondition(condition: .onQueue(.main))
          continuation.resume()
        }
      }
      DispatchQueue(label: "other").sync { DispatchQueue.main.sync { MainActor.assertIsolated() } }
      let queue = DispatchQueue(label: "specific")
      queue.setSpecific(key: key, value: 5)
      queue.sync {
        dispatchPrecondition(condition: .onQueue(queue))
        #expect(DispatchQueue.getSpecific(key: key) == 5)
      }
      dispatchPrecondition(condition: .notOnQueue(queue))
      #expect(DispatchQueue.getSpecific(key: key) == nil)
    }
  }

  @Test func `work that waits for its own queue is a deadlock`() {
    let finding = found(1) { _ in
      let queue = DispatchQueue(label: "own")
      queue.async { queue.sync {} }
    }
    #expect(finding?.kind == .deadlock && finding?.message.contains("queue 'own'") == true)
  }

  @Test func `what is not taken over is refused by its name`() {
    expectRefused("dispatch_source_create") { _ in _ = DispatchSource.makeTimerSource() }
    expectRefused("dispatch_apply") { _ in DispatchQueue.concurrentPerform(iterations: 2) { _ in } }
    expectRefused("dispatch_block_wait") { _ in DispatchWorkItem {}.wait() }
    expectRefused("dispatch_block_notify") { _ in DispatchWorkItem {}.notify(queue: .main) {} }
    expectRefused("dispatch_suspend") { _ in DispatchQueue(label: "suspended").suspend() }
    expectRefused("dispatch_queue_attr_make_initially_inactive") { _ in
      _ = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
    }
    expectRefused("dispatch_set_target_queue") { _ in
      DispatchQueue(label: "targeted").setTarget(queue: .global())
    }
  }
}
