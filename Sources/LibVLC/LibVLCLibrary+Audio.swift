#if LibVLC
import CLibVLC
public import VLCNative

extension LibVLCLibrary {
  public func volume(_ player: NativePlayer) -> Int { Int(libvlc_audio_get_volume(player.address)) }
  public func setVolume(_ player: NativePlayer, percent: Int) -> Bool {
    libvlc_audio_set_volume(player.address, clamped(percent)) == 0
  }

  public func isMuted(_ player: NativePlayer) -> Bool? {
    let status = libvlc_audio_get_mute(player.address)
    return status < 0 ? nil : status != 0
  }
  public func setMuted(_ player: NativePlayer, _ isMuted: Bool) {
    libvlc_audio_set_mute(player.address, isMuted ? 1 : 0)
  }

  public func audioDelay(_ player: NativePlayer) -> Int64 { libvlc_audio_get_delay(player.address) }
  public func setAudioDelay(_ player: NativePlayer, microseconds: Int64) -> Bool {
    libvlc_audio_set_delay(player.address, microseconds) == 0
  }

  public func stereoMode(_ player: NativePlayer) -> NativeStereoMode {
    switch libvlc_audio_output_channel_t(libvlc_audio_get_channel(player.address)) {
    case libvlc_AudioChannel_Stereo: .stereo
    case libvlc_AudioChannel_RStereo: .reversedStereo
    case libvlc_AudioChannel_Left: .left
    case libvlc_AudioChannel_Right: .right
    case libvlc_AudioChannel_Dolbys: .dolbySurround
    default: .unset
    }
  }

  public func setStereoMode(_ player: NativePlayer, _ mode: NativeStereoMode) -> Bool {
    let raw: libvlc_audio_output_channel_t
    switch mode {
    case .stereo: raw = libvlc_AudioChannel_Stereo
    case .reversedStereo: raw = libvlc_AudioChannel_RStereo
    case .left: raw = libvlc_AudioChannel_Left
    case .right: raw = libvlc_AudioChannel_Right
    case .dolbySurround: raw = libvlc_AudioChannel_Dolbys
    case .unset, .mono: return false  // Only in 4.0.
    }
    return libvlc_audio_set_channel(player.address, raw.rawValue) == 0
  }

  public func setAudioOutput(_ player: NativePlayer, _ output: String) -> Bool {
    libvlc_audio_output_set(player.address, output) == 0
  }
  public func audioDevices(_ player: NativePlayer) -> [NativeNamed] {
    devices(libvlc_audio_output_device_enum(player.address))
  }
  public func audioDevice(_ player: NativePlayer) -> String? {
    owned(libvlc_audio_output_device_get(player.address))
  }
  public func setAudioDevice(_ player: NativePlayer, output: String?, device: String) {
    libvlc_audio_output_device_set(player.address, output, device)
  }
  public func setEqualizer(_ player: NativePlayer, _ equalizer: NativeEqualizer?) -> Bool {
    libvlc_media_player_set_equalizer(player.address, equalizer?.address) == 0
  }

  public func setAudioCallbacks(
    _ player: NativePlayer, _ callbacks: NativeAudioCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    libvlc_audio_set_callbacks(
      player.address, callbacks?.play, callbacks?.pause, callbacks?.resume, callbacks?.flush,
      callbacks?.drain,
      opaque)
  }
  public func setAudioVolumeCallback(_ player: NativePlayer, _ callback: NativeAudioCallbacks.SetVolume?) {
    libvlc_audio_set_volume_callback(player.address, callback)
  }
  public func setAudioFormatCallbacks(
    _ player: NativePlayer, setup: NativeAudioCallbacks.Setup?, cleanup: NativeAudioCallbacks.Cleanup?
  ) {
    libvlc_audio_set_format_callbacks(player.address, setup, cleanup)
  }
  public func setAudioFormat(_ player: NativePlayer, format: String, rate: UInt32, channels: UInt32) {
    libvlc_audio_set_format(player.address, format, rate, channels)
  }
}

extension LibVLCLibrary {
  public var equalizerPresetCount: Int { Int(libvlc_audio_equalizer_get_preset_count()) }
  public func equalizerPresetName(_ preset: Int) -> String? {
    borrowed(libvlc_audio_equalizer_get_preset_name(clamped(preset)))
  }
  public var equalizerBandCount: Int { Int(libvlc_audio_equalizer_get_band_count()) }
  public func equalizerBandFrequency(_ band: Int) -> Float {
    libvlc_audio_equalizer_get_band_frequency(clamped(band))
  }

  public func newEqualizer(preset: Int?) -> NativeEqualizer? {
    let address =
      preset.map { libvlc_audio_equalizer_new_from_preset(clamped($0)) } ?? libvlc_audio_equalizer_new()
    return address.map { NativeEqualizer(address: $0) }
  }
  public func releaseEqualizer(_ equalizer: NativeEqualizer) {
    libvlc_audio_equalizer_release(equalizer.address)
  }
  public func equalizerPreamp(_ equalizer: NativeEqualizer) -> Float {
    libvlc_audio_equalizer_get_preamp(equalizer.address)
  }
  public func setEqualizerPreamp(_ equalizer: NativeEqualizer, _ gain: Float) -> Bool {
    libvlc_audio_equalizer_set_preamp(equalizer.address, gain) == 0
  }
  public func equalizerGain(_ equalizer: NativeEqualizer, band: Int) -> Float {
    libvlc_audio_equalizer_get_amp_at_index(equalizer.address, clamped(band))
  }
  public func setEqualizerGain(_ equalizer: NativeEqualizer, band: Int, _ gain: Float) -> Bool {
    libvlc_audio_equalizer_set_amp_at_index(equalizer.address, gain, clamped(band)) == 0
  }
}
#endif
