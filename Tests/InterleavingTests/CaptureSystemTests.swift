import ConcurrencySeam
import Foundation
import Interleaving
import Synchronization
import TestSupport
import Testing

private final class Locked: Sendable { let value = Mutex(0) }

/// Memory for something of the C library's that must not move.
private final class Fixed<Value>: @unchecked Sendable {
  let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  deinit { pointer.deallocate() }
}

/// Locks, clocks, sleeps and randomness of the system in a world.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct CaptureSystemTests {
  // MARK: Mutex

  @Test func `a Mutex that is held over a point keeps others out, and wakes them`() {
    expectCaptured { world in
      let locked = Locked()
      let inside = Tally()
      for number in 0..<3 {
        world.spawn("thread \(number)") {
          world.point()
          locked.value.withLock { value in
            inside.add()
            world.point()
            #expect(inside.count == 1)
            inside.add(-1)
            value += 1
            note(number)
          }
        }
      }
    }
  }

  @Test func `Mutexes in opposite orders are a deadlock with both stacks, taken twice it is re-entrancy`()
    async
  {
    let exploration = await explore("mutexes") { world in
      let (a, b) = (Locked(), Locked())
      world.spawn("other") {
        b.value.withLock { _ in
          world.point(); takeInside(a)
        }
      }
      a.value.withLock { _ in
        world.point(); takeInside(b)
      }
    }
    #expect(exploration.finding?.kind == .deadlock && exploration.digestMismatches == 0)
    let stacks = exploration.finding?.stacks ?? []
    #expect(stacks.map(\.entity).sorted() == ["body", "other"])
    #expect(stacks.allSatisfy { $0.frames.contains { $0.contains("takeInside") } }, "\(stacks)")
    let twice = World().run(.fair) { _ in
      let locked = Locked()
      locked.value.withLock { _ in takeInside(locked) }
    }
    #expect(twice?.kind == .reentrancy)
  }

  @Test func `a Mutex is shared with threads outside`() async {
    let locked = Locked()
    async let outside: Void = onOwnThread { for _ in 0..<20_000 { locked.value.withLock { $0 += 1 } } }
    await onOwnThread {
      let world = World()
      for seed in UInt64(0)..<200 {
        world.run(.random(seed: seed)) { world in
          for number in 0..<2 { world.spawn("\(number)") { locked.value.withLock { $0 += 1 } } }
        }
      }
    }
    await outside
    #expect(locked.value.withLock { $0 } == 20_400)
  }

  // MARK: The C library's

  @Test func `pthread locks and conditions are the world's`() {
    expectCaptured { world in
      let (lock, condition) = (Fixed<pthread_mutex_t>(), Fixed<pthread_cond_t>())
      pthread_mutex_init(lock.pointer, nil)
      pthread_cond_init(condition.pointer, nil)
      let open = Tally()
      for number in 0..<2 {
        world.spawn("waits \(number)") {
          pthread_mutex_lock(lock.pointer)
          while open.count == 0 { pthread_cond_wait(condition.pointer, lock.pointer) }
          note(number)
          pthread_mutex_unlock(lock.pointer)
        }
      }
      pthread_mutex_lock(lock.pointer)
      open.add()
      pthread_cond_broadcast(condition.pointer)
      pthread_mutex_unlock(lock.pointer)
    }
  }

  @Test func `a wait with a deadline times out in the world's time`() {
    expectCaptured(distinct: 1) { world in
      let (lock, condition) = (Fixed<pthread_mutex_t>(), Fixed<pthread_cond_t>())
      pthread_mutex_init(lock.pointer, nil)
      pthread_cond_init(condition.pointer, nil)
      var deadline = timespec()
      clock_gettime(CLOCK_REALTIME, &deadline)
      deadline.tv_sec += 30
      pthread_mutex_lock(lock.pointer)
      #expect(pthread_cond_timedwait(condition.pointer, lock.pointer, &deadline) == ETIMEDOUT)
      pthread_mutex_unlock(lock.pointer)
      #expect(world.elapsed == .seconds(30))
    }
  }

  @Test func `signals that nobody sends are a deadlock, and so are opposite pthread locks`() {
    let finding = World().run(.fair) { _ in
      let (lock, condition) = (Fixed<pthread_mutex_t>(), Fixed<pthread_cond_t>())
      pthread_mutex_init(lock.pointer, nil)
      pthread_cond_init(condition.pointer, nil)
      pthread_mutex_lock(lock.pointer)
      pthread_cond_wait(condition.pointer, lock.pointer)
    }
    #expect(finding?.kind == .deadlock && finding?.message.contains("nobody is left to wake it") == true)
    let opposite = found(50) { world in
      let locks = [Fixed<pthread_mutex_t>(), Fixed<pthread_mutex_t>()]
      for lock in locks { pthread_mutex_init(lock.pointer, nil) }
      for order in [[0, 1], [1, 0]] {
        world.spawn("\(order)") {
          for place in order { pthread_mutex_lock(locks[place].pointer) }
          for place in order { pthread_mutex_unlock(locks[place].pointer) }
        }
      }
    }
    #expect(opposite?.kind == .deadlock)
  }

  @Test func `locks with readers and semaphores are the world's`() {
    expectCaptured { world in
      let (lock, semaphore) = (Fixed<pthread_rwlock_t>(), Fixed<sem_t>())
      pthread_rwlock_init(lock.pointer, nil)
      sem_init(semaphore.pointer, 0, 0)
      let writing = Tally()
      for number in 0..<2 {
        world.spawn("reads \(number)") {
          sem_wait(semaphore.pointer)
          pthread_rwlock_rdlock(lock.pointer)
          #expect(writing.count == 0)
          world.point()
          #expect(writing.count == 0)
          note(number)
          pthread_rwlock_unlock(lock.pointer)
        }
      }
      for _ in 0..<2 { sem_post(semaphore.pointer) }
      pthread_rwlock_wrlock(lock.pointer)
      writing.add()
      world.point()
      writing.add(-1)
      pthread_rwlock_unlock(lock.pointer)
    }
  }

  @Test func `new threads are refused by name`() {
    expectRefused("pthread_create") { _ in Thread.detachNewThread {} }
    expectRefused("pthread_join") { _ in pthread_join(pthread_self(), nil) }
    expectRefused("pthread_barrier_wait") { _ in
      let barrier = Fixed<pthread_barrier_t>()
      pthread_barrier_init(barrier.pointer, nil, 2)
      pthread_barrier_wait(barrier.pointer)
    }
  }

  // MARK: Lazy globals

  private static let lazily: Int = {
    World.current?.point()
    World.current?.point()
    return 3
  }()

  @Test func `a lazy global that passes points is made once, and others wait for it`() {
    // One process makes it once: this is the one execution that can show it.
    let finding = World().run(.random(seed: 4)) { world in
      for number in 0..<3 { world.spawn("\(number)") { note(Self.lazily) } }
    }
    #expect(finding == nil)
  }

  // MARK: Time

  @Test func `every clock is the world's, and moves with it alone`() {
    expectCaptured(distinct: 1) { world in
      let continuous = ContinuousClock.now
      let suspending = SuspendingClock.now
      let date = Date()
      var day = timeval()
      gettimeofday(&day, nil)
      let seconds = time(nil)
      // A real clock would differ by more than nothing, and from run to run.
      note(Int(date.timeIntervalSince1970))
      note(Int(day.tv_sec))
      note(seconds)
      #expect(ContinuousClock.now - continuous == .zero)
      usleep(500_000)
      sleepAsAThread(1.5)
      sleep(3)
      #expect(world.elapsed == .seconds(5))
      #expect(ContinuousClock.now - continuous == .seconds(5))
      #expect(SuspendingClock.now - suspending == .seconds(5))
      #expect(Date().timeIntervalSince(date) == 5)
      #expect(time(nil) == seconds + 5)
    }
  }

  @Test func `who sleeps less than a clock's step until the clock has moved gets there`() {
    let world = World()
    world.options.steps = 10_000
    let finding = world.run(.random(seed: 1)) { _ in
      var start = timeval()
      gettimeofday(&start, nil)
      var now = start
      while now.tv_usec == start.tv_usec {
        usleep(0)
        gettimeofday(&now, nil)
      }
      // Foundation sleeps again for what is left, in a `Double` of seconds.
      Thread.sleep(until: Date() + 0.000_000_3)
    }
    #expect(finding == nil, "\(finding as Any)")
  }

  @Test func `giving the processor up is a point`() {
    expectCaptured { world in
      for number in 0..<2 {
        world.spawn("\(number)") {
          for step in 0..<3 {
            note(number * 10 + step)
            sched_yield()
          }
        }
      }
    }
  }

  @Test func `randomness follows from the choices, and differs among them`() {
    expectCaptured { _ in
      note(Int.random(in: 0..<1_000_000))
      var bytes = [UInt8](repeating: 0, count: 8)
      #expect(getentropy(&bytes, bytes.count) == 0)
      note(Int(bytes[0]))
      note(UUID().hashValue & 0xffff == 0 ? 1 : 0)
      var generator = SystemRandomNumberGenerator()
      note(Int(generator.next() >> 32))
      note(Int(arc4random()))
    }
  }
}

@inline(never) private func takeInside(_ locked: Locked) { locked.value.withLock { $0 += 1 } }

/// What a world finds besides deadlocks.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct DetectorTests {
  private final class Cells: Sendable {
    let cell = Checked(0, "cell")
    let lock = Guarded(0)
  }
  private actor Owner {
    let cell = Checked(0, "owned")
    func add() { cell.value += 1 }
  }

  @Test func `accesses of a checked cell that nothing orders are a race, by one clean-looking execution`() {
    let finding = found(3) { world in
      let cells = Cells()
      world.spawn("other") { cells.cell.value += 1 }
      cells.cell.value += 1
    }
    #expect(finding?.kind == .race && finding?.message.contains("'cell'") == true)
  }

  @Test func `what a lock, an actor, a queue, a hand-over or a spawn orders is no race`() {
    let finding = found(1_500) { world in
      let cells = Cells()
      cells.cell.value = 1
      world.spawn("other") { cells.lock.withLock { _ in cells.cell.value += 1 } }
      cells.lock.withLock { _ in cells.cell.value += 1 }
      let owner = Owner()
      await withTaskGroup { group in for _ in 0..<3 { group.addTask { await owner.add() } } }
      let queued = Checked(0, "queued")
      let queue = DispatchQueue(label: "serial")
      queue.async { queued.value += 1 }
      queue.sync { queued.value += 1 }
      let handed = Checked(0, "handed")
      handed.value = 1
      await withUnsafeContinuation { continuation in
        world.spawn("resumes") {
          handed.value += 1
          continuation.resume()
        }
      }
      handed.value += 1
    }
    #expect(finding == nil, "\(finding as Any)")
  }

  @Test func `what goes on for ever is a livelock, or a limit where something ends`() {
    var options = World.Options()
    options.steps = 500
    options.settling = 500
    let world = World()
    world.options = options
    #expect(world.run(.random(seed: 1)) { world in while true { world.point() } }?.kind == .livelock)
    let spawning = world.run(.random(seed: 1)) { world in
      while true {
        world.spawn("short") {}
        for _ in 0..<4 { world.point() }
      }
    }
    #expect(spawning?.kind == .stepLimit)
    // A spin that an unfair schedule starves ends when the schedule turns fair.
    let spin = world.run(.priorities(seed: 3, depth: 1, steps: 10)) { world in
      let flag = Tally()
      world.spawn("sets") { flag.add() }
      while flag.count == 0 { world.point() }
    }
    #expect(spin == nil)
  }

  @Test func `a thread that never gets a lock while others do is starved`() {
    let world = World()
    world.options.steps = 200
    world.options.settling = 4_000
    let finding = world.run(.fair) { world in
      let locked = Locked()
      for name in ["waits", "takes"] {
        world.spawn(name) {
          // The lock is given back and taken again without a point in between: whoever waits comes too late.
          while true { locked.value.withLock { _ in world.point() } }
        }
      }
    }
    #expect(finding?.kind == .starvation, "\(finding as Any)")
  }

  @Test func `a block that no world knows is named with its call and its stack`() async {
    var pipe: [Int32] = [0, 0]
    Glibc.pipe(&pipe)
    let read = pipe[0]
    let exploration = await explore("block", .init(executions: 1)) { _ in readForEver(read) }
    #expect(exploration.finding?.kind == .unmodelled)
    #expect(exploration.finding?.message.contains("'read'") == true)
    #expect(
      // ThreadSanitizer lets nobody ask another thread for its stack.
      exploration.finding?.stacks.first?.frames.contains { $0.contains("readForEver") } == true
        || World.Substrate.best == .threads,
      "\(exploration.finding as Any)")
  }

  @Test func `an endless loop without a point is a hang, by the processor time that it used`() async {
    var options = ExplorationOptions(executions: 1)
    options.world.hangSeconds = 0.3
    let exploration = await explore("loop", options) { _ in
      while !Self.stops.load(ordering: .relaxed) {}
    }
    #expect(exploration.finding?.kind == .hang)
    let line = exploration.artefact
    #expect(line?.finding == .hang && line?.body == "loop")
    Self.stops.store(true, ordering: .relaxed)
  }
  private static let stops = Atomic(false)
}

/// Not for asynchronous code, where it blocks a carrier: here that is meant.
private func sleepAsAThread(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

@inline(never) private func readForEver(_ file: Int32) {
  var byte: UInt8 = 0
  _ = read(file, &byte, 1)
}
