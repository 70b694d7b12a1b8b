#if LibVLC
import CLibVLC
public import VLCNative

extension LibVLCLibrary {
  public func newMedia(_ instance: NativeInstance, location: String) -> NativeMedia? {
    libvlc_media_new_location(instance.address, location).map(MediaNames.reference)
  }

  public func newMedia(_ instance: NativeInstance, path: String) -> NativeMedia? {
    libvlc_media_new_path(instance.address, path).map(MediaNames.reference)
  }

  public func newMedia(_ instance: NativeInstance, descriptor: Int32) -> NativeMedia? {
    libvlc_media_new_fd(instance.address, descriptor).map(MediaNames.reference)
  }

  public func newMedia(
    _ instance: NativeInstance, callbacks: NativeMediaCallbacks, opaque: UnsafeMutableRawPointer?
  ) -> NativeMedia? {
    libvlc_media_new_callbacks(
      instance.address, callbacks.open, callbacks.read, callbacks.seek, callbacks.close, opaque
    ).map(MediaNames.reference)
  }

  public func newMedia(_ instance: NativeInstance, nodeNamed name: String) -> NativeMedia? {
    libvlc_media_new_as_node(instance.address, name).map(MediaNames.reference)
  }

  public func duplicateMedia(_ media: NativeMedia) -> NativeMedia? {
    libvlc_media_duplicate(media.address).map(MediaNames.reference)
  }

  public func retainMedia(_ media: NativeMedia) { libvlc_media_retain(media.address) }
  public func releaseMedia(_ media: NativeMedia) { libvlc_media_release(media.address) }

  public func mediaMRL(_ media: NativeMedia) -> String? { owned(libvlc_media_get_mrl(media.address)) }

  public func mediaType(_ media: NativeMedia) -> NativeMediaType {
    NativeMediaType(libvlc_media_get_type(media.address))
  }

  public func addMediaOption(_ media: NativeMedia, _ option: String) {
    libvlc_media_add_option(media.address, option)
  }

  public func addMediaOption(_ media: NativeMedia, _ option: String, trusted: Bool, unique: Bool) {
    let flags =
      (trusted ? UInt32(libvlc_media_option_trusted) : 0) | (unique ? UInt32(libvlc_media_option_unique) : 0)
    libvlc_media_add_option_flag(media.address, option, flags)
  }

  public func metadata(_ media: NativeMedia, _ key: NativeMetadataKey) -> String? {
    owned(libvlc_media_get_meta(media.address, key.raw))
  }

  public func setMetadata(_ media: NativeMedia, _ key: NativeMetadataKey, _ value: String?) {
    libvlc_media_set_meta(media.address, key.raw, value)
  }

  public func saveMetadata(_ instance: NativeInstance, _ media: NativeMedia) -> Bool {
    libvlc_media_save_meta(media.address) != 0
  }

  public func mediaDuration(_ media: NativeMedia) -> Int64 { libvlc_media_get_duration(media.address) }

  public func statistics(_ media: NativeMedia) -> NativeStatistics? {
    var raw = libvlc_media_stats_t()
    guard libvlc_media_get_stats(media.address, &raw) != 0 else { return nil }
    var statistics = NativeStatistics()
    // 3.0 counts in signed 32 bits, which overflow on a long stream: read as the unsigned number they hold.
    statistics.readBytes = UInt64(UInt32(bitPattern: raw.i_read_bytes))
    statistics.inputBitrate = raw.f_input_bitrate
    statistics.demuxReadBytes = UInt64(UInt32(bitPattern: raw.i_demux_read_bytes))
    statistics.demuxBitrate = raw.f_demux_bitrate
    statistics.demuxCorrupted = UInt64(UInt32(bitPattern: raw.i_demux_corrupted))
    statistics.demuxDiscontinuity = UInt64(UInt32(bitPattern: raw.i_demux_discontinuity))
    statistics.decodedVideo = UInt64(UInt32(bitPattern: raw.i_decoded_video))
    statistics.decodedAudio = UInt64(UInt32(bitPattern: raw.i_decoded_audio))
    statistics.displayedPictures = UInt64(UInt32(bitPattern: raw.i_displayed_pictures))
    statistics.lostPictures = UInt64(UInt32(bitPattern: raw.i_lost_pictures))
    statistics.playedAudioBuffers = UInt64(UInt32(bitPattern: raw.i_played_abuffers))
    statistics.lostAudioBuffers = UInt64(UInt32(bitPattern: raw.i_lost_abuffers))
    return statistics
  }

  public func mediaTracks(_ media: NativeMedia) -> [NativeTrack] {
    var tracks: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_media_track_t>?>?
    let count = libvlc_media_tracks_get(media.address, &tracks)
    defer { libvlc_media_tracks_release(tracks, count) }
    return array(tracks, count: count, track)
  }

  private func track(_ raw: libvlc_media_track_t) -> NativeTrack {
    let type = NativeTrackType(raw.i_type)
    var track = NativeTrack(
      type: type, number: Int(raw.i_id), identifier: type.identifier(raw.i_id), codec: raw.i_codec)
    track.originalCodec = raw.i_original_fourcc
    track.profile = Int(raw.i_profile)
    track.level = Int(raw.i_level)
    track.bitrate = raw.i_bitrate
    track.language = borrowed(raw.psz_language)
    track.name = borrowed(raw.psz_description)
    switch type {
    case .audio:
      track.audio = raw.audio.map {
        NativeTrack.Audio(channels: $0.pointee.i_channels, sampleRate: $0.pointee.i_rate)
      }
    case .video:
      track.video = raw.video.map {
        NativeTrack.Video(
          width: $0.pointee.i_width, height: $0.pointee.i_height,
          sampleAspectRatio: NativeRatio($0.pointee.i_sar_num, $0.pointee.i_sar_den),
          frameRate: NativeRatio($0.pointee.i_frame_rate_num, $0.pointee.i_frame_rate_den),
          orientation: NativeOrientation($0.pointee.i_orientation),
          projection: NativeProjection($0.pointee.i_projection))
      }
    case .text: track.textEncoding = raw.subtitle.flatMap { borrowed($0.pointee.psz_encoding) }
    case .unknown: break
    }
    return track
  }

  public func codecDescription(_ type: NativeTrackType, codec: UInt32) -> String? {
    borrowed(libvlc_media_get_codec_description(type.raw, codec))
  }

  public func mediaSubItems(_ media: NativeMedia) -> NativeMediaList? {
    libvlc_media_subitems(media.address).map { NativeMediaList(address: $0) }
  }

  public func addSlave(_ media: NativeMedia, _ slave: NativeSlave) -> Bool {
    libvlc_media_slaves_add(media.address, slave.type.raw, slave.priority, slave.uri) == 0
  }

  public func clearSlaves(_ media: NativeMedia) { libvlc_media_slaves_clear(media.address) }

  public func slaves(_ media: NativeMedia) -> [NativeSlave] {
    var slaves: UnsafeMutablePointer<UnsafeMutablePointer<libvlc_media_slave_t>?>?
    let count = libvlc_media_slaves_get(media.address, &slaves)
    defer { if let slaves { libvlc_media_slaves_release(slaves, count) } }
    return array(slaves, count: count) {
      NativeSlave(
        uri: borrowed($0.psz_uri) ?? "", type: NativeSlaveType($0.i_type), priority: $0.i_priority)
    }
  }

  public func parseMedia(
    _ instance: NativeInstance, _ media: NativeMedia, options: NativeParseOptions, timeoutMilliseconds: Int
  ) -> Bool {
    libvlc_media_parse_with_options(media.address, options.raw, clamped(timeoutMilliseconds)) == 0
  }

  public func stopParsing(_ instance: NativeInstance, _ media: NativeMedia) {
    libvlc_media_parse_stop(media.address)
  }

  public func parsedStatus(_ media: NativeMedia) -> NativeParsedStatus {
    NativeParsedStatus(libvlc_media_get_parsed_status(media.address))
  }
}
#endif
