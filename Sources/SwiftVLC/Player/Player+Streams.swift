extension Player {
  /// Every event whose loss would be a loss, in order; the stream ends with the player.
  ///
  /// A slow consumer costs memory, and loses nothing.
  public var controlEvents: EventStream<PlayerEvent> { handle?.context.events(of: .control) ?? .finished() }

  /// The newest event of each kind of the timing lane; the stream ends with the player.
  public var timingEvents: EventStream<PlayerEvent> { handle?.context.events(of: .timing) ?? .finished() }

  /// `controlEvents`, each with its generations and its place in the order of all events.
  public var controlEventEnvelopes: EventStream<PlayerEventEnvelope> {
    handle?.context.eventEnvelopes(of: .control) ?? .finished()
  }

  /// `timingEvents`, each with its generations and its place in the order of all events.
  public var timingEventEnvelopes: EventStream<PlayerEventEnvelope> {
    handle?.context.eventEnvelopes(of: .timing) ?? .finished()
  }

  /// Both lanes for a quick look: the newest 64 events, older ones dropped.
  public var events: EventStream<PlayerEvent> { events(policy: .newest(Limits.convenientEvents)) }

  /// Both lanes, as a policy keeps them and a filter lets them pass.
  ///
  /// - Parameters:
  ///   - policy: what is kept for a consumer that has not come yet.
  ///   - filter: runs outside locks on the thread that delivers: libVLC's, the player's queue, or the one that drops the
  ///     player. It is to be quick, and must not wait for the main actor.
  public func events(
    policy: EventStreamPolicy, filter: (@Sendable (PlayerEvent) -> Bool)? = nil
  ) -> EventStream<PlayerEvent> {
    handle?.context.events(policy: policy, filter: filter) ?? .finished()
  }

  /// `events(policy:filter:)`, each with its generations and its place in the order of all events.
  public func eventEnvelopes(
    policy: EventStreamPolicy, filter: (@Sendable (PlayerEventEnvelope) -> Bool)? = nil
  ) -> EventStream<PlayerEventEnvelope> {
    handle?.context.eventEnvelopes(policy: policy, filter: filter) ?? .finished()
  }

  /// Every transition of the state, in order, never replayed.
  public var stateTransitions: EventStream<PlayerState> { handle?.context.stateTransitions() ?? .finished() }

  /// The state with its session: first the latest, then every one that follows.
  public var playbackStatus: EventStream<PlaybackStatus> {
    handle?.context.statuses.subscribe(policy: .unbounded) ?? .finished()
  }

  /// How each session that was started ended, exactly once each.
  public var terminalOutcomes: EventStream<PlaybackTerminalOutcome> {
    handle?.context.outcomes() ?? .finished()
  }
}
