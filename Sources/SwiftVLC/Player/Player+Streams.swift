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
  public var events: EventStream<PlayerEvent> { envelopes(.newest(Limits.convenientEvents)) { $0.event } }

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
    _ policy: StreamPolicy<Output>, _ projection: @escaping @Sendable (PlayerEventEnvelope) -> Output?
  ) -> EventStream<Output> {
    handle?.context.signals.project(policy: policy) { signal in
      if case .event(let envelope) = signal { projection(envelope) } else { nil }
    } ?? .finished()
  }
}
