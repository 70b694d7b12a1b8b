import VLCNative

/// A file that goes with a media, such as subtitles.
public struct MediaSlave: Hashable, Sendable {
  /// What a slave adds.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case subtitle, audio
  }

  /// Where it is, as a URI.
  public var uri: String
  public var kind: Kind
  /// 0, found by accident, to 4, chosen by the user.
  public var priority: Int

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
  case unknown, file, directory, disc, stream, playlist

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
