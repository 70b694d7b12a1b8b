import Interleaving
import Synchronization

/// Bugs with nothing but the standard library, between whose steps an ordinary world has no point: deep mode finds them, and
/// it alone.
extension CorpusProgram {
  static let deep: [CorpusProgram] = [
    .threads(
      "shared-counter", .race, depth: 1, finds: .race, "two threads add to a plain counter", isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      let add = { @Sendable in
        if isFixed { shared.lock.withLock { _ in shared.value += 1 } } else { shared.value += 1 }
      }
      world.spawn("other", add)
      add()
    },
    .threads(
      "plain-flag", .race, depth: 1, finds: .race, "a value is handed over by a plain flag", isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      world.spawn("writer") {
        shared.value = 1
        if isFixed { shared.flag.store(true, ordering: .releasing) } else { shared.plainFlag = true }
      }
      let isReady = isFixed ? shared.flag.load(ordering: .acquiring) : shared.plainFlag
      if isReady { shared.seen = shared.value }
    },
    .threads(
      "relaxed-flag", .race, depth: 2, finds: .race, "a value is handed over by a relaxed flag", isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      world.spawn("writer") {
        shared.value = 1
        if isFixed {
          shared.flag.store(true, ordering: .releasing)
        } else {
          shared.flag.store(true, ordering: .relaxed)
        }
      }
      if shared.flag.load(ordering: .acquiring) { shared.seen = shared.value }
    },
    .threads(
      "unlocked-read", .race, depth: 1, finds: .race, "a value is written under a Mutex and read without",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      world.spawn("writer") { shared.lock.withLock { _ in shared.value = 1 } }
      shared.seen = isFixed ? shared.lock.withLock { _ in shared.value } : shared.value
    },
    .threads(
      "two-mutexes", .race, depth: 1, finds: .race, "a value is changed under one of two Mutexes",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      world.spawn("other") { shared.lock.withLock { _ in shared.value += 1 } }
      if isFixed {
        shared.lock.withLock { _ in shared.value += 1 }
      } else {
        shared.otherLock.withLock { _ in shared.value += 1 }
      }
    },
    .threads(
      "shared-array", .race, depth: 1, finds: .race, "two threads append to an array", isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      let append = { @Sendable (number: Int) in
        if isFixed {
          shared.lock.withLock { _ in shared.numbers.append(number) }
        } else {
          shared.numbers.append(number)
        }
      }
      world.spawn("other") { append(1) }
      append(2)
    },
    .threads(
      "load-then-store", .atomicity, depth: 2, finds: .failure,
      "an Atomic is loaded, and stored with one more",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      let add = { @Sendable in
        if isFixed {
          shared.count.add(1, ordering: .sequentiallyConsistent)
        } else {
          let seen = shared.count.load(ordering: .sequentiallyConsistent)
          shared.count.store(seen + 1, ordering: .sequentiallyConsistent)
        }
        shared.finish(2, world) { shared.count.load(ordering: .sequentiallyConsistent) == 2 }
      }
      world.spawn("other", add)
      add()
    },
    .threads(
      "two-turns", .atomicity, depth: 2, finds: .failure,
      "a count is read in one turn of a Mutex and set in another",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      let add = { @Sendable in
        if isFixed {
          shared.lock.withLock { $0 += 1 }
        } else {
          let seen = shared.lock.withLock { $0 }
          shared.lock.withLock { $0 = seen + 1 }
        }
        shared.finish(2, world) { shared.lock.withLock { $0 == 2 } }
      }
      world.spawn("other", add)
      add()
    },
    .threads(
      "opposite-mutexes", .deadlock, depth: 2, finds: .deadlock, "two Mutexes are taken in opposite orders",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      world.spawn("other") {
        if isFixed {
          shared.lock.withLock { _ in shared.otherLock.withLock { $0 += 1 } }
        } else {
          shared.otherLock.withLock { _ in shared.lock.withLock { $0 += 1 } }
        }
      }
      shared.lock.withLock { _ in shared.otherLock.withLock { $0 += 1 } }
    },
    .threads(
      "last-one-out", .lifetime, depth: 2, finds: .failure,
      "a count goes down, and is read after that by both",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      shared.count.store(2, ordering: .sequentiallyConsistent)
      let letGo = { @Sendable in
        let left = shared.count.subtract(1, ordering: .sequentiallyConsistent).newValue
        let isLast = isFixed ? left == 0 : shared.count.load(ordering: .sequentiallyConsistent) == 0
        if isLast, shared.flag.exchange(true, ordering: .sequentiallyConsistent) {
          world.fail("both let go of it")
        }
      }
      world.spawn("other", letGo)
      letGo()
    },
    .threads(
      "test-then-set", .atomicity, depth: 2, finds: .failure, "a spin lock's flag is tested, and then set",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      let enter = { @Sendable in
        if isFixed {
          guard shared.flag.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
          else { return }
        } else {
          guard !shared.flag.load(ordering: .acquiring) else { return }
          shared.flag.store(true, ordering: .relaxed)
        }
        if shared.count.add(1, ordering: .relaxed).newValue > 1 { world.fail("two are inside") }
        shared.count.subtract(1, ordering: .relaxed)
        shared.flag.store(false, ordering: .releasing)
      }
      world.spawn("other", enter)
      enter()
    },
    .threads(
      "made-twice", .atomicity, depth: 2, finds: .failure, "what is made at its first use is made by two",
      isDeep: true
    ) { world, isFixed in
      let shared = Shared()
      let use = { @Sendable in
        if isFixed {
          shared.lock.withLock { made in if made == 0 { made = shared.make() } }
        } else if shared.lock.withLock({ $0 }) == 0 {
          let made = shared.make()
          shared.lock.withLock { $0 = made }
        }
        shared.finish(2, world) { shared.count.load(ordering: .sequentiallyConsistent) == 1 }
      }
      world.spawn("other", use)
      use()
    },
  ]
}

/// Memory that threads share, as they should and as they should not.
private final class Shared: @unchecked Sendable {
  let lock = Mutex(0)
  let otherLock = Mutex(0)
  let count = Atomic(0)
  let flag = Atomic(false)
  private let finished = Atomic(0)
  var value = 0
  var plainFlag = false
  var seen = 0
  var numbers: [Int] = []

  func make() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }

  /// The last one who comes here looks whether all is well.
  func finish(_ threads: Int, _ world: World, isWell: () -> Bool) {
    guard finished.add(1, ordering: .acquiringAndReleasing).newValue == threads, !isWell() else { return }
    world.fail("something was lost, or made twice")
  }
}
