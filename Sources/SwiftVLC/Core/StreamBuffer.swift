import ConcurrencySeam
import Synchronization

/// What a broadcaster pushes into: one subscriber's end of it.
protocol StreamSink<Input>: AnyObject, Sendable {
  associatedtype Input: Sendable

  /// Whether nobody can consume any more.
  var isAbandoned: Bool { get }
  /// Keeps the element; true when a consumer waits and `wakeOne` is to be called, outside every lock.
  func push(_ input: Input) -> Bool
  func wakeOne()
  /// Ends the stream after what is buffered. To be called outside every lock.
  func finish()
}

/// The buffer of one stream: pushed by producers, popped by the tasks that iterate it.
final class StreamBuffer<Element: Sendable>: StreamSink {
  private struct State {
    var storage: StreamStorage<Element>
    // Woken or cancelled ones may be among them: `wake` tells.
    var waiters: [StreamWaiter] = []
    var isFinished = false
  }

  private enum Poll {
    case element(Element)
    case finished
    case empty
  }

  private let state: Guarded<State>
  // Set from a `deinit`, which may run inside a cancellation handler: a word that the producer looks at, no lock.
  private let abandonment = Atomic(false)

  init(policy: StreamPolicy<Element>) {
    state = Guarded(State(storage: StreamStorage(policy)))
  }

  /// How many elements wait.
  var count: Int { state.withLock { $0.storage.count } }

  var isAbandoned: Bool { abandonment.load(ordering: .acquiring) }

  /// Says that nobody can consume any more.
  func abandon() { abandonment.store(true, ordering: .releasing) }

  func push(_ element: Element) -> Bool {
    state.withLock { state in
      guard !state.isFinished else { return false }
      state.storage.append(element)
      return !state.waiters.isEmpty
    }
  }

  func wakeOne() {
    while let waiter = state.withLock({ $0.waiters.popLast() }) {
      if waiter.wake() { return }
    }
  }

  func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      return state.waiters.takeAll()
    }
    for waiter in waiters { waiter.wake() }
  }

  /// The next element; nil at the end, or when the task is cancelled and nothing is buffered.
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
      if Task.isCancelled { state.withLock { $0.waiters.removeAll { $0 === waiter } } }
    }
  }

  private func poll(registering waiter: StreamWaiter?) -> Poll {
    state.withLock { state in
      if let element = state.storage.popFirst() { return .element(element) }
      if state.isFinished { return .finished }
      if let waiter { state.waiters.append(waiter) }
      return .empty
    }
  }
}

/// A subscriber that sees some of a broadcaster's elements in a form of its own.
final class ProjectedSink<Input: Sendable, Output: Sendable>: StreamSink {
  let buffer: StreamBuffer<Output>
  private let projection: @Sendable (Input) -> Output?

  init(policy: StreamPolicy<Output>, projection: @escaping @Sendable (Input) -> Output?) {
    buffer = StreamBuffer(policy: policy)
    self.projection = projection
  }

  var isAbandoned: Bool { buffer.isAbandoned }

  func push(_ input: Input) -> Bool {
    guard let output = projection(input) else { return false }
    return buffer.push(output)
  }

  func wakeOne() { buffer.wakeOne() }
  func finish() { buffer.finish() }
}

extension Array {
  /// Moves all elements out.
  mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}
