extension Player {
  /// Every event whose loss would be a loss, in order; the stream ends with the player.
  ///
  /// A slow consumer costs memory, and loses nothing.
  public var controlEvents: EventStream<PlayerEvent> {
    envelopes(.unbounded) { $0.event.lane == .control ? $0.event : nil }
  }

  /// The newest event of each kind of the timing lane; the stream ends with the player.
  public var timingEvents: EventStream<PlayerEvent> {
    envelopes(.newestOfEachKind(count: PlayerEvent.timingKinds, kind: \.timingKind)) {
      $0.event.lane == .timing ? $0.event : nil
    }
  }

  /// `controlEvents`, each with its generations and its place in the order of all events.
  public var controlEventEnvelopes: EventStream<PlayerEventEnvelope> {
    envelopes(.unbounded) { $0.event.lane == .control ? $0 : nil }
  }

  /// `timingEvents`, each with its generations and its place in the order of all events.
  public var timingEventEnvelopes: EventStream<PlayerEventEnvelope> {
    envelopes(.newestOfEachKind(count: PlayerEvent.timingKinds, kind: \.event.timingKind)) {
      $0.event.lane == .timing ? $0 : nil
    }
  }

  /// Both lanes for a quick look: the newest 64 events, older ones dropped.
  public var events: EventStream<PlayerEvent> { events(policy: .newest(Limits.convenientEvents)) }

  /// Both lanes, as a policy keeps them and a filter lets them pass.
  ///
  /// - Parameters:
  ///   - policy: what is kept for a consumer that has not come yet.
  ///   - filter: runs on a thread of libVLC's, outside locks, for each event: it is to be quick, and may do anything.
  public func events(
    policy: EventStreamPolicy, filter: (@Sendable (PlayerEvent) -> Bool)? = nil
  ) -> EventStream<PlayerEvent> {
    var passes: (@Sendable (PlayerEventEnvelope) -> Bool)?
    if let filter { passes = { envelope in filter(envelope.event) } }
    return envelopes(policy.storage(\.timingKind), filter: passes) { $0.event }
  }

  /// `events(policy:filter:)`, each with its generations and its place in the order of all events.
  public func eventEnvelopes(
    policy: EventStreamPolicy, filter: (@Sendable (PlayerEventEnvelope) -> Bool)? = nil
  ) -> EventStream<PlayerEventEnvelope> {
    envelopes(policy.storage(\.event.timingKind), filter: filter) { $0 }
  }

  /// Every transition of the state, in order, never replayed.
  public var stateTransitions: EventStream<PlayerState> { envelopes(.unbounded) { $0.event.stateChanged } }

  /// The state with its session: first the latest, then every one that follows.
  public var playbackStatus: EventStream<PlaybackStatus> {
    handle?.context.statuses.subscribe(policy: .unbounded) ?? .finished()
  }

  /// How each session that was started ended, exactly once each.
  public var terminalOutcomes: EventStream<PlaybackTerminalOutcome> {
    handle?.context.signals.project(policy: .unbounded) { signal in
      if case .outcome(let outcome) = signal { outcome } else { nil }
    } ?? .finished()
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
    return handle?.context.signals.project(policy: policy, filter: passes) { signal in
      if case .event(let envelope) = signal { projection(envelope) } else { nil }
    } ?? .finished()
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

  func storage<Element>(_ kind: @escaping @Sendable (Element) -> Int?) -> StreamPolicy<Element> {
    switch self {
    case .unbounded: .unbounded
    case .newest(let count): .newest(max(1, count))
    case .newestOfEachTimingKind: .newestOfEachKind(count: PlayerEvent.timingKinds, kind: kind)
    }
  }
}
