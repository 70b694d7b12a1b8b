/// A player's pictures: where they go, and what is laid over them.
public protocol NativePlayerVideoCalls {
  /// The count of video outputs.
  func videoOutputCount(_ player: NativePlayer) -> Int
  /// In pixels; nil when there is no video. 3.0 takes the number for a video track's, shown or not.
  func videoSize(_ player: NativePlayer, output: Int) -> (width: UInt32, height: UInt32)?
  /// The mouse pointer over the video, in pixels of it; nil when there is none.
  func cursor(_ player: NativePlayer, output: Int) -> (x: Int, y: Int)?
  /// A Cocoa view. Capability `cocoaViews`.
  func setCocoaView(_ player: NativePlayer, _ view: UnsafeMutableRawPointer?)
  /// An X11 window, 0 for a window of libVLC's own. 3.0 forgets the player's choice of an output with it.
  func setXWindow(_ player: NativePlayer, _ window: UInt32)
  func xWindow(_ player: NativePlayer) -> UInt32
  func setKeyInput(_ player: NativePlayer, _ isOn: Bool)
  func setMouseInput(_ player: NativePlayer, _ isOn: Bool)

  /// Copied by each video output when it opens: setting again or nil revokes nothing of one that is open.
  func setVideoCallbacks(
    _ player: NativePlayer, _ callbacks: NativeVideoCallbacks?, opaque: UnsafeMutableRawPointer?)
  /// A fixed format instead of format callbacks; the chroma has four characters.
  func setVideoFormat(_ player: NativePlayer, chroma: String, width: UInt32, height: UInt32, pitch: UInt32)
  func setVideoFormatCallbacks(
    _ player: NativePlayer, setup: NativeVideoCallbacks.Setup?, cleanup: NativeVideoCallbacks.Cleanup?)

  /// 0 fits the window.
  func scale(_ player: NativePlayer) -> Float
  func setScale(_ player: NativePlayer, _ scale: Float)
  /// "W:H"; nil is the media's own.
  func aspectRatio(_ player: NativePlayer) -> String?
  func setAspectRatio(_ player: NativePlayer, _ ratio: String?)
  /// Capability `cropGeometry`.
  func cropGeometry(_ player: NativePlayer) -> String?
  /// Capability `cropGeometry`.
  func setCropGeometry(_ player: NativePlayer, _ geometry: String?)
  func updateViewpoint(_ player: NativePlayer, _ viewpoint: NativeViewpoint, absolute: Bool) -> Bool
  /// Nil mode switches deinterlacing off.
  func setDeinterlace(_ player: NativePlayer, mode: String?)
  /// Writes a picture on the caller's thread; 0 keeps a dimension.
  func takeSnapshot(_ player: NativePlayer, output: Int, path: String, width: UInt32, height: UInt32) -> Bool
  func setVideoTitleDisplay(
    _ player: NativePlayer, _ position: NativeOverlayPosition, timeoutMilliseconds: UInt32)

  /// In microseconds.
  func subtitleDelay(_ player: NativePlayer) -> Int64
  func setSubtitleDelay(_ player: NativePlayer, microseconds: Int64) -> Bool
  /// The page that was set last, 100 at first, whether there is teletext or not; 0 is off.
  func teletextPage(_ player: NativePlayer) -> Int
  func setTeletextPage(_ player: NativePlayer, _ page: Int)
  func pressTeletextKey(_ player: NativePlayer, _ key: NativeTeletextKey)

  /// `enabled` is 0 until the overlay is in an output.
  func marquee(_ player: NativePlayer, _ number: NativeMarqueeNumber) -> Int
  func setMarquee(_ player: NativePlayer, _ number: NativeMarqueeNumber, _ value: Int)
  func setMarqueeText(_ player: NativePlayer, _ text: String)
  func setMarqueePosition(_ player: NativePlayer, _ position: NativeOverlayPosition)
  /// `enabled` is 0 until the overlay is in an output.
  func logo(_ player: NativePlayer, _ number: NativeLogoNumber) -> Int
  func setLogo(_ player: NativePlayer, _ number: NativeLogoNumber, _ value: Int)
  /// "path[,delay[,opacity]][;…]".
  func setLogoFile(_ player: NativePlayer, _ file: String)
  func setLogoPosition(_ player: NativePlayer, _ position: NativeOverlayPosition)
  /// 3.0 always answers false: it looks for the adjustments among the overlays.
  func isAdjusting(_ player: NativePlayer) -> Bool
  func setAdjusting(_ player: NativePlayer, _ isOn: Bool)
  func adjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment) -> Float
  func setAdjustment(_ player: NativePlayer, _ adjustment: NativeAdjustment, _ value: Float)

  // Only in 4.0.

  /// Capability `subtitleTextScale`.
  func subtitleTextScale(_ player: NativePlayer) -> Float
  /// Capability `subtitleTextScale`.
  func setSubtitleTextScale(_ player: NativePlayer, _ scale: Float)
}

extension NativePlayerVideoCalls where Self: NativeLibrary {
  public func setCocoaView(_ player: NativePlayer, _ view: UnsafeMutableRawPointer?) { absent(.cocoaViews) }
  public func cropGeometry(_ player: NativePlayer) -> String? { absent(.cropGeometry) }
  public func setCropGeometry(_ player: NativePlayer, _ geometry: String?) { absent(.cropGeometry) }
  public func subtitleTextScale(_ player: NativePlayer) -> Float { absent(.subtitleTextScale) }
  public func setSubtitleTextScale(_ player: NativePlayer, _ scale: Float) { absent(.subtitleTextScale) }
}

/// A player's sound.
public protocol NativePlayerAudioCalls {
  /// In percent, -1 when there is no audio output.
  func volume(_ player: NativePlayer) -> Int
  /// In percent; false for a number that is out of range.
  func setVolume(_ player: NativePlayer, percent: Int) -> Bool
  /// Nil when there is no audio output.
  func isMuted(_ player: NativePlayer) -> Bool?
  func setMuted(_ player: NativePlayer, _ isMuted: Bool)
  /// In microseconds.
  func audioDelay(_ player: NativePlayer) -> Int64
  func setAudioDelay(_ player: NativePlayer, microseconds: Int64) -> Bool
  func stereoMode(_ player: NativePlayer) -> NativeStereoMode
  func setStereoMode(_ player: NativePlayer, _ mode: NativeStereoMode) -> Bool
  /// Takes effect at the next play.
  func setAudioOutput(_ player: NativePlayer, _ output: String) -> Bool
  func audioDevices(_ player: NativePlayer) -> [NativeNamed]
  func audioDevice(_ player: NativePlayer) -> String?
  /// The output is 3.0's, and nil there means the one in use.
  func setAudioDevice(_ player: NativePlayer, output: String?, device: String)
  /// Nil removes the equalizer; its settings are copied.
  func setEqualizer(_ player: NativePlayer, _ equalizer: NativeEqualizer?) -> Bool

  func setAudioCallbacks(
    _ player: NativePlayer, _ callbacks: NativeAudioCallbacks?, opaque: UnsafeMutableRawPointer?)
  func setAudioVolumeCallback(_ player: NativePlayer, _ callback: NativeAudioCallbacks.SetVolume?)
  func setAudioFormatCallbacks(
    _ player: NativePlayer, setup: NativeAudioCallbacks.Setup?, cleanup: NativeAudioCallbacks.Cleanup?)
  /// A fixed format instead of format callbacks; four characters, such as "S16N".
  func setAudioFormat(_ player: NativePlayer, format: String, rate: UInt32, channels: UInt32)

  // Only in 4.0.

  /// Capability `mixMode`.
  func mixMode(_ player: NativePlayer) -> NativeMixMode
  /// Capability `mixMode`.
  func setMixMode(_ player: NativePlayer, _ mode: NativeMixMode) -> Bool
}

extension NativePlayerAudioCalls where Self: NativeLibrary {
  public func mixMode(_ player: NativePlayer) -> NativeMixMode { absent(.mixMode) }
  public func setMixMode(_ player: NativePlayer, _ mode: NativeMixMode) -> Bool { absent(.mixMode) }
}

/// Equalizers: values of the library, shared with nobody. Gains are decibels.
public protocol NativeEqualizerCalls {
  var equalizerPresetCount: Int { get }
  func equalizerPresetName(_ preset: Int) -> String?
  var equalizerBandCount: Int { get }
  /// In hertz.
  func equalizerBandFrequency(_ band: Int) -> Float
  func newEqualizer(preset: Int?) -> NativeEqualizer?
  func releaseEqualizer(_ equalizer: NativeEqualizer)
  func equalizerPreamp(_ equalizer: NativeEqualizer) -> Float
  func setEqualizerPreamp(_ equalizer: NativeEqualizer, _ gain: Float) -> Bool
  func equalizerGain(_ equalizer: NativeEqualizer, band: Int) -> Float
  func setEqualizerGain(_ equalizer: NativeEqualizer, band: Int, _ gain: Float) -> Bool
}
