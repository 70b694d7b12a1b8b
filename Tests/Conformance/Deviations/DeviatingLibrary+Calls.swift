public import VLCNative

/// What the rules call: each may be made otherwise.
extension DeviatingLibrary {
  // Instances.

  public func errorMessage() -> String? { pass(.errorMessage) { [base] in base.errorMessage() } }
  public func retainInstance(_ instance: NativeInstance) {
    pass(.retainInstance) { [base] in base.retainInstance(instance) }
  }

  // Logs.

  public func unsetLog(_ instance: NativeInstance) { pass(.unsetLog) { [base] in base.unsetLog(instance) } }

  // Dialogs.

  public func postLogin(_ dialog: NativeDialog, userName: String, password: String, store: Bool) -> Bool {
    pass(.postLogin) { [base] in base.postLogin(dialog, userName: userName, password: password, store: store)
    }
  }
  public func dismiss(_ dialog: NativeDialog) -> Bool { pass(.dismiss) { [base] in base.dismiss(dialog) } }

  // Media.

  public func newMedia(_ instance: NativeInstance, location: String) -> NativeMedia? {
    pass(.newMediaByLocation) { [base] in base.newMedia(instance, location: location) }
  }
  public func newMedia(_ instance: NativeInstance, path: String) -> NativeMedia? {
    pass(.newMediaByPath) { [base] in base.newMedia(instance, path: path) }
  }
  public func addMediaOption(_ media: NativeMedia, _ option: String) {
    pass(.addMediaOption) { [base] in base.addMediaOption(media, option) }
  }
  public func metadata(_ media: NativeMedia, _ key: NativeMetadataKey) -> String? {
    pass(.metadata) { [base] in base.metadata(media, key) }
  }
  public func mediaTracks(_ media: NativeMedia) -> [NativeTrack] {
    pass(.mediaTracks) { [base] in base.mediaTracks(media) }
  }
  public func stopParsing(_ instance: NativeInstance, _ media: NativeMedia) {
    pass(.stopParsing) { [base] in base.stopParsing(instance, media) }
  }
  public func parsedStatus(_ media: NativeMedia) -> NativeParsedStatus {
    pass(.parsedStatus) { [base] in base.parsedStatus(media) }
  }

  // Players.

  public func newPlayer(_ instance: NativeInstance) -> NativePlayer? {
    pass(.newPlayer) { [base] in base.newPlayer(instance) }
  }
  public func retainPlayer(_ player: NativePlayer) {
    pass(.retainPlayer) { [base] in base.retainPlayer(player) }
  }
  public func releasePlayer(_ player: NativePlayer) {
    pass(.releasePlayer) { [base] in base.releasePlayer(player) }
  }
  public func setMedia(_ player: NativePlayer, _ media: NativeMedia?) {
    pass(.setMedia) { [base] in base.setMedia(player, media) }
  }
  public func retainedMedia(of player: NativePlayer) -> NativeMedia? {
    pass(.retainedMedia) { [base] in base.retainedMedia(of: player) }
  }
  public func setPause(_ player: NativePlayer, _ paused: Bool) {
    pass(.setPause) { [base] in base.setPause(player, paused) }
  }
  public func stop(_ player: NativePlayer) { pass(.stop) { [base] in base.stop(player) } }
  public func isPlaying(_ player: NativePlayer) -> Bool {
    pass(.isPlaying) { [base] in base.isPlaying(player) }
  }
  public func state(_ player: NativePlayer) -> NativeState { pass(.state) { [base] in base.state(player) } }

  // Time.

  public func length(_ player: NativePlayer) -> Int64 { pass(.length) { [base] in base.length(player) } }
  public func time(_ player: NativePlayer) -> Int64 { pass(.time) { [base] in base.time(player) } }
  public func setTime(_ player: NativePlayer, milliseconds: Int64, fast: Bool) -> Bool {
    pass(.setTime) { [base] in base.setTime(player, milliseconds: milliseconds, fast: fast) }
  }
  public func position(_ player: NativePlayer) -> Double {
    pass(.position) { [base] in base.position(player) }
  }
  public func setPosition(_ player: NativePlayer, _ position: Double, fast: Bool) -> Bool {
    pass(.setPosition) { [base] in base.setPosition(player, position, fast: fast) }
  }
  public func rate(_ player: NativePlayer) -> Float { pass(.rate) { [base] in base.rate(player) } }
  public func setRate(_ player: NativePlayer, _ rate: Float) -> Bool {
    pass(.setRate) { [base] in base.setRate(player, rate) }
  }

  // Tracks.

  public func trackDescriptions(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrackDescription] {
    pass(.trackDescriptions) { [base] in base.trackDescriptions(player, type) }
  }
  public func selectedTrack(_ player: NativePlayer, _ type: NativeTrackType) -> Int {
    pass(.selectedTrack) { [base] in base.selectedTrack(player, type) }
  }
  public func selectTrack(_ player: NativePlayer, _ type: NativeTrackType, number: Int) -> Bool {
    pass(.selectTrack) { [base] in base.selectTrack(player, type, number: number) }
  }
  public func addSlave(_ player: NativePlayer, _ type: NativeSlaveType, uri: String, select: Bool) -> Bool {
    pass(.addSlave) { [base] in base.addSlave(player, type, uri: uri, select: select) }
  }

  // Titles.

  public func showNextChapter(_ player: NativePlayer) {
    pass(.showNextChapter) { [base] in base.showNextChapter(player) }
  }

  // Video.

  public func takeSnapshot(_ player: NativePlayer, output: Int, path: String, width: UInt32, height: UInt32)
    -> Bool
  {
    pass(.takeSnapshot) { [base] in
      base.takeSnapshot(player, output: output, path: path, width: width, height: height)
    }
  }

  // Audio.

  public func volume(_ player: NativePlayer) -> Int { pass(.volume) { [base] in base.volume(player) } }
  public func setVolume(_ player: NativePlayer, percent: Int) -> Bool {
    pass(.setVolume) { [base] in base.setVolume(player, percent: percent) }
  }
  public func isMuted(_ player: NativePlayer) -> Bool? { pass(.isMuted) { [base] in base.isMuted(player) } }
  public func setMuted(_ player: NativePlayer, _ isMuted: Bool) {
    pass(.setMuted) { [base] in base.setMuted(player, isMuted) }
  }
  public func setEqualizer(_ player: NativePlayer, _ equalizer: NativeEqualizer?) -> Bool {
    pass(.setEqualizer) { [base] in base.setEqualizer(player, equalizer) }
  }

  // Equalizers.

  public func newEqualizer(preset: Int?) -> NativeEqualizer? {
    pass(.newEqualizer) { [base] in base.newEqualizer(preset: preset) }
  }
  public func releaseEqualizer(_ equalizer: NativeEqualizer) {
    pass(.releaseEqualizer) { [base] in base.releaseEqualizer(equalizer) }
  }

  // Lists.

  public func newMediaList(_ instance: NativeInstance) -> NativeMediaList? {
    pass(.newMediaList) { [base] in base.newMediaList(instance) }
  }
  public func mediaListCount(_ list: NativeMediaList) -> Int {
    pass(.mediaListCount) { [base] in base.mediaListCount(list) }
  }
  public func appendMedia(_ list: NativeMediaList, _ media: NativeMedia) -> Bool {
    pass(.appendMedia) { [base] in base.appendMedia(list, media) }
  }
  public func insertMedia(_ list: NativeMediaList, _ media: NativeMedia, at index: Int) -> Bool {
    pass(.insertMedia) { [base] in base.insertMedia(list, media, at: index) }
  }
  public func removeMedia(_ list: NativeMediaList, at index: Int) -> Bool {
    pass(.removeMedia) { [base] in base.removeMedia(list, at: index) }
  }
  public func newListPlayer(_ instance: NativeInstance) -> NativeListPlayer? {
    pass(.newListPlayer) { [base] in base.newListPlayer(instance) }
  }
  public func setPlayer(of listPlayer: NativeListPlayer, _ player: NativePlayer) {
    pass(.setPlayer) { [base] in base.setPlayer(of: listPlayer, player) }
  }
  public func setList(of listPlayer: NativeListPlayer, _ list: NativeMediaList) {
    pass(.setList) { [base] in base.setList(of: listPlayer, list) }
  }
  public func play(_ listPlayer: NativeListPlayer) { pass(.playList) { [base] in base.play(listPlayer) } }
  public func play(_ listPlayer: NativeListPlayer, at index: Int) -> Bool {
    pass(.playListAt) { [base] in base.play(listPlayer, at: index) }
  }
  public func stop(_ listPlayer: NativeListPlayer) { pass(.stopList) { [base] in base.stop(listPlayer) } }
  public func playNext(_ listPlayer: NativeListPlayer) -> Bool {
    pass(.playNext) { [base] in base.playNext(listPlayer) }
  }
  public func playPrevious(_ listPlayer: NativeListPlayer) -> Bool {
    pass(.playPrevious) { [base] in base.playPrevious(listPlayer) }
  }
  public func state(_ listPlayer: NativeListPlayer) -> NativeState {
    pass(.stateOfList) { [base] in base.state(listPlayer) }
  }
  public func setPlaybackMode(_ listPlayer: NativeListPlayer, _ mode: NativePlaybackMode) {
    pass(.setPlaybackMode) { [base] in base.setPlaybackMode(listPlayer, mode) }
  }
}
