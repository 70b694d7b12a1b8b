/// How a playback session ended. Each session that was started ends exactly once.
public struct PlaybackTerminalOutcome: Hashable, Sendable {
  /// The session that ended.
  public let playback: PlaybackGeneration
  /// The native player it ran on.
  public let nativePlayer: NativePlayerGeneration
  /// Why it ended: the first reason that was known.
  public let cause: PlaybackTerminalCause
  /// Where playback was, noted before the stop reset it.
  public let finalTimeline: PlaybackTimeline
}

/// Why a session ended.
public enum PlaybackTerminalCause: Hashable, Sendable {
  /// The media ended by itself.
  case naturalEnd
  /// `stop` was called.
  case requestedStop
  /// Another media took its place.
  case replacement
  /// The player went away.
  case cancellation
  /// The media failed, or libVLC refused to start it.
  case failure(PlaybackFailureKind)
  /// libVLC stopped and nothing is known of a reason. Never a natural end.
  case unknownNativeStop
}

/// What is known of a failure; libVLC's log says more.
public enum PlaybackFailureKind: Hashable, Sendable, CaseIterable {
  /// The media could not be opened: it is missing, not readable, of an unknown scheme, empty.
  case cannotOpen
  /// The media was opened and held nothing to play: it is damaged, of an unknown format, or a directory.
  case nothingToPlay
  /// Playback had begun and broke.
  case interrupted
  /// libVLC refused to start.
  case startRejected
}

/// A moment of playback.
public struct PlaybackTimeline: Hashable, Sendable {
  /// The time from the beginning of the media; never negative, nor beyond a length known at that moment.
  public var time: Duration
  /// The place in the media, 0…1.
  public var position: Double
  /// How long the media is; nil when libVLC does not know it, as for a live stream.
  public var duration: Duration?
  /// Whether the media can be sought in; false until libVLC says otherwise.
  public var isSeekable: Bool

  /// The beginning of something unknown.
  public static let start = PlaybackTimeline(time: .zero, position: 0, duration: nil, isSeekable: false)
}

/// A player's state with the session that it is of.
public struct PlaybackStatus: Hashable, Sendable {
  /// What the player is doing.
  public let state: PlayerState
  /// The session in which it does it.
  public let playback: PlaybackGeneration
}
