// The seam's own enumerations. Their cases are the union of libVLC 3.0 and 4.0; a conformer translates, since
// the library's numbers moved between the two and never cross.

/// The state of a native player or media.
public enum NativeState: Hashable, Sendable, CaseIterable {
  case nothingSpecial, opening, buffering, playing, paused, stopping, stopped, ended, error
}

/// The type of an elementary stream.
public enum NativeTrackType: Hashable, Sendable, CaseIterable {
  case unknown, audio, video, text
}

/// A key of a media's metadata.
public enum NativeMetadataKey: Hashable, Sendable, CaseIterable {
  case title, artist, genre, copyright, album, trackNumber, description, rating, date, setting, url
  case language, nowPlaying, publisher, encodedBy, artworkURL, trackID, trackTotal, director, season
  case episode, showName, actors, albumArtist, discNumber, discTotal
}

/// What kind of thing a media is.
public enum NativeMediaType: Hashable, Sendable, CaseIterable {
  case unknown, file, directory, disc, stream, playlist
}

/// How far the parsing of a media came.
public enum NativeParsedStatus: Hashable, Sendable, CaseIterable {
  case none, pending, skipped, failed, timeout, cancelled, done
}

/// What a parse may do.
public struct NativeParseOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Parse media that are files; 3.0 always does.
  public static let local = NativeParseOptions(rawValue: 1)
  /// Parse media that come over a network.
  public static let network = NativeParseOptions(rawValue: 2)
  /// Look for cover art among local files.
  public static let fetchLocal = NativeParseOptions(rawValue: 4)
  /// Look for cover art on a network.
  public static let fetchNetwork = NativeParseOptions(rawValue: 8)
  /// Allow dialogs, a request for a password among them.
  public static let interact = NativeParseOptions(rawValue: 16)
}

/// What a slave adds to its media.
public enum NativeSlaveType: Hashable, Sendable, CaseIterable {
  case subtitle, audio
}

/// Why playback of a media stopped.
public enum NativeStopReason: Hashable, Sendable, CaseIterable {
  case unknown, endOfStream, error, user
}

/// The orientation of a video track's pictures.
public enum NativeOrientation: Hashable, Sendable, CaseIterable {
  case topLeft, topRight, bottomLeft, bottomRight, leftTop, leftBottom, rightTop, rightBottom
}

/// The projection of a video track.
public enum NativeProjection: Hashable, Sendable, CaseIterable {
  case rectangular, equirectangular, cubemap
}

/// A direction in a disc's menu.
public enum NativeNavigation: Hashable, Sendable, CaseIterable {
  case activate, up, down, left, right, popup
}

/// Where an overlay stands in the picture.
public enum NativeOverlayPosition: Hashable, Sendable, CaseIterable {
  case disabled, center, left, right, top, topLeft, topRight, bottom, bottomLeft, bottomRight
}

/// What a player is for, told to the audio output.
public enum NativeRole: Hashable, Sendable, CaseIterable {
  case none, music, video, communication, game, notification, animation, production, accessibility, test
}

/// How stereo channels are laid out.
public enum NativeStereoMode: Hashable, Sendable, CaseIterable {
  case unset, stereo, reversedStereo, left, right, dolbySurround, mono
}

/// How channels are mixed.
public enum NativeMixMode: Hashable, Sendable, CaseIterable {
  case unset, stereo, binaural, fourZero, fiveOne, sevenOne
}

/// How a list player goes through its list.
public enum NativePlaybackMode: Hashable, Sendable, CaseIterable {
  case once, loop, repeatOne
}

/// What media discoverers look at.
public enum NativeDiscoveryCategory: Hashable, Sendable, CaseIterable {
  case devices, lan, podcasts, localDirectories
}

/// How grave a question is.
public enum NativeDialogSeverity: Hashable, Sendable, CaseIterable {
  case normal, warning, critical
}

/// How grave a log line is.
public enum NativeLogLevel: Hashable, Sendable, CaseIterable {
  case debug, notice, warning, error
}

/// A number of the marquee overlay; colour is 0xRRGGBB, opacity 0…255, times are milliseconds.
public enum NativeMarqueeNumber: Hashable, Sendable, CaseIterable {
  case enabled, color, opacity, refresh, size, timeout, x, y
}

/// A number of the logo overlay; opacity 0…255, delay in milliseconds, repeat -1 for ever.
public enum NativeLogoNumber: Hashable, Sendable, CaseIterable {
  case enabled, x, y, delay, repeatCount, opacity
}

/// A number of the picture adjustments.
public enum NativeAdjustment: Hashable, Sendable, CaseIterable {
  case contrast, brightness, hue, saturation, gamma
}

/// What a teletext key is.
public enum NativeTeletextKey: Hashable, Sendable, CaseIterable {
  case red, green, yellow, blue, index
}

/// How a thumbnail's moment is reached.
public enum NativeThumbnailSeek: Hashable, Sendable, CaseIterable {
  case precise, fast
}
