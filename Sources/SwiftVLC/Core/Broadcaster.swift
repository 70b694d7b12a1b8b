import ConcurrencySeam
import Synchronization

/// Hands each element to many consumers, each with a buffer, a policy and a filter of its own.
///
/// - Elements pushed from one thread, or from threads that something else serialises, reach every subscriber in
///   that order. With filters that holds per producing thread.
/// - A filter runs on the producer's thread, outside locks; it may subscribe, ask and broadcast.
/// - Consumers are woken outside locks. A subscriber that is gone is noticed at the next push.
/// - The release of an element must not call out: an evicted one goes while a lock is held.
final class Broadcaster<Element: Sendable>: Sendable {
  typealias Filter = @Sendable (Element) -> Bool

  /// A producer that exists only while somebody listens.
  struct Demand: Sendable {
    /// Where both run, one at a time.
    let queue: SerialQueue
    /// Starts the producer; false when it could not, and the next subscription tries again.
    let attach: @Sendable () -> Bool
    /// Stops the producer, whose attach was the last to succeed.
    let detach: @Sendable () -> Void
  }

  private struct Subscriber {
    let sink: any StreamSink<Element>
    let filter: Filter?
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var latest: Element?
    var isTerminated = false

    mutating func prune() {
      subscribers.removeAll { $0.sink.isAbandoned }
    }
  }

  private let replays: Bool
  private let demand: Demand?
  private let state = Guarded(State())
  // Whether a reconciliation is under way or queued; atomic, because a subscription's `deinit` sets it.
  private let isReconciling = Atomic(false)
  // Read and written by reconciliations alone, which are serial.
  nonisolated(unsafe) private var isAttached = false

  /// - Parameters:
  ///   - replays: whether a new subscriber is given the latest element first.
  ///   - demand: the lazy producer, if the elements come from one.
  init(replays: Bool = false, demand: Demand? = nil) {
    self.replays = replays
    self.demand = demand
  }

  // MARK: Consumers

  /// A stream of every element from now on that passes the filter.
  func subscribe(policy: StreamPolicy<Element>, filter: Filter? = nil) -> EventStream<Element> {
    let buffer = StreamBuffer(policy: policy)
    return stream(buffer, of: buffer, filter: filter)
  }

  /// A stream of what the projection makes of each element; nil leaves the element out.
  ///
  /// The projection runs while a lock is held: it is ours, and calls nothing.
  func project<Output: Sendable>(
    policy: StreamPolicy<Output>, filter: Filter? = nil,
    _ projection: @escaping @Sendable (Element) -> Output?
  ) -> EventStream<Output> {
    let sink = ProjectedSink(policy: policy, projection: projection)
    return stream(sink.buffer, of: sink, filter: filter)
  }

  private func stream<Output: Sendable>(
    _ buffer: StreamBuffer<Output>, of sink: any StreamSink<Element>, filter: Filter?
  ) -> EventStream<Output> {
    let wasAdded = state.withLock { state in
      guard !state.isTerminated else { return false }
      // In order: whoever broadcasts a newer element waits for this lock, and then finds the subscriber.
      if replays, filter == nil, let latest = state.latest { _ = sink.push(latest) }
      state.subscribers.append(Subscriber(sink: sink, filter: filter))
      return true
    }
    guard wasAdded else {
      sink.finish()
      return EventStream(buffer: buffer) {}
    }
    reconcile()
    return EventStream(buffer: buffer) { [weak self, buffer] in
      buffer.abandon()
      self?.reconcile()
    }
  }

  /// Whether anybody listens now.
  var hasSubscribers: Bool {
    state.withLock { state in state.subscribers.contains { !$0.sink.isAbandoned } }
  }

  // MARK: Producer

  /// Gives an element to every subscriber whose filter lets it pass.
  func broadcast(_ element: Element) {
    var toWake: [any StreamSink<Element>] = []
    var filtered: [Subscriber] = []
    state.withLock { state in
      guard !state.isTerminated else { return }
      if replays { state.latest = element }
      var hasAbandoned = false
      for subscriber in state.subscribers {
        if subscriber.sink.isAbandoned {
          hasAbandoned = true
        } else if subscriber.filter != nil {
          filtered.append(subscriber)
        } else if subscriber.sink.push(element) {
          toWake.append(subscriber.sink)
        }
      }
      if hasAbandoned { state.prune() }
    }
    for sink in toWake { sink.wakeOne() }
    for subscriber in filtered where subscriber.filter?(element) ?? true {
      if subscriber.sink.push(element) { subscriber.sink.wakeOne() }
    }
  }

  /// Ends the streams of now; a later subscriber gets a live one.
  func finishAll() {
    close(forGood: false)
  }

  /// Ends the streams of now and every later one: the producer is gone.
  func terminate() {
    close(forGood: true)
  }

  private func close(forGood: Bool) {
    let subscribers = state.withLock { state in
      if forGood { state.isTerminated = true }
      state.latest = nil
      return state.subscribers.takeAll()
    }
    for subscriber in subscribers { subscriber.sink.finish() }
    reconcile()
  }

  // MARK: Demand

  /// Brings the producer to the level that is wanted: loops until attached equals wanted, whatever happened between.
  private func reconcile() {
    guard let demand, !isReconciling.exchange(true, ordering: .acquiringAndReleasing) else { return }
    demand.queue.async { [self] in
      while true {
        // Lowered first, so that a change from here on starts another reconciliation, behind this one.
        isReconciling.store(false, ordering: .sequentiallyConsistent)
        let isWanted = state.withLock { state in
          state.prune()
          return !state.subscribers.isEmpty
        }
        guard isWanted != isAttached else { return }
        if isWanted {
          isAttached = demand.attach()
          if !isAttached { return }
        } else {
          demand.detach()
          isAttached = false
        }
      }
    }
  }
}
