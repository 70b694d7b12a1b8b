public import VLCNative

/// What only 4.0 has, and its rules call.
extension DeviatingLibrary {
  public func stopAsynchronously(_ player: NativePlayer) -> Bool {
    pass(.stopAsynchronously) { [base] in base.stopAsynchronously(player) }
  }
  public func stopAsynchronously(_ listPlayer: NativeListPlayer) {
    pass(.stopListAsynchronously) { [base] in base.stopAsynchronously(listPlayer) }
  }

  // Time.

  public func jumpTime(_ player: NativePlayer, milliseconds: Int64) -> Bool {
    pass(.jumpTime) { [base] in base.jumpTime(player, milliseconds: milliseconds) }
  }
  public func setABLoop(_ player: NativePlayer, aMilliseconds: Int64, bMilliseconds: Int64) -> Bool {
    pass(.setABLoop) { [base] in
      base.setABLoop(player, aMilliseconds: aMilliseconds, bMilliseconds: bMilliseconds)
    }
  }
  public func resetABLoop(_ player: NativePlayer) -> Bool {
    pass(.resetABLoop) { [base] in base.resetABLoop(player) }
  }
  public func abLoop(_ player: NativePlayer) -> NativeABLoop {
    pass(.abLoop) { [base] in base.abLoop(player) }
  }
  public func watchTime(
    _ player: NativePlayer, minimumPeriodMicroseconds: Int64, callbacks: NativeTimerCallbacks,
    context: UnsafeMutableRawPointer?
  ) -> Bool {
    pass(.watchTime) { [self] in
      var callbacks = callbacks
      if deviation == .omits(.timeUpdate) { callbacks.update = { _, _ in } }
      if deviation == .omits(.timeDiscontinuity) { callbacks.discontinuity = nil }
      return base.watchTime(
        player, minimumPeriodMicroseconds: minimumPeriodMicroseconds, callbacks: callbacks, context: context)
    }
  }
  public func decode(timePoint: UnsafeRawPointer) -> NativeTimePoint { base.decode(timePoint: timePoint) }
  public func unwatchTime(_ player: NativePlayer) {
    pass(.unwatchTime) { [base] in base.unwatchTime(player) }
  }

  // Tracks and programs.

  public func tracks(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrack] {
    pass(.tracks) { [base] in base.tracks(player, type) }
  }
  public func selectTracks(_ player: NativePlayer, _ type: NativeTrackType, identifiers: [String]) {
    pass(.selectTracks) { [base] in base.selectTracks(player, type, identifiers: identifiers) }
  }
  public func programs(_ player: NativePlayer) -> [NativeProgram] {
    pass(.programs) { [base] in base.programs(player) }
  }

  // Recording and settings.

  public func setRecording(_ player: NativePlayer, _ isRecording: Bool, directory: String?) {
    pass(.setRecording) { [base] in base.setRecording(player, isRecording, directory: directory) }
  }
  public func mixMode(_ player: NativePlayer) -> NativeMixMode {
    pass(.mixMode) { [base] in base.mixMode(player) }
  }
  public func setMixMode(_ player: NativePlayer, _ mode: NativeMixMode) -> Bool {
    pass(.setMixMode) { [base] in base.setMixMode(player, mode) }
  }
  public func subtitleTextScale(_ player: NativePlayer) -> Float {
    pass(.subtitleTextScale) { [base] in base.subtitleTextScale(player) }
  }
  public func setSubtitleTextScale(_ player: NativePlayer, _ scale: Float) {
    pass(.setSubtitleTextScale) { [base] in base.setSubtitleTextScale(player, scale) }
  }

  // Thumbnails.

  public func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, milliseconds: Int64, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest? {
    pass(.requestThumbnail) { [base] in
      base.requestThumbnail(
        instance, media, milliseconds: milliseconds, seek: seek, width: width, height: height, crop: crop,
        timeoutMilliseconds: timeoutMilliseconds)
    }
  }
  public func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, position: Double, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest? {
    pass(.requestThumbnail) { [base] in
      base.requestThumbnail(
        instance, media, position: position, seek: seek, width: width, height: height, crop: crop,
        timeoutMilliseconds: timeoutMilliseconds)
    }
  }
  public func destroyThumbnailRequest(_ request: NativeThumbnailRequest) {
    pass(.destroyThumbnailRequest) { [base] in base.destroyThumbnailRequest(request) }
  }
  /// As `Relay.deliver` hands them out.
  public func thumbnailBytes(_ event: UnsafeRawPointer) -> [UInt8]? {
    event.assumingMemoryBound(to: Handed.self).pointee.picture
  }
}
