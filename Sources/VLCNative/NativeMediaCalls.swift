/// Media: made, parsed, described.
public protocol NativeMediaCalls {
  func newMedia(_ instance: NativeInstance, location: String) -> NativeMedia?
  func newMedia(_ instance: NativeInstance, path: String) -> NativeMedia?
  /// The descriptor stays the caller's: it is neither closed nor rewound.
  func newMedia(_ instance: NativeInstance, descriptor: Int32) -> NativeMedia?
  func newMedia(
    _ instance: NativeInstance, callbacks: NativeMediaCallbacks, opaque: UnsafeMutableRawPointer?
  ) -> NativeMedia?
  func newMedia(_ instance: NativeInstance, nodeNamed name: String) -> NativeMedia?
  /// A copy that the caller owns. In 3.0 both share one input item: what is set on one is set on the other.
  func duplicateMedia(_ media: NativeMedia) -> NativeMedia?
  func retainMedia(_ media: NativeMedia)
  /// Waits up to a tenth of a second when the media is being parsed.
  func releaseMedia(_ media: NativeMedia)

  func mediaMRL(_ media: NativeMedia) -> String?
  func mediaType(_ media: NativeMedia) -> NativeMediaType
  /// An option such as ":start-time=3".
  func addMediaOption(_ media: NativeMedia, _ option: String)
  /// The same, as an option that may or may not do what is dangerous, and that may or may not repeat.
  func addMediaOption(_ media: NativeMedia, _ option: String, trusted: Bool, unique: Bool)
  func metadata(_ media: NativeMedia, _ key: NativeMetadataKey) -> String?
  func setMetadata(_ media: NativeMedia, _ key: NativeMetadataKey, _ value: String?)
  /// Writes the metadata into the file; the instance is 4.0's. 3.0 answers true for a missing file, too.
  func saveMetadata(_ instance: NativeInstance, _ media: NativeMedia) -> Bool
  /// In milliseconds, -1 when unknown.
  func mediaDuration(_ media: NativeMedia) -> Int64
  /// What playback of the media counted; nil before there was any.
  func statistics(_ media: NativeMedia) -> NativeStatistics?
  func mediaTracks(_ media: NativeMedia) -> [NativeTrack]
  func codecDescription(_ type: NativeTrackType, codec: UInt32) -> String?
  /// The list of what a directory or playlist holds; the caller owns it.
  func mediaSubItems(_ media: NativeMedia) -> NativeMediaList?
  func addSlave(_ media: NativeMedia, _ slave: NativeSlave) -> Bool
  func clearSlaves(_ media: NativeMedia)
  func slaves(_ media: NativeMedia) -> [NativeSlave]

  /// Queues the media at the preparser; false when it was parsed or queued before. The status `skipped` is
  /// delivered before this returns, every other on a thread of the library.
  func parseMedia(
    _ instance: NativeInstance, _ media: NativeMedia, options: NativeParseOptions, timeoutMilliseconds: Int
  ) -> Bool
  /// Waits up to a tenth of a second for a running parse, whose event may follow the return; a queued one is
  /// dropped without an event.
  func stopParsing(_ instance: NativeInstance, _ media: NativeMedia)
  func parsedStatus(_ media: NativeMedia) -> NativeParsedStatus

  // Only in 4.0.

  /// Capability `thumbnails`. The picture arrives as `mediaThumbnailGenerated`.
  func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, milliseconds: Int64, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest?
  /// Capability `thumbnails`.
  func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, position: Double, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest?
  /// Capability `thumbnails`.
  func destroyThumbnailRequest(_ request: NativeThumbnailRequest)
  /// The encoded picture of a `mediaThumbnailGenerated` event, copied inside its callback; nil when it failed.
  /// Capability `thumbnails`.
  func thumbnailBytes(_ event: UnsafeRawPointer) -> [UInt8]?
}

extension NativeMediaCalls where Self: NativeLibrary {
  public func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, milliseconds: Int64, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest? { absent(.thumbnails) }
  public func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, position: Double, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest? { absent(.thumbnails) }
  public func destroyThumbnailRequest(_ request: NativeThumbnailRequest) { absent(.thumbnails) }
  public func thumbnailBytes(_ event: UnsafeRawPointer) -> [UInt8]? { absent(.thumbnails) }
}
