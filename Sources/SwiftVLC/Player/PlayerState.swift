/// What a player is doing.
public enum PlayerState: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Nothing was played since the media was loaded, or there is none.
  case idle
  /// libVLC opens the media and finds out what it holds.
  case opening
  /// Waiting for data, before the first picture or in the middle; how much is there, `bufferFill` says.
  case buffering
  /// Time moves, or is about to: libVLC fills its buffer once more before the first picture and sound.
  case playing
  /// Playback holds at a place, and goes on from there.
  case paused
  /// On the way to `stopped`, by a stop, a replacement or the end of the media.
  case stopping
  /// The session is over; the media stays loaded, and `play` begins it anew.
  case stopped
  /// The media failed: `stopped` follows when libVLC is done with it, unless libVLC refused to start it.
  case error

  public var description: String {
    switch self {
    case .idle: "idle"
    case .opening: "opening"
    case .buffering: "buffering"
    case .playing: "playing"
    case .paused: "paused"
    case .stopping: "stopping"
    case .stopped: "stopped"
    case .error: "error"
    }
  }

  /// Whether an input is open: opening, buffering, playing or paused.
  public var isActive: Bool {
    switch self {
    case .opening, .buffering, .playing, .paused: true
    case .idle, .stopping, .stopped, .error: false
    }
  }
}
