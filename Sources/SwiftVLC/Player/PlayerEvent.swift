/// Something that happened to a player.
public enum PlayerEvent: Hashable, Sendable {
  // State.
  case stateChanged(PlayerState)
  /// The native side began to give the media up.
  case mediaStopping
  /// The media ended by itself. Follows `.stateChanged(.stopped)`.
  case endReached
  case encounteredError
  // Time.
  case timeChanged(Duration)
  /// 0…1.
  case positionChanged(Double)
  case lengthChanged(Duration)
  // Capability.
  case seekableChanged(Bool)
  case pausableChanged(Bool)
  // Tracks.
  case tracksChanged
  case mediaChanged
  // Buffering.
  /// 0…1.
  case bufferingProgress(Float)
  // Audio.
  /// 1 is nominal.
  case volumeChanged(Float)
  case muted
  case unmuted
  /// Another application took the audio output.
  case corked
  case uncorked
  case audioDeviceChanged(String?)
  // Video.
  /// The count of video outputs.
  case voutChanged(Int)
  /// The path of the picture.
  case snapshotTaken(String)
  // Chapters.
  case chapterChanged(Int)
  case titleListChanged
  case titleSelectionChanged(Int)
  // Recording.
  case recordingChanged(isRecording: Bool, filePath: String?)
  // Programs.
  case programAdded(Int)
  case programDeleted(Int)
  case programSelected(unselectedId: Int, selectedId: Int)
  case programUpdated(Int)
}

extension PlayerEvent {
  /// How events may be dropped for a slow consumer.
  public enum Lane: Hashable, Sendable, CaseIterable {
    /// Each tells of something that happened once: none is dropped.
    case control
    /// Each supersedes the one before it of its kind: the newest of each kind is kept.
    case timing
  }

  /// The class of the event.
  public var lane: Lane { timingKind == nil ? .control : .timing }

  /// The kinds of the timing lane, for streams that keep the newest of each.
  static let timingKinds = 4

  var timingKind: Int? {
    switch self {
    case .timeChanged: 0
    case .positionChanged: 1
    case .bufferingProgress: 2
    case .voutChanged: 3
    case .stateChanged, .mediaStopping, .endReached, .encounteredError, .lengthChanged, .seekableChanged,
      .pausableChanged, .tracksChanged, .mediaChanged, .volumeChanged, .muted, .unmuted, .corked, .uncorked,
      .audioDeviceChanged, .snapshotTaken, .chapterChanged, .titleListChanged, .titleSelectionChanged,
      .recordingChanged, .programAdded, .programDeleted, .programSelected, .programUpdated:
      nil
    }
  }
}

extension PlayerEvent {
  /// The payload of `stateChanged`.
  public var stateChanged: PlayerState? { if case .stateChanged(let state) = self { state } else { nil } }
  /// The payload of `timeChanged`.
  public var timeChanged: Duration? { if case .timeChanged(let time) = self { time } else { nil } }
  /// The payload of `positionChanged`.
  public var positionChanged: Double? {
    if case .positionChanged(let position) = self { position } else { nil }
  }
  /// The payload of `lengthChanged`.
  public var lengthChanged: Duration? { if case .lengthChanged(let length) = self { length } else { nil } }
  /// The payload of `seekableChanged`.
  public var seekableChanged: Bool? {
    if case .seekableChanged(let isSeekable) = self { isSeekable } else { nil }
  }
  /// The payload of `pausableChanged`.
  public var pausableChanged: Bool? {
    if case .pausableChanged(let isPausable) = self { isPausable } else { nil }
  }
  /// The payload of `bufferingProgress`.
  public var bufferingProgress: Float? { if case .bufferingProgress(let fill) = self { fill } else { nil } }
  /// The payload of `volumeChanged`.
  public var volumeChanged: Float? { if case .volumeChanged(let volume) = self { volume } else { nil } }
  /// The payload of `audioDeviceChanged`; the outer optional says whether it is this event.
  public var audioDeviceChanged: String?? {
    if case .audioDeviceChanged(let device) = self { .some(device) } else { nil }
  }
  /// The payload of `voutChanged`.
  public var voutChanged: Int? { if case .voutChanged(let count) = self { count } else { nil } }
  /// The payload of `snapshotTaken`.
  public var snapshotTaken: String? { if case .snapshotTaken(let path) = self { path } else { nil } }
  /// The payload of `chapterChanged`.
  public var chapterChanged: Int? { if case .chapterChanged(let chapter) = self { chapter } else { nil } }
  /// The payload of `titleSelectionChanged`.
  public var titleSelectionChanged: Int? {
    if case .titleSelectionChanged(let title) = self { title } else { nil }
  }
  /// The payload of `recordingChanged`.
  public var recordingChanged: (isRecording: Bool, filePath: String?)? {
    if case .recordingChanged(let isRecording, let path) = self { (isRecording, path) } else { nil }
  }
  /// The payload of `programAdded`.
  public var programAdded: Int? { if case .programAdded(let id) = self { id } else { nil } }
  /// The payload of `programDeleted`.
  public var programDeleted: Int? { if case .programDeleted(let id) = self { id } else { nil } }
  /// The payload of `programSelected`.
  public var programSelected: (unselectedId: Int, selectedId: Int)? {
    if case .programSelected(let old, let new) = self { (old, new) } else { nil }
  }
  /// The payload of `programUpdated`.
  public var programUpdated: Int? { if case .programUpdated(let id) = self { id } else { nil } }
}

/// An event with where it belongs.
public struct PlayerEventEnvelope: Hashable, Sendable {
  public let event: PlayerEvent
  /// The native player that sent it, by the event's own attachment.
  public let nativePlayer: NativePlayerGeneration
  /// The session in which it happened, noted on the thread that delivered it.
  public let playback: PlaybackGeneration
  /// The place of the event among all events of its native player: merges lanes in order.
  public let sequence: UInt64

  package init(
    event: PlayerEvent, nativePlayer: NativePlayerGeneration, playback: PlaybackGeneration, sequence: UInt64
  ) {
    self.event = event
    self.nativePlayer = nativePlayer
    self.playback = playback
    self.sequence = sequence
  }
}
