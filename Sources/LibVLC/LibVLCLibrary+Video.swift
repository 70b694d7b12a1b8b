#if LibVLC
import CLibVLC
public import VLCNative

extension LibVLCLibrary {
  public func videoOutputCount(_ player: NativePlayer) -> Int {
    Int(libvlc_media_player_has_vout(player.address))
  }

  public func videoSize(_ player: NativePlayer, output: Int) -> (width: UInt32, height: UInt32)? {
    var width: UInt32 = 0
    var height: UInt32 = 0
    guard libvlc_video_get_size(player.address, clamped(output), &width, &height) == 0 else { return nil }
    return (width, height)
  }

  public func cursor(_ player: NativePlayer, output: Int) -> (x: Int, y: Int)? {
    var x: Int32 = 0
    var y: Int32 = 0
    guard libvlc_video_get_cursor(player.address, clamped(output), &x, &y) == 0 else { return nil }
    return (Int(x), Int(y))
  }

  public func setXWindow(_ player: NativePlayer, _ window: UInt32) {
    libvlc_media_player_set_xwindow(player.address, window)
  }
  public func xWindow(_ player: NativePlayer) -> UInt32 { libvlc_media_player_get_xwindow(player.address) }
  public func setKeyInput(_ player: NativePlayer, _ isOn: Bool) {
    libvlc_video_set_key_input(player.address, isOn ? 1 : 0)
  }
  public func setMouseInput(_ player: NativePlayer, _ isOn: Bool) {
    libvlc_video_set_mouse_input(player.address, isOn ? 1 : 0)
  }

  public func setVideoCallbacks(
    _ player: NativePlayer, _ callbacks: NativeVideoCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    libvlc_video_set_callbacks(
      player.address, callbacks?.lock, callbacks?.unlock, callbacks?.display, opaque)
  }

  public func setVideoFormat(
    _ player: NativePlayer, chroma: String, width: UInt32, height: UInt32, pitch: UInt32
  ) {
    libvlc_video_set_format(player.address, chroma, width, height, pitch)
  }

  public func setVideoFormatCallbacks(
    _ player: NativePlayer, setup: NativeVideoCallbacks.Setup?, cleanup: NativeVideoCallbacks.Cleanup?
  ) {
    libvlc_video_set_format_callbacks(player.address, setup, cleanup)
  }

  public func scale(_ player: NativePlayer) -> Float { libvlc_video_get_scale(player.address) }
  public func setScale(_ player: NativePlayer, _ scale: Float) {
    libvlc_video_set_scale(player.address, scale)
  }
  public func aspectRatio(_ player: NativePlayer) -> String? {
    owned(libvlc_video_get_aspect_ratio(player.address))
  }
  public func setAspectRatio(_ player: NativePlayer, _ ratio: String?) {
    libvlc_video_set_aspect_ratio(player.address, ratio)
  }
  public func cropGeometry(_ player: NativePlayer) -> String? {
    owned(libvlc_video_get_crop_geometry(player.address))
  }
  public func setCropGeometry(_ player: NativePlayer, _ geometry: String?) {
    libvlc_video_set_crop_geometry(player.address, geometry)
  }

  public func updateViewpoint(_ player: NativePlayer, _ viewpoint: NativeViewpoint, absolute: Bool) -> Bool {
    var raw = libvlc_video_viewpoint_t(
      f_yaw: viewpoint.yaw, f_pitch: viewpoint.pitch, f_roll: viewpoint.roll,
      f_field_of_view: viewpoint.fieldOfView)
    return libvlc_video_update_viewpoint(player.address, &raw, absolute) == 0
  }

  public func setDeinterlace(_ player: NativePlayer, mode: String?) {
    libvlc_video_set_deinterlace(player.address, mode)
  }

  public func takeSnapshot(
    _ player: NativePlayer, output: Int, path: String, width: UInt32, height: UInt32
  ) -> Bool {
    libvlc_video_take_snapshot(player.address, clamped(output), path, width, height) == 0
  }

  public func setVideoTitleDisplay(
    _ player: NativePlayer, _ position: NativeOverlayPosition, timeoutMilliseconds: UInt32
  ) {
    libvlc_media_player_set_video_title_display(player.address, position.raw, timeoutMilliseconds)
  }

  public func subtitleDelay(_ player: NativePlayer) -> Int64 { libvlc_video_get_spu_delay(player.address) }
  public func setSubtitleDelay(_ player: NativePlayer, microseconds: Int64) -> Bool {
    libvlc_video_set_spu_delay(player.address, microseconds) == 0
  }
  public func teletextPage(_ player: NativePlayer) -> Int { Int(libvlc_video_get_teletext(player.address)) }
  public func setTeletextPage(_ player: NativePlayer, _ page: Int) {
    libvlc_video_set_teletext(player.address, clamped(page))
  }

  public func pressTeletextKey(_ player: NativePlayer, _ key: NativeTeletextKey) {
    let raw =
      switch key {
      case .red: libvlc_teletext_key_red
      case .green: libvlc_teletext_key_green
      case .yellow: libvlc_teletext_key_yellow
      case .blue: libvlc_teletext_key_blue
      case .index: libvlc_teletext_key_index
      }
    libvlc_video_set_teletext(player.address, Int32(bitPattern: raw.rawValue))
  }
}

extension LibVLCLibrary {
  public func marquee(_ player: NativePlayer, _ number: NativeMarqueeNumber) -> Int {
    Int(libvlc_video_get_marquee_int(player.address, raw(number)))
  }
  public func setMarquee(_ player: NativePlayer, _ number: NativeMarqueeNumber, _ value: Int) {
    libvlc_video_set_marquee_int(player.address, raw(number), clamped(value))
  }
  public func setMarqueeText(_ player: NativePlayer, _ text: String) {
    libvlc_video_set_marquee_string(player.address, libvlc_marquee_Text.rawValue, text)
  }
  public func setMarqueePosition(_ player: NativePlayer, _ position: NativeOverlayPosition) {
    libvlc_video_set_marquee_int(player.address, libvlc_marquee_Position.rawValue, position.sum)
  }

  private func raw(_ number: NativeMarqueeNumber) -> UInt32 {
    switch number {
    case .enabled: libvlc_marquee_Enable.rawValue
    case .color: libvlc_marquee_Color.rawValue
    case .opacity: libvlc_marquee_Opacity.rawValue
    case .refresh: libvlc_marquee_Refresh.rawValue
    case .size: libvlc_marquee_Size.rawValue
    case .timeout: libvlc_marquee_Timeout.rawValue
    case .x: libvlc_marquee_X.rawValue
    case .y: libvlc_marquee_Y.rawValue
    }
  }

  public func logo(_ player: NativePlayer, _ number: NativeLogoNumber) -> Int {
    Int(libvlc_video_get_logo_int(player.address, raw(number)))
  }
  public func setLogo(_ player: NativePlayer, _ number: NativeLogoNumber, _ value: Int) {
    libvlc_video_set_logo_int(player.address, raw(number), clamped(value))
  }
  public func setLogoFile(_ player: NativePlayer, _ file: String) {
    libvlc_video_set_logo_string(player.address, libvlc_logo_file.rawValue, file)
  }
  public func setLogoPosition(_ player: NativePlayer, _ position: NativeOverlayPosition) {
    libvlc_video_set_logo_int(player.address, libvlc_logo_position.rawValue, position.sum)
  }

  private func raw(_ number: NativeLogoNumber) -> UInt32 {
    switch number {
    case .enabled: libvlc_logo_enable.rawValue
    case .x: libvlc_logo_x.rawValue
    case .y: libvlc_logo_y.rawValue
    case .delay: libvlc_logo_delay.rawValue
    case .repeatCount: libvlc_logo_repeat.rawValue
    case .opacity: libvlc_logo_opacity.rawValue
    }
  }

  public func isAdjusting(_ player: NativePlayer) -> Bool {
    libvlc_video_get_adjust_int(player.address, libvlc_adjust_Enable.rawValue) != 0
  }
  public func setAdjusting(_ player: NativePlayer, _ isOn: Bool) {
    libvlc_video_set_adjust_int(player.address, libvlc_adjust_Enable.rawValue, isOn ? 1 : 0)
  }
  public func adjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment) -> Float {
    libvlc_video_get_adjust_float(player.address, raw(adjustment))
  }
  public func setAdjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment, _ value: Float) {
    libvlc_video_set_adjust_float(player.address, raw(adjustment), value)
  }

  private func raw(_ adjustment: NativeAdjustment) -> UInt32 {
    switch adjustment {
    case .contrast: libvlc_adjust_Contrast.rawValue
    case .brightness: libvlc_adjust_Brightness.rawValue
    case .hue: libvlc_adjust_Hue.rawValue
    case .saturation: libvlc_adjust_Saturation.rawValue
    case .gamma: libvlc_adjust_Gamma.rawValue
    }
  }
}
#endif
