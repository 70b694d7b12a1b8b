public import VLCNative

extension SimulatedLibrary {
  func settings<Value>(
    _ player: NativePlayer, _ body: (inout SimulatedPlayer.Settings) -> Value
  ) -> Value { find(player).state.read { body(&$0.settings) } }

  // MARK: Pictures

  public func videoOutputCount(_ player: NativePlayer) -> Int { find(player).outputs.videoCount }
  public func videoSize(_ player: NativePlayer, output: Int) -> (width: UInt32, height: UInt32)? {
    guard let input = find(player).current else { return nil }
    let videos = input.state.read { $0.tracks }.filter { $0.type == .video }
    guard videos.indices.contains(output), let video = videos[output].video else { return nil }
    return (video.width, video.height)
  }
  public func cursor(_ player: NativePlayer, output: Int) -> (x: Int, y: Int)? {
    output < find(player).outputs.videoCount ? (0, 0) : nil
  }
  public func setXWindow(_ player: NativePlayer, _ window: UInt32) { settings(player) { $0.window = window } }
  public func xWindow(_ player: NativePlayer) -> UInt32 { settings(player) { $0.window } }
  public func setKeyInput(_ player: NativePlayer, _ isOn: Bool) { _ = find(player) }
  public func setMouseInput(_ player: NativePlayer, _ isOn: Bool) { _ = find(player) }

  public func setVideoCallbacks(
    _ player: NativePlayer, _ callbacks: NativeVideoCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    find(player).outputs.changeVideo {
      $0.callbacks = callbacks
      $0.opaque = opaque
    }
  }
  public func setVideoFormat(
    _ player: NativePlayer, chroma: String, width: UInt32, height: UInt32, pitch: UInt32
  ) { _ = find(player) }
  public func setVideoFormatCallbacks(
    _ player: NativePlayer, setup: NativeVideoCallbacks.Setup?, cleanup: NativeVideoCallbacks.Cleanup?
  ) {
    find(player).outputs.changeVideo {
      $0.setup = setup
      $0.cleanup = cleanup
    }
  }

  public func scale(_ player: NativePlayer) -> Float { settings(player) { $0.scale } }
  public func setScale(_ player: NativePlayer, _ scale: Float) { settings(player) { $0.scale = scale } }
  public func aspectRatio(_ player: NativePlayer) -> String? { settings(player) { $0.aspectRatio } }
  public func setAspectRatio(_ player: NativePlayer, _ ratio: String?) {
    settings(player) { $0.aspectRatio = ratio }
  }
  public func cropGeometry(_ player: NativePlayer) -> String? {
    demand(.cropGeometry)
    return settings(player) { $0.crop }
  }
  public func setCropGeometry(_ player: NativePlayer, _ geometry: String?) {
    demand(.cropGeometry)
    settings(player) { $0.crop = geometry }
  }
  public func updateViewpoint(_ player: NativePlayer, _ viewpoint: NativeViewpoint, absolute: Bool) -> Bool {
    find(player).current != nil
  }
  public func setDeinterlace(_ player: NativePlayer, mode: String?) { _ = find(player) }
  public func takeSnapshot(_ player: NativePlayer, output: Int, path: String, width: UInt32, height: UInt32)
    -> Bool
  {
    let player = find(player)
    guard player.current != nil, output < player.outputs.videoCount else { return false }
    player.events.send(.snapshotTaken(path))
    return true
  }
  public func setVideoTitleDisplay(
    _ player: NativePlayer, _ position: NativeOverlayPosition, timeoutMilliseconds: UInt32
  ) { _ = find(player) }

  public func subtitleDelay(_ player: NativePlayer) -> Int64 {
    find(player).current == nil ? 0 : settings(player) { $0.subtitleDelay }
  }
  public func setSubtitleDelay(_ player: NativePlayer, microseconds: Int64) -> Bool {
    guard find(player).current != nil else { return false }
    settings(player) { $0.subtitleDelay = microseconds }
    return true
  }
  public func teletextPage(_ player: NativePlayer) -> Int { settings(player) { $0.teletextPage } }
  public func setTeletextPage(_ player: NativePlayer, _ page: Int) {
    settings(player) { $0.teletextPage = page }
  }
  public func pressTeletextKey(_ player: NativePlayer, _ key: NativeTeletextKey) { _ = find(player) }

  public func marquee(_ player: NativePlayer, _ number: NativeMarqueeNumber) -> Int {
    settings(player) { $0.marquee[number] ?? 0 }
  }
  public func setMarquee(_ player: NativePlayer, _ number: NativeMarqueeNumber, _ value: Int) {
    settings(player) { $0.marquee[number] = value }
  }
  public func setMarqueeText(_ player: NativePlayer, _ text: String) { _ = find(player) }
  public func setMarqueePosition(_ player: NativePlayer, _ position: NativeOverlayPosition) {
    _ = find(player)
  }
  public func logo(_ player: NativePlayer, _ number: NativeLogoNumber) -> Int {
    settings(player) { $0.logo[number] ?? 0 }
  }
  public func setLogo(_ player: NativePlayer, _ number: NativeLogoNumber, _ value: Int) {
    settings(player) { $0.logo[number] = value }
  }
  public func setLogoFile(_ player: NativePlayer, _ file: String) { _ = find(player) }
  public func setLogoPosition(_ player: NativePlayer, _ position: NativeOverlayPosition) { _ = find(player) }
  public func isAdjusting(_ player: NativePlayer) -> Bool {
    _ = find(player)
    return false
  }
  public func setAdjusting(_ player: NativePlayer, _ isOn: Bool) { _ = find(player) }
  public func adjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment) -> Float {
    settings(player) { $0.adjustments[adjustment] ?? (adjustment == .hue ? 0 : 1) }
  }
  public func setAdjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment, _ value: Float) {
    settings(player) { $0.adjustments[adjustment] = value }
  }

  // MARK: Sound

  // S11: an output without a volume of its own tells nothing, and answers nought; one with a volume tells each set on the caller.
  public func volume(_ player: NativePlayer) -> Int {
    let player = find(player)
    guard player.outputs.hasAudio else { return -1 }
    return player.instance.hasVolume ? player.state.read { $0.volume } : 0
  }
  public func setVolume(_ player: NativePlayer, percent: Int) -> Bool {
    let player = find(player)
    guard percent >= 0 else { return false }
    player.state.read { $0.volume = percent }
    player.outputs.setVolume(Float(percent) / 100, isMuted: player.state.read { $0.isMuted })
    if player.instance.hasVolume {
      player.outputs.openForVolume()
      player.events.send(.audioVolume(Float(percent) / 100))
    }
    return true
  }
  public func isMuted(_ player: NativePlayer) -> Bool? {
    let player = find(player)
    guard player.outputs.hasAudio else { return nil }
    return player.instance.hasVolume ? player.state.read { $0.isMuted } : false
  }
  public func setMuted(_ player: NativePlayer, _ isMuted: Bool) {
    let player = find(player)
    let isNew = player.state.read { state -> Bool in
      defer { state.isMuted = isMuted }
      return state.isMuted != isMuted
    }
    player.outputs.setVolume(Float(player.state.read { $0.volume }) / 100, isMuted: isMuted)
    if player.instance.hasVolume { player.outputs.openForVolume() }
    if isNew, player.instance.hasVolume {
      player.events.send(isMuted ? .muted : .unmuted)
    }
  }
  public func audioDelay(_ player: NativePlayer) -> Int64 {
    find(player).current == nil ? 0 : settings(player) { $0.audioDelay }
  }
  public func setAudioDelay(_ player: NativePlayer, microseconds: Int64) -> Bool {
    guard find(player).current != nil else { return false }
    settings(player) { $0.audioDelay = microseconds }
    return true
  }
  public func stereoMode(_ player: NativePlayer) -> NativeStereoMode { settings(player) { $0.stereoMode } }
  public func setStereoMode(_ player: NativePlayer, _ mode: NativeStereoMode) -> Bool {
    settings(player) { $0.stereoMode = mode }
    return true
  }
  public func setAudioOutput(_ player: NativePlayer, _ output: String) -> Bool {
    _ = find(player)
    return Self.outputs.contains { $0.name == output }
  }
  public func audioDevices(_ player: NativePlayer) -> [NativeNamed] {
    _ = find(player)
    return []
  }
  public func audioDevice(_ player: NativePlayer) -> String? {
    _ = find(player)
    return nil
  }
  public func setAudioDevice(_ player: NativePlayer, output: String?, device: String) { _ = find(player) }
  public func setEqualizer(_ player: NativePlayer, _ equalizer: NativeEqualizer?) -> Bool {
    _ = find(player)
    if let equalizer { _ = find(equalizer) }
    return true
  }

  public func setAudioCallbacks(
    _ player: NativePlayer, _ callbacks: NativeAudioCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    find(player).outputs.changeAudio {
      $0.callbacks = callbacks
      $0.opaque = opaque
    }
  }
  public func setAudioVolumeCallback(_ player: NativePlayer, _ callback: NativeAudioCallbacks.SetVolume?) {
    find(player).outputs.changeAudio { $0.setVolume = callback }
  }
  public func setAudioFormatCallbacks(
    _ player: NativePlayer, setup: NativeAudioCallbacks.Setup?, cleanup: NativeAudioCallbacks.Cleanup?
  ) {
    find(player).outputs.changeAudio {
      $0.setup = setup
      $0.cleanup = cleanup
    }
  }
  public func setAudioFormat(_ player: NativePlayer, format: String, rate: UInt32, channels: UInt32) {
    find(player).outputs.changeAudio { $0.format = (format, rate, channels) }
  }
}
