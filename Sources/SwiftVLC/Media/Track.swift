public import VLCNative

/// What an elementary stream carries.
public enum TrackType: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Pictures.
  case video
  /// Sound.
  case audio
  /// Text or pictures laid over the video: subtitles, captions, teletext.
  case subtitle

  init?(_ native: NativeTrackType) {
    switch native {
    case .video: self = .video
    case .audio: self = .audio
    case .text: self = .subtitle
    case .unknown: return nil
    }
  }

  var native: NativeTrackType {
    switch self {
    case .video: .video
    case .audio: .audio
    case .subtitle: .text
    }
  }

  public var description: String {
    switch self {
    case .video: "video"
    case .audio: "audio"
    case .subtitle: "subtitle"
    }
  }
}

/// Where the first pixel of a stored picture belongs.
public typealias VideoOrientation = NativeOrientation

/// How a picture shows a sphere.
public typealias VideoProjection = NativeProjection

/// An exact ratio as a file claims it.
public struct Ratio: Hashable, Sendable {
  /// The part above the line; never negative.
  public let numerator: Int
  /// The part below the line; zero where the file claims so.
  public let denominator: Int
  /// The ratio as a number; nil where the denominator is zero.
  public var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }

  init(_ native: NativeRatio) {
    numerator = Int(native.numerator)
    denominator = Int(native.denominator)
  }
}

/// An elementary stream of a media. Numbers are the file's own claims.
public struct Track: Hashable, Sendable, Identifiable {
  /// What only an audio track has.
  public struct Audio: Hashable, Sendable {
    /// The count of channels; 0 when unknown.
    public let channels: Int
    /// In hertz; 0 when unknown.
    public let sampleRate: Int
  }

  /// What only a video track has.
  public struct Video: Hashable, Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Frames per second as a number; nil when unknown.
    public var frameRate: Double? { exactFrameRate.flatMap(\.value) }
    /// Frames per second; nil when unknown.
    public let exactFrameRate: Ratio?
    /// The width of a pixel over its height; nil when unknown.
    public let sampleAspectRatio: Ratio?
    /// Where the first pixel of the stored picture belongs.
    public let orientation: VideoOrientation
    /// How the picture shows a sphere; `rectangular` for a flat one.
    public let projection: VideoProjection
  }

  /// Names the track among those of its media; on libVLC 3 type and number, such as "audio/1".
  public let id: String
  /// What the track carries.
  public let type: TrackType
  let number: Int
  /// Four characters, such as "h264".
  public let codec: String
  /// The codec's name for people; nil when libVLC has none.
  public let codecDescription: String?
  /// The language as the file has it, such as "eng"; nil when it does not say.
  public let language: String?
  /// The name for people, such as "Commentary"; nil where there is none.
  public internal(set) var name: String?
  /// In bits per second; nil when unknown.
  public let bitrate: Int?
  /// Whether the player plays it; false outside of a player.
  public internal(set) var isSelected: Bool
  /// What only an audio track has; nil for the other types.
  public let audio: Audio?
  /// What only a video track has; nil for the other types.
  public let video: Video?
  /// The text encoding of a subtitle track, such as "UTF-8"; nil for the other types and when unknown.
  public let textEncoding: String?

  /// Nil for a stream of unknown type.
  init?(_ native: NativeTrack, library: any NativeLibrary) {
    guard let type = TrackType(native.type) else { return nil }
    self.type = type
    id = native.identifier
    number = native.number
    codec = Self.fourCharacters(native.codec)
    codecDescription = library.codecDescription(native.type, codec: native.codec)
    language = native.language
    name = native.name
    bitrate = native.bitrate > 0 ? Int(native.bitrate) : nil
    isSelected = native.isSelected
    audio = native.audio.map { Audio(channels: Int($0.channels), sampleRate: Int($0.sampleRate)) }
    video = native.video.map {
      Video(
        width: Int($0.width), height: Int($0.height), exactFrameRate: Self.known($0.frameRate),
        sampleAspectRatio: Self.known($0.sampleAspectRatio), orientation: $0.orientation,
        projection: $0.projection)
    }
    textEncoding = native.textEncoding
  }

  /// The tracks of a native media, in the file's order.
  static func all(of media: NativeMedia, library: any NativeLibrary) -> [Track] {
    library.mediaTracks(media).compactMap { Track($0, library: library) }
  }

  private static func known(_ ratio: NativeRatio) -> Ratio? {
    ratio.numerator == 0 || ratio.denominator == 0 ? nil : Ratio(ratio)
  }

  /// Printable or not, each byte is one character: a file may claim anything.
  private static func fourCharacters(_ code: UInt32) -> String {
    let scalars = (0..<4).map { Unicode.Scalar(UInt8(truncatingIfNeeded: code >> (8 * $0))) }
    var text = String(String.UnicodeScalarView(scalars))
    while text.last == " " { text.removeLast() }
    return text
  }
}
