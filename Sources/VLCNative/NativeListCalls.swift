/// Media lists and list players.
public protocol NativeListCalls {
  /// The instance is 3.0's.
  func newMediaList(_ instance: NativeInstance) -> NativeMediaList?
  func retainMediaList(_ list: NativeMediaList)
  func releaseMediaList(_ list: NativeMediaList)
  /// The media that the list belongs to, which the caller owns.
  func retainedMedia(of list: NativeMediaList) -> NativeMedia?
  func setMedia(of list: NativeMediaList, _ media: NativeMedia)
  /// To be held around each of the calls below that names a list.
  func lockMediaList(_ list: NativeMediaList)
  func unlockMediaList(_ list: NativeMediaList)
  func mediaListCount(_ list: NativeMediaList) -> Int
  func appendMedia(_ list: NativeMediaList, _ media: NativeMedia) -> Bool
  func insertMedia(_ list: NativeMediaList, _ media: NativeMedia, at index: Int) -> Bool
  func removeMedia(_ list: NativeMediaList, at index: Int) -> Bool
  /// The media at an index, which the caller owns.
  func retainedMedia(_ list: NativeMediaList, at index: Int) -> NativeMedia?
  /// Nil when the list has it not.
  func index(_ list: NativeMediaList, of media: NativeMedia) -> Int?
  func isReadOnly(_ list: NativeMediaList) -> Bool

  func newListPlayer(_ instance: NativeInstance) -> NativeListPlayer?
  func retainListPlayer(_ player: NativeListPlayer)
  func releaseListPlayer(_ player: NativeListPlayer)
  /// The list player retains the player.
  func setPlayer(of listPlayer: NativeListPlayer, _ player: NativePlayer)
  func setList(of listPlayer: NativeListPlayer, _ list: NativeMediaList)
  func play(_ listPlayer: NativeListPlayer)
  /// 3.0's event names the item that was current until now; where there was none, no event comes and the
  /// answer is false, and the item plays all the same.
  func play(_ listPlayer: NativeListPlayer, at index: Int) -> Bool
  func play(_ listPlayer: NativeListPlayer, _ media: NativeMedia) -> Bool
  func setPause(_ listPlayer: NativeListPlayer, _ paused: Bool)
  /// Joins the input. Capability `joiningTransport`.
  func stop(_ listPlayer: NativeListPlayer)
  /// Capability `asynchronousStop`.
  func stopAsynchronously(_ listPlayer: NativeListPlayer)
  /// False at the end. 3.0 loses the position then.
  func playNext(_ listPlayer: NativeListPlayer) -> Bool
  func playPrevious(_ listPlayer: NativeListPlayer) -> Bool
  func isPlaying(_ listPlayer: NativeListPlayer) -> Bool
  func state(_ listPlayer: NativeListPlayer) -> NativeState
  func setPlaybackMode(_ listPlayer: NativeListPlayer, _ mode: NativePlaybackMode)
}

extension NativeListCalls where Self: NativeLibrary {
  public func stopAsynchronously(_ listPlayer: NativeListPlayer) { absent(.asynchronousStop) }
}

/// Discoverers of media and of renderers.
public protocol NativeDiscoveryCalls {
  func mediaDiscoverers(_ instance: NativeInstance, _ category: NativeDiscoveryCategory) -> [NativeNamed]
  /// 3.0 makes one for every name; one that no service has fails at its start.
  func newMediaDiscoverer(_ instance: NativeInstance, name: String) -> NativeMediaDiscoverer?
  func start(_ discoverer: NativeMediaDiscoverer) -> Bool
  func stop(_ discoverer: NativeMediaDiscoverer)
  func releaseMediaDiscoverer(_ discoverer: NativeMediaDiscoverer)
  /// The list of what is found, which the caller owns.
  func retainedList(of discoverer: NativeMediaDiscoverer) -> NativeMediaList?
  func isRunning(_ discoverer: NativeMediaDiscoverer) -> Bool

  func rendererDiscoverers(_ instance: NativeInstance) -> [NativeNamed]
  /// 3.0 makes one for every name; one that no service has fails at its start.
  func newRendererDiscoverer(_ instance: NativeInstance, name: String) -> NativeRendererDiscoverer?
  func start(_ discoverer: NativeRendererDiscoverer) -> Bool
  func stop(_ discoverer: NativeRendererDiscoverer)
  func releaseRendererDiscoverer(_ discoverer: NativeRendererDiscoverer)
  /// Holds the renderer that an event named, inside the event's callback; the caller owns it. A held renderer
  /// keeps its address, so a later event about it can be told by address.
  func holdRenderer(at address: NativeAddress) -> NativeRendererItem
  func releaseRenderer(_ item: NativeRendererItem)
  func rendererName(_ item: NativeRendererItem) -> String?
  func rendererType(_ item: NativeRendererItem) -> String?
  func rendererIconURI(_ item: NativeRendererItem) -> String?
  func rendererAbilities(_ item: NativeRendererItem) -> NativeRendererAbilities
}
