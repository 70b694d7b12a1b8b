import VLCNative

/// The one count that this library holds on a native media; gives it back off the main actor.
final class NativeMediaOwner: Sendable {
  let native: NativeMedia
  let instance: VLCInstance

  /// Takes over the count that the caller has on `native`.
  init(_ native: NativeMedia, instance: VLCInstance) {
    self.native = native
    self.instance = instance
    NativeObjects.enter(.media)
  }

  deinit {
    // A media that is being parsed keeps its release waiting, up to a tenth of a second.
    instance.queue.async { [instance, native] in
      instance.library.releaseMedia(native)
      NativeObjects.leave(.media)
    }
  }
}
