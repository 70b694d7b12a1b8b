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
  public let demuxCorrupted: UInt64
  public let demuxDiscontinuity: UInt64
  /// Blocks that video decoders took, which may be more than pictures.
  public let decodedVideo: UInt64
  /// Blocks that audio decoders took.
  public let decodedAudio: UInt64
  public let displayedPictures: UInt64
  /// Only libVLC 4 counts it.
  public let latePictures: UInt64
  public let lostPictures: UInt64
  public let playedAudioBuffers: UInt64
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
