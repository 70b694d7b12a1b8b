public import ConcurrencySeam
import Synchronization

/// The buffer of one stream: pushed by producers, popped by the tasks that iterate it.
@usableFromInline
final class StreamBuffer<Element: Sendable>: Sendable {
  @usableFromInline
  struct State: ~Copyable {
    @usableFromInline var storage: StreamStorage<Element>
    // Woken or cancelled ones may be among them: `wake` tells.
    @usableFromInline var waiters: [StreamWaiter] = []
    @usableFromInline var isFinished = false

    init(_ policy: StreamPolicy<Element>) {
      storage = StreamStorage(policy)
    }
  }

  @usableFromInline
  enum Poll {
    case element(Element)
    case finished
    case empty
  }

  @usableFromInline let state: Guarded<State>

  // Whether an element is worth waking a consumer for; one that is not is found by whoever comes next.
  private let wakes: (@Sendable (Element) -> Bool)?

  init(policy: StreamPolicy<Element>, wakes: (@Sendable (Element) -> Bool)? = nil) {
    state = Guarded(State(policy))
    self.wakes = wakes
  }

  /// How many elements wait.
  var count: Int { state.withLock { $0.storage.count } }

  /// Keeps the element; true when a consumer waits and `wakeOne` is to be called, outside every lock.
  @inline(__always)
  func push(_ element: Element) -> Bool {
    state.withLock { state in
      guard !state.isFinished else { return false }
      state.storage.append(element)
      return !state.waiters.isEmpty && (wakes?(element) ?? true)
    }
  }

  func wakeOne() {
    while let waiter = state.withLock({ $0.waiters.popLast() }) {
      if waiter.wake() { return }
    }
  }

  /// Ends the stream after what is buffered. To be called outside every lock.
  func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      return state.waiters.takeAll()
    }
    for waiter in waiters { waiter.wake() }
  }

  /// The next element; nil at the end, or when the task is cancelled and nothing is buffered.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> Element? {
    while true {
      // What is buffered is delivered before an end and before a cancellation.
      switch poll(registering: nil) {
      case .element(let element): return element
      case .finished: return nil
      case .empty: break
      }
      if Task.isCancelled { return nil }
      let waiter = StreamWaiter()
      switch poll(registering: waiter) {
      case .element(let element): return element
      case .finished: return nil
      case .empty: break
      }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { waiter.arm($0) }
      } onCancel: {
        waiter.wake()
      }
      if Task.isCancelled { forget(waiter) }
    }
  }

  @inlinable
  func poll(registering waiter: StreamWaiter?) -> Poll {
    state.withLock { state in
      if let element = state.storage.popFirst() { return .element(element) }
      if state.isFinished { return .finished }
      if let waiter { state.waiters.append(waiter) }
      return .empty
    }
  }

  @usableFromInline
  func forget(_ waiter: StreamWaiter) {
    state.withLock { $0.waiters.removeAll { $0 === waiter } }
  }
}

/// One of a broadcaster's subscribers: closures made where the stream's own type is known, so that a push costs a call.
final class StreamSubscriber<Input: Sendable>: Sendable {
  let filter: (@Sendable (Input) -> Bool)?
  /// Whether there is a filter; looked at for each element, and cheaper than the closure.
  let isFiltered: Bool
  /// Keeps what it wants of the element; true when a consumer waits and `wakeOne` is to be called outside every lock.
  let push: @Sendable (Input) -> Bool
  let wakeOne: @Sendable () -> Void
  /// Ends the stream after what is buffered. To be called outside every lock.
  let finish: @Sendable () -> Void
  // Set from a `deinit`, which may run inside a cancellation handler: a word that the producer looks at, no lock.
  private let abandonment = Atomic(false)

  init(
    filter: (@Sendable (Input) -> Bool)?, push: @escaping @Sendable (Input) -> Bool,
    wakeOne: @escaping @Sendable () -> Void, finish: @escaping @Sendable () -> Void
  ) {
    self.filter = filter
    isFiltered = filter != nil
    self.push = push
    self.wakeOne = wakeOne
    self.finish = finish
  }

  /// Whether nobody can consume any more.
  var isAbandoned: Bool { abandonment.load(ordering: .relaxed) }
  /// Says that nobody can consume any more.
  func abandon() { abandonment.store(true, ordering: .releasing) }
}

extension Array {
  /// Moves all elements out.
  mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}
