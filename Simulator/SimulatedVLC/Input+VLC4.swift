import VLCNative

/// What a playback of libVLC 4.0 tells in a way of its own (5 of the contract).
extension Input {
  /// 4.play, then 4.end or 4.stop.
  func playThenDrain() {
    enter(.opening, .opening)
    tell(.buffering(0))
    playToEnd()
    drain()
  }

  private func playToEnd() {
    guard !isStopping else { return }
    guard open() else {
      if !isStopping { fail() }
      return
    }
    describeStreams()
    guard !isStopping else { return }
    addSlaves()
    enter(.playing, .playing)
    tell(.buffering(0))
    for (type, part) in [(NativeTrackType.audio, Float(3)), (.video, 5)] {
      guard let track = medium.tracks.first(where: { $0.type == type }) else { continue }
      tellMetadata()
      tell(.elementaryStreamUpdated(type, number: track.number))
      tell(.buffering(part))
    }
    // 4.seek: what was asked for before there was a thread is done now.
    if !obey() { fill(from: 6, steps: medium.bufferingSteps) }
    if !isStopping { advance() }
  }

  /// 4.play: programs and streams with what the media learns of itself, what can be done with it, its length, what is selected.
  private func describeStreams() {
    let medium = medium
    let isNew = media.parsed.read { status -> Bool in
      defer { status = .done }
      return status != .done
    }
    let news = media.news(duration: true)
    if medium.failure != .junk {
      let program = medium.programs.first?.number ?? 0
      for program in medium.programs { tell(.programAdded(program.number)) }
      state.change { $0.program = program }
      tell(.programSelected(unselected: -1, selected: program))
      for program in medium.programs { tell(.programUpdated(program.number)) }
      for (place, track) in medium.tracks.enumerated() {
        tell(.elementaryStreamAdded(track.type, number: track.number))
        tellMetadata()
        if place == 0, isNew { media.events.send(.mediaParsedChanged(.done)) }
      }
    }
    state.change { $0.isDescribed = true }
    tellCapabilities(isSeekable: medium.isSeekable, isPausable: medium.isPausable)
    if !medium.chapters.isEmpty {
      tell(.titleListChanged)
      tell(.titleSelectionChanged(0))
    }
    if medium.tracks.contains(where: { $0.type == .audio }) { player.outputs.openAudio() }
    for event in news { media.events.send(event) }
    if medium.tracks.isEmpty, isNew { media.events.send(.mediaParsedChanged(.done)) }
    tell(.lengthChanged(medium.milliseconds))
    for type in [NativeTrackType.video, .audio] {
      guard let first = medium.tracks.first(where: { $0.type == type }) else { continue }
      state.change { $0.selected[type] = [first.number] }
      tell(.elementaryStreamSelected(type, number: first.number))
    }
    tellMetadata()
  }

  /// 4.pause: a call knows what can be done as soon as it is told, not before.
  private func tellCapabilities(isSeekable: Bool, isPausable: Bool) {
    player.deliver(from: self, .seekability) {
      state.change { $0.canPause = isPausable }
      player.events.send(.seekableChanged(isSeekable))
      player.events.send(.pausableChanged(isPausable))
    }
  }

  private func tellMetadata() { media.events.send(.mediaMetadataChanged(nil)) }

  /// 4.end: what it can do goes, then Stopping.
  func endByItself() {
    loseCapabilities()
    enter(.stopping, .stopping)
  }

  /// 4.missing: an error, then Stopping.
  func failByItself() {
    enter(.error, .encounteredError)
    loseCapabilities()
    enter(.stopping, .stopping)
  }

  private func loseCapabilities() {
    let isDescribed = state.change { state -> Bool in
      defer { state.isDescribed = false }
      return state.isDescribed
    }
    if isDescribed { tellCapabilities(isSeekable: false, isPausable: false) }
  }

  /// 4.stop: after Stopping and MediaStopping what plays goes, part by part, before the player's thread tells Stopped.
  private func drain() {
    let (wasOpen, selected, tracks, program, isRecording) = state.change { state in
      (state.isOpen, state.selected, state.tracks, state.program, state.isRecording)
    }
    loseCapabilities()
    if isRecording { record(false, in: nil) }
    let hadOutput = decoder != nil
    // What decodes and shows has something left: a stop takes some twenty milliseconds.
    if wasOpen, isStopping, hadOutput { linger(chance.duration(in: .milliseconds(1)...(.milliseconds(37)))) }
    close()
    // 4.stop: the output is there still, and idle.
    if hadOutput { tell(.videoOutputs(1)) }
    for type in [NativeTrackType.video, .audio, .text] {
      for _ in selected[type] ?? [] { tell(.elementaryStreamSelected(type, number: nil)) }
      if type == .video, wasOpen { player.timer?.interrupt(0) }
    }
    guard let program else { return }
    for track in tracks {
      tell(.elementaryStreamDeleted(track.type, number: track.number))
      tellMetadata()
    }
    for known in medium.programs where known.number != program { tell(.programDeleted(known.number)) }
    tell(.programDeleted(program))
  }

  private func linger(_ duration: Duration) { _ = state.wait(for: duration) { _ in Optional<Bool>.none } }

  /// 4.seek: buffering, and the target when it is reached; a target beyond the end is the end. Whether the buffer is to be filled.
  func seek(to target: Duration) -> Bool {
    guard medium.isSeekable else { return false }
    tell(.buffering(0))
    guard medium.duration.map({ target < $0 }) ?? true else {
      state.change { $0.time = range.upperBound }
      return false
    }
    state.change { $0.time = max(target, .zero) }
    return true
  }

  /// The A-B loop's end was passed.
  func loopBack(_ time: Duration) {
    guard let loop = state.read({ $0.loop }), time >= loop.end else { return }
    send(.seekTime(loop.start))
  }

  func select(program number: Int) {
    let old = state.change { state -> Int? in
      guard state.program != number else { return nil }
      defer { state.program = number }
      return state.program
    }
    if let old { tell(.programSelected(unselected: old, selected: number)) }
  }

  func record(_ isRecording: Bool, in directory: String?) {
    let isNew = state.change { state -> Bool in
      defer { state.isRecording = isRecording }
      return state.isRecording != isRecording
    }
    guard isNew else { return }
    let path = (directory ?? "/tmp") + "/vlc-record.mkv"
    tell(.recordingChanged(isRecording: isRecording, path: isRecording ? nil : path))
  }

  /// What the output's clock shows now.
  var timePoint: NativeTimePoint {
    let (time, length) = state.read { ($0.time, $0.length) }
    let milliseconds = time.wholeMilliseconds
    return NativeTimePoint(
      position: length > 0 ? Double(milliseconds) / Double(length) : 0, rate: Double(player.rate),
      mediaMicroseconds: milliseconds * 1_000, lengthMicroseconds: length * 1_000,
      systemMicroseconds: SimulatedLibrary.now)
  }
}
