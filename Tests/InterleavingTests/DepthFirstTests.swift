import ConcurrencySeam
import Interleaving
import Synchronization
import TestSupport
import Testing

/// A small program of threads that take locks, and read and change shared values.
private struct Program: Sendable, CustomStringConvertible {
  enum Operation: Hashable, Sendable, CustomStringConvertible {
    case lock(Int)
    case unlock(Int)
    /// Mixes a shared value into the thread's own.
    case read(Int)
    /// Mixes the thread's own value into a shared one.
    case change(Int)

    var description: String {
      switch self {
      case .lock(let lock): "lock \(lock)"
      case .unlock(let lock): "unlock \(lock)"
      case .read(let value): "read \(value)"
      case .change(let value): "change \(value)"
      }
    }
  }

  var threads: [[Operation]]
  var description: String { threads.map { "\($0)" }.joined(separator: " | ") }

  static let locks = 2
  static let values = 2

  /// - Parameter inOrder: whether locks are nested in one order, so that none of them can deadlock.
  init(_ random: inout SeededRandom, threads count: Int, length: Int, inOrder: Bool) {
    threads = (0..<count).map { _ in
      var operations: [Operation] = []
      var held: [Int] = []
      for _ in 0..<1 + random.below(length) {
        let free = (0..<Self.locks).filter { lock in
          !held.contains(lock) && (!inOrder || held.allSatisfy { $0 < lock })
        }
        switch random.below(4) {
        case 0 where !free.isEmpty:
          held.append(free[random.below(free.count)])
          operations.append(.lock(held[held.count - 1]))
        case 1 where !held.isEmpty: operations.append(.unlock(held.removeLast()))
        case 2: operations.append(.read(random.below(Self.values)))
        default: operations.append(.change(random.below(Self.values)))
        }
      }
      while let lock = held.popLast() { operations.append(.unlock(lock)) }
      return operations
    }
  }

  static func mixed(_ one: Int, _ other: Int) -> Int { (one &* 31 &+ other &+ 7) & 0xfffff }
}

/// All ends that a program can come to, by trying every order of its operations: nothing of the kernel is in it.
private struct Enumerator {
  struct State: Hashable {
    var next: [Int]
    var owner: [Int]
    var own: [Int]
    var shared: [Int]
    var last = -1
    var left: Int
  }
  let program: Program
  private(set) var ends: Set<[Int]> = []
  private(set) var deadlocks = false
  private var seen: Set<State> = []

  init(_ program: Program, preemptions: Int) {
    self.program = program
    let count = program.threads.count
    go(
      State(
        next: Array(repeating: 0, count: count), owner: Array(repeating: -1, count: Program.locks),
        own: Array(0..<count), shared: Array(repeating: 0, count: Program.values), left: preemptions))
  }

  private func canGoOn(_ thread: Int, _ state: State) -> Bool {
    guard state.next[thread] < program.threads[thread].count else { return false }
    if case .lock(let lock) = program.threads[thread][state.next[thread]] { return state.owner[lock] < 0 }
    return true
  }

  private mutating func go(_ state: State) {
    guard seen.insert(state).inserted else { return }
    let ready = program.threads.indices.filter { canGoOn($0, state) }
    if ready.isEmpty {
      if program.threads.indices.allSatisfy({ state.next[$0] == program.threads[$0].count }) {
        ends.insert(state.own + state.shared)
      } else {
        deadlocks = true
      }
    }
    for thread in ready {
      var after = state
      if state.last >= 0, thread != state.last, ready.contains(state.last) {
        after.left -= 1
        if after.left < 0 { continue }
      }
      let operation = program.threads[thread][state.next[thread]]
      switch operation {
      case .lock(let lock): after.owner[lock] = thread
      case .unlock(let lock): after.owner[lock] = -1
      case .read(let value): after.own[thread] = Program.mixed(state.own[thread], state.shared[value])
      case .change(let value): after.shared[value] = Program.mixed(state.shared[value], state.own[thread])
      }
      after.next[thread] += 1
      // A point comes before each operation but the giving back of a lock, and one after that.
      if case .unlock = operation {
      } else if after.next[thread] < program.threads[thread].count,
        case .unlock(let lock) = program.threads[thread][after.next[thread]]
      {
        after.owner[lock] = -1
        after.next[thread] += 1
      }
      after.last = thread
      go(after)
    }
  }
}

/// Runs a program in a world; a Mutex has no points of its own while nobody holds it over one.
private final class Running: Sendable {
  private struct Values {
    var shared = [Int](repeating: 0, count: Program.values)
    var own: [Int]
    var left: Int
  }
  let program: Program
  let ends = Mutex<Set<[Int]>>([])
  private let values: Mutex<Values>

  init(_ program: Program) {
    self.program = program
    values = Mutex(Values(own: [], left: 0))
  }

  var body: Body {
    .threads { [self] world in
      let count = program.threads.count
      values.withLock { $0 = Values(own: Array(0..<count), left: count) }
      let locks = Locks()
      for thread in 1..<count { world.spawn("\(thread)") { self.run(thread, locks) } }
      run(0, locks)
    }
  }

  private final class Locks: @unchecked Sendable {
    let first = Guarded(0)
    let second = Guarded(0)
    // What points name: an address each.
    let values = UnsafeMutablePointer<Int>.allocate(capacity: Program.values)
    deinit { values.deallocate() }
  }

  private func run(_ thread: Int, _ locks: Locks) {
    var place = program.threads[thread][...]
    operations(&place, thread, locks)
    values.withLock { values in
      values.left -= 1
      if values.left == 0 { ends.withLock { _ = $0.insert(values.own + values.shared) } }
    }
  }

  private func operations(_ rest: inout ArraySlice<Program.Operation>, _ thread: Int, _ locks: Locks) {
    while let operation = rest.popFirst() {
      switch operation {
      case .lock(0): locks.first.withLock { _ in operations(&rest, thread, locks) }
      case .lock: locks.second.withLock { _ in operations(&rest, thread, locks) }
      case .unlock: return
      case .read(let value):
        SchedulingPoint.pass("read", UnsafeRawPointer(locks.values + value))
        values.withLock { $0.own[thread] = Program.mixed($0.own[thread], $0.shared[value]) }
      case .change(let value):
        SchedulingPoint.pass("change", UnsafeRawPointer(locks.values + value))
        values.withLock { $0.shared[value] = Program.mixed($0.shared[value], $0.own[thread]) }
      }
    }
  }

  func explore(bound: Int?) async -> Exploration {
    var options = ExplorationOptions(executions: 100_000)
    options.strategy = .depthFirst(bound: bound)
    options.repeatsOneOf = 0
    options.world.detectsLockOrder = false
    return await Interleaving.explore("program", options, body: body)
  }
}

/// Many executions, so not on threads, as under sanitizers.
@Suite(.tags(.logic), .timeLimit(.minutes(5)), .enabled(if: World.Substrate.best == .fibers))
struct DepthFirstTests {
  private static let programs: UInt64 = 500

  @Test(arguments: [nil, 0, 1, 2]) func `every end of a random program is come to, and no other`(bound: Int?)
    async
  {
    var executions = 0
    for seed in UInt64(0)..<1_000 {
      var random = SeededRandom(seed: seed &* 77 &+ UInt64(bound ?? 9))
      let program = Program(&random, threads: 2 + random.below(2), length: 3, inOrder: true)
      let all = Enumerator(program, preemptions: bound ?? 1_000)
      let running = Running(program)
      let done = await running.explore(bound: bound)
      executions += done.executions
      let ends = running.ends.withLock { $0 }
      guard done.finding == nil, done.completeness == (bound.map { "complete at bound \($0)" } ?? "complete")
      else {
        Issue.record("\(program): \(done)")
        return
      }
      guard bound == nil ? ends == all.ends : ends.isSuperset(of: all.ends) else {
        Issue.record(
          "seed \(seed), \(program): \(all.ends.subtracting(ends)) missed, \(ends.subtracting(all.ends)) more"
        )
        return
      }
    }

  }

  @Test(arguments: [nil, 0, 1, 2]) func `a deadlock of a random program is found where there is one`(
    bound: Int?
  ) async {
    var deadlocks = 0
    for seed in UInt64(0)..<1_000 {
      var random = SeededRandom(seed: seed &* 131 &+ UInt64(bound ?? 9))
      let program = Program(&random, threads: 2 + random.below(2), length: 5, inOrder: false)
      let all = Enumerator(program, preemptions: bound ?? 1_000)
      let done = await Running(program).explore(bound: bound)
      // The first execution is fair, and has as many preemptions as it likes.
      guard (done.finding?.kind == .deadlock) == all.deadlocks || done.artefact?.strategy == "fair" else {
        Issue.record(
          "seed \(seed), \(program): \(all.deadlocks), but \(done.finding?.kind.rawValue ?? "none")")
        return
      }
      if all.deadlocks { deadlocks += 1 }
    }
    #expect(deadlocks >= (bound == 0 ? 0 : Int(Self.programs) / 50))

  }

  @Test func `each schedule of a search is another, and has a fingerprint of its own`() async {
    final class Counter: Sendable { let count = Guarded(0) }
    var options = ExplorationOptions(executions: 10_000)
    options.strategy = .depthFirst(bound: 2)
    let done = await explore("counter", options) { world in
      let counter = Counter()
      @Sendable func add() { for _ in 0..<4 { counter.count.withLock { $0 += 1 } } }
      world.spawn("second", add)
      world.spawn("third", add)
      add()
    }
    // By counting: 6 orders without a preemption, 54 with one, 342 with two. The fair one that comes first has more.
    #expect(done.completeness == "complete at bound 2" && done.executions == 403)
    #expect(done.statistics.distinctSchedules == done.executions)
  }
}
