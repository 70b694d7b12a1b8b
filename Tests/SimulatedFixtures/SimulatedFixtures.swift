public import MediaFixtures
public import SimulatedVLC
import VLCNative

extension SimulatedLibrary.Options {
  /// Where a copy of each fixture is that can be written.
  public static let copies = "/copies/"

  /// The media files of the fixtures, as the manifest describes them, at the places where they are, and copies of them.
  public static var fixtures: SimulatedLibrary.Options {
    var options = SimulatedLibrary.Options()
    for file in MediaFixtures.manifest.files {
      var medium = SimulatedMedium(file)
      options.media["file://" + MediaFixtures.path(file.name)] = medium
      // Of the formats that are written here, one has tags.
      if file.name.hasSuffix(".mp4") { medium.writableMetadata = SimulatedMedium.tags }
      options.media["file://" + copies + file.name] = medium
    }
    var guarded = SimulatedMedium(MediaFixtures.file("silence.wav"))
    guarded.login = SimulatedMedium.Login(userName: "Ada", password: "engine")
    options.media["http://127.0.0.1/silence.wav"] = guarded
    // A directory plays, and has nothing to play.
    var directory = SimulatedMedium(duration: nil, tracks: [])
    directory.failure = .junk
    options.media["file:///proc"] = directory
    return options
  }
}

extension SimulatedMedium {
  /// What the manifest says of a file.
  public init(_ file: Manifest.File) {
    let duration = file.duration.map { Duration.milliseconds(Int64(($0 * 1_000).rounded())) }
    self.init(duration: duration, tracks: file.tracks.enumerated().map(NativeTrack.init))
    chapters = file.chapters.map {
      Chapter(name: $0.title ?? "", start: .milliseconds(Int64(($0.start * 1_000).rounded())))
    }
    for (name, value) in file.metadata {
      if let key = Self.keys[name] { metadata[key] = value }
    }
    if file.cover { metadata[.artworkURL] = "attachment://cover.png" }
    isSeekable = true
    isReadAhead = file.name.hasSuffix(".wav")
    switch file.broken {
    case .empty: failure = .open
    case .junk: failure = .junk
    case .truncated:
      if duration == nil { failure = .junk } else { breaksOff = duration.map { $0 / 2 } }
    case nil: break
    }
  }

  fileprivate static let tags = Set(keys.values)
  private static let keys: [String: NativeMetadataKey] = [
    "title": .title, "artist": .artist, "album": .album, "genre": .genre, "date": .date,
    "description": .description, "comment": .description, "copyright": .copyright, "track": .trackNumber,
    "encoder": .encodedBy, "language": .language, "publisher": .publisher,
  ]
}

extension NativeTrack {
  fileprivate init(_ number: Int, _ track: Manifest.Track) {
    let type: NativeTrackType =
      switch track.type {
      case .video: .video
      case .audio: .audio
      case .subtitle: .text
      }
    let prefix = type == .text ? "spu" : "\(type)"
    self.init(
      type: type, number: number, identifier: "\(prefix)/\(number)",
      codec: Self.fourCharacters(Self.codecs[track.codec] ?? track.codec))
    originalCodec = codec
    language = track.language
    name = track.title
    switch type {
    case .audio:
      audio = Audio(channels: UInt32(track.channels ?? 0), sampleRate: UInt32(track.sampleRate ?? 0))
    case .video:
      video = Video(
        width: UInt32(track.width ?? 0), height: UInt32(track.height ?? 0),
        sampleAspectRatio: NativeRatio(1, 1),
        frameRate: NativeRatio(
          UInt32(track.frameRate?.numerator ?? 0), UInt32(track.frameRate?.denominator ?? 1)),
        orientation: .topLeft, projection: .rectangular)
    default: textEncoding = "UTF-8"
    }
  }

  /// ffprobe's names, and libVLC's.
  private static let codecs = [
    "h264": "h264", "aac": "mp4a", "vp9": "VP90", "opus": "Opus", "ac3": "a52 ", "mp2": "mpga",
    "hevc": "hevc", "dts": "dts ", "pcm_s16le": "araw", "subrip": "subt",
  ]
}
