/// The streams of a player's events. Not generic, so that each is compiled for its own type of element.
extension PlayerEventContext {
  package func events(
    policy: EventStreamPolicy, filter: (@Sendable (PlayerEvent) -> Bool)? = nil
  ) -> EventStream<PlayerEvent> {
    guard let filter else {
      return signals.project(policy: policy.storage(\.timingKind)) { signal in
        if case .event(let envelope) = signal { envelope.event } else { nil }
      }
    }
    return envelopes(policy.storage(\.timingKind), filter: { filter($0.event) }) { $0.event }
  }

  func eventEnvelopes(
    policy: EventStreamPolicy, filter: (@Sendable (PlayerEventEnvelope) -> Bool)? = nil
  ) -> EventStream<PlayerEventEnvelope> {
    envelopes(policy.storage(\.event.timingKind), filter: filter) { $0 }
  }

  func events(of lane: PlayerEvent.Lane) -> EventStream<PlayerEvent> {
    envelopes(lane.policy(\.timingKind)) { $0.event.lane == lane ? $0.event : nil }
  }

  func eventEnvelopes(of lane: PlayerEvent.Lane) -> EventStream<PlayerEventEnvelope> {
    envelopes(lane.policy(\.event.timingKind)) { $0.event.lane == lane ? $0 : nil }
  }

  func stateTransitions() -> EventStream<PlayerState> { envelopes(.unbounded) { $0.event.stateChanged } }

  func outcomes() -> EventStream<PlaybackTerminalOutcome> {
    signals.project(policy: .unbounded) { signal in
      if case .outcome(let outcome) = signal { outcome } else { nil }
    }
  }

  private func envelopes<Output: Sendable>(
    _ policy: StreamPolicy<Output>, filter: (@Sendable (PlayerEventEnvelope) -> Bool)? = nil,
    _ projection: @escaping @Sendable (PlayerEventEnvelope) -> Output?
  ) -> EventStream<Output> {
    var passes: Broadcaster<PlayerSignal>.Filter?
    if let filter {
      passes = { signal in
        guard case .event(let envelope) = signal else { return false }
        return filter(envelope)
      }
    }
    return signals.project(policy: policy, filter: passes) { signal in
      if case .event(let envelope) = signal { projection(envelope) } else { nil }
    }
  }
}

extension PlayerEvent.Lane {
  /// What a slow consumer of the lane is kept.
  fileprivate func policy<Element>(_ kind: @escaping @Sendable (Element) -> Int?) -> StreamPolicy<Element> {
    switch self {
    case .control: .unbounded
    case .timing: .newestOfEachKind(count: PlayerEvent.timingKinds, kind: kind)
    }
  }
}

/// What a stream keeps for a consumer that has not come yet.
public enum EventStreamPolicy: Hashable, Sendable {
  /// Every event, at the cost of memory.
  case unbounded
  /// The newest of all events, up to a count of at least one.
  case newest(Int)
  /// Every event of the control lane, and the newest of each kind of the timing lane.
  case newestOfEachTimingKind

  fileprivate func storage<Element>(_ kind: @escaping @Sendable (Element) -> Int?) -> StreamPolicy<Element> {
    switch self {
    case .unbounded: .unbounded
    case .newest(let count): .newest(max(1, count))
    case .newestOfEachTimingKind: .newestOfEachKind(count: PlayerEvent.timingKinds, kind: kind)
    }
  }
}
