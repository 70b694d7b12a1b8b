public import VLCNative

/// What no rule calls is made as it is.
extension DeviatingLibrary {
  // Instances.

  public var version: String { base.version }
  public var compiler: String { base.compiler }
  public var changeset: String { base.changeset }
  public var abiVersion: Int? { base.abiVersion }
  public var clock: Int64 { base.clock }
  public func clearErrorMessage() { base.clearErrorMessage() }
  public func setUserAgent(_ instance: NativeInstance, name: String, http: String) {
    base.setUserAgent(instance, name: name, http: http)
  }
  public func setAppID(_ instance: NativeInstance, id: String, version: String, icon: String) {
    base.setAppID(instance, id: id, version: version, icon: icon)
  }
  public func audioFilters(_ instance: NativeInstance) -> [NativeModule] { base.audioFilters(instance) }
  public func videoFilters(_ instance: NativeInstance) -> [NativeModule] { base.videoFilters(instance) }
  public func audioOutputs(_ instance: NativeInstance) -> [NativeNamed] { base.audioOutputs(instance) }
  public func audioOutputDevices(_ instance: NativeInstance, output: String) -> [NativeNamed] {
    base.audioOutputDevices(instance, output: output)
  }

  // Logs.

  public func logOrigin(level: Int32, origin: UnsafeRawPointer?) -> NativeLogOrigin {
    base.logOrigin(level: level, origin: origin)
  }

  // Dialogs.

  public func dialog(at address: OpaquePointer) -> NativeDialog { base.dialog(at: address) }
  public func dialogSeverity(raw: UInt32) -> NativeDialogSeverity { base.dialogSeverity(raw: raw) }
  public func postAction(_ dialog: NativeDialog, action: Int) -> Bool {
    base.postAction(dialog, action: action)
  }

  // Media.

  public func newMedia(_ instance: NativeInstance, descriptor: Int32) -> NativeMedia? {
    base.newMedia(instance, descriptor: descriptor)
  }
  public func newMedia(_ instance: NativeInstance, nodeNamed name: String) -> NativeMedia? {
    base.newMedia(instance, nodeNamed: name)
  }
  public func duplicateMedia(_ media: NativeMedia) -> NativeMedia? { base.duplicateMedia(media) }
  public func retainMedia(_ media: NativeMedia) { base.retainMedia(media) }
  public func mediaMRL(_ media: NativeMedia) -> String? { base.mediaMRL(media) }
  public func mediaType(_ media: NativeMedia) -> NativeMediaType { base.mediaType(media) }
  public func addMediaOption(_ media: NativeMedia, _ option: String, trusted: Bool, unique: Bool) {
    base.addMediaOption(media, option, trusted: trusted, unique: unique)
  }
  public func setMetadata(_ media: NativeMedia, _ key: NativeMetadataKey, _ value: String?) {
    base.setMetadata(media, key, value)
  }
  public func saveMetadata(_ instance: NativeInstance, _ media: NativeMedia) -> Bool {
    base.saveMetadata(instance, media)
  }
  public func mediaDuration(_ media: NativeMedia) -> Int64 { base.mediaDuration(media) }
  public func statistics(_ media: NativeMedia) -> NativeStatistics? { base.statistics(media) }
  public func codecDescription(_ type: NativeTrackType, codec: UInt32) -> String? {
    base.codecDescription(type, codec: codec)
  }
  public func mediaSubItems(_ media: NativeMedia) -> NativeMediaList? { base.mediaSubItems(media) }
  public func addSlave(_ media: NativeMedia, _ slave: NativeSlave) -> Bool { base.addSlave(media, slave) }
  public func clearSlaves(_ media: NativeMedia) { base.clearSlaves(media) }
  public func slaves(_ media: NativeMedia) -> [NativeSlave] { base.slaves(media) }

  // Players.

  public func newPlayer(_ instance: NativeInstance, media: NativeMedia) -> NativePlayer? {
    base.newPlayer(instance, media: media)
  }
  public func canPause(_ player: NativePlayer) -> Bool { base.canPause(player) }
  public func setRenderer(_ player: NativePlayer, _ item: NativeRendererItem?) -> Bool {
    base.setRenderer(player, item)
  }
  public func role(_ player: NativePlayer) -> NativeRole { base.role(player) }
  public func setRole(_ player: NativePlayer, _ role: NativeRole) -> Bool { base.setRole(player, role) }
  public func selectProgram(_ player: NativePlayer, number: Int) {
    base.selectProgram(player, number: number)
  }

  // Time.

  public func isSeekable(_ player: NativePlayer) -> Bool { base.isSeekable(player) }
  public func showNextFrame(_ player: NativePlayer) { base.showNextFrame(player) }
  public func setABLoop(_ player: NativePlayer, aPosition: Double, bPosition: Double) -> Bool {
    base.setABLoop(player, aPosition: aPosition, bPosition: bPosition)
  }

  // Tracks.

  // Titles.

  public func titles(_ player: NativePlayer) -> [NativeTitle] { base.titles(player) }
  public func chapters(_ player: NativePlayer, title: Int?) -> [NativeChapter] {
    base.chapters(player, title: title)
  }
  public func title(_ player: NativePlayer) -> Int { base.title(player) }
  public func setTitle(_ player: NativePlayer, _ title: Int) { base.setTitle(player, title) }
  public func titleCount(_ player: NativePlayer) -> Int { base.titleCount(player) }
  public func chapter(_ player: NativePlayer) -> Int { base.chapter(player) }
  public func setChapter(_ player: NativePlayer, _ chapter: Int) { base.setChapter(player, chapter) }
  public func chapterCount(_ player: NativePlayer, title: Int?) -> Int {
    base.chapterCount(player, title: title)
  }
  public func showPreviousChapter(_ player: NativePlayer) { base.showPreviousChapter(player) }
  public func navigate(_ player: NativePlayer, _ navigation: NativeNavigation) {
    base.navigate(player, navigation)
  }
  public func isScrambled(_ player: NativePlayer) -> Bool { base.isScrambled(player) }

  // Video.

  public func videoOutputCount(_ player: NativePlayer) -> Int { base.videoOutputCount(player) }
  public func videoSize(_ player: NativePlayer, output: Int) -> (width: UInt32, height: UInt32)? {
    base.videoSize(player, output: output)
  }
  public func cursor(_ player: NativePlayer, output: Int) -> (x: Int, y: Int)? {
    base.cursor(player, output: output)
  }
  public func setCocoaView(_ player: NativePlayer, _ view: UnsafeMutableRawPointer?) {
    base.setCocoaView(player, view)
  }
  public func setXWindow(_ player: NativePlayer, _ window: UInt32) { base.setXWindow(player, window) }
  public func xWindow(_ player: NativePlayer) -> UInt32 { base.xWindow(player) }
  public func setKeyInput(_ player: NativePlayer, _ isOn: Bool) { base.setKeyInput(player, isOn) }
  public func setMouseInput(_ player: NativePlayer, _ isOn: Bool) { base.setMouseInput(player, isOn) }
  public func setVideoFormat(
    _ player: NativePlayer, chroma: String, width: UInt32, height: UInt32, pitch: UInt32
  ) { base.setVideoFormat(player, chroma: chroma, width: width, height: height, pitch: pitch) }
  public func scale(_ player: NativePlayer) -> Float { base.scale(player) }
  public func setScale(_ player: NativePlayer, _ scale: Float) { base.setScale(player, scale) }
  public func aspectRatio(_ player: NativePlayer) -> String? { base.aspectRatio(player) }
  public func setAspectRatio(_ player: NativePlayer, _ ratio: String?) { base.setAspectRatio(player, ratio) }
  public func cropGeometry(_ player: NativePlayer) -> String? { base.cropGeometry(player) }
  public func setCropGeometry(_ player: NativePlayer, _ geometry: String?) {
    base.setCropGeometry(player, geometry)
  }
  public func updateViewpoint(_ player: NativePlayer, _ viewpoint: NativeViewpoint, absolute: Bool) -> Bool {
    base.updateViewpoint(player, viewpoint, absolute: absolute)
  }
  public func setDeinterlace(_ player: NativePlayer, mode: String?) {
    base.setDeinterlace(player, mode: mode)
  }
  public func setVideoTitleDisplay(
    _ player: NativePlayer, _ position: NativeOverlayPosition, timeoutMilliseconds: UInt32
  ) { base.setVideoTitleDisplay(player, position, timeoutMilliseconds: timeoutMilliseconds) }
  public func subtitleDelay(_ player: NativePlayer) -> Int64 { base.subtitleDelay(player) }
  public func setSubtitleDelay(_ player: NativePlayer, microseconds: Int64) -> Bool {
    base.setSubtitleDelay(player, microseconds: microseconds)
  }
  public func teletextPage(_ player: NativePlayer) -> Int { base.teletextPage(player) }
  public func setTeletextPage(_ player: NativePlayer, _ page: Int) { base.setTeletextPage(player, page) }
  public func pressTeletextKey(_ player: NativePlayer, _ key: NativeTeletextKey) {
    base.pressTeletextKey(player, key)
  }
  public func marquee(_ player: NativePlayer, _ number: NativeMarqueeNumber) -> Int {
    base.marquee(player, number)
  }
  public func setMarquee(_ player: NativePlayer, _ number: NativeMarqueeNumber, _ value: Int) {
    base.setMarquee(player, number, value)
  }
  public func setMarqueeText(_ player: NativePlayer, _ text: String) { base.setMarqueeText(player, text) }
  public func setMarqueePosition(_ player: NativePlayer, _ position: NativeOverlayPosition) {
    base.setMarqueePosition(player, position)
  }
  public func logo(_ player: NativePlayer, _ number: NativeLogoNumber) -> Int { base.logo(player, number) }
  public func setLogo(_ player: NativePlayer, _ number: NativeLogoNumber, _ value: Int) {
    base.setLogo(player, number, value)
  }
  public func setLogoFile(_ player: NativePlayer, _ file: String) { base.setLogoFile(player, file) }
  public func setLogoPosition(_ player: NativePlayer, _ position: NativeOverlayPosition) {
    base.setLogoPosition(player, position)
  }
  public func isAdjusting(_ player: NativePlayer) -> Bool { base.isAdjusting(player) }
  public func setAdjusting(_ player: NativePlayer, _ isOn: Bool) { base.setAdjusting(player, isOn) }
  public func adjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment) -> Float {
    base.adjustment(player, adjustment)
  }
  public func setAdjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment, _ value: Float) {
    base.setAdjustment(player, adjustment, value)
  }

  // Audio.

  public func audioDelay(_ player: NativePlayer) -> Int64 { base.audioDelay(player) }
  public func setAudioDelay(_ player: NativePlayer, microseconds: Int64) -> Bool {
    base.setAudioDelay(player, microseconds: microseconds)
  }
  public func stereoMode(_ player: NativePlayer) -> NativeStereoMode { base.stereoMode(player) }
  public func setStereoMode(_ player: NativePlayer, _ mode: NativeStereoMode) -> Bool {
    base.setStereoMode(player, mode)
  }
  public func setAudioOutput(_ player: NativePlayer, _ output: String) -> Bool {
    base.setAudioOutput(player, output)
  }
  public func audioDevices(_ player: NativePlayer) -> [NativeNamed] { base.audioDevices(player) }
  public func audioDevice(_ player: NativePlayer) -> String? { base.audioDevice(player) }
  public func setAudioDevice(_ player: NativePlayer, output: String?, device: String) {
    base.setAudioDevice(player, output: output, device: device)
  }
  public func setAudioFormat(_ player: NativePlayer, format: String, rate: UInt32, channels: UInt32) {
    base.setAudioFormat(player, format: format, rate: rate, channels: channels)
  }

  // Equalizers.

  public var equalizerPresetCount: Int { base.equalizerPresetCount }
  public func equalizerPresetName(_ preset: Int) -> String? { base.equalizerPresetName(preset) }
  public var equalizerBandCount: Int { base.equalizerBandCount }
  public func equalizerBandFrequency(_ band: Int) -> Float { base.equalizerBandFrequency(band) }
  public func equalizerPreamp(_ equalizer: NativeEqualizer) -> Float { base.equalizerPreamp(equalizer) }
  public func setEqualizerPreamp(_ equalizer: NativeEqualizer, _ gain: Float) -> Bool {
    base.setEqualizerPreamp(equalizer, gain)
  }
  public func equalizerGain(_ equalizer: NativeEqualizer, band: Int) -> Float {
    base.equalizerGain(equalizer, band: band)
  }
  public func setEqualizerGain(_ equalizer: NativeEqualizer, band: Int, _ gain: Float) -> Bool {
    base.setEqualizerGain(equalizer, band: band, gain)
  }

  // Lists.

  public func retainMediaList(_ list: NativeMediaList) { base.retainMediaList(list) }
  public func releaseMediaList(_ list: NativeMediaList) { base.releaseMediaList(list) }
  public func retainedMedia(of list: NativeMediaList) -> NativeMedia? { base.retainedMedia(of: list) }
  public func setMedia(of list: NativeMediaList, _ media: NativeMedia) { base.setMedia(of: list, media) }
  public func lockMediaList(_ list: NativeMediaList) { base.lockMediaList(list) }
  public func unlockMediaList(_ list: NativeMediaList) { base.unlockMediaList(list) }
  public func retainedMedia(_ list: NativeMediaList, at index: Int) -> NativeMedia? {
    base.retainedMedia(list, at: index)
  }
  public func index(_ list: NativeMediaList, of media: NativeMedia) -> Int? { base.index(list, of: media) }
  public func isReadOnly(_ list: NativeMediaList) -> Bool { base.isReadOnly(list) }
  public func retainListPlayer(_ player: NativeListPlayer) { base.retainListPlayer(player) }
  public func releaseListPlayer(_ player: NativeListPlayer) { base.releaseListPlayer(player) }
  public func play(_ listPlayer: NativeListPlayer, _ media: NativeMedia) -> Bool {
    base.play(listPlayer, media)
  }
  public func setPause(_ listPlayer: NativeListPlayer, _ paused: Bool) { base.setPause(listPlayer, paused) }
  public func isPlaying(_ listPlayer: NativeListPlayer) -> Bool { base.isPlaying(listPlayer) }

  // Discovery.

  public func mediaDiscoverers(_ instance: NativeInstance, _ category: NativeDiscoveryCategory)
    -> [NativeNamed]
  { base.mediaDiscoverers(instance, category) }
  public func newMediaDiscoverer(_ instance: NativeInstance, name: String) -> NativeMediaDiscoverer? {
    base.newMediaDiscoverer(instance, name: name)
  }
  public func start(_ discoverer: NativeMediaDiscoverer) -> Bool { base.start(discoverer) }
  public func stop(_ discoverer: NativeMediaDiscoverer) { base.stop(discoverer) }
  public func releaseMediaDiscoverer(_ discoverer: NativeMediaDiscoverer) {
    base.releaseMediaDiscoverer(discoverer)
  }
  public func retainedList(of discoverer: NativeMediaDiscoverer) -> NativeMediaList? {
    base.retainedList(of: discoverer)
  }
  public func isRunning(_ discoverer: NativeMediaDiscoverer) -> Bool { base.isRunning(discoverer) }
  public func rendererDiscoverers(_ instance: NativeInstance) -> [NativeNamed] {
    base.rendererDiscoverers(instance)
  }
  public func newRendererDiscoverer(_ instance: NativeInstance, name: String) -> NativeRendererDiscoverer? {
    base.newRendererDiscoverer(instance, name: name)
  }
  public func start(_ discoverer: NativeRendererDiscoverer) -> Bool { base.start(discoverer) }
  public func stop(_ discoverer: NativeRendererDiscoverer) { base.stop(discoverer) }
  public func releaseRendererDiscoverer(_ discoverer: NativeRendererDiscoverer) {
    base.releaseRendererDiscoverer(discoverer)
  }
  public func holdRenderer(at address: NativeAddress) -> NativeRendererItem { base.holdRenderer(at: address) }
  public func releaseRenderer(_ item: NativeRendererItem) { base.releaseRenderer(item) }
  public func rendererName(_ item: NativeRendererItem) -> String? { base.rendererName(item) }
  public func rendererType(_ item: NativeRendererItem) -> String? { base.rendererType(item) }
  public func rendererIconURI(_ item: NativeRendererItem) -> String? { base.rendererIconURI(item) }
  public func rendererAbilities(_ item: NativeRendererItem) -> NativeRendererAbilities {
    base.rendererAbilities(item)
  }
}
