import VLCNative

/// What playback of a media counted. On libVLC 3 counters of long streams wrap at 2³².
public struct MediaStatistics: Hashable, Sendable {
  /// Bytes read from the source.
  public let readBytes: UInt64
  /// Megabits per second, as libVLC estimates it.
  public let inputBitrate: Double
  /// Bytes read by the demuxer.
  public let demuxReadBytes: UInt64
  /// Megabits per second, as libVLC estimates it.
  public let demuxBitrate: Double
  /// Packets that the demuxer found damaged.
  public let demuxCorrupted: UInt64
  /// Places where the demuxer found data missing.
  public let demuxDiscontinuity: UInt64
  /// Blocks that video decoders took, which may be more than pictures.
  public let decodedVideo: UInt64
  /// Blocks that audio decoders took.
  public let decodedAudio: UInt64
  /// Pictures that the video output showed.
  public let displayedPictures: UInt64
  /// Pictures that were shown after their time; only libVLC 4 counts them, on libVLC 3 it is 0.
  public let latePictures: UInt64
  /// Pictures that were decoded and never shown, most of them because they came too late.
  public let lostPictures: UInt64
  /// Buffers that the audio output took.
  public let playedAudioBuffers: UInt64
  /// Buffers that were decoded and never heard.
  public let lostAudioBuffers: UInt64

  init(_ native: NativeStatistics) {
    readBytes = native.readBytes
    inputBitrate = Double(native.inputBitrate) * 8
    demuxReadBytes = native.demuxReadBytes
    demuxBitrate = Double(native.demuxBitrate) * 8
    demuxCorrupted = native.demuxCorrupted
    demuxDiscontinuity = native.demuxDiscontinuity
    decodedVideo = native.decodedVideo
    decodedAudio = native.decodedAudio
    displayedPictures = native.displayedPictures
    latePictures = native.latePictures
    lostPictures = native.lostPictures
    playedAudioBuffers = native.playedAudioBuffers
    lostAudioBuffers = native.lostAudioBuffers
  }
}
