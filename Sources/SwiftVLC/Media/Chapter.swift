import VLCNative

/// A chapter of a media.
public struct Chapter: Hashable, Sendable {
  /// The name, or nil where the file has none.
  public let name: String?
  /// Where it begins, from the beginning of its title; never negative.
  public let start: Duration
  /// Zero when it is not known.
  public let duration: Duration

  init(_ native: NativeChapter) {
    // libVLC's Matroska demuxer indents names by the chapter's depth.
    let trimmed = native.name.map { String($0.drop { $0 == " " }) }
    name = trimmed?.isEmpty == true ? nil : trimmed
    start = .milliseconds(max(0, native.startMilliseconds))
    duration = .milliseconds(max(0, native.durationMilliseconds))
  }
}
