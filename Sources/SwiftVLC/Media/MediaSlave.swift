import VLCNative

/// A file that goes with a media, such as subtitles.
public struct MediaSlave: Hashable, Sendable {
  /// What a slave adds.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// A file of subtitles.
    case subtitle
    /// A file of sound, such as another language.
    case audio
  }

  /// Where it is, as a URI.
  public var uri: String
  /// What it adds to the media.
  public var kind: Kind
  /// 0, found by accident, to 4, chosen by the user; libVLC is given the nearest of these.
  public var priority: Int

  /// Describes a file, which need not be there before the media is played.
  ///
  /// - Parameters:
  ///   - uri: where it is, such as "file:///home/me/film.srt"; a path is no URI.
  ///   - kind: what it adds to the media.
  ///   - priority: 0…4, by default that of the user's choice.
  public init(uri: String, kind: Kind, priority: Int = 4) {
    self.uri = uri
    self.kind = kind
    self.priority = priority
  }

  init(_ native: NativeSlave) {
    self.init(
      uri: native.uri, kind: native.type == .audio ? .audio : .subtitle, priority: Int(native.priority))
  }

  var native: NativeSlave {
    NativeSlave(
      uri: uri, type: kind == .audio ? .audio : .subtitle,
      priority: UInt32(clamping: min(max(priority, 0), 4)))
  }
}

/// What kind of thing a media is.
public enum MediaType: Hashable, Sendable, CaseIterable {
  /// Not known, or nothing that libVLC has a word for.
  case unknown
  /// A file.
  case file
  /// A folder, whose files are the media's sub-items.
  case directory
  /// A disc, such as a DVD.
  case disc
  /// Something that arrives as it is played, such as a network stream or a capture device.
  case stream
  /// A list of other media.
  case playlist

  init(_ native: NativeMediaType) {
    self =
      switch native {
      case .unknown: .unknown
      case .file: .file
      case .directory: .directory
      case .disc: .disc
      case .stream: .stream
      case .playlist: .playlist
      }
  }
}
