#if LibVLC
import CLibVLC
public import VLCNative

extension LibVLCLibrary {
  public func newPlayer(_ instance: NativeInstance) -> NativePlayer? {
    libvlc_media_player_new(instance.address).map { NativePlayer(address: $0) }
  }

  public func newPlayer(_ instance: NativeInstance, media: NativeMedia) -> NativePlayer? {
    libvlc_media_player_new_from_media(media.address).map { NativePlayer(address: $0) }
  }

  public func retainPlayer(_ player: NativePlayer) { libvlc_media_player_retain(player.address) }
  public func releasePlayer(_ player: NativePlayer) { libvlc_media_player_release(player.address) }

  public func setMedia(_ player: NativePlayer, _ media: NativeMedia?) {
    libvlc_media_player_set_media(player.address, media?.address)
  }

  public func retainedMedia(of player: NativePlayer) -> NativeMedia? {
    libvlc_media_player_get_media(player.address).map(MediaNames.reference)
  }

  public func play(_ player: NativePlayer) -> Bool { libvlc_media_player_play(player.address) == 0 }

  public func setPause(_ player: NativePlayer, _ paused: Bool) {
    libvlc_media_player_set_pause(player.address, paused ? 1 : 0)
  }

  public func stop(_ player: NativePlayer) { libvlc_media_player_stop(player.address) }
  public func isPlaying(_ player: NativePlayer) -> Bool {
    libvlc_media_player_is_playing(player.address) != 0
  }
  public func state(_ player: NativePlayer) -> NativeState {
    NativeState(libvlc_media_player_get_state(player.address))
  }
  public func canPause(_ player: NativePlayer) -> Bool { libvlc_media_player_can_pause(player.address) != 0 }

  public func setRenderer(_ player: NativePlayer, _ item: NativeRendererItem?) -> Bool {
    libvlc_media_player_set_renderer(player.address, item?.address) == 0
  }

  public func role(_ player: NativePlayer) -> NativeRole {
    NativeRole.byRaw[UInt32(bitPattern: libvlc_media_player_get_role(player.address))] ?? .none
  }

  public func setRole(_ player: NativePlayer, _ role: NativeRole) -> Bool {
    libvlc_media_player_set_role(player.address, role.raw.rawValue) == 0
  }
}

extension LibVLCLibrary {
  public func length(_ player: NativePlayer) -> Int64 { libvlc_media_player_get_length(player.address) }
  public func time(_ player: NativePlayer) -> Int64 { libvlc_media_player_get_time(player.address) }

  public func setTime(_ player: NativePlayer, milliseconds: Int64, fast: Bool) -> Bool {
    libvlc_media_player_set_time(player.address, milliseconds)
    return true
  }

  public func position(_ player: NativePlayer) -> Double {
    Double(libvlc_media_player_get_position(player.address))
  }

  public func setPosition(_ player: NativePlayer, _ position: Double, fast: Bool) -> Bool {
    libvlc_media_player_set_position(player.address, Float(position))
    return true
  }

  public func isSeekable(_ player: NativePlayer) -> Bool {
    libvlc_media_player_is_seekable(player.address) != 0
  }

  public func rate(_ player: NativePlayer) -> Float { libvlc_media_player_get_rate(player.address) }
  public func setRate(_ player: NativePlayer, _ rate: Float) -> Bool {
    libvlc_media_player_set_rate(player.address, rate) == 0
  }
  public func showNextFrame(_ player: NativePlayer) { libvlc_media_player_next_frame(player.address) }
}

extension LibVLCLibrary {
  public func trackDescriptions(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrackDescription] {
    let list: UnsafeMutablePointer<libvlc_track_description_t>? =
      switch type {
      case .audio: libvlc_audio_get_track_description(player.address)
      case .video: libvlc_video_get_track_description(player.address)
      case .text: libvlc_video_get_spu_description(player.address)
      case .unknown: nil
      }
    defer { libvlc_track_description_list_release(list) }
    return linked(list, next: \.p_next) {
      NativeTrackDescription(number: Int($0.i_id), name: borrowed($0.psz_name))
    }
  }

  public func selectedTrack(_ player: NativePlayer, _ type: NativeTrackType) -> Int {
    switch type {
    case .audio: Int(libvlc_audio_get_track(player.address))
    case .video: Int(libvlc_video_get_track(player.address))
    case .text: Int(libvlc_video_get_spu(player.address))
    case .unknown: -1
    }
  }

  public func selectTrack(_ player: NativePlayer, _ type: NativeTrackType, number: Int) -> Bool {
    switch type {
    case .audio: libvlc_audio_set_track(player.address, clamped(number)) == 0
    case .video: libvlc_video_set_track(player.address, clamped(number)) == 0
    case .text: libvlc_video_set_spu(player.address, clamped(number)) == 0
    case .unknown: false
    }
  }

  public func addSlave(_ player: NativePlayer, _ type: NativeSlaveType, uri: String, select: Bool) -> Bool {
    libvlc_media_player_add_slave(player.address, type.raw, uri, select) == 0
  }
}

extension LibVLCLibrary {
  public func titles(_ player: NativePlayer) -> [NativeTitle] {
    var titles: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_title_description_t>?>?
    let count = libvlc_media_player_get_full_title_descriptions(player.address, &titles)
    // An empty array is the caller's to free as well; an error has none.
    defer { if count >= 0 { libvlc_title_descriptions_release(titles, UInt32(count)) } }
    return array(titles, count: count) {
      NativeTitle(
        durationMilliseconds: $0.i_duration, name: borrowed($0.psz_name),
        isMenu: $0.i_flags & UInt32(libvlc_title_menu) != 0,
        isInteractive: $0.i_flags & UInt32(libvlc_title_interactive) != 0)
    }
  }

  public func chapters(_ player: NativePlayer, title: Int?) -> [NativeChapter] {
    var chapters: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_chapter_description_t>?>?
    let count = libvlc_media_player_get_full_chapter_descriptions(
      player.address, clamped(title ?? -1), &chapters)
    defer { if count >= 0 { libvlc_chapter_descriptions_release(chapters, UInt32(count)) } }
    return array(chapters, count: count) {
      NativeChapter(
        startMilliseconds: $0.i_time_offset, durationMilliseconds: $0.i_duration, name: borrowed($0.psz_name))
    }
  }

  public func title(_ player: NativePlayer) -> Int { Int(libvlc_media_player_get_title(player.address)) }
  public func setTitle(_ player: NativePlayer, _ title: Int) {
    libvlc_media_player_set_title(player.address, clamped(title))
  }
  public func titleCount(_ player: NativePlayer) -> Int {
    max(0, Int(libvlc_media_player_get_title_count(player.address)))
  }
  public func chapter(_ player: NativePlayer) -> Int { Int(libvlc_media_player_get_chapter(player.address)) }
  public func setChapter(_ player: NativePlayer, _ chapter: Int) {
    libvlc_media_player_set_chapter(player.address, clamped(chapter))
  }

  public func chapterCount(_ player: NativePlayer, title: Int?) -> Int {
    let count =
      title.map { libvlc_media_player_get_chapter_count_for_title(player.address, clamped($0)) }
      ?? libvlc_media_player_get_chapter_count(player.address)
    return max(0, Int(count))
  }

  public func showNextChapter(_ player: NativePlayer) { libvlc_media_player_next_chapter(player.address) }
  public func showPreviousChapter(_ player: NativePlayer) {
    libvlc_media_player_previous_chapter(player.address)
  }
  public func navigate(_ player: NativePlayer, _ navigation: NativeNavigation) {
    libvlc_media_player_navigate(player.address, navigation.raw.rawValue)
  }
  public func isScrambled(_ player: NativePlayer) -> Bool {
    libvlc_media_player_program_scrambled(player.address) != 0
  }
}
#endif
