import Dispatch
import Foundation
import Interleaving
import Synchronization
import TestSupport
import Testing

// The C forms, which the overlay hides; a queue and a group as what they are to C.
private typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
@_silgen_name("dispatch_queue_create")
private func create(_ label: UnsafePointer<CChar>?, _ attribute: OpaquePointer?) -> OpaquePointer
@_silgen_name("dispatch_async_f")
private func async(_ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: Function)
@_silgen_name("dispatch_sync_f")
private func sync(_ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: Function)
@_silgen_name("dispatch_after_f")
private func after(
  _ when: UInt64, _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: Function)
@_silgen_name("dispatch_barrier_async_f")
private func barrierAsync(_ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: Function)
@_silgen_name("dispatch_barrier_sync_f")
private func barrierSync(_ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: Function)
@_silgen_name("dispatch_group_create")
private func createGroup() -> OpaquePointer
@_silgen_name("dispatch_release")
private func release(_ object: OpaquePointer)
@_silgen_name("dispatch_group_async_f")
private func groupAsync(
  _ group: OpaquePointer, _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: Function)
@_silgen_name("dispatch_group_notify_f")
private func groupNotify(
  _ group: OpaquePointer, _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?, _ work: Function)
@_silgen_name("dispatch_async_and_wait")
private func asyncAndWait(_ queue: DispatchQueue, _ work: @convention(block) () -> Void)

/// A journal entry as a C function's context.
private final class Entry {
  let journal: Journal
  let number: Int
  init(_ journal: Journal, _ number: Int) { (self.journal, self.number) = (journal, number) }

  static func context(_ journal: Journal, _ number: Int) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Entry(journal, number)).toOpaque()
  }
  static let add: Function = { context in
    guard let context else { return }
    let entry = Unmanaged<Entry>.fromOpaque(context).takeRetainedValue()
    entry.journal.add(entry.number)
  }
}

/// Dispatch in a world.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct CaptureQueueTests {
  private static func concurrent() -> DispatchQueue { .init(label: "concurrent", attributes: .concurrent) }

  // MARK: Queues

  @Test func `a serial queue is in order and one at a time, and queues are in any order to each other`() {
    let orders = expectOwned { world, journal in
      for place in 0..<2 {
        let queue = DispatchQueue(label: "serial \(place)")
        let inside = Tally()
        for number in 0..<3 {
          queue.async {
            inside.add()
            journal.add(place * 10 + number)
            world.point()
            require(inside.count == 1, "two are inside at once")
            inside.add(-1)
          }
        }
        let answer = queue.sync { inside.count }
        require(answer == 0, "sync came in between")
        journal.add(place * 10 + 3)
      }
    }
    let isInOrder = orders.allSatisfy { order in
      order.filter { $0 < 10 } == [0, 1, 2, 3] && order.filter { $0 >= 10 } == [10, 11, 12, 13]
    }
    #expect(isInOrder)
    let parallel = expectOwned(200) { world, journal in
      for place in 0..<2 {
        let queue = DispatchQueue(label: "serial \(place)")
        for number in 0..<3 { queue.async { journal.add(place * 10 + number) } }
      }
    }
    #expect(parallel.count > 8, "\(parallel)")
  }

  @Test func `sync excludes, nests over queues, and deadlocks on its own and in circles`() {
    expectOwned { world, journal in
      let (a, b) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"))
      let inside = Tally()
      for number in 0..<3 {
        world.spawn("thread \(number)") {
          a.sync {
            b.sync {
              inside.add()
              world.point()
              require(inside.count == 1, "two are inside at once")
              inside.add(-1)
              dispatchPrecondition(condition: .onQueue(a))
              dispatchPrecondition(condition: .onQueue(b))
              journal.add(number)
            }
          }
        }
      }
    }
    let own = found(1) { _ in
      let queue = DispatchQueue(label: "own")
      queue.sync { queue.sync {} }
    }
    #expect(own?.kind == .deadlock && own?.message.contains("'own'") == true)
    let circle = found { world in
      let (a, b) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"))
      a.async { b.sync {} }
      b.async { a.sync {} }
    }
    #expect(circle?.kind == .deadlock)
  }

  @Test func `work that nobody waits for still ends before the world does`() {
    let orders = expectOwned(distinct: 1) { _, journal in
      DispatchQueue.global(qos: .utility).async {
        DispatchQueue(label: "nested").async { journal.add(1) }
      }
    }
    #expect(orders == [[1]])
  }

  @Test func `concurrent work overlaps, and a barrier with nothing`() {
    let overlaps = Tally()
    let orders = expectOwned(100) { world, journal in
      let queue = Self.concurrent()
      let inside = Tally()
      for number in 0..<3 {
        queue.async {
          inside.add()
          world.point()
          if inside.count > 1 { overlaps.add() }
          inside.add(-1)
          journal.add(number)
        }
      }
      queue.async(flags: .barrier) {
        require(inside.count == 0, "a barrier overlaps")
        journal.add(3)
        world.point()
        journal.add(4)
      }
      queue.async { journal.add(5) }
      queue.sync(flags: .barrier) { journal.add(6) }
    }
    #expect(overlaps.count > 0 && orders.count > 3)
    #expect(orders.allSatisfy { Set($0.prefix(3)) == [0, 1, 2] && $0.suffix(4) == [3, 4, 5, 6] })
  }

  @Test func `the function forms are the world's`() {
    let orders = expectOwned(100) { _, journal in
      let (one, other) = (create("one", nil), create("other", nil))
      defer { [one, other].forEach(release) }
      async(one, Entry.context(journal, 0), Entry.add)
      async(other, Entry.context(journal, 1), Entry.add)
      barrierAsync(one, Entry.context(journal, 2), Entry.add)
      sync(one, Entry.context(journal, 3), Entry.add)
      barrierSync(one, Entry.context(journal, 4), Entry.add)
      let group = createGroup()
      defer { release(group) }
      groupAsync(group, one, Entry.context(journal, 5), Entry.add)
      groupNotify(group, one, Entry.context(journal, 6), Entry.add)
      after(DispatchTime.now().rawValue + 1_000_000_000, other, Entry.context(journal, 7), Entry.add)
    }
    #expect(orders.count > 3 && orders.allSatisfy { $0.sorted() == Array(0...7) })
    #expect(orders.allSatisfy { $0.filter { ![1, 7].contains($0) } == [0, 2, 3, 4, 5, 6] })
  }

  @Test func `work items run, are cancelled, and come with flags`() {
    let orders = expectOwned { world, journal in
      let queue = Self.concurrent()
      let item = DispatchWorkItem { journal.add(1) }
      let cancelled = DispatchWorkItem { journal.add(2) }
      cancelled.cancel()
      queue.async(execute: item)
      queue.async(execute: cancelled)
      queue.async(execute: DispatchWorkItem(flags: .barrier) { journal.add(3) })
      queue.sync(execute: DispatchWorkItem { journal.add(4) })
      item.perform()
    }
    #expect(orders.allSatisfy { $0.sorted() == [1, 1, 3, 4] })
  }

  @Test func `delayed work comes at its time, on both clocks`() {
    let orders = expectOwned(distinct: 1) {
      $0.timePassesEarly = false
    } _: { world, journal in
      let queue = DispatchQueue(label: "later")
      queue.asyncAfter(deadline: .now() + 3_600) {
        require(world.elapsed == .seconds(3_600), "\(world.elapsed) passed")
        journal.add(3)
      }
      queue.asyncAfter(wallDeadline: .now() + 60) {
        require(world.elapsed == .seconds(60), "\(world.elapsed) passed")
        journal.add(2)
      }
      queue.asyncAfter(deadline: .now(), execute: DispatchWorkItem { journal.add(1) })
      queue.asyncAfter(deadline: .distantFuture) { journal.add(4) }
    }
    #expect(orders == [[1, 2, 3]])
  }

  // MARK: The main queue

  @Test func `the main queue is in order and the main thread's, for threads, queues and tasks`() {
    let orders = expectOwned { world, journal in
      for number in 0..<3 { DispatchQueue.main.async { journal.add(number) } }
      world.spawn("thread") {
        DispatchQueue.main.sync {
          dispatchPrecondition(condition: .onQueue(.main))
          MainActor.assertIsolated()
          journal.add(10)
        }
      }
      DispatchQueue(label: "other").async {
        journal.add(DispatchQueue.main.sync { 11 })
        dispatchPrecondition(condition: .notOnQueue(.main))
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 60) { MainActor.assumeIsolated { journal.add(12) } }
    }
    #expect(orders.count > 3 && orders.allSatisfy { $0.filter { $0 < 3 } == [0, 1, 2] })
    #expect(orders.allSatisfy { Set($0).isSuperset(of: [10, 11, 12]) })
    let own = found(1) { _ in DispatchQueue.main.async { DispatchQueue.main.sync {} } }
    #expect(own?.kind == .deadlock)
  }

  @Test func `work knows its queue, by precondition and by what is specific to it`() async {
    let key = DispatchSpecificKey<Int>()
    expectOwned(5, distinct: 1) { world, journal in
      let (queue, other) = (DispatchQueue(label: "specific"), DispatchQueue(label: "other"))
      queue.setSpecific(key: key, value: 5)
      queue.async {
        dispatchPrecondition(condition: .onQueue(queue))
        dispatchPrecondition(condition: .notOnQueue(other))
        journal.add(DispatchQueue.getSpecific(key: key) ?? 0)
      }
      queue.sync {}
      require(DispatchQueue.getSpecific(key: key) == nil, "the body is on no queue")
      dispatchPrecondition(condition: .notOnQueue(queue))
    }.forEach { #expect($0 == [5]) }
    await #expect(processExitsWith: .failure) {
      World().run(.fair) { _ in dispatchPrecondition(condition: .onQueue(DispatchQueue(label: "other"))) }
    }
    await #expect(processExitsWith: .failure) {
      World().run(.fair) { _ in
        let queue = DispatchQueue(label: "own")
        queue.sync { dispatchPrecondition(condition: .notOnQueue(queue)) }
      }
    }
  }

  // MARK: Groups and semaphores

  @Test func `a group is waited for, left and notified in the world`() {
    let orders = expectOwned(100) {
      $0.timePassesEarly = false
    } _: { world, journal in
      let (group, queue) = (DispatchGroup(), Self.concurrent())
      for number in 0..<2 {
        queue.async(group: group) {
          world.point()
          journal.add(number)
        }
      }
      group.enter()
      world.spawn("leaves") {
        journal.add(2)
        group.leave()
      }
      group.notify(queue: DispatchQueue(label: "told")) { journal.add(4) }
      wait(group)
      journal.add(3)
      let never = DispatchGroup()
      never.enter()
      require(times(out: never, after: 5), "a group ended by itself")
      require(world.elapsed == .seconds(5), "\(world.elapsed) passed")
      never.leave()
    }
    #expect(orders.count > 5)
    #expect(orders.allSatisfy { Set($0.prefix(3)) == [0, 1, 2] && Set($0.suffix(2)) == [3, 4] })
    let forgotten = found(1) { _ in
      let group = DispatchGroup()
      group.enter()
      wait(group)
    }
    #expect(forgotten?.kind == .deadlock && forgotten?.message.contains("group") == true)
  }

  @Test func `a semaphore lets in as many as it has, and times out in the world's time`() {
    let orders = expectOwned(100) {
      $0.timePassesEarly = false
    } _: { world, journal in
      let semaphore = DispatchSemaphore(value: 2)
      let inside = Tally()
      for number in 0..<4 {
        world.spawn("thread \(number)") {
          semaphore.wait()
          inside.add()
          world.point()
          require(inside.count <= 2, "too many are inside")
          inside.add(-1)
          journal.add(number)
          semaphore.signal()
        }
      }
      let never = DispatchSemaphore(value: 0)
      require(times(out: never, after: 5), "a semaphore was signalled by itself")
      require(world.elapsed == .seconds(5), "\(world.elapsed) passed")
    }
    #expect(orders.count > 10)
    #expect(found(1) { _ in wait(DispatchSemaphore(value: 0)) }?.kind == .deadlock)
  }

  @Test func `a semaphore that has permits passes a point all the same`() {
    let orders = expectOwned(40) { _ in
    } _: { world, journal in
      let semaphore = DispatchSemaphore(value: 2)
      for number in 0..<2 {
        world.spawn("thread \(number)") {
          semaphore.wait()
          journal.add(number)
          semaphore.signal()
        }
      }
    }
    #expect(orders.count > 1)
  }

  // MARK: What is refused

  @Test func `what is not taken over is refused by its name`() {
    expectRefused("dispatch_source_create") { _ in _ = DispatchSource.makeTimerSource() }
    expectRefused("dispatch_source_create") { _ in _ = DispatchSource.makeReadSource(fileDescriptor: 0) }
    expectRefused("dispatch_apply") { _ in DispatchQueue.concurrentPerform(iterations: 2) { _ in } }
    expectRefused("dispatch_async_and_wait") { _ in asyncAndWait(DispatchQueue(label: "own")) {} }
    expectRefused("dispatch_block_wait") { _ in DispatchWorkItem {}.wait() }
    expectRefused("dispatch_block_notify") { _ in DispatchWorkItem {}.notify(queue: .main) {} }
    expectRefused("dispatch_suspend") { _ in DispatchQueue(label: "suspended").suspend() }
    expectRefused("dispatch_set_target_queue") { _ in
      DispatchQueue(label: "targeted").setTarget(queue: .global())
    }
  }

  @Test func `a queue that shares another's turns is refused, one with a global target is taken over`() {
    expectRefused("dispatch_queue_create_with_target") { _ in
      _ = DispatchQueue(label: "targeted", target: DispatchQueue(label: "target"))
    }
    let orders = expectOwned { _, journal in
      for number in 0..<2 {
        DispatchQueue(label: "targeted", target: .global()).async { journal.add(number) }
      }
    }
    #expect(orders.count == 2)
  }

  @Test func `a queue lives as long as its work, and no other takes its place meanwhile`() {
    // Each queue is let go before its work began: with the next at its address the two would be one.
    let orders = expectOwned(200) { _, journal in
      for number in 0..<3 { DispatchQueue(label: "short-lived").async { journal.add(number) } }
    }
    #expect(orders.count == 6)
  }
}

// What blocks its thread is not for asynchronous code: here that is meant.

private func wait(_ group: DispatchGroup) { group.wait() }
private func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
private func times(out group: DispatchGroup, after seconds: Double) -> Bool {
  group.wait(timeout: .now() + seconds) == .timedOut
}
private func times(out semaphore: DispatchSemaphore, after seconds: Double) -> Bool {
  semaphore.wait(timeout: .now() + seconds) == .timedOut
}
