#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Player {
  // MARK: Transport

  /// Gives the player a media without playing it; what plays is stopped.
  ///
  /// - Throws: `mediaCreationFailed` when libVLC can make nothing of the source.
  public func load(_ media: Media) throws(VLCError) {
    let handle = try existingHandle()
    guard let owner = media.playbackOwner(in: instance) else { throw .mediaCreationFailed(source: media.mrl) }
    transport.loadRequested()
    // For good: a native media with a place to read from is loaded once.
    handle.context.endAsked(.replacement)
    nativeMedia?.interrupt()
    nativeMedia = owner
    isPlaybackRequestedActive = false
    currentMedia = media
    state = transport.state
    forgetMedia()
    handle.submit { $0.load(owner, isAsked: true) }
  }

  /// Loads a media and plays it.
  ///
  /// - Throws: `mediaCreationFailed` when libVLC can make nothing of the source. Whether it can be opened, the events
  ///   and `terminalOutcomes` tell.
  public func play(_ media: Media) throws(VLCError) {
    try load(media)
    try play()
  }

  /// Loads what is at a URL and plays it.
  ///
  /// - Throws: as `play(_:)`, and `invalidInput` for a URL that libVLC cannot be given.
  public func play(url: URL) throws(VLCError) {
    try play(Media(url: url))
  }

  /// Plays the loaded media from its beginning, or goes on with what is paused.
  ///
  /// - Throws: `invalidState` without a media.
  public func play() throws(VLCError) {
    _ = try existingHandle()
    let action = transport.playRequested()
    if case .reject(let reason) = action { throw .invalidState(reason) }
    didReachEnd = false
    perform(action)
    isPlaybackRequestedActive = transport.intent == .playing
  }

  /// Pauses; before there is anything to pause, as soon as there is.
  ///
  /// Nothing when nothing was played. What cannot be paused (see `isPausable`) goes on, and `isPlaying` says so again.
  public func pause() { request(transport.pauseRequested()) }

  /// Goes on with what is paused, or takes a pause back that has not come yet.
  public func resume() { request(transport.resumeRequested()) }

  /// Pauses what plays, resumes what is paused, plays what is stopped.
  public func togglePlayPause() {
    switch transport.intent {
    case .playing: pause()
    case .paused: resume()
    case .stopped: try? play()
    }
  }

  /// Stops; `state` becomes `stopped` when libVLC is done, which may take its time.
  public func stop() { request(transport.stopRequested()) }

  private func request(_ action: TransportMachine.Action) {
    perform(action)
    isPlaybackRequestedActive = transport.intent == .playing
  }

  /// Carries out what the transport decided.
  func perform(_ action: TransportMachine.Action) {
    switch action {
    case .nothing, .reject: break
    case .play: handle?.submit { $0.play() }
    case .pause: handle?.submit { $0.setPause(true) }
    case .resume: handle?.submit { $0.setPause(false) }
    case .stop:
      // A read that blocks would keep the stop waiting: it returns first, and reads work again after the stop.
      handle?.context.endAsked(.requestedStop)
      nativeMedia?.interrupt()
      handle?.submit { [nativeMedia] in
        $0.stop(cause: nil) { _ in nativeMedia?.endInterruption() }
      }
    }
  }

  // MARK: Seek

  /// Seeks to a time; what lies beyond the end becomes the end, what lies before the start the start.
  ///
  /// - Parameters:
  ///   - time: the moment to play.
  ///   - fast: whether the nearest keyframe will do.
  /// - Throws: `invalidState` while nothing plays or the media cannot be sought in.
  public func seek(to time: Duration, fast: Bool = false) throws(VLCError) {
    let handle = try seekableHandle()
    let target = max(.zero, min(time, duration ?? time))
    handle.submit { $0.setTime(target, fast: fast) }
  }

  /// Seeks to a place.
  ///
  /// - Throws: as `seek(to:fast:)`.
  public func seek(to position: PlaybackPosition, fast: Bool = false) throws(VLCError) {
    try seekableHandle().submit { $0.setPosition(position, fast: fast) }
  }

  /// Seeks from where playback is.
  ///
  /// - Throws: as `seek(to:fast:)`.
  public func seek(by offset: Duration, fast: Bool = false) throws(VLCError) {
    try seek(to: currentTime + offset, fast: fast)
  }

  private func seekableHandle() throws(VLCError) -> NativeHandle {
    guard state.isActive else {
      throw .invalidState("Nothing plays that could be sought in: play a media first.")
    }
    guard isSeekable else {
      throw .invalidState("This media cannot be sought in now: wait for isSeekable, or play a file.")
    }
    return try existingHandle()
  }

  // MARK: Rate, sound

  /// The speed that was asked for; 1 is normal.
  public var rate: Float { requestedRate.value }
  /// The speed that was asked for.
  public var playbackRate: PlaybackRate { requestedRate }

  /// Plays faster or slower, now and later.
  ///
  /// - Throws: `operationFailed` without a native player.
  public func setPlaybackRate(_ rate: PlaybackRate) throws(VLCError) {
    let handle = try existingHandle()
    requestedRate = rate
    displayClock.rateChanged(Double(rate.value), at: .now)
    handle.submit { $0.setRate(rate) }
  }

  /// The volume that was asked for or that the output told; 1 is nominal.
  public var volume: Float { audioVolume.value }
  /// The volume that was asked for or that the output told.
  public var audioVolume: Volume { requestedVolume ?? .nominal }

  /// Sets the volume, and remembers it for an audio output that comes later.
  ///
  /// - Throws: `operationFailed` without a native player.
  public func setAudioVolume(_ volume: Volume) throws(VLCError) {
    _ = try existingHandle()
    requestedVolume = volume
    commandSound { $0.setVolume(volume) }
  }

  /// Whether the sound is off; remembered for an audio output that comes later.
  public var isMuted: Bool {
    get { requestedMute ?? false }
    set {
      requestedMute = newValue
      commandSound { $0.setMuted(newValue) }
    }
  }

  // MARK: Tracks

  /// The audio track that plays; nil is none. A track of another media changes nothing.
  public var selectedAudioTrack: Track? {
    get { audioTracks.first(where: \.isSelected) }
    set { select(newValue, type: .audio, among: audioTracks) }
  }

  /// The video track that plays; nil is none. A track of another media changes nothing.
  public var selectedVideoTrack: Track? {
    get { videoTracks.first(where: \.isSelected) }
    set { select(newValue, type: .video, among: videoTracks) }
  }

  /// The subtitle track that is shown; nil is none. A track of another media changes nothing.
  public var selectedSubtitleTrack: Track? {
    get { subtitleTracks.first(where: \.isSelected) }
    set { select(newValue, type: .subtitle, among: subtitleTracks) }
  }

  private func select(_ track: Track?, type: TrackType, among tracks: [Track]) {
    if let track, !tracks.contains(where: { $0.id == track.id }) { return }
    handle?.submit { $0.selectTrack(type, track) }
  }
}
