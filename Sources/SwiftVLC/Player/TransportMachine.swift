/// Decides what play, pause, resume and stop do, from what was asked and what libVLC told.
///
/// A pure value. It knows two things apart: the intent, which is the caller's last word, and the state, which is
/// libVLC's. A pause before there is anything to pause is deferred to the first Playing of the session that it was
/// meant for.
struct TransportMachine {
  /// What the caller wants.
  enum Intent: Hashable, Sendable, CaseIterable {
    case stopped, playing, paused
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    case nothing
    case play, pause, resume, stop
    /// The call was a mistake, and this sentence says so.
    case reject(String)
  }

  private(set) var intent = Intent.stopped
  private(set) var state = PlayerState.idle
  private(set) var hasMedia = false
  /// Whether a pause waits for the first Playing.
  private(set) var isPauseDeferred = false
  /// Whether the media of now has played: a wait for data is in the middle then, and can be paused.
  private(set) var hasPlayed = false
  /// Loads that were asked for and have not come back: what libVLC tells meanwhile is of a session that the caller has
  /// left.
  private(set) var pendingLoads = 0

  /// Plays that were asked for and not carried out yet: an end that libVLC tells meanwhile is not theirs.
  private(set) var pendingStarts = 0

  /// Whether what libVLC tells now is of the session that the caller means.
  var isCurrent: Bool { pendingLoads == 0 }

  private var canPauseNow: Bool {
    isCurrent && pendingStarts == 0 && (state == .playing || state == .buffering && hasPlayed)
  }

  // MARK: Asked

  mutating func loadRequested() {
    hasMedia = true
    intent = .stopped
    isPauseDeferred = false
    pendingLoads += 1
    state = .idle
    hasPlayed = false
  }

  mutating func playRequested() -> Action {
    guard hasMedia else { return .reject("There is no media to play: load one first, or call play(_:).") }
    intent = .playing
    isPauseDeferred = false
    pendingStarts += 1
    return .play
  }

  mutating func pauseRequested() -> Action {
    guard intent == .playing else { return .nothing }
    intent = .paused
    if canPauseNow { return .pause }
    isPauseDeferred = true
    return .nothing
  }

  mutating func resumeRequested() -> Action {
    guard intent == .paused else { return .nothing }
    intent = .playing
    if isPauseDeferred {
      isPauseDeferred = false
      return .nothing
    }
    return .resume
  }

  mutating func stopRequested() -> Action {
    guard intent != .stopped || state.isActive || state == .error else { return .nothing }
    intent = .stopped
    isPauseDeferred = false
    return .stop
  }

  // MARK: Told

  /// A load that was asked for came back.
  mutating func loadReturned() {
    precondition(pendingLoads > 0, "a media was loaded that nobody asked for")
    pendingLoads -= 1
  }

  /// A play that was asked for was carried out or refused.
  mutating func startTaken() -> Action {
    precondition(pendingStarts > 0, "a play was carried out that nobody asked for")
    pendingStarts -= 1
    // The play went on with what plays: its Playing was told before, and no other will be.
    return pauseIfDeferred()
  }

  /// libVLC cannot pause what plays: the caller's word cannot be kept.
  mutating func pauseRefused() {
    if intent == .paused { intent = .playing }
  }

  /// libVLC told a state of the session that the caller means.
  mutating func stateChanged(_ newState: PlayerState) -> Action {
    precondition(isCurrent, "the state \(newState) is of a session that the caller has left")
    state = newState
    switch newState {
    case .playing:
      hasPlayed = true
      return pauseIfDeferred()
    case .error, .stopped:
      hasPlayed = false
      guard pendingStarts == 0 else { return .nothing }
      intent = .stopped
      isPauseDeferred = false
      return .nothing
    case .idle, .opening, .buffering, .paused, .stopping: return .nothing
    }
  }

  /// A deferred pause is due when its session plays; a Playing that is told while a play is pending is of another.
  private mutating func pauseIfDeferred() -> Action {
    guard isPauseDeferred, canPauseNow else { return .nothing }
    isPauseDeferred = false
    return .pause
  }
}
