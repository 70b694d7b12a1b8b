import VLCNative

/// What a player's event context sends out, in order.
package enum PlayerSignal: Sendable {
  case event(PlayerEventEnvelope)
  case outcome(PlaybackTerminalOutcome)
  /// A new session began where the last one ended; the state is its first.
  case sessionBegan(PlaybackGeneration, SessionBeginning, PlayerState)
  /// A play that was asked for is being carried out: what follows is of its session.
  case startTaken(PlaybackGeneration)
  /// libVLC cannot pause what plays.
  case pauseRefused(PlaybackGeneration)
  /// A command about the sound was carried out, and its echo told.
  case soundCommanded
  /// The handle read the tracks of a session.
  case tracks([Track], PlaybackGeneration)
}

/// What made a session begin.
package enum SessionBeginning: Hashable, Sendable {
  /// A media was loaded.
  case loaded
  /// A stop returned, asked for or before a replay; the media stays.
  case stopped
}

/// The one authority on sessions: which generation an event belongs to, what it means, and how its session ended.
///
/// A pure value, behind the lock of the event context. On libVLC 3 a session ends when the joining call (stop or
/// set_media) returns; what other threads deliver during the call is the old session's, and on the calling thread the
/// kind tells: Stopped is old, MediaChanged new (contract R1, S3, S6). A libVLC whose stop does not join is waited for
/// until it tells Stopped: then the call has returned, as far as this goes.
struct SessionMachine {
  /// A joining call in flight.
  enum Joining: Hashable, Sendable, CaseIterable {
    case none, stop, setMedia
  }

  /// One media on one handle.
  struct Session {
    let generation: PlaybackGeneration
    var isStarted = false
    var state = PlayerState.idle
    var timeline = PlaybackTimeline.start
    var elementaryStreams = 0
    var hasPlayed = false
    /// Whether there was a length or a moment: a damaged file may announce a track and hold nothing of it.
    var hasMoved = false
    var hasFilledOnce = false
    /// Whether libVLC told that it stops, and neither it nor anybody else a reason: the media ends by itself.
    var endsUnasked = false
    /// Whether the last that was told of seeking took it back: libVLC 4 does so when a media ends, before it says so.
    var losesSeeking = false
    /// Whether libVLC told that it has stopped.
    var isStopped = false
    /// Whether libVLC refused to start.
    var isRejected = false
    /// The first known reason of the end; noted before the stop it belongs to, and gone with its session.
    var cause: PlaybackTerminalCause?
    var isOver = false
  }

  /// What a play comes to.
  enum Start: Hashable, Sendable {
    /// The player went away: nobody is there any more to hear or see it.
    case nothing
    /// Nothing has been played yet in the session.
    case begins
    /// What plays or is paused goes on.
    case goesOn
    /// What has ended must be stopped first.
    case followsStop
  }

  let nativePlayer: NativePlayerGeneration
  private(set) var session: Session
  private(set) var joining = Joining.none
  /// On libVLC 3 a natural end or an error leaves an input that must be stopped before the next play (S2); on one that
  /// stops by itself the next play waits until it has.
  private(set) var isInputDead = false
  private(set) var isTornDown = false
  /// The ends that were asked for and whose joining calls have not begun, in order. What libVLC tells meanwhile (a read
  /// that was made to return, say) does not end a session for another reason.
  private(set) var askedEnds: [PlaybackTerminalCause] = []
  /// When the fact of now came; the context reads the clock.
  var now = ContinuousClock.now
  private var sequence: UInt64 = 0

  init(nativePlayer: NativePlayerGeneration, playback: PlaybackGeneration) {
    self.nativePlayer = nativePlayer
    session = Session(generation: playback)
  }

  // MARK: Commands' facts

  /// What a play would come to now.
  var start: Start {
    isTornDown ? .nothing : isInputDead ? .followsStop : session.isStarted ? .goesOn : .begins
  }

  /// The native side is about to be told to play, or to go on.
  mutating func startBegan() -> [PlayerSignal] {
    guard !isTornDown else { return [] }
    session.isStarted = true
    return [.startTaken(session.generation)]
  }

  /// A stop or load was asked for, and will come to its joining call.
  mutating func endAsked(_ cause: PlaybackTerminalCause) {
    askedEnds.append(cause)
  }

  /// libVLC cannot pause what plays: a `set_pause` would end it.
  func pauseRefused() -> [PlayerSignal] { isTornDown ? [] : [.pauseRefused(session.generation)] }

  /// libVLC refused to start.
  mutating func startRejected() -> [PlayerSignal] {
    // Also of a player that went away: whoever was asked to stop it before has nothing to wait for.
    session.isRejected = true
    guard !isTornDown else { return [] }
    session.cause = .failure(.startRejected)
    // The next play begins another session.
    isInputDead = true
    return [stateChanged(.error), event(.encounteredError)] + finished()
  }

  /// A joining call is about to be made.
  ///
  /// - Parameter cause: why the session will end if it has not ended by itself; nil for the first that was asked for.
  mutating func joinBegan(_ call: Joining, cause: PlaybackTerminalCause?) -> [PlayerSignal] {
    precondition(joining == .none && call != .none, "joining call \(call) began during \(joining)")
    precondition(cause != nil || !askedEnds.isEmpty, "joining call \(call) ends what nobody asked to end")
    joining = call
    let cause = cause ?? askedEnds.removeFirst()
    guard session.isStarted, !session.isOver, !isTornDown else { return [] }
    // What ended before it was asked to has ended by itself.
    let endsByItself = session.endsUnasked ? concluded() : []
    if session.cause == nil { session.cause = cause }
    // libVLC 3 has no such events: they are told before the call (contract 1.3).
    guard session.state.isActive else { return endsByItself }
    return [stateChanged(.stopping), event(.mediaStopping)]
  }

  /// Whether libVLC is still to tell that what it was told to play has stopped.
  var awaitsStopped: Bool { session.isStarted && !session.isStopped && !session.isRejected }

  /// The joining call returned: the old session is over, and a new one begins.
  mutating func joinReturned(next: PlaybackGeneration, beginning: SessionBeginning) -> [PlayerSignal] {
    precondition(joining != .none, "a joining call returned that never began")
    joining = .none
    isInputDead = false
    guard !isTornDown else { return [] }
    // A set_media sends no Stopped, and a stop sends none for what never started.
    let ending = session.isStarted && !session.isOver ? finished() : []
    let state = session.state
    session = Session(generation: next)
    switch beginning {
    case .stopped:
      session.state = state
      return ending + [.sessionBegan(next, beginning, state)]
    case .loaded:
      let idle = state == .idle ? [] : [stateChanged(.idle)]
      return ending + [.sessionBegan(next, beginning, .idle)] + idle + [event(.mediaChanged)]
    }
  }

  /// The player went away: nothing is sent after this.
  mutating func tornDown() -> [PlayerSignal] {
    guard !isTornDown else { return [] }
    defer { isTornDown = true }
    guard session.isStarted, !session.isOver else { return [] }
    if session.cause == nil { session.cause = .cancellation }
    return end()
  }

  /// A command about the sound was carried out.
  func soundCommanded() -> [PlayerSignal] { isTornDown ? [] : [.soundCommanded] }

  /// The handle read the tracks of the session that it asked for.
  func tracksRead(_ tracks: [Track], of playback: PlaybackGeneration) -> [PlayerSignal] {
    guard !isTornDown, playback == session.generation else { return [] }
    return [.tracks(tracks, playback)]
  }

  // MARK: libVLC's facts

  /// An event arrived; `isOnJoiningThread` when its thread is the one that makes the joining call in flight.
  mutating func received(_ native: NativeEvent, isOnJoiningThread: Bool) -> [PlayerSignal] {
    if native == .stopped { session.isStopped = true }
    guard !isTornDown else { return [] }
    switch native {
    case .timeChanged(let milliseconds): return timeChanged(milliseconds)
    case .positionChanged(let position): return positionChanged(position)
    case .buffering(let percent): return buffered(percent)
    // During a joining call these are the last of a session that is given up, or the resume that precedes its stop.
    case .opening where joining == .none: return [stateChanged(.opening)]
    case .playing where joining == .none:
      session.hasPlayed = true
      return [stateChanged(.playing)]
    case .paused where joining == .none: return [stateChanged(.paused)]
    case .opening, .playing, .paused: return []
    case .stopping: return stopping()
    case .mediaStopping(let reason): return mediaStopping(reason)
    case .endReached: return endReached()
    case .encounteredError: return failed(session.hasPlayed ? .interrupted : .cannotOpen)
    case .stopped: return stopped()
    case .lengthChanged(let milliseconds):
      session.timeline.duration = milliseconds > 0 ? .milliseconds(milliseconds) : nil
      if milliseconds > 0 { session.hasMoved = true }
      return [event(.lengthChanged(.milliseconds(milliseconds)))]
    case .seekableChanged(let isSeekable):
      session.losesSeeking = session.timeline.isSeekable && !isSeekable
      // The timeline is frozen before the stop resets it.
      if session.state != .stopping { session.timeline.isSeekable = isSeekable }
      return [event(.seekableChanged(isSeekable))]
    case .elementaryStreamAdded(_, let number):
      guard number != nil else { return [] }
      session.elementaryStreams += 1
      return [event(.tracksChanged)]
    case .mediaChanged:
      // Delivered inside set_media, on its thread, and the new session's: told when the call returns.
      return joining == .setMedia && isOnJoiningThread ? [] : [event(.mediaChanged)]
    default: return mapped(native)
    }
  }

  private mutating func timeChanged(_ milliseconds: Int64) -> [PlayerSignal] {
    // libVLC may overshoot the length by a frame.
    let time = Duration.milliseconds(max(0, milliseconds))
    session.hasMoved = true
    session.losesSeeking = false
    let before = session.timeline.time
    session.timeline.time = min(time, session.timeline.duration ?? time)
    let changed = event(.timeChanged(session.timeline.time))
    // libVLC 3 empties the buffer for another rate or track without telling that it is full again: what moves waits no more.
    let goesOn = session.state == .buffering && session.hasPlayed && joining == .none
    return goesOn && session.timeline.time > before ? [changed, stateChanged(.playing)] : [changed]
  }

  private mutating func positionChanged(_ position: Double) -> [PlayerSignal] {
    session.timeline.position = PlaybackPosition(position).value
    return [event(.positionChanged(session.timeline.position))]
  }

  private mutating func buffered(_ percent: Float) -> [PlayerSignal] {
    let fill = percent.isNaN ? 0 : min(max(percent / 100, 0), 1)
    let progress = event(.bufferingProgress(fill))
    if fill >= 1 {
      session.hasFilledOnce = true
      return session.state == .buffering && session.hasPlayed
        ? [progress, stateChanged(.playing)] : [progress]
    }
    // The fill that follows the first Playing is not a wait: playback begins as it goes on.
    let waits = session.state == .opening || (session.state == .playing && session.hasFilledOnce)
    return waits ? [progress, stateChanged(.buffering)] : [progress]
  }

  private mutating func mediaStopping(_ reason: NativeStopReason) -> [PlayerSignal] {
    // Of a call of ours it was told before that.
    guard joining == .none else { return [] }
    session.endsUnasked = false
    switch reason {
    case .endOfStream: note(.naturalEnd)
    case .error: note(.failure(session.hasPlayed ? .interrupted : .cannotOpen))
    // Somebody else's stop, unless one of ours is about to be made.
    case .user, .unknown: note(.unknownNativeStop)
    }
    return session.state == .stopping ? [] : [event(.mediaStopping)]
  }

  /// libVLC 4 tells no end: what stops without having been asked to, and without a reason, ends by itself (contract 1.2).
  private mutating func stopping() -> [PlayerSignal] {
    isInputDead = true
    if session.losesSeeking { session.timeline.isSeekable = true }
    guard joining == .none, session.state != .error, session.state != .stopping else { return [] }
    if let asked = askedEnds.first {
      note(asked)
    } else {
      session.endsUnasked = session.cause == nil
    }
    return [stateChanged(.stopping), event(.mediaStopping)]
  }

  /// What stopped by itself has ended, or had nothing to play.
  private mutating func concluded() -> [PlayerSignal] {
    session.endsUnasked = false
    if hasNothingToPlay { return failed(.nothingToPlay) }
    note(.naturalEnd)
    return []
  }

  /// What had nothing to play has not been played to its end (S7).
  private var hasNothingToPlay: Bool { session.elementaryStreams == 0 || !session.hasMoved }

  private mutating func endReached() -> [PlayerSignal] {
    isInputDead = true
    if hasNothingToPlay { return failed(.nothingToPlay) }
    note(.naturalEnd)
    return [stateChanged(.stopping), event(.mediaStopping)]
  }

  private mutating func failed(_ kind: PlaybackFailureKind) -> [PlayerSignal] {
    isInputDead = true
    note(.failure(kind))
    return [stateChanged(.error), event(.encounteredError)]
  }

  private mutating func stopped() -> [PlayerSignal] {
    // The stop before a replay sends a second one for the session that ended by itself (S2).
    guard session.isStarted, !session.isOver else { return [] }
    isInputDead = true
    // A media that is replaced is not told as stopped: its outcome comes when the new one is loaded.
    if joining == .setMedia { return [] }
    return (session.endsUnasked ? concluded() : []) + end()
  }

  private mutating func note(_ cause: PlaybackTerminalCause) {
    if session.cause == nil { session.cause = askedEnds.first ?? cause }
  }

  // MARK: The end

  private mutating func end() -> [PlayerSignal] { [stateChanged(.stopped)] + finished() }

  /// The outcome, and with it the end of the session; an end that libVLC sends no Stopped for has only this.
  private mutating func finished() -> [PlayerSignal] {
    session.isOver = true
    let cause = session.cause ?? .unknownNativeStop
    let outcome = PlaybackTerminalOutcome(
      playback: session.generation, nativePlayer: nativePlayer, cause: cause, finalTimeline: session.timeline)
    // An end is told also where another media came before libVLC's Stopped.
    return (cause == .naturalEnd ? [event(.endReached)] : []) + [.outcome(outcome)]
  }

  // MARK: Stamping

  private mutating func stateChanged(_ state: PlayerState) -> PlayerSignal {
    session.state = state
    return event(.stateChanged(state))
  }

  private mutating func event(_ event: PlayerEvent) -> PlayerSignal {
    sequence += 1
    return .event(
      PlayerEventEnvelope(
        event: event, nativePlayer: nativePlayer, playback: session.generation, sequence: sequence,
        instant: now))
  }

  /// The events that carry news and change nothing of a session.
  private mutating func mapped(_ native: NativeEvent) -> [PlayerSignal] {
    switch native {
    case .pausableChanged(let isPausable): [event(.pausableChanged(isPausable))]
    case .elementaryStreamDeleted(_, let number), .elementaryStreamUpdated(_, let number):
      number == nil ? [] : [event(.tracksChanged)]
    // Number -1 selects none; 3.0 sends it for each type before there is any stream (S1).
    case .elementaryStreamSelected(_, let number):
      number == nil && session.elementaryStreams == 0 ? [] : [event(.tracksChanged)]
    // libVLC 3 reports the loss of the audio output, at each stop, as a negative volume (S3).
    case .audioVolume(let volume): volume < 0 ? [] : [event(.volumeChanged(volume))]
    case .muted: [event(.muted)]
    case .unmuted: [event(.unmuted)]
    case .corked: [event(.corked)]
    case .uncorked: [event(.uncorked)]
    case .audioDevice(let device): [event(.audioDeviceChanged(device))]
    case .videoOutputs(let count): [event(.voutChanged(count))]
    case .snapshotTaken(let path): path.map { [event(.snapshotTaken($0))] } ?? []
    case .chapterChanged(let chapter): [event(.chapterChanged(chapter))]
    case .titleListChanged: [event(.titleListChanged)]
    case .titleChanged(let title), .titleSelectionChanged(let title): [event(.titleSelectionChanged(title))]
    case .recordingChanged(let isRecording, let path):
      [event(.recordingChanged(isRecording: isRecording, filePath: path))]
    case .programAdded(let id): [event(.programAdded(id))]
    case .programDeleted(let id): [event(.programDeleted(id))]
    case .programSelected(let old, let new): [event(.programSelected(unselectedId: old, selectedId: new))]
    case .programUpdated(let id): [event(.programUpdated(id))]
    default: []
    }
  }
}
