public import VLCNative

/// Calls that take callbacks.
extension DeviatingLibrary {
  private func omits(_ callback: Deviation.Callback) -> Bool { deviation == .omits(callback) }

  // Pictures.

  private var standsBetweenPictures: Bool {
    [.showsElsewhere, .exchangesPictureCallbacks, .cleansUpWhatWasReplaced].contains(deviation)
  }

  public func setVideoCallbacks(
    _ player: NativePlayer, _ callbacks: NativeVideoCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    pass(.setVideoCallbacks) { [self] in
      guard standsBetweenPictures else {
        var callbacks = callbacks
        if omits(.pictureUnlock) { callbacks?.unlock = nil }
        if omits(.pictureDisplay) { callbacks?.display = nil }
        return base.setVideoCallbacks(player, callbacks, opaque: opaque)
      }
      let pictures = shared.change { state in
        if deviation == .exchangesPictureCallbacks, let known = state.pictures[player] { return known }
        let new = Pictures(self)
        state.pictures[player] = new
        state.keptPictures.append(new)
        return new
      }
      pictures.change { target in
        target.callbacks = callbacks
        target.opaque = opaque
        target.replaced = opaque
      }
      base.setVideoCallbacks(player, callbacks.map { _ in Pictures.callbacks }, opaque: pictures.address)
    }
  }

  public func setVideoFormatCallbacks(
    _ player: NativePlayer, setup: NativeVideoCallbacks.Setup?, cleanup: NativeVideoCallbacks.Cleanup?
  ) {
    pass(.setVideoFormatCallbacks) { [self] in
      guard let pictures = shared.change({ $0.pictures[player] }) else {
        return base.setVideoFormatCallbacks(
          player, setup: omits(.pictureSetup) ? nil : setup, cleanup: omits(.pictureCleanup) ? nil : cleanup)
      }
      pictures.change { target in
        target.setup = setup
        target.cleanup = cleanup
      }
      base.setVideoFormatCallbacks(player, setup: Pictures.setup, cleanup: Pictures.cleanup)
    }
  }

  // Samples.

  public func setAudioCallbacks(
    _ player: NativePlayer, _ callbacks: NativeAudioCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    pass(.setAudioCallbacks) { [self] in
      var callbacks = callbacks
      if omits(.samplePlay) { callbacks?.play = { _, _, _, _ in } }
      if omits(.samplePause) { callbacks?.pause = nil }
      if omits(.sampleResume) { callbacks?.resume = nil }
      if omits(.sampleFlush) { callbacks?.flush = nil }
      if omits(.sampleDrain) { callbacks?.drain = nil }
      base.setAudioCallbacks(player, callbacks, opaque: opaque)
    }
  }

  public func setAudioVolumeCallback(
    _ player: NativePlayer, _ callback: NativeAudioCallbacks.SetVolume?
  ) {
    pass(.setAudioVolumeCallback) { [self] in
      base.setAudioVolumeCallback(player, omits(.sampleVolume) ? nil : callback)
    }
  }

  public func setAudioFormatCallbacks(
    _ player: NativePlayer, setup: NativeAudioCallbacks.Setup?, cleanup: NativeAudioCallbacks.Cleanup?
  ) {
    pass(.setAudioFormatCallbacks) { [self] in
      base.setAudioFormatCallbacks(
        player, setup: omits(.sampleSetup) ? nil : setup, cleanup: omits(.sampleCleanup) ? nil : cleanup)
    }
  }

  // Logs, sources and dialogs.

  public func setLog(_ instance: NativeInstance, context: UnsafeMutablePointer<NativeLogContext>) {
    pass(.setLog) { [self] in
      guard deviation == .logsElsewhere else { return base.setLog(instance, context: context) }
      let lines = Lines(self, context.pointee)
      shared.change { $0.lines.append(lines) }
      base.setLog(instance, context: lines.context)
    }
  }

  public func newMedia(
    _ instance: NativeInstance, callbacks: NativeMediaCallbacks, opaque: UnsafeMutableRawPointer?
  ) -> NativeMedia? {
    pass(.newMediaByCallbacks) { [self] in
      if deviation == .opensElsewhere || deviation == .closesElsewhere {
        let source = Source(self, callbacks, opaque)
        shared.change { $0.sources.append(source) }
        return base.newMedia(instance, callbacks: Source.callbacks, opaque: source.address)
      }
      var callbacks = callbacks
      if omits(.sourceOpen) { callbacks.open = nil }
      if omits(.sourceClose) { callbacks.close = nil }
      return base.newMedia(instance, callbacks: callbacks, opaque: opaque)
    }
  }

  public func setDialogCallbacks(
    _ instance: NativeInstance, _ callbacks: NativeDialogCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    pass(.setDialogCallbacks) { [self] in
      var callbacks = callbacks
      if omits(.dialogLogin) { callbacks?.displayLogin = { _, _, _, _, _, _ in } }
      if omits(.dialogCancel) { callbacks?.cancel = { _, _ in } }
      base.setDialogCallbacks(instance, callbacks, opaque: opaque)
    }
  }
}
