import ConcurrencySeam
import Dispatch
import Interleaving

/// Swift's own, with tasks, actors, streams and continuations.
extension CorpusProgram {
  static let swifts: [CorpusProgram] = actors + continuations + permits + streams + orders + lifetimes

  // MARK: Actors

  private static let actors: [CorpusProgram] = [
    .tasks(
      "overdraw", .atomicity, depth: 2, finds: .failure,
      "an actor checks its balance before an await and draws after it"
    ) { world, isFixed in
      let purse = Purse()
      async let other: Void = purse.pay(checksLate: isFixed)
      await purse.pay(checksLate: isFixed)
      await other
      if await purse.balance < 0 { world.fail("the balance is negative") }
    },
    .tasks(
      "index-after-await", .atomicity, depth: 2, finds: .trap,
      "an actor uses an index after an await in which the array has become shorter"
    ) { _, isFixed in
      let playlist = Playlist()
      async let other: Void = playlist.remove("first", looksAgain: isFixed)
      await playlist.remove("second", looksAgain: isFixed)
      await other
    },
    .tasks(
      "cache-computes-twice", .atomicity, depth: 2, finds: .failure,
      "a cache looks, computes across an await, and only then stores"
    ) { world, isFixed in
      let cache = Cache()
      async let other = cache.value(keepsTask: isFixed)
      _ = await cache.value(keepsTask: isFixed)
      _ = await other
      if await cache.computations > 1 { world.fail("the same was computed twice") }
    },
    .tasks(
      "double-start", .atomicity, depth: 2, finds: .failure,
      "an actor notes that it has started after an await and not before it"
    ) { world, isFixed in
      let service = Service()
      async let other: Void = service.start(notesEarly: isFixed)
      await service.start(notesEarly: isFixed)
      await other
      if await service.starts != 1 { world.fail("the service was started twice") }
    },
    .tasks(
      "seen-in-between", .atomicity, depth: 2, finds: .failure,
      "two hops to the main actor change what one should, and a reader comes in between"
    ) { world, isFixed in
      let bounds = Bounds()
      let writer = Task {
        if isFixed {
          await bounds.set(lower: 10, upper: 11)
        } else {
          await bounds.set(lower: 10)
          await bounds.set(upper: 11)
        }
      }
      let reader = Task {
        if await bounds.areCrossed { world.fail("the lower bound is above the upper one") }
      }
      await writer.value
      await reader.value
    },
    .tasks(
      "debounce", .order, depth: 2, finds: .failure,
      "a debouncer does not look whether it was cancelled after its sleep had ended"
    ) { world, isFixed in
      let search = Search()
      let first = await search.type("s", looksAgain: isFixed)
      try await Task.sleep(for: Search.pause)
      let second = await search.type("sw", looksAgain: isFixed)
      await first.value
      await second.value
      if await search.isOutdated { world.fail("an outdated text is searched for") }
    },
  ]

  // MARK: Continuations

  private static let continuations: [CorpusProgram] = [
    .tasks(
      "resumed-by-both", .atomicity, depth: 2, finds: .trap,
      "a completion and a cancellation handler resume one continuation"
    ) { world, isFixed in
      let slot = Box<CheckedContinuation<Void, Never>?>(nil)
      @Sendable func resume() {
        let continuation = slot.value.withLock { continuation in
          defer { if isFixed { continuation = nil } }
          return continuation
        }
        guard let continuation else { return }
        continuation.resume()
        slot.value.withLock { $0 = nil }
      }
      let waiter = Task {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            slot.value.withLock { $0 = continuation }
            world.spawn("completion") { resume() }
          }
        } onCancel: {
          resume()
        }
      }
      Task { waiter.cancel() }
      await waiter.value
    },
    .tasks(
      "timeout-race", .atomicity, depth: 2, finds: .trap,
      "an operation and its timeout both find that nobody has resumed the continuation"
    ) { _, isFixed in
      let isResumed = Box(false)
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        @Sendable func resumeOnce() {
          let isLate = isResumed.value.withLock { isResumed in
            defer { if isFixed { isResumed = true } }
            return isResumed
          }
          if isLate { return }
          isResumed.value.withLock { $0 = true }
          continuation.resume()
        }
        Task {
          try? await Task.sleep(for: .seconds(1))
          resumeOnce()
        }
        Task { resumeOnce() }
      }
    },
    .tasks(
      "completed-before-stored", .order, depth: 1, finds: .neverReturns,
      "a completion comes before the continuation is stored, and nobody keeps it"
    ) { world, isFixed in
      let gate = Gate()
      world.spawn("completion") { gate.open(isKept: isFixed) }
      await gate.suspend { isOpen in isOpen }
    },
    .tasks(
      "gate-lost-wake-up", .atomicity, depth: 2, finds: .neverReturns,
      "a gate opens after it was found closed and before the continuation is stored"
    ) { world, isFixed in
      let gate = Gate()
      world.spawn("opens") { gate.open() }
      if !gate.isOpen { await gate.suspend { isOpen in isFixed && isOpen } }
    },
    .tasks(
      "cancelled-before-suspended", .atomicity, depth: 2, finds: .neverReturns,
      "a task is cancelled after it has looked and before its continuation is stored"
    ) { _, isFixed in
      let gate = Gate()
      let waiter = Task {
        await withTaskCancellationHandler {
          if !Task.isCancelled { await gate.suspend { _ in isFixed && Task.isCancelled } }
        } onCancel: {
          gate.open()
        }
      }
      Task { waiter.cancel() }
      await waiter.value
    },
  ]

  // MARK: Permits

  private static let permits: [CorpusProgram] = [
    .tasks(
      "opposite-permits", .deadlock, depth: 2, finds: .neverReturns,
      "two tasks await two permits in opposite orders"
    ) { _, isFixed in
      let (left, right) = (Permit(), Permit())
      @Sendable func use(_ first: Permit, _ second: Permit) async {
        await first.take()
        await second.take()
        second.giveBack()
        first.giveBack()
      }
      async let other: Void = isFixed ? use(left, right) : use(right, left)
      await use(left, right)
      await other
    },
    .tasks(
      "cancelled-keeps-permit", .liveness, depth: 2, finds: .neverReturns,
      "a task that is cancelled leaves without the permit that it was given in the meantime"
    ) { _, isFixed in
      let permit = Permit()
      let cancelled = Task {
        await permit.take()
        if Task.isCancelled, !isFixed { return }
        permit.giveBack()
      }
      cancelled.cancel()
      await permit.take()
      permit.giveBack()
    },
    .tasks(
      "carriers-exhausted", .deadlock, depth: 2, finds: .deadlock,
      "as many tasks as there are carriers block until a further task signals"
    ) { world, isFixed in
      let semaphore = DispatchSemaphore(value: 0)
      @Sendable func block() { semaphore.wait() }
      @Sendable func signal() { for _ in 0..<2 { semaphore.signal() } }
      let waiters = (0..<2).map { _ in Task { block() } }
      if isFixed { world.spawn("signals") { signal() } } else { Task { signal() } }
      for waiter in waiters { await waiter.value }
    },
  ]

  // MARK: Streams

  private static let streams: [CorpusProgram] = [
    .tasks(
      "termination-wants-lock", .deadlock, depth: 2, finds: .deadlock,
      "a producer yields under the lock that the termination handler of a cancelled reader takes"
    ) { world, isFixed in
      let readers = Cell(1)
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      continuation.onTermination = { _ in readers.value.withLock { $0 -= 1 } }
      let reader = Task { for await _ in stream {} }
      world.spawn("producer") {
        readers.value.withLock { count in
          if !isFixed { continuation.yield(count) }
        }
        if isFixed { continuation.yield(1) }
        continuation.finish()
      }
      Task { reader.cancel() }
      await reader.value
    },
    .tasks(
      "finish-skipped", .liveness, depth: 1, finds: .neverReturns,
      "a producer that is stopped early leaves without finishing its stream"
    ) { world, isFixed in
      let isStopped = Box(false)
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      world.spawn("producer") {
        for number in 0..<3 {
          if isStopped.value.withLock({ $0 }) {
            if isFixed { continuation.finish() }
            return
          }
          continuation.yield(number)
        }
        continuation.finish()
      }
      let reader = Task { for await _ in stream {} }
      isStopped.value.withLock { $0 = true }
      await reader.value
    },
    .tasks(
      "cancelled-child-drops-item", .atomicity, depth: 2, finds: .failure,
      "a child that is cancelled drops the item that it has already taken"
    ) { world, isFixed in
      let items = Box([1, 2])
      let taken = await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<2 {
          group.addTask {
            guard let item = items.value.withLock({ $0.popLast() }) else { return nil }
            guard Task.isCancelled else { return item }
            if isFixed { items.value.withLock { $0.append(item) } }
            return nil
          }
        }
        var taken = 0
        for await item in group where item != nil {
          taken += 1
          group.cancelAll()
        }
        return taken
      }
      if taken + items.value.withLock({ $0.count }) != 2 { world.fail("an item is lost") }
    },
  ]

  // MARK: Orders

  private static let orders: [CorpusProgram] = [
    .tasks(
      "main-actor-hops", .order, depth: 1, finds: .failure,
      "two tasks hop to the main actor, and the one that was made first comes last"
    ) { world, isFixed in
      let screen = Screen()
      let loading = Task { await screen.show("loading") }
      if isFixed { await loading.value }
      let loaded = Task { await screen.show("loaded") }
      await loading.value
      await loaded.value
      if await screen.text != "loaded" { world.fail("the screen shows that it is still loading") }
    },
    .tasks(
      "read-before-loaded", .order, depth: 1, finds: .failure,
      "rows are read before the task that loads them has ended"
    ) { world, isFixed in
      let table = Table()
      let loading = await table.load()
      if isFixed { await loading.value }
      if await table.rows.isEmpty { world.fail("the table has no rows yet") }
      await loading.value
    },
    .tasks(
      "yield-is-no-promise", .order, depth: 1, finds: .failure,
      "a task yields in the belief that another one has run afterwards"
    ) { world, isFixed in
      let isReady = Box(false)
      let other = Task { isReady.value.withLock { $0 = true } }
      if isFixed { await other.value } else { await Task.yield() }
      if isReady.value.withLock({ !$0 }) { world.fail("the other task has not run") }
    },
    .tasks(
      "numbered-late", .order, depth: 1, finds: .failure,
      "events are numbered in their tasks and not where they happen"
    ) { world, isFixed in
      let (count, events) = (Cell(0), Box<[Int: String]>([:]))
      @Sendable func next() -> Int {
        count.value.withLock { count in
          defer { count += 1 }
          return count
        }
      }
      func record(_ event: String) -> Task<Void, Never> {
        let early = isFixed ? next() : nil
        return Task {
          let number = early ?? next()
          events.value.withLock { $0[number] = event }
        }
      }
      for task in [record("opened"), record("closed")] { await task.value }
      if events.value.withLock({ $0[0] }) != "opened" { world.fail("it was closed before it was opened") }
    },
  ]

  // MARK: Lifetimes

  private static let lifetimes: [CorpusProgram] = [
    .tasks(
      "unowned-outlived", .lifetime, depth: 1, finds: .crash,
      "a task outlives the object that it holds without owning it"
    ) { world, isFixed in
      func start() -> Task<Void, Never> {
        let owner = Cell(0)
        defer { withExtendedLifetime(owner) { world.point() } }
        return isFixed
          ? Task { owner.value.withLock { $0 += 1 } }
          : Task { [unowned owner] in owner.value.withLock { $0 += 1 } }
      }
      await start().value
    },
    .tasks(
      "weak-gone-in-between", .lifetime, depth: 2, finds: .failure,
      "a weak reference is there when a task begins and gone when it ends"
    ) { world, isFixed in
      let open = Cell(0)
      func start() -> Task<Void, Never> {
        let document = Document(open)
        defer { withExtendedLifetime(document) { world.point() } }
        return Task { [weak document] in
          let kept = isFixed ? document : nil
          document?.change(by: 1)
          await Task.yield()
          document?.change(by: -1)
          withExtendedLifetime(kept) {}
        }
      }
      await start().value
      if open.value.withLock({ $0 }) != 0 { world.fail("what was begun was never ended") }
    },
    .tasks(
      "deinit-never-cancels", .lifetime, depth: 1, finds: .neverReturns,
      "the task that a deinit would cancel keeps the object alive"
    ) { world, isFixed in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      func start() {
        let watcher = Watcher()
        watcher.watch(stream, keepsItself: !isFixed)
        withExtendedLifetime(watcher) { world.point() }
      }
      start()
      continuation.yield(1)
    },
  ]
}

// MARK: What the programs are made of

/// A value behind a lock that several tasks hold on to.
private final class Box<Value: Sendable>: Sendable {
  let value: Guarded<Value>
  init(_ value: Value) { self.value = Guarded(value) }
}

/// What tasks wait at until it is opened.
private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }
  private let state = Guarded(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open(isKept: Bool = true) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      if isKept { state.isOpen = true }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits for the gate, except where the condition says otherwise at the moment of registering.
  func suspend(unless isNeedless: @Sendable (_ isOpen: Bool) -> Bool) async {
    await withUnsafeContinuation { continuation in
      let isWaiting = state.withLock { state in
        if isNeedless(state.isOpen) { return false }
        state.waiting.append(continuation)
        return true
      }
      if !isWaiting { continuation.resume() }
    }
  }
}

/// A semaphore for tasks that one may pass at a time.
private final class Permit: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }
  private let state = Guarded(State())

  func take() async {
    await withUnsafeContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next: UnsafeContinuation<Void, Never>? = state.withLock { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.isTaken = false
      return nil
    }
    next?.resume()
  }
}

private actor Purse {
  private(set) var balance = 100

  func pay(checksLate: Bool) async {
    if !checksLate, balance < 70 { return }
    await Task.yield()
    if checksLate, balance < 70 { return }
    balance -= 70
  }
}

private actor Playlist {
  private var songs = ["first", "second"]

  func remove(_ song: String, looksAgain: Bool) async {
    var index = songs.firstIndex(of: song)
    await Task.yield()
    if looksAgain { index = songs.firstIndex(of: song) }
    if let index { songs.remove(at: index) }
  }
}

private actor Cache {
  private var stored: Int?
  private var task: Task<Int, Never>?
  private(set) var computations = 0

  func value(keepsTask: Bool) async -> Int {
    if let stored { return stored }
    if let task { return await task.value }
    let computing = Task {
      computations += 1
      return 1
    }
    if keepsTask { task = computing }
    let value = await computing.value
    stored = value
    return value
  }
}

private actor Service {
  private var isStarted = false
  private(set) var starts = 0

  func start(notesEarly: Bool) async {
    if isStarted { return }
    if notesEarly { isStarted = true }
    await Task.yield()
    isStarted = true
    starts += 1
  }
}

@MainActor private final class Bounds {
  private var (lower, upper) = (0, 1)
  var areCrossed: Bool { lower > upper }

  func set(lower: Int? = nil, upper: Int? = nil) {
    if let lower { self.lower = lower }
    if let upper { self.upper = upper }
  }
}

private actor Search {
  static let pause = Duration.milliseconds(300)
  private var latest = ""
  private var pending: Task<Void, Never>?
  private(set) var isOutdated = false

  func type(_ text: String, looksAgain: Bool) -> Task<Void, Never> {
    latest = text
    pending?.cancel()
    let task = Task {
      do { try await Task.sleep(for: Self.pause) } catch { return }
      if looksAgain, Task.isCancelled { return }
      if text != latest { isOutdated = true }
    }
    pending = task
    return task
  }
}

private actor Table {
  private(set) var rows: [Int] = []

  func load() -> Task<Void, Never> { Task { rows = [1, 2] } }
}

@MainActor private final class Screen {
  private(set) var text = ""
  func show(_ text: String) { self.text = text }
}

private final class Document: Sendable {
  private let open: Cell
  init(_ open: Cell) { self.open = open }
  func change(by amount: Int) { open.value.withLock { $0 += amount } }
}

private final class Watcher: Sendable {
  private let task = Guarded<Task<Void, Never>?>(nil)

  func watch(_ stream: AsyncStream<Int>, keepsItself: Bool) {
    let watching = Task { [weak self] in
      let kept = keepsItself ? self : nil
      for await _ in stream {}
      withExtendedLifetime(kept) {}
    }
    task.withLock { $0 = watching }
  }

  deinit { task.withLock { $0 }?.cancel() }
}
