// What a call returns, copied out of the library before the call returns. All fields as the library told them:
// numbers are a file's own claims and may be hostile.

/// An exact ratio as a file claims it; the denominator may be zero.
public struct NativeRatio: Hashable, Sendable {
  public var numerator: UInt32
  public var denominator: UInt32
  public init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }
}

/// An elementary stream of a media.
public struct NativeTrack: Hashable, Sendable {
  /// What only an audio track has.
  public struct Audio: Hashable, Sendable {
    public var channels: UInt32
    /// In hertz.
    public var sampleRate: UInt32
    public init(channels: UInt32, sampleRate: UInt32) {
      self.channels = channels
      self.sampleRate = sampleRate
    }
  }

  /// What only a video track has.
  public struct Video: Hashable, Sendable {
    /// In pixels.
    public var width: UInt32
    /// In pixels.
    public var height: UInt32
    public var sampleAspectRatio: NativeRatio
    public var frameRate: NativeRatio
    public var orientation: NativeOrientation
    public var projection: NativeProjection
    public init(
      width: UInt32, height: UInt32, sampleAspectRatio: NativeRatio, frameRate: NativeRatio,
      orientation: NativeOrientation, projection: NativeProjection
    ) {
      self.width = width
      self.height = height
      self.sampleAspectRatio = sampleAspectRatio
      self.frameRate = frameRate
      self.orientation = orientation
      self.projection = projection
    }
  }

  public var type: NativeTrackType
  /// The number of the elementary stream, as 3.0's selection calls and events use it.
  public var number: Int
  /// The identifier: the library's own in 4.0, type and number in 3.0 ("audio/1").
  public var identifier: String
  /// Whether the identifier means the same the next time the media is played.
  public var isIdentifierStable: Bool
  /// The codec as four characters in the first byte first.
  public var codec: UInt32
  public var originalCodec: UInt32
  public var profile: Int
  public var level: Int
  /// In bits per second; 0 when unknown.
  public var bitrate: UInt32
  public var language: String?
  public var name: String?
  public var isSelected: Bool
  public var audio: Audio?
  public var video: Video?
  /// The text encoding of a subtitle track.
  public var textEncoding: String?

  public init(type: NativeTrackType, number: Int, identifier: String, codec: UInt32) {
    self.type = type
    self.number = number
    self.identifier = identifier
    self.codec = codec
    isIdentifierStable = false
    originalCodec = 0
    profile = -1
    level = -1
    bitrate = 0
    isSelected = false
  }
}

/// A selectable track of a player as 3.0 describes it; number -1 is "none".
public struct NativeTrackDescription: Hashable, Sendable {
  public var number: Int
  public var name: String?
  public init(number: Int, name: String?) {
    self.number = number
    self.name = name
  }
}

/// A title of a media.
public struct NativeTitle: Hashable, Sendable {
  public var durationMilliseconds: Int64
  public var name: String?
  public var isMenu: Bool
  public var isInteractive: Bool
  public init(durationMilliseconds: Int64, name: String?, isMenu: Bool, isInteractive: Bool) {
    self.durationMilliseconds = durationMilliseconds
    self.name = name
    self.isMenu = isMenu
    self.isInteractive = isInteractive
  }
}

/// A chapter of a title.
public struct NativeChapter: Hashable, Sendable {
  public var startMilliseconds: Int64
  public var durationMilliseconds: Int64
  public var name: String?
  public init(startMilliseconds: Int64, durationMilliseconds: Int64, name: String?) {
    self.startMilliseconds = startMilliseconds
    self.durationMilliseconds = durationMilliseconds
    self.name = name
  }
}

/// A program of a transport stream.
public struct NativeProgram: Hashable, Sendable {
  public var number: Int
  public var name: String?
  public var isSelected: Bool
  public var isScrambled: Bool
  public init(number: Int, name: String?, isSelected: Bool, isScrambled: Bool) {
    self.number = number
    self.name = name
    self.isSelected = isSelected
    self.isScrambled = isScrambled
  }
}

/// A file that goes with a media.
public struct NativeSlave: Hashable, Sendable {
  public var uri: String
  public var type: NativeSlaveType
  /// 0 (lowest) to 4 (chosen by the user).
  public var priority: UInt32
  public init(uri: String, type: NativeSlaveType, priority: UInt32) {
    self.uri = uri
    self.type = type
    self.priority = priority
  }
}

/// What a media's input, decoders and outputs counted; bitrates in bytes per microsecond as libVLC has them.
public struct NativeStatistics: Hashable, Sendable {
  public var readBytes: UInt64 = 0
  public var inputBitrate: Float = 0
  public var demuxReadBytes: UInt64 = 0
  public var demuxBitrate: Float = 0
  public var demuxCorrupted: UInt64 = 0
  public var demuxDiscontinuity: UInt64 = 0
  public var decodedVideo: UInt64 = 0
  public var decodedAudio: UInt64 = 0
  public var displayedPictures: UInt64 = 0
  public var latePictures: UInt64 = 0
  public var lostPictures: UInt64 = 0
  public var playedAudioBuffers: UInt64 = 0
  public var lostAudioBuffers: UInt64 = 0
  public init() {}
}

/// A module of the library, a filter or an output.
public struct NativeModule: Hashable, Sendable {
  public var name: String
  public var shortName: String?
  public var longName: String?
  public var help: String?
  public init(name: String, shortName: String?, longName: String?, help: String?) {
    self.name = name
    self.shortName = shortName
    self.longName = longName
    self.help = help
  }
}

/// Something with a name for calls and a description for people: an audio output, a device, a discoverer.
public struct NativeNamed: Hashable, Sendable {
  public var name: String
  public var description: String?
  public init(name: String, description: String?) {
    self.name = name
    self.description = description
  }
}

/// Where a log line comes from.
public struct NativeLogOrigin: Hashable, Sendable {
  public var level: NativeLogLevel
  public var module: String?
  public var file: String?
  public var line: UInt32
  public init(level: NativeLogLevel, module: String?, file: String?, line: UInt32) {
    self.level = level
    self.module = module
    self.file = file
    self.line = line
  }
}

/// A direction to look in, in degrees.
public struct NativeViewpoint: Hashable, Sendable {
  public var yaw: Float
  public var pitch: Float
  public var roll: Float
  public var fieldOfView: Float
  public init(yaw: Float, pitch: Float, roll: Float, fieldOfView: Float) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
    self.fieldOfView = fieldOfView
  }
}

/// The two ends of an A-B loop, each set or not.
public struct NativeABLoop: Hashable, Sendable {
  public var aMilliseconds: Int64?
  public var bMilliseconds: Int64?
  public init(aMilliseconds: Int64?, bMilliseconds: Int64?) {
    self.aMilliseconds = aMilliseconds
    self.bMilliseconds = bMilliseconds
  }
}

/// What a renderer can show.
public struct NativeRendererAbilities: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let audio = NativeRendererAbilities(rawValue: 1)
  public static let video = NativeRendererAbilities(rawValue: 2)
}

/// A point of the output clock, for interpolation.
public struct NativeTimePoint: Hashable, Sendable {
  public var position: Double
  public var rate: Double
  public var mediaMicroseconds: Int64
  public var lengthMicroseconds: Int64
  public var systemMicroseconds: Int64
  public init(
    position: Double, rate: Double, mediaMicroseconds: Int64, lengthMicroseconds: Int64,
    systemMicroseconds: Int64
  ) {
    self.position = position
    self.rate = rate
    self.mediaMicroseconds = mediaMicroseconds
    self.lengthMicroseconds = lengthMicroseconds
    self.systemMicroseconds = systemMicroseconds
  }
}
