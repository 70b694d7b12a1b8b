import ConcurrencySeam
import Synchronization

/// Hands each element to many consumers, each with a buffer, a policy and a filter of its own.
///
/// - Elements pushed from one thread, or from threads that something else serialises, reach every subscriber in
///   that order. With filters that holds per producing thread.
/// - A filter runs on the producer's thread, outside locks; it may subscribe, ask and broadcast.
/// - Consumers are woken outside locks. A subscriber that is gone is noticed at the next push.
/// - The release of an element must not call out: an evicted one goes while a lock is held.
package final class Broadcaster<Element: Sendable>: Sendable {
  package typealias Filter = @Sendable (Element) -> Bool

  /// A producer that exists only while somebody listens.
  package struct Demand: Sendable {
    /// Where both run, one at a time.
    let queue: SerialQueue
    /// Starts the producer; false when it could not, and the next subscription tries again.
    let attach: @Sendable () -> Bool
    /// Stops the producer, whose attach was the last to succeed.
    let detach: @Sendable () -> Void
  }

  private struct State {
    var subscribers: [StreamSubscriber<Element>] = []
    var latest: Element?
    var isTerminated = false

    /// Takes out the subscribers that are gone.
    mutating func prune() -> [StreamSubscriber<Element>] {
      guard subscribers.contains(where: \.isAbandoned) else { return [] }
      let gone = subscribers.filter(\.isAbandoned)
      subscribers.removeAll(where: \.isAbandoned)
      return gone
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
  ///   - replays: whether a new subscriber without a filter is given the latest element first.
  ///   - demand: the lazy producer, if the elements come from one.
  package init(replays: Bool = false, demand: Demand? = nil) {
    self.replays = replays
    self.demand = demand
  }

  // MARK: Consumers

  /// A stream of every element from now on that passes the filter.
  ///
  /// - Parameter wakes: whether an element is worth waking a consumer for; asked while a lock is held.
  package func subscribe(
    policy: StreamPolicy<Element>, filter: Filter? = nil, wakes: (@Sendable (Element) -> Bool)? = nil
  ) -> EventStream<Element> {
    let buffer = StreamBuffer(policy: policy, wakes: wakes)
    return stream(
      buffer,
      of: StreamSubscriber(
        filter: filter, push: { buffer.push($0) }, wakeOne: { buffer.wakeOne() },
        finish: { buffer.finish() })
    )
  }

  /// A stream of what the projection makes of each element; nil leaves the element out.
  ///
  /// The projection runs while a lock is held: it is ours, and calls nothing.
  func project<Output: Sendable>(
    policy: StreamPolicy<Output>, filter: Filter? = nil,
    _ projection: @escaping @Sendable (Element) -> Output?
  ) -> EventStream<Output> {
    let buffer = StreamBuffer(policy: policy)
    return stream(
      buffer,
      of: StreamSubscriber(
        filter: filter,
        push: { element in
          guard let output = projection(element) else { return false }
          return buffer.push(output)
        },
        wakeOne: { buffer.wakeOne() }, finish: { buffer.finish() }))
  }

  private func stream<Output: Sendable>(
    _ buffer: StreamBuffer<Output>, of subscriber: StreamSubscriber<Element>
  ) -> EventStream<Output> {
    // What is pruned is let go outside the lock: a filter of the application's may own anything.
    let (wasAdded, pruned) = state.withLock { state in
      guard !state.isTerminated else { return (false, [StreamSubscriber<Element>]()) }
      let pruned = state.prune()
      // In order: whoever broadcasts a newer element waits for this lock, and then finds the subscriber.
      if replays, !subscriber.isFiltered, let latest = state.latest { _ = subscriber.push(latest) }
      state.subscribers.append(subscriber)
      return (true, pruned)
    }
    withExtendedLifetime(pruned) {}
    guard wasAdded else {
      subscriber.finish()
      return EventStream(buffer: buffer) {}
    }
    reconcile()
    return EventStream(buffer: buffer) { [weak self] in
      subscriber.abandon()
      self?.reconcile()
    }
  }

  /// Whether anybody listens now.
  var hasSubscribers: Bool {
    state.withLock { state in state.subscribers.contains { !$0.isAbandoned } }
  }

  // MARK: Producer

  /// Gives an element to every subscriber whose filter lets it pass.
  package func broadcast(_ element: Element) {
    // What is to be done outside the lock, which is nothing for most elements.
    var rest: Rest?
    state.withLock { state in
      guard !state.isTerminated else { return }
      if replays { state.latest = element }
      for subscriber in state.subscribers {
        // The array holds each over the whole loop: no count of its own is taken for a push.
        Unmanaged.passUnretained(subscriber)._withUnsafeGuaranteedRef { subscriber in
          if subscriber.isAbandoned || subscriber.isFiltered {
            rest = rest ?? Rest()
            if subscriber.isAbandoned { rest?.hasAbandoned = true } else { rest?.filtered.append(subscriber) }
          } else if subscriber.push(element) {
            rest = rest ?? Rest()
            rest?.toWake.append(subscriber)
          }
        }
      }
      if rest?.hasAbandoned == true { rest?.pruned = state.prune() }
    }
    guard let rest else { return }
    for subscriber in rest.toWake { subscriber.wakeOne() }
    for subscriber in rest.filtered where subscriber.filter?(element) ?? true {
      if subscriber.push(element) { subscriber.wakeOne() }
    }
  }

  private struct Rest {
    var toWake: [StreamSubscriber<Element>] = []
    var filtered: [StreamSubscriber<Element>] = []
    var pruned: [StreamSubscriber<Element>] = []
    var hasAbandoned = false
  }

  /// Ends the streams of now; a later subscriber gets a live one.
  func finishAll() {
    close(forGood: false)
  }

  /// Ends the streams of now and every later one: the producer is gone.
  package func terminate() {
    close(forGood: true)
  }

  private func close(forGood: Bool) {
    let subscribers = state.withLock { state in
      if forGood { state.isTerminated = true }
      state.latest = nil
      return state.subscribers.takeAll()
    }
    for subscriber in subscribers { subscriber.finish() }
    reconcile()
  }

  // MARK: Demand

  /// Lets the demand's queue bring the producer to the level that is wanted.
  private func reconcile() {
    guard let demand, !isReconciling.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Claimed by an atomic, of which no schedule knows, and not enqueued yet.
    SchedulingPoint.pass("a reconciliation is claimed")
    demand.queue.async { self.settleDemand() }
  }

  /// Attaches or detaches the producer until it is what is wanted, whatever changed meanwhile; on the demand's queue.
  ///
  /// Whoever frees what the producer stands on calls this first, there: a reconciliation that another thread is about
  /// to enqueue then finds nothing to do.
  package func settleDemand() {
    guard let demand else { return }
    while true {
      // Lowered first, so that a change from here on starts another reconciliation, behind this one.
      _ = isReconciling.exchange(false, ordering: .acquiringAndReleasing)
      let (isWanted, pruned) = state.withLock { state in
        let pruned = state.prune()
        return (!state.subscribers.isEmpty, pruned)
      }
      withExtendedLifetime(pruned) {}
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
