import Interleaving
import Synchronization

/// Bugs with nothing but the standard library, between whose steps an ordinary world has no point: deep mode finds them, and
/// it alone.
extension CorpusProgram {
  static let deep: [CorpusProgram] = threads + tasks

  private static let threads: [CorpusProgram] = [
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

  private static let tasks: [CorpusProgram] = [
    .tasks("two-tasks", .race, depth: 0, finds: .race, "two tasks add to a plain counter", isDeep: true) {
      _, isFixed in
      let shared = Shared()
      let (first, second) = (Task { shared.value += 1 }, Task { if !isFixed { shared.value += 1 } })
      _ = await (first.value, second.value)
      shared.value += 1
    },
    .tasks(
      "async-let-beside", .race, depth: 0, finds: .race, "an async let adds to what its parent adds to",
      isDeep: true
    ) { _, isFixed in
      let shared = Shared()
      async let child: Void = shared.add()
      if isFixed { await child }
      await shared.add()
      await child
    },
    .tasks(
      "group-appends", .race, depth: 0, finds: .race, "the children of a group append to one array",
      isDeep: true
    ) { _, isFixed in
      let shared = Shared()
      await withTaskGroup { group in
        for number in 0..<2 {
          group.addTask {
            if !isFixed { shared.numbers.append(number) }
            return number
          }
        }
        for await number in group where isFixed { shared.numbers.append(number) }
      }
      shared.numbers.append(2)
    },
    .tasks(
      "beside-an-actor", .race, depth: 0, finds: .race,
      "an actor's methods change what another actor's change too", isDeep: true
    ) { _, isFixed in
      let (shared, one) = (Shared(), Keeper())
      let other = isFixed ? one : Keeper()
      async let first: Void = one.add(to: shared)
      await other.add(to: shared)
      await first
      shared.value += 1
    },
    .tasks(
      "written-after-resume", .race, depth: 0, finds: .race,
      "a value is written when the continuation that hands it over is resumed already", isDeep: true
    ) { _, isFixed in
      let shared = Shared()
      await withCheckedContinuation { continuation in
        Task {
          if isFixed { shared.value = 1 }
          continuation.resume()
          if !isFixed { shared.value = 1 }
        }
      }
      shared.seen = shared.value
    },
    .tasks(
      "written-after-yield", .race, depth: 0, finds: .race,
      "a value is written after the element that announces it", isDeep: true
    ) { _, isFixed in
      let (shared, keeper) = (Shared(), Keeper())
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      Task {
        if isFixed { shared.value = 1 }
        continuation.yield(1)
        if !isFixed { shared.value = 1 }
        continuation.finish()
      }
      await keeper.readAfterFirst(of: stream, shared)
    },
    .tasks(
      "kept-from-outside", .race, depth: 0, finds: .race,
      "what an actor keeps is read beside it by who once was told of it", isDeep: true
    ) { _, isFixed in
      let (shared, keeper) = (Shared(), Keeper())
      async let adds: Void = keeper.add(to: shared)
      if isFixed { await keeper.read(shared) } else { shared.seen = shared.value }
      await adds
    },
  ]
}

private actor Keeper {
  private var additions = 0

  func add(to shared: Shared) {
    shared.value += 1
    additions += 1
  }
  func read(_ shared: Shared) { shared.seen = shared.value + additions }
  func readAfterFirst(of stream: AsyncStream<Int>, _ shared: Shared) async {
    for await _ in stream {
      shared.seen = shared.value
      break
    }
    additions += 1
  }
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

  func add() async { value += 1 }
  func make() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }

  /// The last one who comes here looks whether all is well.
  func finish(_ threads: Int, _ world: World, isWell: () -> Bool) {
    guard finished.add(1, ordering: .acquiringAndReleasing).newValue == threads, !isWell() else { return }
    world.fail("something was lost, or made twice")
  }
}
