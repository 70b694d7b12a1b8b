#if LibVLC
import CLibVLC
public import VLCNative

extension LibVLCLibrary {
  public var eventKinds: Set<NativeEventKind> { EventNumbers.kinds }

  public func attach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) -> Bool {
    libvlc_event_attach(manager(source), EventNumbers.number(kind), erased(callback), context) == 0
  }

  public func detach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) {
    libvlc_event_detach(manager(source), EventNumbers.number(kind), erased(callback), context)
  }

  /// The same function: its first parameter is the event, whose type the seam does not name.
  private func erased(_ callback: NativeEventCallback) -> libvlc_callback_t {
    unsafeBitCast(callback, to: libvlc_callback_t.self)
  }

  /// The event manager inside an object, which is the object's and is never freed.
  private func manager(_ source: NativeEventSource) -> OpaquePointer? {
    switch source {
    case .player(let player): libvlc_media_player_event_manager(player.address)
    case .media(let media): libvlc_media_event_manager(media.address)
    case .mediaList(let list): libvlc_media_list_event_manager(list.address)
    case .listPlayer(let player): libvlc_media_list_player_event_manager(player.address)
    case .rendererDiscoverer(let discoverer): libvlc_renderer_discoverer_event_manager(discoverer.address)
    }
  }

  public func decode(_ event: UnsafeRawPointer) -> NativeEvent {
    let event = event.assumingMemoryBound(to: libvlc_event_t.self)
    let number = event.pointee.type
    switch libvlc_event_e(rawValue: UInt32(bitPattern: number)) {
    case libvlc_MediaPlayerTimeChanged:
      return .timeChanged(event.pointee.u.media_player_time_changed.new_time)
    case libvlc_MediaPlayerPositionChanged:
      return .positionChanged(Double(event.pointee.u.media_player_position_changed.new_position))
    case libvlc_MediaPlayerBuffering: return .buffering(event.pointee.u.media_player_buffering.new_cache)
    case libvlc_MediaPlayerMediaChanged:
      return .mediaChanged(event.pointee.u.media_player_media_changed.new_media.map(MediaNames.reference))
    case libvlc_MediaPlayerNothingSpecial: return .nothingSpecial
    case libvlc_MediaPlayerOpening: return .opening
    case libvlc_MediaPlayerPlaying: return .playing
    case libvlc_MediaPlayerPaused: return .paused
    case libvlc_MediaPlayerStopped: return .stopped
    case libvlc_MediaPlayerEndReached: return .endReached
    case libvlc_MediaPlayerEncounteredError: return .encounteredError
    case libvlc_MediaPlayerLengthChanged:
      return .lengthChanged(event.pointee.u.media_player_length_changed.new_length)
    case libvlc_MediaPlayerSeekableChanged:
      return .seekableChanged(event.pointee.u.media_player_seekable_changed.new_seekable != 0)
    case libvlc_MediaPlayerPausableChanged:
      return .pausableChanged(event.pointee.u.media_player_pausable_changed.new_pausable != 0)
    case libvlc_MediaPlayerTitleChanged:
      return .titleChanged(Int(event.pointee.u.media_player_title_changed.new_title))
    case libvlc_MediaPlayerChapterChanged:
      return .chapterChanged(Int(event.pointee.u.media_player_chapter_changed.new_chapter))
    case libvlc_MediaPlayerSnapshotTaken:
      return .snapshotTaken(borrowed(event.pointee.u.media_player_snapshot_taken.psz_filename))
    case libvlc_MediaPlayerVout: return .videoOutputs(Int(event.pointee.u.media_player_vout.new_count))
    case libvlc_MediaPlayerScrambledChanged:
      return .scrambledChanged(event.pointee.u.media_player_scrambled_changed.new_scrambled != 0)
    case libvlc_MediaPlayerESAdded: return elementaryStream(event, NativeEvent.elementaryStreamAdded)
    case libvlc_MediaPlayerESDeleted: return elementaryStream(event, NativeEvent.elementaryStreamDeleted)
    case libvlc_MediaPlayerESSelected: return elementaryStream(event, NativeEvent.elementaryStreamSelected)
    case libvlc_MediaPlayerCorked: return .corked
    case libvlc_MediaPlayerUncorked: return .uncorked
    case libvlc_MediaPlayerMuted: return .muted
    case libvlc_MediaPlayerUnmuted: return .unmuted
    case libvlc_MediaPlayerAudioVolume: return .audioVolume(event.pointee.u.media_player_audio_volume.volume)
    case libvlc_MediaPlayerAudioDevice:
      return .audioDevice(borrowed(event.pointee.u.media_player_audio_device.device))
    default: return decodeRare(event)
    }
  }

  /// The events of everything that is not a player.
  private func decodeRare(_ event: UnsafePointer<libvlc_event_t>) -> NativeEvent {
    let content = event.pointee.u
    switch libvlc_event_e(rawValue: UInt32(bitPattern: event.pointee.type)) {
    case libvlc_MediaMetaChanged:
      return .mediaMetadataChanged(NativeMetadataKey.byRaw[content.media_meta_changed.meta_type.rawValue])
    case libvlc_MediaSubItemAdded:
      return named(content.media_subitem_added.new_child, NativeEvent.mediaSubItemAdded)
    case libvlc_MediaDurationChanged:
      return .mediaDurationChanged(content.media_duration_changed.new_duration)
    case libvlc_MediaParsedChanged:
      let raw = libvlc_media_parsed_status_t(UInt32(bitPattern: content.media_parsed_changed.new_status))
      return .mediaParsedChanged(NativeParsedStatus(raw))
    case libvlc_MediaStateChanged:
      let raw = libvlc_state_t(UInt32(bitPattern: content.media_state_changed.new_state))
      return .mediaStateChanged(NativeState(raw))
    case libvlc_MediaSubItemTreeAdded:
      return named(content.media_subitemtree_added.item, NativeEvent.mediaSubItemTreeAdded)
    case libvlc_MediaListItemAdded:
      let index = Int(content.media_list_item_added.index)
      return named(content.media_list_item_added.item) { .listItemAdded($0, index: index) }
    case libvlc_MediaListWillAddItem:
      let index = Int(content.media_list_will_add_item.index)
      return named(content.media_list_will_add_item.item) { .listWillAddItem($0, index: index) }
    case libvlc_MediaListItemDeleted:
      let index = Int(content.media_list_item_deleted.index)
      return named(content.media_list_item_deleted.item) { .listItemDeleted($0, index: index) }
    case libvlc_MediaListWillDeleteItem:
      let index = Int(content.media_list_will_delete_item.index)
      return named(content.media_list_will_delete_item.item) { .listWillDeleteItem($0, index: index) }
    case libvlc_MediaListEndReached: return .listEndReached
    case libvlc_MediaListPlayerPlayed: return .listPlayerPlayed
    case libvlc_MediaListPlayerNextItemSet:
      return named(content.media_list_player_next_item_set.item, NativeEvent.listPlayerNextItemSet)
    case libvlc_MediaListPlayerStopped: return .listPlayerStopped
    case libvlc_RendererDiscovererItemAdded:
      return content.renderer_discoverer_item_added.item.map {
        .rendererItemAdded(address: NativeAddress($0))
      }
        ?? .unknown
    case libvlc_RendererDiscovererItemDeleted:
      return content.renderer_discoverer_item_deleted.item
        .map { .rendererItemDeleted(address: NativeAddress($0)) } ?? .unknown
    default: return .unknown
    }
  }

  private func named(_ media: OpaquePointer?, _ event: (NativeMedia) -> NativeEvent) -> NativeEvent {
    media.map { event(MediaNames.reference($0)) } ?? .unknown
  }

  private func elementaryStream(
    _ event: UnsafePointer<libvlc_event_t>, _ make: (NativeTrackType, Int?) -> NativeEvent
  ) -> NativeEvent {
    let content = event.pointee.u.media_player_es_changed
    return make(NativeTrackType(content.i_type), content.i_id < 0 ? nil : Int(content.i_id))
  }
}

/// The numbers of 3.0's events.
enum EventNumbers {
  static let kinds = Set(table.keys)

  static func number(_ kind: NativeEventKind) -> Int32 {
    guard let number = table[kind] else {
      preconditionFailure("libVLC 3.0 has no event \(kind): ask `eventKinds` first")
    }
    return Int32(bitPattern: number.rawValue)
  }

  private static let table: [NativeEventKind: libvlc_event_e] = [
    .mediaMetadataChanged: libvlc_MediaMetaChanged, .mediaSubItemAdded: libvlc_MediaSubItemAdded,
    .mediaDurationChanged: libvlc_MediaDurationChanged, .mediaParsedChanged: libvlc_MediaParsedChanged,
    .mediaStateChanged: libvlc_MediaStateChanged, .mediaSubItemTreeAdded: libvlc_MediaSubItemTreeAdded,
    .mediaChanged: libvlc_MediaPlayerMediaChanged, .nothingSpecial: libvlc_MediaPlayerNothingSpecial,
    .opening: libvlc_MediaPlayerOpening, .buffering: libvlc_MediaPlayerBuffering,
    .playing: libvlc_MediaPlayerPlaying, .paused: libvlc_MediaPlayerPaused,
    .stopped: libvlc_MediaPlayerStopped, .endReached: libvlc_MediaPlayerEndReached,
    .encounteredError: libvlc_MediaPlayerEncounteredError, .timeChanged: libvlc_MediaPlayerTimeChanged,
    .positionChanged: libvlc_MediaPlayerPositionChanged, .lengthChanged: libvlc_MediaPlayerLengthChanged,
    .seekableChanged: libvlc_MediaPlayerSeekableChanged,
    .pausableChanged: libvlc_MediaPlayerPausableChanged, .titleChanged: libvlc_MediaPlayerTitleChanged,
    .chapterChanged: libvlc_MediaPlayerChapterChanged, .snapshotTaken: libvlc_MediaPlayerSnapshotTaken,
    .videoOutputs: libvlc_MediaPlayerVout, .scrambledChanged: libvlc_MediaPlayerScrambledChanged,
    .elementaryStreamAdded: libvlc_MediaPlayerESAdded,
    .elementaryStreamDeleted: libvlc_MediaPlayerESDeleted,
    .elementaryStreamSelected: libvlc_MediaPlayerESSelected, .corked: libvlc_MediaPlayerCorked,
    .uncorked: libvlc_MediaPlayerUncorked, .muted: libvlc_MediaPlayerMuted,
    .unmuted: libvlc_MediaPlayerUnmuted, .audioVolume: libvlc_MediaPlayerAudioVolume,
    .audioDevice: libvlc_MediaPlayerAudioDevice, .listItemAdded: libvlc_MediaListItemAdded,
    .listWillAddItem: libvlc_MediaListWillAddItem, .listItemDeleted: libvlc_MediaListItemDeleted,
    .listWillDeleteItem: libvlc_MediaListWillDeleteItem, .listEndReached: libvlc_MediaListEndReached,
    .listPlayerPlayed: libvlc_MediaListPlayerPlayed,
    .listPlayerNextItemSet: libvlc_MediaListPlayerNextItemSet,
    .listPlayerStopped: libvlc_MediaListPlayerStopped,
    .rendererItemAdded: libvlc_RendererDiscovererItemAdded,
    .rendererItemDeleted: libvlc_RendererDiscovererItemDeleted,
  ]
}
#endif
