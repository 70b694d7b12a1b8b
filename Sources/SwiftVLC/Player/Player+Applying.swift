extension Player {
  /// Applies what the handle sent, in order; what is not of the session that the caller means is let go.
  func apply(_ signal: PlayerSignal) {
    switch signal {
    case .sessionBegan(let generation, let beginning, _):
      playback = generation
      if beginning == .loaded { transport.loadReturned() }
    case .startTaken:
      perform(transport.startTaken())
    case .pauseRefused(let generation):
      guard transport.isCurrent, generation == playback else { return }
      transport.pauseRefused()
      isPlaybackRequestedActive = transport.intent == .playing
    case .soundCommanded: pendingSoundCommands -= 1
    case .outcome: break
    case .tracks(let tracks, let generation):
      guard transport.isCurrent, generation == playback else { return }
      show(tracks)
      let isStale = tracksReading == .stale
      tracksReading = .none
      if isStale { readTracks() }
    case .event(let envelope):
      guard transport.isCurrent, envelope.playback == playback else { return }
      apply(envelope.event, at: envelope.instant)
    }
  }

  private func apply(_ event: PlayerEvent, at instant: ContinuousClock.Instant) {
    switch event {
    case .stateChanged(let newState): apply(newState, at: instant)
    case .timeChanged(let time):
      currentTime = time
      displayClock.sampled(time, at: instant)
    case .positionChanged(let newPosition): position = newPosition
    case .lengthChanged(let length): duration = length > .zero ? length : nil
    case .seekableChanged(let newValue): isSeekable = newValue
    case .pausableChanged(let newValue): isPausable = newValue
    case .bufferingProgress(let fill): bufferFill = fill
    case .voutChanged(let count): activeVideoOutputs = count
    case .tracksChanged: readTracks()
    // An end that is told while a play is pending is of the session before.
    case .endReached: didReachEnd = transport.pendingStarts == 0
    // An echo of our own command must not take back a newer one.
    case .volumeChanged(let volume): if pendingSoundCommands == 0 { requestedVolume = Volume(volume) }
    case .muted: if pendingSoundCommands == 0 { requestedMute = true }
    case .unmuted: if pendingSoundCommands == 0 { requestedMute = false }
    case .mediaStopping, .encounteredError, .mediaChanged, .corked, .uncorked, .audioDeviceChanged,
      .snapshotTaken, .chapterChanged, .titleListChanged, .titleSelectionChanged, .recordingChanged,
      .programAdded, .programDeleted, .programSelected, .programUpdated:
      break
    }
  }

  private func apply(_ newState: PlayerState, at instant: ContinuousClock.Instant) {
    state = newState
    perform(transport.stateChanged(newState))
    isPlaybackRequestedActive = transport.intent == .playing
    displayClock.movementChanged(newState == .playing, at: instant)
    switch newState {
    case .playing: restoreSound()
    case .stopped, .error:
      activeVideoOutputs = 0
      bufferFill = 0
      if newState == .stopped { resetTime() }
    case .idle, .opening, .buffering, .paused, .stopping: break
    }
  }

  /// libVLC 3 takes volume and mute only while an audio output exists (S11).
  private func restoreSound() {
    guard requestedVolume != nil || requestedMute != nil else { return }
    commandSound { [requestedVolume, requestedMute] handle in
      if let requestedVolume { handle.setVolume(requestedVolume) }
      if let requestedMute { handle.setMuted(requestedMute) }
    }
  }

  /// Submits a command about the sound; libVLC tells its echo, if any, before the command is done (R1).
  func commandSound(_ command: @escaping @Sendable (isolated NativeHandle) -> Void) {
    guard let handle else { return }
    pendingSoundCommands += 1
    handle.submit { handle in
      command(handle)
      handle.context.soundCommanded()
    }
  }

  /// Takes back everything that was of the media before.
  func forgetMedia() {
    resetTime()
    duration = nil
    isSeekable = false
    isPausable = false
    bufferFill = 0
    activeVideoOutputs = 0
    didReachEnd = false
    tracksReading = .none
    show([])
  }

  private func resetTime() {
    displayClock.reset()
    currentTime = .zero
    position = 0
  }

  private func readTracks() {
    // A read under way may have passed what changed: it is followed by another.
    guard tracksReading == .none else {
      tracksReading = .stale
      return
    }
    tracksReading = .underWay
    handle?.submit { $0.readTracks() }
  }

  private func show(_ tracks: [Track]) {
    audioTracks = tracks.filter { $0.type == .audio }
    videoTracks = tracks.filter { $0.type == .video }
    subtitleTracks = tracks.filter { $0.type == .subtitle }
  }
}

/// The reading of the tracks by the handle.
enum TracksReading: Hashable, Sendable {
  case none
  case underWay
  /// Something changed since the read under way was asked for.
  case stale
}
