/// Something that happened to a player.
public enum PlayerEvent: Hashable, Sendable {
  // State.
  /// The player entered a state; none is left out, though another follows at once.
  case stateChanged(PlayerState)
  /// The native side began to give the media up.
  case mediaStopping
  /// The media ended by itself. Follows `.stateChanged(.stopped)`.
  case endReached
  /// The media failed, or libVLC refused to start it. Follows `.stateChanged(.error)`; the session's outcome has the
  /// kind of failure.
  case encounteredError
  // Time.
  /// The time from the beginning of the media; never negative, nor beyond a known length.
  ///
  /// libVLC 3 tells it about four times a second at any rate, but some hundred times, and more at a higher rate, for a
  /// file with chapters; and not while paused.
  case timeChanged(Duration)
  /// The place in the media, 0…1; during playback it precedes its `timeChanged`.
  case positionChanged(Double)
  /// The length of the media; zero or less while libVLC does not know it.
  case lengthChanged(Duration)
  // Capability.
  /// Whether the media can be sought in.
  case seekableChanged(Bool)
  /// Whether the media can be paused, which a live stream often cannot.
  case pausableChanged(Bool)
  // Tracks.
  /// The tracks or their selection changed.
  case tracksChanged
  /// Another media was loaded.
  case mediaChanged
  // Buffering.
  /// How full the buffer is, 0…1; 1 ends a wait. libVLC 3 fills it after Playing too, and after each seek.
  case bufferingProgress(Float)
  // Audio.
  /// The volume, where 1 is nominal; outputs without a volume control, such as libVLC's dummy, never tell it.
  case volumeChanged(Float)
  /// The sound was muted.
  case muted
  /// The sound was no longer muted.
  case unmuted
  /// Another application took the audio output.
  case corked
  /// The other application gave the audio output back.
  case uncorked
  /// The identifier of the audio device that plays; nil when libVLC does not name it.
  case audioDeviceChanged(String?)
  // Video.
  /// The count of video outputs.
  case voutChanged(Int)
  /// A picture was written; the path of its file.
  case snapshotTaken(String)
  // Chapters.
  /// The index of the chapter within its title, from 0; libVLC 3 may tell the same one twice.
  case chapterChanged(Int)
  /// The media's titles changed; only libVLC 4 tells it.
  case titleListChanged
  /// The index of the title, from 0; libVLC 3 tells it also with a change of chapter.
  case titleSelectionChanged(Int)
  // Recording.
  /// Recording began or ended; only libVLC 4 tells it. The path is that of the finished file, nil while there is none.
  case recordingChanged(isRecording: Bool, filePath: String?)
  // Programs.
  /// The number of a program that appeared; only libVLC 4 tells it.
  case programAdded(Int)
  /// The number of a program that went away; only libVLC 4 tells it.
  case programDeleted(Int)
  /// The numbers of the program before and of the one that plays now, -1 for none; only libVLC 4 tells it.
  case programSelected(unselectedId: Int, selectedId: Int)
  /// The number of a program whose name or scrambling changed; only libVLC 4 tells it.
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
  /// The payload of `stateChanged`; nil for another event.
  public var stateChanged: PlayerState? { if case .stateChanged(let state) = self { state } else { nil } }
  /// The payload of `timeChanged`; nil for another event.
  public var timeChanged: Duration? { if case .timeChanged(let time) = self { time } else { nil } }
  /// The payload of `positionChanged`; nil for another event.
  public var positionChanged: Double? {
    if case .positionChanged(let position) = self { position } else { nil }
  }
  /// The payload of `lengthChanged`; nil for another event.
  public var lengthChanged: Duration? { if case .lengthChanged(let length) = self { length } else { nil } }
  /// The payload of `seekableChanged`; nil for another event.
  public var seekableChanged: Bool? {
    if case .seekableChanged(let isSeekable) = self { isSeekable } else { nil }
  }
  /// The payload of `pausableChanged`; nil for another event.
  public var pausableChanged: Bool? {
    if case .pausableChanged(let isPausable) = self { isPausable } else { nil }
  }
  /// The payload of `bufferingProgress`; nil for another event.
  public var bufferingProgress: Float? { if case .bufferingProgress(let fill) = self { fill } else { nil } }
  /// The payload of `volumeChanged`; nil for another event.
  public var volumeChanged: Float? { if case .volumeChanged(let volume) = self { volume } else { nil } }
  /// The payload of `audioDeviceChanged`; the outer optional says whether it is this event.
  public var audioDeviceChanged: String?? {
    if case .audioDeviceChanged(let device) = self { .some(device) } else { nil }
  }
  /// The payload of `voutChanged`; nil for another event.
  public var voutChanged: Int? { if case .voutChanged(let count) = self { count } else { nil } }
  /// The payload of `snapshotTaken`; nil for another event.
  public var snapshotTaken: String? { if case .snapshotTaken(let path) = self { path } else { nil } }
  /// The payload of `chapterChanged`; nil for another event.
  public var chapterChanged: Int? { if case .chapterChanged(let chapter) = self { chapter } else { nil } }
  /// The payload of `titleSelectionChanged`; nil for another event.
  public var titleSelectionChanged: Int? {
    if case .titleSelectionChanged(let title) = self { title } else { nil }
  }
  /// The payload of `recordingChanged`; nil for another event.
  public var recordingChanged: (isRecording: Bool, filePath: String?)? {
    if case .recordingChanged(let isRecording, let path) = self { (isRecording, path) } else { nil }
  }
  /// The payload of `programAdded`; nil for another event.
  public var programAdded: Int? { if case .programAdded(let id) = self { id } else { nil } }
  /// The payload of `programDeleted`; nil for another event.
  public var programDeleted: Int? { if case .programDeleted(let id) = self { id } else { nil } }
  /// The payload of `programSelected`; nil for another event.
  public var programSelected: (unselectedId: Int, selectedId: Int)? {
    if case .programSelected(let old, let new) = self { (old, new) } else { nil }
  }
  /// The payload of `programUpdated`; nil for another event.
  public var programUpdated: Int? { if case .programUpdated(let id) = self { id } else { nil } }
}

/// An event with where it belongs.
public struct PlayerEventEnvelope: Hashable, Sendable {
  /// What happened.
  public let event: PlayerEvent
  /// The native player that sent it, by the event's own attachment.
  public let nativePlayer: NativePlayerGeneration
  /// The session in which it happened, noted on the thread that delivered it.
  public let playback: PlaybackGeneration
  /// The place of the event among all events of its native player: merges lanes in order.
  public let sequence: UInt64
  /// When it was received, on the thread that delivered it.
  public var instant: ContinuousClock.Instant { Self.anchor + .nanoseconds(nanoseconds) }

  // Since the anchor, in half the space of an instant: an envelope is copied for each consumer.
  private let nanoseconds: Int64
  private static let anchor = ContinuousClock.now

  package init(
    event: PlayerEvent, nativePlayer: NativePlayerGeneration, playback: PlaybackGeneration, sequence: UInt64,
    instant: ContinuousClock.Instant
  ) {
    self.event = event
    self.nativePlayer = nativePlayer
    self.playback = playback
    self.sequence = sequence
    let (seconds, attoseconds) = (instant - Self.anchor).components
    nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
