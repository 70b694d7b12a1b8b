public import VLCNative

/// A key of a media's metadata.
public typealias MetadataKey = NativeMetadataKey

/// What a media says of itself.
public struct Metadata: Hashable, Sendable {
  /// The values of all keys that the media has.
  public let values: [MetadataKey: String]
  /// Nil when it is not known.
  public let duration: Duration?

  init(of media: NativeMedia, library: any NativeLibrary) {
    var values: [MetadataKey: String] = [:]
    for key in MetadataKey.allCases { values[key] = library.metadata(media, key) }
    self.values = values
    let milliseconds = library.mediaDuration(media)
    duration = milliseconds > 0 ? .milliseconds(milliseconds) : nil
  }

  /// The value of a key, nil when the media has none.
  public subscript(key: MetadataKey) -> String? { values[key] }

  /// The media's title; libVLC takes the file's name where it has none.
  public var title: String? { self[.title] }
  public var artist: String? { self[.artist] }
  public var genre: String? { self[.genre] }
  public var copyright: String? { self[.copyright] }
  public var album: String? { self[.album] }
  public var albumArtist: String? { self[.albumArtist] }
  public var trackNumber: Int? { self[.trackNumber].flatMap { Int($0) } }
  public var discNumber: Int? { self[.discNumber].flatMap { Int($0) } }
  public var mediaDescription: String? { self[.description] }
  public var date: String? { self[.date] }
  public var language: String? { self[.language] }
  public var publisher: String? { self[.publisher] }
  public var showName: String? { self[.showName] }
  public var season: Int? { self[.season].flatMap { Int($0) } }
  public var episode: Int? { self[.episode].flatMap { Int($0) } }
  /// Where the cover is; before playback it may be a place inside the media ("attachment://…").
  public var artworkURL: String? { self[.artworkURL] }
}
