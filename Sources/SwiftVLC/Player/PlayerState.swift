/// What a player is doing.
public enum PlayerState: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Nothing was played since the media was loaded, or there is none.
  case idle
  case opening
  /// Waiting for data, before the first picture or in the middle; how much is there, `bufferFill` says.
  case buffering
  case playing
  case paused
  /// On the way to `stopped`.
  case stopping
  case stopped
  /// The media failed; `stopped` follows when the native side is done with it.
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
