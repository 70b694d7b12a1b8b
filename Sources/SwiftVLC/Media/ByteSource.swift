/// A media of the application's own bytes: an archive member, a decrypted file, a cache.
///
/// libVLC may open a media several times, for a parse, for each play and at once for several players: each opening
/// gets a reader of its own.
public protocol ByteSource: Sendable {
  /// Opens the bytes from their beginning; called on a thread of libVLC's, and to return without waiting for long.
  ///
  /// Throwing anything makes the media fail to open.
  func open() throws -> any ByteReader
}

/// One opening of a byte source.
///
/// Reads and seeks are called one at a time, on threads of libVLC's.
public protocol ByteReader: AnyObject, Sendable {
  /// The count of all bytes, or nil when it is not known.
  var byteCount: UInt64? { get }

  /// Reads some bytes, at most as many as the buffer holds, which may be any number; 0 is the end.
  ///
  /// May block; `close` must make it return. Throwing anything ends the media with an error.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

  /// Goes to an offset from the beginning. Throwing anything says that the bytes cannot be sought in.
  func seek(to offset: UInt64) throws

  /// Closes the reader, exactly once.
  ///
  /// It may come while a read or a seek is under way on another thread, because libVLC cannot be stopped while it waits
  /// for one; and one that was about to be made may begin just after. Either must return or throw.
  func close()
}
