import ConcurrencySeam
import Glibc
import Interleaving
import Synchronization

/// The classics of the literature, with threads.
extension CorpusProgram {
  static let classics: [CorpusProgram] =
    circles + orders + updates + checks + signals + counts + lifetimes + races

  // MARK: Deadlock

  private static let circles: [CorpusProgram] = [
    .threads(
      "opposite-locks", .deadlock, depth: 2, finds: .deadlock, "two threads take two locks in opposite orders"
    ) { world, isFixed in
      let (first, second) = (Cell(0), Cell(0))
      world.spawn("other") {
        if isFixed {
          first.value.withLock { _ in second.value.withLock { $0 += 1 } }
        } else {
          second.value.withLock { _ in first.value.withLock { $0 += 1 } }
        }
      }
      first.value.withLock { _ in second.value.withLock { $0 += 1 } }
    },
    .threads(
      "philosophers", .deadlock, depth: 3, finds: .deadlock, "three philosophers take the left fork first"
    ) { world, isFixed in
      let forks = [Cell(0), Cell(0), Cell(0)]
      func dine(_ seat: Int) {
        let (left, right) = (seat, (seat + 1) % 3)
        let isLeftHanded = !isFixed || seat < 2
        forks[isLeftHanded ? left : right].value.withLock { _ in
          forks[isLeftHanded ? right : left].value.withLock { $0 += 1 }
        }
      }
      world.spawn("second") { dine(1) }
      world.spawn("third") { dine(2) }
      dine(0)
    },
    .threads(
      "transfer-ring", .deadlock, depth: 4, finds: .deadlock,
      "four transfers in a ring lock the payer before the payee"
    ) { world, isFixed in
      let accounts = (0..<4).map { _ in Cell(100) }
      func transfer(from payer: Int, to payee: Int) {
        if isFixed, payee < payer {
          accounts[payee].value.withLock { to in
            to += 10
            accounts[payer].value.withLock { $0 -= 10 }
          }
        } else {
          accounts[payer].value.withLock { from in
            from -= 10
            accounts[payee].value.withLock { $0 += 10 }
          }
        }
      }
      for payer in 1..<4 { world.spawn("payer \(payer)") { transfer(from: payer, to: (payer + 1) % 4) } }
      transfer(from: 0, to: 1)
    },
    .threads(
      "upgrade", .deadlock, depth: 2, finds: .deadlock,
      "two readers become writers, and each waits for the other to end its reading"
    ) { world, isFixed in
      let monitor = Monitor()
      var readers = 0
      func refresh() {
        monitor.locked { readers += 1 }
        monitor.locked {
          if isFixed {
            readers -= 1
            monitor.broadcast()
            while readers > 0 { monitor.wait() }
          } else {
            while readers > 1 { monitor.wait() }
            readers -= 1
            monitor.broadcast()
          }
        }
      }
      world.spawn("other") { refresh() }
      refresh()
    },
    .threads(
      "join-under-lock", .deadlock, depth: 1, finds: .deadlock,
      "a worker's end is awaited under the lock that it takes before it ends"
    ) { world, isFixed in
      let state = Cell(0)
      let monitor = Monitor()
      var isDone = false
      func join() { monitor.locked { while !isDone { monitor.wait() } } }
      world.spawn("worker") {
        state.value.withLock { $0 += 1 }
        monitor.locked {
          isDone = true
          monitor.signal()
        }
      }
      world.doWork()
      if isFixed {
        state.value.withLock { $0 += 1 }
        join()
      } else {
        state.value.withLock {
          $0 += 1
          join()
        }
      }
    },
    .threads(
      "callback-under-lock", .deadlock, depth: 2, finds: .reentrancy,
      "a cache that is full has an entry removed under its own lock"
    ) { world, isFixed in
      let entries = Cell(0)
      func remove() { entries.value.withLock { if $0 > 0 { $0 -= 1 } } }
      func add() {
        let isFull = entries.value.withLock { count in
          count += 1
          if !isFixed, count > 1 { remove() }
          return count > 1
        }
        if isFixed, isFull { remove() }
      }
      world.spawn("other") {
        world.doWork()
        add()
        remove()
      }
      add()
      remove()
    },
  ]

  // MARK: Order

  private static let orders: [CorpusProgram] = [
    .threads(
      "sequence-lock", .order, depth: 2, finds: .failure,
      "a version is counted before a pair is written, and not after it"
    ) { world, isFixed in
      let (version, first, second) = (Word(0), Word(0), Word(0))
      world.spawn("writer") {
        version.add(isFixed ? 1 : 2)
        first.store(1)
        second.store(1)
        if isFixed { version.add(1) }
      }
      let before = version.load()
      let pair = (first.load(), second.load())
      if before % 2 == 0, before == version.load(), pair.0 != pair.1 { world.fail("half of the pair is old") }
    },
    .threads(
      "peterson", .order, depth: 3, finds: .failure, "the turn is given away before the wish is told"
    ) { world, isFixed in
      let wishes = [Word(0), Word(0)]
      let (turn, inside) = (Word(0), Word(0))
      func visit(_ me: Int) {
        let other = 1 - me
        if isFixed { wishes[me].store(1) }
        turn.store(other)
        if !isFixed { wishes[me].store(1) }
        // It gives up after three tries.
        if (0..<3).contains(where: { _ in wishes[other].load() == 0 || turn.load() == me }) {
          if inside.add(1) == 2 { world.fail("both are inside") }
          inside.add(-1)
        }
        wishes[me].store(0)
      }
      world.spawn("other") { visit(1) }
      visit(0)
    },
    .threads(
      "dropped-item", .order, depth: 2, finds: .failure,
      "a worker finds the queue empty, then reads that it is to stop, and an item is left"
    ) { world, isFixed in
      let (items, stops) = (Cell(0), Cell(0))
      func isStopped() -> Bool { stops.value.withLock { $0 == 1 } }
      world.spawn("producer") {
        items.value.withLock { $0 += 1 }
        stops.value.withLock { $0 = 1 }
      }
      for _ in 0..<4 {
        let wasStopped = isFixed && isStopped()
        let hadItem = items.value.withLock { count in
          defer { count = 0 }
          return count > 0
        }
        guard !hadItem, isFixed ? wasStopped : isStopped() else { continue }
        if items.value.withLock({ $0 > 0 }) { world.fail("an item is left in the queue") }
        break
      }
    },
    .threads(
      "reused-barrier", .order, depth: 2, finds: .deadlock,
      "the first thread is at a barrier again before the other has left it"
    ) { world, isFixed in
      let monitor = Monitor()
      var (arrived, generation) = (0, 0)
      func arrive() {
        monitor.locked {
          let mine = generation
          arrived += 1
          if arrived == 2 {
            arrived = 0
            generation += 1
            monitor.broadcast()
          } else {
            while isFixed ? generation == mine : arrived > 0 { monitor.wait() }
          }
        }
      }
      func meetTwice() {
        arrive()
        world.doWork()
        arrive()
      }
      world.spawn("other", meetTwice)
      meetTwice()
    },
  ]

  // MARK: Atomicity

  private static let updates: [CorpusProgram] = [
    .threads(
      "lost-update", .atomicity, depth: 2, finds: .failure, "a counter is read and written under a lock each"
    ) { world, isFixed in
      let count = Cell(0)
      let finish = Finish(of: 2)
      func increment() {
        if isFixed {
          count.value.withLock { $0 += 1 }
        } else {
          let seen = count.value.withLock { $0 }
          count.value.withLock { $0 = seen + 1 }
        }
        if finish.isLast(), count.value.withLock({ $0 < 2 }) { world.fail("an update is lost") }
      }
      world.spawn("other") {
        world.doWork()
        increment()
      }
      increment()
    },
    .threads(
      "lowest-count", .atomicity, depth: 5, finds: .failure,
      "two count to three each without a lock for both steps, and two is the sum"
    ) { world, isFixed in
      let count = Cell(0)
      let finish = Finish(of: 2)
      func increment() {
        for _ in 0..<3 {
          if isFixed {
            count.value.withLock { $0 += 1 }
          } else {
            let seen = count.value.withLock { $0 }
            count.value.withLock { $0 = seen + 1 }
          }
        }
        if finish.isLast(), count.value.withLock({ $0 == 2 }) { world.fail("four updates are lost") }
      }
      world.spawn("other", increment)
      increment()
    },
    .threads(
      "aba", .atomicity, depth: 2, finds: .failure,
      "a stack's head is taken and given back over another node, while one holds on to what it read of it"
    ) { world, isFixed in
      // The head is the number of a node, 0 for none; with the fix it counts its changes above that.
      let head = Word(1)
      let below = [Word(0), Word(2), Word(0)]
      let kept = Word(0)
      let finish = Finish(of: 2)
      func change(_ old: Int, to node: Int) -> Bool {
        head.exchange(old, with: isFixed ? (old & ~0xff) + 0x100 + node : node)
      }
      func pop() -> Int {
        while true {
          let old = head.load()
          let node = old & 0xff
          if node == 0 || change(old, to: below[node].load()) { return node }
        }
      }
      func push(_ node: Int) {
        while true {
          let old = head.load()
          below[node].store(old & 0xff)
          if change(old, to: node) { return }
        }
      }
      func check() {
        let node = kept.load()
        if finish.isLast(), node != 0, head.load() & 0xff == node {
          world.fail("a node in use is on the stack")
        }
      }
      world.spawn("other") {
        let first = pop()
        kept.store(pop())
        if first != 0 { push(first) }
        check()
      }
      _ = pop()
      check()
    },
  ]

  private static let checks: [CorpusProgram] = [
    .threads(
      "double-checked", .atomicity, depth: 2, finds: .failure,
      "what is made at its first use is not looked for again under the lock"
    ) { world, isFixed in
      let (isMade, makings) = (Word(0), Cell(0))
      func use() {
        guard isMade.load() == 0 else { return }
        makings.value.withLock { count in
          if isFixed, isMade.load() == 1 { return }
          count += 1
          if count == 2 { world.fail("it is made twice") }
          isMade.store(1)
        }
      }
      world.spawn("other") {
        world.doWork()
        use()
      }
      use()
    },
    .threads(
      "stale-size", .atomicity, depth: 2, finds: .failure,
      "a text is copied by the length that it had before another shortened it"
    ) { world, isFixed in
      let length = Cell(5)
      func copy(_ count: Int, of length: Int) {
        if count > length { world.fail("it is copied past its end") }
      }
      world.spawn("shortener") {
        world.doWork()
        length.value.withLock { $0 = 0 }
      }
      if isFixed {
        length.value.withLock { copy($0, of: $0) }
      } else {
        let count = length.value.withLock { $0 }
        length.value.withLock { copy(count, of: $0) }
      }
    },
    .threads(
      "wait-with-if", .atomicity, depth: 4, finds: .failure,
      "a consumer that is woken does not look again, and another took the item"
    ) { world, isFixed in
      let monitor = Monitor()
      var items = 0
      func consume() {
        monitor.locked {
          if isFixed {
            while items == 0 { monitor.wait() }
          } else if items == 0 {
            monitor.wait()
          }
          if items == 0 { world.fail("an item is taken that is not there") }
          items -= 1
        }
      }
      for name in ["first consumer", "second consumer"] { world.spawn(name, consume) }
      for _ in 0..<2 {
        monitor.locked {
          items += 1
          monitor.signal()
        }
      }
    },
  ]

  // MARK: Liveness

  private static let signals: [CorpusProgram] = [
    .threads(
      "early-signal", .liveness, depth: 1, finds: .deadlock, "a signal comes before the wait for it"
    ) { world, isFixed in
      let monitor = Monitor()
      var isSet = false
      world.spawn("sender") {
        monitor.locked {
          isSet = true
          monitor.signal()
        }
      }
      monitor.locked { if !isFixed || !isSet { monitor.wait() } }
    },
    .threads(
      "one-signal", .liveness, depth: 2, finds: .deadlock, "a gate opens for two, and wakes one"
    ) { world, isFixed in
      let monitor = Monitor()
      var isOpen = false
      for name in ["first", "second"] {
        world.spawn(name) { monitor.locked { while !isOpen { monitor.wait() } } }
      }
      monitor.locked {
        isOpen = true
        if isFixed { monitor.broadcast() } else { monitor.signal() }
      }
    },
    .threads(
      "one-condition", .liveness, depth: 4, finds: .deadlock,
      "a consumer wakes the other one, and not the producer that waits for room on the same condition"
    ) { world, isFixed in
      let monitor = Monitor()
      var isFull = false
      func change(to wanted: Bool) {
        monitor.locked {
          while isFull == wanted { monitor.wait() }
          isFull = wanted
          if isFixed { monitor.broadcast() } else { monitor.signal() }
        }
      }
      for name in ["first consumer", "second consumer"] { world.spawn(name) { change(to: false) } }
      for _ in 0..<2 { change(to: true) }
    },
    .threads(
      "after-you", .liveness, depth: 2, finds: .livelock,
      "two who are hungry give their only spoon to each other for ever"
    ) { world, isFixed in
      let monitor = Monitor()
      var isHungry = [false, false]
      var holder = 0
      func dine(_ me: Int) {
        monitor.locked { isHungry[me] = true }
        monitor.locked {
          var hasGiven = false
          while isHungry[1 - me], !(isFixed && hasGiven && holder == me) {
            if holder == me {
              holder = 1 - me
              hasGiven = true
              monitor.broadcast()
            } else {
              monitor.wait()
            }
          }
          isHungry[me] = false
          holder = 1 - me
          monitor.broadcast()
        }
      }
      world.spawn("other") { dine(1) }
      dine(0)
    },
  ]

  private static let counts: [CorpusProgram] = [
    .threads(
      "extra-permit", .atomicity, depth: 3, finds: .failure,
      "a semaphore lets three in where there is room for two"
    ) { world, isFixed in
      let monitor = Monitor()
      var permits = isFixed ? 2 : 3
      let inside = Cell(0)
      func visit() {
        monitor.locked {
          while permits == 0 { monitor.wait() }
          permits -= 1
        }
        if inside.value.withLock({ count in
          count += 1
          return count > 2
        }) {
          world.fail("three are inside")
        }
        inside.value.withLock { $0 -= 1 }
        monitor.locked {
          permits += 1
          monitor.signal()
        }
      }
      for (turns, name) in ["second", "third"].enumerated() {
        world.spawn(name) {
          for _ in 0...turns { world.doWork() }
          visit()
        }
      }
      visit()
    }
  ]

  // MARK: Lifetime

  private static let lifetimes: [CorpusProgram] = [
    .threads(
      "double-release", .lifetime, depth: 2, finds: .failure,
      "two give a reference back, and both read that nobody has one"
    ) { world, isFixed in
      let (references, frees) = (Cell(2), Cell(0))
      func release() {
        let left = references.value.withLock { count in
          count -= 1
          return count
        }
        guard isFixed ? left == 0 : references.value.withLock({ $0 == 0 }) else { return }
        let isAgain = frees.value.withLock { count in
          count += 1
          return count == 2
        }
        if isAgain { world.fail("it is freed twice") }
      }
      world.spawn("other") {
        world.doWork()
        release()
      }
      release()
    },
    .threads(
      "reused-handle", .lifetime, depth: 3, finds: .failure,
      "a file is closed while another writes to it, and its handle is a third one's file by then"
    ) { world, isFixed in
      // The file of the only handle: 0 for none, and the first is open.
      let file = Cell(1)
      func write(to file: Int) { if file == 2 { world.fail("what is for one file is written to another") } }
      world.spawn("closer") {
        world.doWork()
        file.value.withLock { if $0 == 1 { $0 = 0 } }
      }
      world.spawn("opener") { file.value.withLock { if $0 == 0 { $0 = 2 } } }
      if isFixed {
        file.value.withLock { if $0 == 1 { write(to: $0) } }
      } else if file.value.withLock({ $0 == 1 }) {
        file.value.withLock { write(to: $0) }
      }
    },
  ]

  // MARK: Races

  private static let races: [CorpusProgram] = [
    .threads(
      "two-locks", .race, depth: 2, finds: .race,
      "a total is read under another lock than it is written under, while it is counted"
    ) { world, isFixed in
      let (first, second, phase) = (Cell(0), Cell(0), Cell(0))
      let total = Checked(0, "total")
      world.spawn("writer") {
        phase.value.withLock { $0 = 1 }
        first.value.withLock { _ in total.value += 1 }
        phase.value.withLock { $0 = 2 }
      }
      if phase.value.withLock({ $0 == 1 }) { (isFixed ? first : second).value.withLock { $0 = total.value } }
    },
    .threads(
      "early-ready", .race, depth: 1, finds: .race, "a result is written after it was said to be ready"
    ) { world, isFixed in
      let ready = Cell(0)
      let result = Checked(0, "result")
      world.spawn("worker") {
        if isFixed { result.value = 1 }
        ready.value.withLock { $0 = 1 }
        if !isFixed { result.value = 1 }
      }
      if ready.value.withLock({ $0 == 1 }), result.value < 0 { world.fail("the result is none") }
    },
  ]
}

/// A value behind a lock that several threads hold on to.
final class Cell: Sendable {
  let value: Guarded<Int>
  init(_ value: Int) { self.value = Guarded(value) }
}

/// A word of memory that is shared without a lock: a scheduling point comes before each access.
private final class Word: Sendable {
  private let stored: Atomic<Int>
  init(_ value: Int) { stored = Atomic(value) }

  private func pass(_ label: StaticString) {
    SchedulingPoint.pass(label, UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
  }

  func load() -> Int {
    pass("loads")
    return stored.load(ordering: .sequentiallyConsistent)
  }

  func store(_ value: Int) {
    pass("stores")
    stored.store(value, ordering: .sequentiallyConsistent)
  }

  @discardableResult
  func add(_ count: Int) -> Int {
    pass("adds")
    return stored.add(count, ordering: .sequentiallyConsistent).newValue
  }

  /// Whether the word was the old value, and is the new one.
  func exchange(_ old: Int, with new: Int) -> Bool {
    pass("exchanges")
    return stored.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
  }
}

/// A lock with a condition; what it guards are the plain variables of a program.
private final class Monitor: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(lock)
    condition.deallocate()
    lock.deallocate()
  }

  func locked(_ body: () -> Void) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    body()
  }

  func wait() { pthread_cond_wait(condition, lock) }
  func signal() { pthread_cond_signal(condition) }
  func broadcast() { pthread_cond_broadcast(condition) }
}

/// Knows which of some threads comes last to its end.
private final class Finish: Sendable {
  private let left: Guarded<Int>
  init(of count: Int) { left = Guarded(count) }

  func isLast() -> Bool {
    left.withLock { count in
      count -= 1
      return count == 0
    }
  }
}

extension World {
  /// Passes some points: what a thread does before it meets the others.
  fileprivate func doWork() { for _ in 0..<6 { point() } }
}
