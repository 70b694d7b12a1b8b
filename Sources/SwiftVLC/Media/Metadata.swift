public import VLCNative

/// A key of a media's metadata.
public typealias MetadataKey = NativeMetadataKey

/// What a media says of itself.
public struct Metadata: Hashable, Sendable {
  /// The values of all keys that the media has.
  public let values: [MetadataKey: String]
  /// How long the media is; nil when libVLC does not know it, as for a live stream.
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
  /// Who made or performs it; nil when the media does not say.
  public var artist: String? { self[.artist] }
  /// Its genre in the words of the file; nil when the media does not say.
  public var genre: String? { self[.genre] }
  /// Who holds the rights; nil when the media does not say.
  public var copyright: String? { self[.copyright] }
  /// The album it is from; nil when the media does not say.
  public var album: String? { self[.album] }
  /// Who made the album as a whole, where tracks have artists of their own; nil when the media does not say.
  public var albumArtist: String? { self[.albumArtist] }
  /// Its place on the album, usually from 1; nil when the media does not say, or says no plain number.
  public var trackNumber: Int? { self[.trackNumber].flatMap { Int($0) } }
  /// Which disc of a set it is on, usually from 1; nil when the media does not say, or says no plain number.
  public var discNumber: Int? { self[.discNumber].flatMap { Int($0) } }
  /// A description or comment, under libVLC's key `description`; nil when the media has none.
  public var mediaDescription: String? { self[.description] }
  /// When it was made or released, in whatever form the file has it; nil when the media does not say.
  public var date: String? { self[.date] }
  /// Its language in the words of the file; tracks have their own. Nil when the media does not say.
  public var language: String? { self[.language] }
  /// Who published it; nil when the media does not say.
  public var publisher: String? { self[.publisher] }
  /// The series that it is an episode of; nil when the media does not say.
  public var showName: String? { self[.showName] }
  /// The season of the series; nil when the media does not say, or says no plain number.
  public var season: Int? { self[.season].flatMap { Int($0) } }
  /// The episode within the season; nil when the media does not say, or says no plain number.
  public var episode: Int? { self[.episode].flatMap { Int($0) } }
  /// Where the cover is, as a URI; nil when there is none. Before playback it may be a place inside the media
  /// ("attachment://…").
  public var artworkURL: String? { self[.artworkURL] }
}
