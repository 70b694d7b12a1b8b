import CInterleaving
import ConcurrencySeam
import Interleaving
import Synchronization

/// A body of the kernel's own, with what is to be found in it.
struct NamedBody: Sendable {
  let name: String
  let summary: String
  /// What an exploration finds; nothing in a correct body.
  let finding: Finding.Kind?
  var world = World.Options()
  /// What is to be done outside every world before.
  var prepare: @Sendable () -> Void = {}
  let body: Body

  static func named(_ name: some StringProtocol) -> NamedBody? { all.first { $0.name == name } }

  static let all: [NamedBody] =
    locks + streams + ends + planted + [everything, foreign]
    + CorpusProgram.known.flatMap { [$0.broken, $0.twin] }
}

private final class Two: @unchecked Sendable {
  let a = Guarded(0)
  let b = Guarded(0)
}

private final class Counter: Sendable { let count = Guarded(0) }

extension NamedBody {
  // MARK: Locks

  private static let withoutOrders: World.Options = {
    var options = World.Options()
    options.detectsLockOrder = false
    return options
  }()

  private static let locks: [NamedBody] = [
    NamedBody(
      name: "same-order", summary: "two threads take two locks in the same order", finding: nil,
      body: .threads { world in
        let two = Two()
        world.spawn("other") { two.a.withLock { _ in two.b.withLock { $0 += 1 } } }
        two.a.withLock { _ in two.b.withLock { $0 += 1 } }
      }),
    NamedBody(
      name: "counter", summary: "three threads lock and unlock ten times around a counter", finding: nil,
      body: .threads { world in
        let counter = Counter()
        for name in ["second", "third"] {
          world.spawn(name) { for _ in 0..<10 { counter.count.withLock { $0 += 1 } } }
        }
        for _ in 0..<10 { counter.count.withLock { $0 += 1 } }
      }),
    NamedBody(
      name: "abba", summary: "two threads take two locks in opposite orders", finding: .deadlock,
      world: withoutOrders, body: .threads(opposite)),
    NamedBody(
      name: "abba-order", summary: "the same, where the order alone is a finding", finding: .lockOrder,
      body: .threads(opposite)),
  ]

  @Sendable private static func opposite(_ world: World) {
    let two = Two()
    world.spawn("other") { two.b.withLock { _ in two.a.withLock { $0 += 1 } } }
    two.a.withLock { _ in two.b.withLock { $0 += 1 } }
  }

  // MARK: Streams

  private static let streams: [NamedBody] = [
    NamedBody(
      name: "yield-under-lock",
      summary:
        "elements are yielded under the lock that the termination handler wants, and the reader is cancelled",
      finding: .deadlock, body: .task { try await yielding($0, isUnderLock: true) }),
    NamedBody(
      name: "yield-after-lock", summary: "the same with the lock given back first", finding: nil,
      body: .task { try await yielding($0, isUnderLock: false) }),
    NamedBody(
      name: "jobs", summary: "four tasks hop through a thousand jobs", finding: nil,
      body: .task { _ in
        await withTaskGroup { group in
          for _ in 0..<4 { group.addTask { for _ in 0..<Bench.jobsOfATask { await Task.yield() } } }
        }
      }),
  ]

  private final class Listeners: Sendable { let count = Mutex(1) }

  private static func yielding(_ world: World, isUnderLock: Bool) async throws {
    let listeners = Listeners()
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.onTermination = { _ in listeners.count.withLock { $0 -= 1 } }
    let reader = Task { for await _ in stream {} }
    world.spawn("producer") {
      for number in 0..<3 {
        if isUnderLock {
          listeners.count.withLock { _ in _ = continuation.yield(number) }
        } else {
          _ = listeners.count.withLock { $0 }
          continuation.yield(number)
        }
        world.point()
      }
      continuation.finish()
    }
    world.point()
    reader.cancel()
    await reader.value
  }

  // MARK: How a program ends

  private static let quick: World.Options = {
    var options = World.Options()
    options.hangSeconds = 0.5
    options.steps = 2_000
    options.settling = 1_000
    return options
  }()

  /// A window that some schedules pass and others do not: the second thread sees the first between its two steps.
  private static func inWindow(
    _ name: String, _ summary: String, _ kind: Finding.Kind, _ act: @escaping @Sendable (World) -> Void
  )
    -> NamedBody
  {
    NamedBody(
      name: name, summary: summary, finding: kind, world: quick,
      body: .threads { world in
        let counter = Counter()
        world.spawn("other") {
          for _ in 0..<3 { if counter.count.withLock({ $0 == 1 }) { act(world) } }
        }
        counter.count.withLock { $0 += 1 }
        for _ in 0..<3 { world.point() }
        counter.count.withLock { $0 += 1 }
      })
  }

  private static let ends: [NamedBody] = [
    inWindow("crash", "some schedules write to where nothing is", .crash) { _ in
      // An address that no process has: a plain nil would be a trap.
      UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
    },
    inWindow("trap", "some schedules fail a precondition", .trap) { world in
      precondition(world.digest == 0, "the window is passed")
    },
    inWindow("hang", "some schedules end in a loop that passes no point", .hang) { _ in
      let number = Atomic(0)
      while number.load(ordering: .relaxed) == 0 {}
    },
    inWindow("step-limit", "some schedules never come to an end, although jobs end", .stepLimit) { world in
      while true { spawnOne(world) }
    },
    inWindow("livelock", "some schedules go on without anything ending", .livelock) { world in
      while true { world.point() }
    },
    inWindow("block", "some schedules wait for a word that no world knows", .unmodelled) { _ in
      ci_block_unseen()
    },
  ]

  private static func spawnOne(_ world: World) {
    world.spawn("short") {}
    world.point()
    world.point()
  }

  // MARK: Bugs of a known depth

  private static let planted: [NamedBody] = [
    NamedBody(
      name: "depth-1", summary: "one order of two threads is wrong", finding: .failure,
      body: .threads { world in
        let counter = Counter()
        world.spawn("other") { if counter.count.withLock({ $0 == 0 }) { world.fail("before the first") } }
        world.spawn("third") { for _ in 0..<6 { world.point() } }
        counter.count.withLock { $0 = 1 }
      }),
    NamedBody(
      name: "depth-2", summary: "two threads read, then write what they read", finding: .failure,
      body: .threads { world in
        let counter = Counter()
        let done = Counter()
        func addOne() {
          let seen = counter.count.withLock { $0 }
          counter.count.withLock { $0 = seen + 1 }
          let isLast = done.count.withLock { count in
            count += 1
            return count == 2
          }
          if isLast, counter.count.withLock({ $0 != 2 }) { world.fail("one was lost") }
        }
        world.spawn("other", addOne)
        addOne()
      }),
    NamedBody(
      name: "depth-3", summary: "a reader sees a cell before, and then between two changes",
      finding: .failure,
      body: .threads { world in
        let cell = Counter()
        world.spawn("changer") { for value in [1, 2] { cell.count.withLock { $0 = value } } }
        if cell.count.withLock({ $0 == 0 }), cell.count.withLock({ $0 == 1 }) {
          world.fail("seen in between")
        }
      }),
  ]
}
