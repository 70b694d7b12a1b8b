import ConcurrencySeam
import Dispatch
import Foundation
import Interleaving
import Synchronization
import TestSupport
import Testing

/// Something of the C library's, at an address that stays.
private final class Still<Value>: @unchecked Sendable {
  let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  init(_ initialize: (UnsafeMutablePointer<Value>) -> Int32) { _ = initialize(pointer) }
  deinit { pointer.deallocate() }

  static func lock() -> Still<pthread_mutex_t> { .init { pthread_mutex_init($0, nil) } }
  static func condition() -> Still<pthread_cond_t> { .init { pthread_cond_init($0, nil) } }
  static func readers() -> Still<pthread_rwlock_t> { .init { pthread_rwlock_init($0, nil) } }
  static func semaphore(_ value: UInt32) -> Still<sem_t> { .init { sem_init($0, 0, value) } }
}

/// A deadline of the world's wall clock.
private func wall(after seconds: Int) -> timespec {
  var deadline = timespec()
  clock_gettime(CLOCK_REALTIME, &deadline)
  deadline.tv_sec += seconds
  return deadline
}

/// Whether nobody else is between `enter` and `leave`.
private final class Alone: Sendable {
  private let inside = Tally()
  func passPoint(_ world: World) {
    inside.add()
    require(inside.count == 1, "two are inside at once")
    world.point()
    require(inside.count == 1, "two are inside at once")
    inside.add(-1)
  }
}

private final class Locked: Sendable { let value = Mutex(0) }

private enum Lazy {
  static let reached = Tally()
  static let value: Int = {
    for _ in 0..<3 { World.current?.point() }
    return reached.count
  }()
  static let first: Int = {
    World.current?.point()
    return second + 1
  }()
  static let second: Int = {
    World.current?.point()
    return first + 1
  }()
}

/// Locks of the library and of the system, clocks, sleeps and randomness in a world.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct CaptureLockTests {
  // MARK: Mutex

  @Test func `a contended Mutex is passed on in any order that the world chooses`() {
    let orders = expectOwned { world, journal in
      let (locked, alone) = (Locked(), Alone())
      for number in 0..<3 {
        world.spawn("thread \(number)") {
          for _ in 0..<2 {
            world.point()
            locked.value.withLock { _ in
              journal.add(number)
              alone.passPoint(world)
            }
          }
        }
      }
      await withTaskGroup { group in
        for number in 3...4 {
          group.addTask {
            locked.value.withLock { _ in
              journal.add(number)
              alone.passPoint(world)
            }
          }
        }
      }
    }
    #expect(orders.count > 20)
  }

  @Test func `a Mutex that is held is not had by trying`() {
    let orders = expectOwned { world, journal in
      let locked = Locked()
      world.spawn("holds") { locked.value.withLock { _ in for _ in 0..<2 { world.point() } } }
      world.point()
      journal.add(locked.value.withLockIfAvailable { _ in 1 } ?? 0)
    }
    #expect(orders == [[0], [1]])
  }

  @Test func `Mutexes in opposite orders deadlock, and one taken twice is re-entrancy`() {
    let opposite = found { world in
      let (a, b) = (Locked(), Locked())
      world.spawn("other") {
        b.value.withLock { _ in
          world.point(); a.value.withLock { _ in }
        }
      }
      a.value.withLock { _ in
        world.point(); b.value.withLock { _ in }
      }
    }
    #expect(opposite?.kind == .deadlock)
    #expect(opposite?.message.contains("which other holds") == true, "\(opposite as Any)")
    let twice = found(1) { _ in
      let locked = Locked()
      locked.value.withLock { _ in locked.value.withLock { _ in } }
    }
    #expect(twice?.kind == .reentrancy)
  }

  // MARK: The C library's locks

  @Test func `pthread locks keep others out, whether they wait, try or give up`() {
    let orders = expectOwned(100) { world, journal in
      let (lock, alone) = (Still<pthread_mutex_t>.lock(), Alone())
      for number in 0..<2 {
        world.spawn("locks \(number)") {
          pthread_mutex_lock(lock.pointer)
          alone.passPoint(world)
          journal.add(number)
          pthread_mutex_unlock(lock.pointer)
        }
      }
      world.spawn("tries") {
        if pthread_mutex_trylock(lock.pointer) == 0 {
          alone.passPoint(world)
          journal.add(2)
          pthread_mutex_unlock(lock.pointer)
        } else {
          journal.add(3)
        }
      }
      // The C library's types are not sent to tasks: a thread holds the lock while time passes.
      let held = Still<pthread_mutex_t>.lock()
      pthread_mutex_lock(held.pointer)
      world.spawn("gives up") {
        var deadline = wall(after: 5)
        require(pthread_mutex_timedlock(held.pointer, &deadline) == ETIMEDOUT, "it got a held lock")
        require(world.elapsed >= .seconds(5), "it gave up too early")
        journal.add(4)
      }
    }
    #expect(orders.contains { $0.contains(2) } && orders.contains { $0.contains(3) })
    #expect(orders.allSatisfy { $0.contains(4) })
  }

  @Test func `a recursive lock is its owner's, and one that checks errors says so`() {
    expectOwned(10) { world, journal in
      var attribute = pthread_mutexattr_t()
      pthread_mutexattr_init(&attribute)
      pthread_mutexattr_settype(&attribute, Int32(PTHREAD_MUTEX_RECURSIVE))
      let recursive = Still<pthread_mutex_t> { pthread_mutex_init($0, &attribute) }
      pthread_mutexattr_settype(&attribute, Int32(PTHREAD_MUTEX_ERRORCHECK))
      let checking = Still<pthread_mutex_t> { pthread_mutex_init($0, &attribute) }
      let alone = Alone()
      for number in 0..<2 {
        world.spawn("recurs \(number)") {
          for _ in 0..<2 { pthread_mutex_lock(recursive.pointer) }
          alone.passPoint(world)
          journal.add(number)
          for _ in 0..<2 { pthread_mutex_unlock(recursive.pointer) }
        }
      }
      world.spawn("checks") {
        pthread_mutex_lock(checking.pointer)
        require(pthread_mutex_lock(checking.pointer) == EDEADLK, "a checking lock did not check")
        pthread_mutex_unlock(checking.pointer)
      }
      let lock = NSRecursiveLock()
      lock.withLock { lock.withLock { journal.add(9) } }
    }
  }

  @Test func `a condition wakes one or all, and loses no signal between lock and wait`() {
    let orders = expectOwned(100) { world, journal in
      let (lock, condition) = (Still<pthread_mutex_t>.lock(), Still<pthread_cond_t>.condition())
      let permits = Tally()
      for number in 0..<3 {
        world.spawn("waits \(number)") {
          pthread_mutex_lock(lock.pointer)
          while permits.count == 0 { pthread_cond_wait(condition.pointer, lock.pointer) }
          permits.add(-1)
          journal.add(number)
          pthread_mutex_unlock(lock.pointer)
        }
      }
      world.spawn("signals") {
        for count in [1, 2] {
          pthread_mutex_lock(lock.pointer)
          permits.add(count)
          if count == 1 {
            pthread_cond_signal(condition.pointer)
          } else {
            pthread_cond_broadcast(condition.pointer)
          }
          pthread_mutex_unlock(lock.pointer)
        }
      }
    }
    #expect(orders.count == 6)
  }

  @Test func `a signal that comes before its wait is lost`() {
    // The check is outside the lock: the bug that conditions are known for.
    let finding = found { world in
      let (lock, condition) = (Still<pthread_mutex_t>.lock(), Still<pthread_cond_t>.condition())
      let isReady = Tally()
      world.spawn("signals") {
        isReady.add()
        pthread_cond_signal(condition.pointer)
      }
      guard isReady.count == 0 else { return }
      world.point()
      waitOnce(lock, condition)
    }
    #expect(finding?.kind == .deadlock && finding?.message.contains("condition") == true)
  }

  @Test func `waits with a deadline end at it, in the world's time`() {
    expectOwned(10, distinct: 1) {
      $0.timePassesEarly = false
    } _: { world, journal in
      timedWaits(world)
      require(world.elapsed == .seconds(12), "\(world.elapsed) passed")
      let condition = NSCondition()
      journal.add(waitASecond(condition) ? 1 : 0)
      require(world.elapsed == .seconds(13), "\(world.elapsed) passed")
    }.forEach { #expect($0 == [0]) }
  }

  @Test func `many read or one writes`() {
    let overlaps = Tally()
    let orders = expectOwned(100) { world, journal in
      let lock = Still<pthread_rwlock_t>.readers()
      let (readers, alone) = (Tally(), Alone())
      for number in 0..<2 {
        world.spawn("reads \(number)") {
          pthread_rwlock_rdlock(lock.pointer)
          readers.add()
          world.point()
          if readers.count == 2 { overlaps.add() }
          readers.add(-1)
          journal.add(number)
          pthread_rwlock_unlock(lock.pointer)
        }
        world.spawn("writes \(number)") {
          pthread_rwlock_wrlock(lock.pointer)
          require(readers.count == 0, "somebody reads what is written")
          alone.passPoint(world)
          require(readers.count == 0, "somebody reads what is written")
          journal.add(number + 2)
          pthread_rwlock_unlock(lock.pointer)
        }
      }
    }
    #expect(orders.count > 10 && overlaps.count > 0)
    let upgrade = found(1) { _ in
      let lock = Still<pthread_rwlock_t>.readers()
      readThenWrite(lock)
    }
    #expect(upgrade?.kind == .deadlock)
  }

  @Test func `memory that was a contended pthread lock may be a guarded one`() {
    struct Memory: @unchecked Sendable {
      let raw = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 16)
    }
    let memory = Memory()
    defer { memory.raw.deallocate() }
    expectOwned { world, journal in
      let mutex = memory.raw.bindMemory(to: pthread_mutex_t.self, capacity: 1)
      pthread_mutex_init(mutex, nil)
      let done = Tally()
      for _ in 0..<2 {
        world.spawn("locks") {
          let mutex = memory.raw.assumingMemoryBound(to: pthread_mutex_t.self)
          pthread_mutex_lock(mutex)
          world.point()
          pthread_mutex_unlock(mutex)
          done.add()
          journal.add(done.count)
          guard done.count == 2 else { return }
          pthread_mutex_destroy(mutex)
          let guarded = memory.raw.bindMemory(to: Guarded<Int>.self, capacity: 1)
          guarded.initialize(to: Guarded(0))
          guarded.pointee.withLock { $0 += 1 }
          guarded.deinitialize(count: 1)
        }
      }
    }
  }

  @Test func `a POSIX semaphore lets in as many as it has permits`() {
    let most = Tally()
    let orders = expectOwned(100) { world, journal in
      let semaphore = Still<sem_t>.semaphore(2)
      let inside = Tally()
      for number in 0..<4 {
        world.spawn("thread \(number)") {
          sem_wait(semaphore.pointer)
          inside.add()
          require(inside.count <= 2, "too many are inside")
          world.point()
          if inside.count == 2, most.count == 0 { most.add() }
          inside.add(-1)
          journal.add(number)
          sem_post(semaphore.pointer)
        }
      }
    }
    #expect(orders.count > 10 && most.count == 1)
    #expect(found(1) { _ in waitForNobody(.semaphore(0)) }?.kind == .deadlock)
  }

  @Test func `threads of the system's are refused`() {
    expectRefused("pthread_create") { _ in
      var thread = pthread_t()
      pthread_create(&thread, nil, { _ in nil }, nil)
    }
    expectRefused("pthread_create") { _ in Thread {}.start() }
    expectRefused("pthread_join") { _ in pthread_join(pthread_self(), nil) }
  }

  // MARK: Lazy globals

  @Test func `a lazy global whose initialiser passes points is made once, and others wait for it`() {
    // One process makes it once, so it is the first execution that shows it.
    let values = Journal()
    let finding = World().run(.random(seed: 7)) { world in
      for number in 0..<4 {
        world.spawn("\(number)") {
          Lazy.reached.add()
          values.add(Lazy.value)
        }
      }
    }
    #expect(finding == nil && values.all.count == 4 && Set(values.all).count == 1)
    #expect(values.all.first ?? 0 > 1, "nobody came while it was made: another seed wants to be taken")
  }

  @Test func `lazy globals that need each other deadlock`() {
    let finding = World().run(.fair) { world in
      world.spawn("one") { note(Lazy.first) }
      world.spawn("other") { note(Lazy.second) }
    }
    #expect(finding?.kind == .deadlock || finding?.kind == .reentrancy, "\(finding as Any)")
  }

  // MARK: Time

  @Test func `every clock shows the world's time, equal in all runs`() {
    let readings = expectOwned(10, distinct: 1) { world, journal in
      func read() {
        for clock in [CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_MONOTONIC_RAW] {
          var time = timespec()
          clock_gettime(clock, &time)
          journal.add(time.tv_sec * 1_000_000_000 + time.tv_nsec)
        }
        var day = timeval()
        gettimeofday(&day, nil)
        journal.add(day.tv_sec * 1_000_000 + Int(day.tv_usec))
        journal.add(time(nil))
        journal.add(Int(Date().timeIntervalSinceReferenceDate * 1_000))
        journal.add(Int(ProcessInfo.processInfo.systemUptime * 1_000))
        journal.add(Int(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds))
        journal.add(Int(truncatingIfNeeded: DispatchWallTime.now().rawValue))
      }
      read()
      try await Task.sleep(for: .milliseconds(1_500))
      read()
    }
    let values = Array(readings.first ?? [])
    #expect(readings.count == 1 && values.count == 20)
    let second = zip(values.dropFirst(10), values).map { $0 - $1 }
    let nano = 1_500_000_000
    #expect(second.dropLast() == [nano, nano, nano, nano, 1_500_000, second[5], 1_500, 1_500, nano])
    #expect(abs(second[9]) == nano && (1...2).contains(second[5]))
  }

  @Test func `sleeps of the C library and of threads take no time of ours`() {
    let started = ContinuousClock.now
    expectOwned(10, distinct: 1) { world, journal in
      sleepEveryWay()
      require(world.elapsed == .seconds(4 * 3_600) + .milliseconds(500), "\(world.elapsed) passed")
      journal.add(1)
    }
    #expect(ContinuousClock.now - started < .seconds(60))
  }

  @Test func `giving the processor up lets others run`() {
    let orders = expectOwned { world, journal in
      for number in 0..<2 {
        world.spawn("\(number)") {
          for _ in 0..<3 {
            journal.add(number)
            sched_yield()
          }
        }
      }
    }
    #expect(orders.count > 5)
  }

  @Test func `randomness is the same for the same choices, and other for others`() {
    let drawn = expectOwned(distinct: 30) { _, journal in
      journal.add(Int.random(in: 0..<1_000_000_000))
      var generator = SystemRandomNumberGenerator()
      journal.add(Int(truncatingIfNeeded: generator.next()))
      journal.add(Int(truncatingIfNeeded: withUnsafeBytes(of: UUID().uuid) { $0.load(as: UInt64.self) }))
      journal.add([1, 2, 3, 4, 5, 6, 7, 8].shuffled().reduce(0) { $0 * 10 + $1 })
      var bytes = [UInt8](repeating: 0, count: 16)
      getentropy(&bytes, bytes.count)
      journal.add(Int(bytes[0]) << 8 | Int(bytes[15]))
      journal.add(Int(arc4random()))
    }
    #expect(drawn.count >= 30)
    for place in 0..<6 { #expect(Set(drawn.map { $0[place] }).count > 15, "reading \(place)") }
  }
}

// What blocks its thread is not for asynchronous code: here that is meant.

private func waitOnce(_ lock: Still<pthread_mutex_t>, _ condition: Still<pthread_cond_t>) {
  pthread_mutex_lock(lock.pointer)
  pthread_cond_wait(condition.pointer, lock.pointer)
  pthread_mutex_unlock(lock.pointer)
}

private func waitASecond(_ condition: NSCondition) -> Bool {
  condition.withLock { condition.wait(until: Date() + 1) }
}

private func timedWaits(_ world: World) {
  let (lock, condition) = (Still<pthread_mutex_t>.lock(), Still<pthread_cond_t>.condition())
  var deadline = wall(after: 5)
  pthread_mutex_lock(lock.pointer)
  require(pthread_cond_timedwait(condition.pointer, lock.pointer, &deadline) == ETIMEDOUT, "somebody woke it")
  require(world.elapsed == .seconds(5), "\(world.elapsed) passed")
  pthread_mutex_unlock(lock.pointer)
  deadline = wall(after: 7)
  let semaphore = Still<sem_t>.semaphore(0)
  require(sem_timedwait(semaphore.pointer, &deadline) == -1 && errno == ETIMEDOUT, "somebody posted")
}

private func readThenWrite(_ lock: Still<pthread_rwlock_t>) {
  pthread_rwlock_rdlock(lock.pointer)
  pthread_rwlock_wrlock(lock.pointer)
}

private func waitForNobody(_ semaphore: Still<sem_t>) { sem_wait(semaphore.pointer) }

private func sleepEveryWay() {
  Thread.sleep(forTimeInterval: 3_600)
  sleep(3_600)
  var hour = timespec(tv_sec: 3_600, tv_nsec: 0)
  nanosleep(&hour, nil)
  clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, nil)
  usleep(500_000)
}
