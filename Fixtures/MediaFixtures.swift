import Foundation

/// The media files the tests play, and what ffprobe says of them.
public enum MediaFixtures {
  /// The ten files of about two seconds that play to their end with picture and sound.
  public static let playable: [String] = [
    "base.mp4",
    "h264_aac.mkv",
    "vp9_opus.webm",
    "h264_aac.flv",
    "h264_ac3.mp4",
    "h264_aac.ts",
    "h264_mp2.ts",
    "hevc_aac.ts",
    "h264_dts.ts",
    "h264_opus.ts",
  ]

  /// The description of every file, decoded once.
  public static let manifest: Manifest = {
    let url = resources.appendingPathComponent("manifest.json")
    do {
      return try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: url))
    } catch {
      fatalError("MediaFixtures: \(url.path) cannot be read: \(error)")
    }
  }()

  /// The absolute path of a file, which traps when the manifest does not name it or it is missing.
  public static func path(_ name: String) -> String {
    let known = file(name).name
    let path = resources.appendingPathComponent("media").appendingPathComponent(known).path
    guard FileManager.default.fileExists(atPath: path) else {
      fatalError("MediaFixtures: \(path) is missing; run Fixtures/generate.sh.")
    }
    return path
  }

  /// The description of one file, which traps when the manifest does not name it.
  public static func file(_ name: String) -> Manifest.File {
    guard let file = manifest.files.first(where: { $0.name == name }) else {
      let names = manifest.files.map(\.name).joined(separator: ", ")
      fatalError("MediaFixtures: there is no fixture named \"\(name)\"; there are \(names).")
    }
    return file
  }

  /// What was recorded of a library, which traps when there is no such recording.
  public static func recording(_ library: String, _ name: String) -> String {
    let url = resources.appendingPathComponent("recordings/\(library)/\(name)")
    do {
      return try String(contentsOf: url, encoding: .utf8)
    } catch {
      fatalError("MediaFixtures: there is no recording \(url.path): \(error)")
    }
  }

  /// The folder SwiftPM copied the resources to.
  private static var resources: URL {
    Bundle.module.resourceURL ?? Bundle.module.bundleURL
  }
}

/// The contents of `manifest.json`.
public struct Manifest: Codable, Sendable, Equatable {
  /// The program that made the files.
  public let generator: Generator
  /// Every file below `media`, in the order they are made.
  public let files: [File]

  /// The name and version of the program that made the files.
  public struct Generator: Codable, Sendable, Equatable {
    /// The program's name.
    public let name: String
    /// The version it prints of itself.
    public let version: String
  }

  /// What is known of one file.
  public struct File: Codable, Sendable, Equatable {
    /// The path below `media`, such as `broken/empty.mkv`.
    public let name: String
    /// The size in bytes.
    public let bytes: Int
    /// The SHA-256 of the contents in lower-case hexadecimal.
    public let sha256: String
    /// The length in seconds, or nil where ffprobe finds none.
    public let duration: Double?
    /// The container as ffprobe names it, or nil where it recognises none.
    public let container: String?
    /// The video, audio and subtitle tracks in file order, without attached pictures.
    public let tracks: [Track]
    /// The chapters in order of time.
    public let chapters: [Chapter]
    /// The tags of the whole file, by lower-case name.
    public let metadata: [String: String]
    /// Whether a picture is attached.
    public let cover: Bool
    /// How the file is broken, or nil for one that is whole.
    public let broken: Damage?
    /// A remark for the reader of a test.
    public let note: String?

    /// The tracks of one type, in file order.
    public func tracks(of type: Track.Kind) -> [Track] {
      tracks.filter { $0.type == type }
    }
  }

  /// The way in which a file is broken.
  public enum Damage: String, Codable, Sendable {
    /// The file has no bytes.
    case empty
    /// The file holds pseudo-random bytes.
    case junk
    /// The file is the first half of a whole one.
    case truncated
  }

  /// One elementary stream.
  public struct Track: Codable, Sendable, Equatable {
    /// What the stream carries.
    public let type: Kind
    /// The codec as ffprobe names it.
    public let codec: String
    /// Whether the container marks the track as the default of its type.
    public let `default`: Bool
    /// The width of the picture, for video.
    public let width: Int?
    /// The height of the picture, for video.
    public let height: Int?
    /// The frames per second, for video.
    public let frameRate: FrameRate?
    /// The number of channels, for audio.
    public let channels: Int?
    /// The samples per second, for audio.
    public let sampleRate: Int?
    /// The ISO 639-2 code of the language, or nil when undetermined.
    public let language: String?
    /// The name the container gives the track.
    public let title: String?

    /// The types of track.
    public enum Kind: String, Codable, Sendable {
      /// Moving pictures.
      case video
      /// Sound.
      case audio
      /// Timed text.
      case subtitle
    }
  }

  /// A frame rate as an exact fraction.
  public struct FrameRate: Codable, Sendable, Equatable {
    /// The frames.
    public let numerator: Int
    /// The seconds they take.
    public let denominator: Int
  }

  /// A named stretch of time.
  public struct Chapter: Codable, Sendable, Equatable {
    /// The chapter's name.
    public let title: String?
    /// The start in seconds.
    public let start: Double
    /// The end in seconds.
    public let end: Double
  }
}
