extension Player {
  /// Applies what the handle sent, in order; what is not of the session that the caller means is let go.
  func apply(_ signal: PlayerSignal) {
    switch signal {
    case .sessionBegan(let generation, let beginning):
      playback = generation
      if beginning == .loaded { transport.loadReturned() }
    case .startTaken:
      transport.startTaken()
    case .outcome: break
    case .tracks(let tracks, let generation):
      guard transport.isCurrent, generation == playback else { return }
      isReadingTracks = false
      show(tracks)
    case .event(let envelope):
      guard transport.isCurrent, envelope.playback == playback else { return }
      apply(envelope.event)
    }
  }

  private func apply(_ event: PlayerEvent) {
    switch event {
    case .stateChanged(let newState): apply(newState)
    case .timeChanged(let time):
      currentTime = time
      displayClock.sampled(time, at: .now)
    case .positionChanged(let newPosition): position = newPosition
    case .lengthChanged(let length): duration = length > .zero ? length : nil
    case .seekableChanged(let newValue): isSeekable = newValue
    case .pausableChanged(let newValue): isPausable = newValue
    case .bufferingProgress(let fill): bufferFill = fill
    case .voutChanged(let count): activeVideoOutputs = count
    case .tracksChanged: readTracks()
    case .endReached: didReachEnd = true
    case .volumeChanged(let volume): requestedVolume = Volume(volume)
    case .muted: requestedMute = true
    case .unmuted: requestedMute = false
    case .mediaStopping, .encounteredError, .mediaChanged, .corked, .uncorked, .audioDeviceChanged,
      .snapshotTaken, .chapterChanged, .titleListChanged, .titleSelectionChanged, .recordingChanged,
      .programAdded, .programDeleted, .programSelected, .programUpdated:
      break
    }
  }

  private func apply(_ newState: PlayerState) {
    state = newState
    perform(transport.stateChanged(newState))
    isPlaybackRequestedActive = transport.intent == .playing
    displayClock.movementChanged(newState == .playing, at: .now)
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
    handle?.submit { [requestedVolume, requestedMute] handle in
      if let requestedVolume { handle.setVolume(requestedVolume) }
      if let requestedMute { handle.setMuted(requestedMute) }
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
    isReadingTracks = false
    show([])
  }

  private func resetTime() {
    displayClock.reset()
    currentTime = .zero
    position = 0
  }

  private func readTracks() {
    // One read is under way or queued: it will see this change too, or the next event asks again.
    guard !isReadingTracks else { return }
    isReadingTracks = true
    handle?.submit { $0.readTracks() }
  }

  private func show(_ tracks: [Track]) {
    audioTracks = tracks.filter { $0.type == .audio }
    videoTracks = tracks.filter { $0.type == .video }
    subtitleTracks = tracks.filter { $0.type == .subtitle }
  }
}
