public import Observation
import VLCNative

/// A media player.
///
/// Everything that a view shows of it is observable, and lives on the main actor; nothing here ever waits for libVLC
/// there. Commands are decided at once, from what was asked and told so far, and carried out in order on a queue of
/// the player's own; their effects arrive as events and as changes of the observed properties.
///
/// Dropping the last reference ends playback: the native side is released off the main actor, and the streams end.
/// Properties keep the playback session and the native player apart that they are of: nothing of a media that was
/// replaced is ever shown beside its successor.
@Observable
@MainActor
public final class Player {
  // MARK: Observed

  /// What the player is doing.
  public internal(set) var state = PlayerState.idle
  /// Where playback is, as libVLC told last: about four times a second, more often for a file with chapters.
  ///
  /// `displayTime(at:)` interpolates between.
  public internal(set) var currentTime = Duration.zero
  /// Nil when it is not known, as of a live stream.
  public internal(set) var duration: Duration?
  /// Whether the media of now can be sought in; false until libVLC tells.
  public internal(set) var isSeekable = false
  /// Whether the media of now can be paused; false until libVLC tells.
  public internal(set) var isPausable = false
  /// How much of its buffer libVLC has filled, 0…1.
  public internal(set) var bufferFill: Float = 0
  /// How many video outputs are open.
  public internal(set) var activeVideoOutputs = 0
  /// The media that was loaded last; nil before the first.
  public internal(set) var currentMedia: Media?
  /// Whether the media of now ended by itself; a load or a play takes it back.
  public internal(set) var didReachEnd = false
  /// The audio tracks of the media of now, in the file's order; empty before libVLC knows them.
  public internal(set) var audioTracks: [Track] = []
  /// The video tracks of the media of now, in the file's order; empty before libVLC knows them.
  public internal(set) var videoTracks: [Track] = []
  /// The subtitle tracks of the media of now, in the file's order; empty before libVLC knows them.
  public internal(set) var subtitleTracks: [Track] = []
  /// Where playback is, 0…1.
  public internal(set) var position = 0.0
  /// Whether the caller's last word was to play, whatever libVLC is doing now.
  public internal(set) var isPlaybackRequestedActive = false

  var requestedVolume: Volume?
  var requestedMute: Bool?
  var requestedRate = PlaybackRate.normal

  // MARK: Beneath

  @ObservationIgnored let instance: VLCInstance
  @ObservationIgnored let handle: NativeHandle?
  /// The native side of `currentMedia`.
  @ObservationIgnored var nativeMedia: NativeMediaOwner?
  @ObservationIgnored var transport = TransportMachine()
  /// The session of now, on this actor.
  @ObservationIgnored var playback: PlaybackGeneration?
  @ObservationIgnored var tracksReading = TracksReading.none
  /// Commands about the sound whose echoes have not all come.
  @ObservationIgnored var pendingSoundCommands = 0
  @ObservationIgnored var displayClock = DisplayClock()

  /// Makes a player without a media.
  ///
  /// - Parameter instance: the libVLC to use.
  public init(instance: VLCInstance = .shared) {
    self.instance = instance
    handle = NativeHandle(instance: instance)
    guard let handle else {
      state = .error
      return
    }
    playback = handle.context.playback
    let pace = TimePace()
    let signals = handle.context.signals.subscribe(policy: Self.newestTimes, wakes: pace.wakes)
    // Weak: a pending task does not keep its player. It ends with the streams.
    Task { @MainActor [weak self] in
      for await signal in signals {
        guard let self else { return }
        self.apply(signal)
      }
    }
  }

  deinit {
    // The streams end now, whatever the handle's queue still waits for; and a read that it waits for returns.
    handle?.context.tornDown()
    nativeMedia?.interrupt()
  }

  private static let newestTimes = StreamPolicy<PlayerSignal>.newestOfEachKind(
    count: PlayerEvent.timingKinds
  ) { signal in
    guard case .event(let envelope) = signal else { return nil }
    return envelope.event.timingKind
  }

  /// The handle, or the error that explains why there is none.
  func existingHandle() throws(VLCError) -> NativeHandle {
    guard let handle else {
      throw .operationFailed("libVLC made no native player: free some memory and make another Player.")
    }
    return handle
  }

  // MARK: Read

  /// Whether the caller's last word was to play.
  public var isPlaying: Bool { isPlaybackRequestedActive }
  /// Whether an input is open.
  public var isActive: Bool { state.isActive }
  /// The session of now.
  public var generation: PlaybackGeneration? { playback }
  /// The native player of now.
  public var nativeEventGeneration: NativePlayerGeneration? { handle?.context.nativePlayer }
  /// What playback of the media of now has counted.
  public var statistics: MediaStatistics? {
    guard let nativeMedia else { return nil }
    return instance.library.statistics(nativeMedia.native).map(MediaStatistics.init)
  }
  /// Where playback is at an instant, interpolated between libVLC's times: for a view that is drawn often.
  ///
  /// Never beyond the length, and never more than a second of wall time ahead of what libVLC told. Not observed: ask at
  /// each frame.
  public func displayTime(at instant: ContinuousClock.Instant = .now) -> Duration {
    displayClock.time(at: instant, length: duration)
  }

  /// Where playback is.
  public var playbackPosition: PlaybackPosition { PlaybackPosition(position) }
}
