import VLCNative

/// The one count that this library holds on a native media, with what its callbacks reach.
///
/// The count goes back off the main actor, and what the callbacks reach goes after it. So whoever gives the native media
/// to something native that keeps it (a player, a parse) holds its owner for as long.
final class NativeMediaOwner: Sendable {
  let native: NativeMedia
  let instance: VLCInstance
  private let descriptor: MediaDescriptor?
  private let bytes: ByteSourceContext?

  /// Takes over the count that the caller has on `native`.
  init(
    _ native: NativeMedia, instance: VLCInstance, descriptor: MediaDescriptor? = nil,
    bytes: ByteSourceContext? = nil
  ) {
    self.native = native
    self.instance = instance
    self.descriptor = descriptor
    self.bytes = bytes
    NativeObjects.enter(.media)
  }

  deinit {
    // A media that is being parsed keeps its release waiting, up to a tenth of a second.
    instance.queue.async { [instance, native, descriptor, bytes] in
      instance.library.releaseMedia(native)
      withExtendedLifetime((descriptor, bytes)) {}
      NativeObjects.leave(.media)
    }
  }

  /// Brings a descriptor back to its beginning: libVLC reads on from where the last playback left it.
  func prepareToPlay() { descriptor?.rewind() }

  /// Makes reads of a byte source return, and later ones fail, until `endInterruption` was called as often.
  func interrupt() { bytes?.interrupt() }
  func endInterruption() { bytes?.endInterruption() }
}
