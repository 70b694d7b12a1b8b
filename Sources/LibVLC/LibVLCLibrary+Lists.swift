#if LibVLC
import CLibVLC
public import VLCNative

extension LibVLCLibrary {
  public func newMediaList(_ instance: NativeInstance) -> NativeMediaList? {
    libvlc_media_list_new(instance.address).map { NativeMediaList(address: $0) }
  }
  public func retainMediaList(_ list: NativeMediaList) { libvlc_media_list_retain(list.address) }
  public func releaseMediaList(_ list: NativeMediaList) { libvlc_media_list_release(list.address) }
  public func retainedMedia(of list: NativeMediaList) -> NativeMedia? {
    libvlc_media_list_media(list.address).map(MediaNames.reference)
  }
  public func setMedia(of list: NativeMediaList, _ media: NativeMedia) {
    libvlc_media_list_set_media(list.address, media.address)
  }
  public func lockMediaList(_ list: NativeMediaList) { libvlc_media_list_lock(list.address) }
  public func unlockMediaList(_ list: NativeMediaList) { libvlc_media_list_unlock(list.address) }
  public func mediaListCount(_ list: NativeMediaList) -> Int { Int(libvlc_media_list_count(list.address)) }
  public func appendMedia(_ list: NativeMediaList, _ media: NativeMedia) -> Bool {
    libvlc_media_list_add_media(list.address, media.address) == 0
  }
  public func insertMedia(_ list: NativeMediaList, _ media: NativeMedia, at index: Int) -> Bool {
    libvlc_media_list_insert_media(list.address, media.address, clamped(index)) == 0
  }
  public func removeMedia(_ list: NativeMediaList, at index: Int) -> Bool {
    libvlc_media_list_remove_index(list.address, clamped(index)) == 0
  }
  public func retainedMedia(_ list: NativeMediaList, at index: Int) -> NativeMedia? {
    libvlc_media_list_item_at_index(list.address, clamped(index)).map(MediaNames.reference)
  }
  public func index(_ list: NativeMediaList, of media: NativeMedia) -> Int? {
    let index = libvlc_media_list_index_of_item(list.address, media.address)
    return index < 0 ? nil : Int(index)
  }
  public func isReadOnly(_ list: NativeMediaList) -> Bool { libvlc_media_list_is_readonly(list.address) != 0 }
}

extension LibVLCLibrary {
  public func newListPlayer(_ instance: NativeInstance) -> NativeListPlayer? {
    libvlc_media_list_player_new(instance.address).map { NativeListPlayer(address: $0) }
  }
  public func retainListPlayer(_ player: NativeListPlayer) { libvlc_media_list_player_retain(player.address) }
  public func releaseListPlayer(_ player: NativeListPlayer) {
    libvlc_media_list_player_release(player.address)
  }
  public func setPlayer(of listPlayer: NativeListPlayer, _ player: NativePlayer) {
    libvlc_media_list_player_set_media_player(listPlayer.address, player.address)
  }
  public func setList(of listPlayer: NativeListPlayer, _ list: NativeMediaList) {
    libvlc_media_list_player_set_media_list(listPlayer.address, list.address)
  }
  public func play(_ listPlayer: NativeListPlayer) { libvlc_media_list_player_play(listPlayer.address) }
  public func play(_ listPlayer: NativeListPlayer, at index: Int) -> Bool {
    libvlc_media_list_player_play_item_at_index(listPlayer.address, clamped(index)) == 0
  }
  public func play(_ listPlayer: NativeListPlayer, _ media: NativeMedia) -> Bool {
    libvlc_media_list_player_play_item(listPlayer.address, media.address) == 0
  }
  public func setPause(_ listPlayer: NativeListPlayer, _ paused: Bool) {
    libvlc_media_list_player_set_pause(listPlayer.address, paused ? 1 : 0)
  }
  public func stop(_ listPlayer: NativeListPlayer) { libvlc_media_list_player_stop(listPlayer.address) }
  public func playNext(_ listPlayer: NativeListPlayer) -> Bool {
    libvlc_media_list_player_next(listPlayer.address) == 0
  }
  public func playPrevious(_ listPlayer: NativeListPlayer) -> Bool {
    libvlc_media_list_player_previous(listPlayer.address) == 0
  }
  public func isPlaying(_ listPlayer: NativeListPlayer) -> Bool {
    libvlc_media_list_player_is_playing(listPlayer.address) != 0
  }
  public func state(_ listPlayer: NativeListPlayer) -> NativeState {
    NativeState(libvlc_media_list_player_get_state(listPlayer.address))
  }

  public func setPlaybackMode(_ listPlayer: NativeListPlayer, _ mode: NativePlaybackMode) {
    let raw =
      switch mode {
      case .once: libvlc_playback_mode_default
      case .loop: libvlc_playback_mode_loop
      case .repeatOne: libvlc_playback_mode_repeat
      }
    libvlc_media_list_player_set_playback_mode(listPlayer.address, raw)
  }
}

extension LibVLCLibrary {
  public func mediaDiscoverers(_ instance: NativeInstance, _ category: NativeDiscoveryCategory)
    -> [NativeNamed]
  {
    let raw =
      switch category {
      case .devices: libvlc_media_discoverer_devices
      case .lan: libvlc_media_discoverer_lan
      case .podcasts: libvlc_media_discoverer_podcasts
      case .localDirectories: libvlc_media_discoverer_localdirs
      }
    var services: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_media_discoverer_description_t>?>?
    let count = libvlc_media_discoverer_list_get(instance.address, raw, &services)
    defer { if count > 0 { libvlc_media_discoverer_list_release(services, count) } }
    return array(services, count: count) {
      NativeNamed(name: borrowed($0.psz_name) ?? "", description: borrowed($0.psz_longname))
    }
  }

  public func newMediaDiscoverer(_ instance: NativeInstance, name: String) -> NativeMediaDiscoverer? {
    libvlc_media_discoverer_new(instance.address, name).map { NativeMediaDiscoverer(address: $0) }
  }
  public func start(_ discoverer: NativeMediaDiscoverer) -> Bool {
    libvlc_media_discoverer_start(discoverer.address) == 0
  }
  public func stop(_ discoverer: NativeMediaDiscoverer) { libvlc_media_discoverer_stop(discoverer.address) }
  public func releaseMediaDiscoverer(_ discoverer: NativeMediaDiscoverer) {
    libvlc_media_discoverer_release(discoverer.address)
  }
  public func retainedList(of discoverer: NativeMediaDiscoverer) -> NativeMediaList? {
    libvlc_media_discoverer_media_list(discoverer.address).map { NativeMediaList(address: $0) }
  }
  public func isRunning(_ discoverer: NativeMediaDiscoverer) -> Bool {
    libvlc_media_discoverer_is_running(discoverer.address) != 0
  }

  public func rendererDiscoverers(_ instance: NativeInstance) -> [NativeNamed] {
    var services: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_rd_description_t>?>?
    let count = libvlc_renderer_discoverer_list_get(instance.address, &services)
    defer { if count > 0 { libvlc_renderer_discoverer_list_release(services, count) } }
    return array(services, count: count) {
      NativeNamed(name: borrowed($0.psz_name) ?? "", description: borrowed($0.psz_longname))
    }
  }

  public func newRendererDiscoverer(_ instance: NativeInstance, name: String) -> NativeRendererDiscoverer? {
    libvlc_renderer_discoverer_new(instance.address, name).map { NativeRendererDiscoverer(address: $0) }
  }
  public func start(_ discoverer: NativeRendererDiscoverer) -> Bool {
    libvlc_renderer_discoverer_start(discoverer.address) == 0
  }
  public func stop(_ discoverer: NativeRendererDiscoverer) {
    libvlc_renderer_discoverer_stop(discoverer.address)
  }
  public func releaseRendererDiscoverer(_ discoverer: NativeRendererDiscoverer) {
    libvlc_renderer_discoverer_release(discoverer.address)
  }

  public func holdRenderer(at address: NativeAddress) -> NativeRendererItem {
    guard let held = libvlc_renderer_item_hold(address.pointer) else {
      preconditionFailure("libVLC holds every renderer item that it names")
    }
    return NativeRendererItem(address: held)
  }
  public func releaseRenderer(_ item: NativeRendererItem) { libvlc_renderer_item_release(item.address) }
  public func rendererName(_ item: NativeRendererItem) -> String? {
    borrowed(libvlc_renderer_item_name(item.address))
  }
  public func rendererType(_ item: NativeRendererItem) -> String? {
    borrowed(libvlc_renderer_item_type(item.address))
  }
  public func rendererIconURI(_ item: NativeRendererItem) -> String? {
    borrowed(libvlc_renderer_item_icon_uri(item.address))
  }
  public func rendererAbilities(_ item: NativeRendererItem) -> NativeRendererAbilities {
    let flags = libvlc_renderer_item_flags(item.address)
    var abilities: NativeRendererAbilities = []
    if flags & Int32(LIBVLC_RENDERER_CAN_AUDIO) != 0 { abilities.insert(.audio) }
    if flags & Int32(LIBVLC_RENDERER_CAN_VIDEO) != 0 { abilities.insert(.video) }
    return abilities
  }
}
#endif
