public import VLCNative

/// What only 4.0 has; on 3.0 each of these is an error of the caller's.
extension SimulatedLibrary {
  // MARK: Time

  public func jumpTime(_ player: NativePlayer, milliseconds: Int64) -> Bool {
    demand(.relativeSeek)
    guard let input = find(player).current else { return false }
    input.send(.jump(.milliseconds(milliseconds)))
    return true
  }

  public func setABLoop(_ player: NativePlayer, aMilliseconds: Int64, bMilliseconds: Int64) -> Bool {
    demand(.abLoop)
    guard 0 <= aMilliseconds, aMilliseconds < bMilliseconds, let input = find(player).current else {
      return false
    }
    input.state.change { $0.loop = (.milliseconds(aMilliseconds), .milliseconds(bMilliseconds)) }
    return true
  }
  public func setABLoop(_ player: NativePlayer, aPosition: Double, bPosition: Double) -> Bool {
    demand(.abLoop)
    guard let length = find(player).current?.state.read({ $0.length }), length > 0 else { return false }
    return setABLoop(
      player, aMilliseconds: Int64(aPosition * Double(length)),
      bMilliseconds: Int64(bPosition * Double(length)))
  }
  public func resetABLoop(_ player: NativePlayer) -> Bool {
    demand(.abLoop)
    guard let input = find(player).current else { return false }
    input.state.change { $0.loop = nil }
    return true
  }
  public func abLoop(_ player: NativePlayer) -> NativeABLoop {
    demand(.abLoop)
    let loop = find(player).current?.state.read { $0.loop }
    return NativeABLoop(
      aMilliseconds: loop?.start.wholeMilliseconds, bMilliseconds: loop?.end.wholeMilliseconds)
  }

  public func watchTime(
    _ player: NativePlayer, minimumPeriodMicroseconds: Int64, callbacks: NativeTimerCallbacks,
    context: UnsafeMutableRawPointer?
  ) -> Bool {
    demand(.playerTimer)
    let player = find(player)
    let period = Duration.microseconds(minimumPeriodMicroseconds)
    guard player.timer?.watch(callbacks, context, period: period) == true else { return false }
    player.outputs.watch(true)
    return true
  }
  public func unwatchTime(_ player: NativePlayer) {
    demand(.playerTimer)
    let player = find(player)
    guard player.timer?.unwatch() == true else {
      misuse("unwatchTime of a player whose time nobody watches")
    }
    player.outputs.watch(false)
  }
  public func decode(timePoint: UnsafeRawPointer) -> NativeTimePoint {
    demand(.playerTimer)
    return timePoint.assumingMemoryBound(to: NativeTimePoint.self).pointee
  }

  // MARK: Tracks and programs

  /// 4.tracks: with the identifiers that the file gives them, which are stable.
  public func tracks(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrack] {
    demand(.trackLists)
    return input(player, else: []) { _, state in
      guard state.isDescribed else { return [] }
      return state.tracks.filter { $0.type == type }.map { track in
        var track = track
        track.isIdentifierStable = true
        track.isSelected = state.selected[type]?.contains(track.number) ?? false
        return track
      }
    }
  }

  /// 4.tracks: what is not known is left out; of sounds one is selected, of texts two, of pictures one.
  public func selectTracks(_ player: NativePlayer, _ type: NativeTrackType, identifiers: [String]) {
    demand(.trackLists)
    guard let input = find(player).current else { return }
    let known = input.state.read { $0.tracks }
    let numbers = identifiers.compactMap { identifier in
      known.first { $0.type == type && $0.identifier == identifier }?.number
    }
    input.send(.select(type, Array(numbers.prefix(type == .text ? 2 : 1))))
  }

  public func programs(_ player: NativePlayer) -> [NativeProgram] {
    demand(.programs)
    guard let input = find(player).current, let selected = input.state.read({ $0.program }) else { return [] }
    return input.medium.programs.map { program in
      var program = program
      program.isSelected = program.number == selected
      return program
    }
  }
  public func selectProgram(_ player: NativePlayer, number: Int) {
    demand(.programs)
    guard let input = find(player).current, input.medium.programs.contains(where: { $0.number == number })
    else {
      return
    }
    input.send(.program(number))
  }

  // MARK: Recording, thumbnails, settings

  public func setRecording(_ player: NativePlayer, _ isRecording: Bool, directory: String?) {
    demand(.recording)
    find(player).current?.send(.record(isRecording, directory: directory))
  }

  public func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, milliseconds: Int64, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest? { requestThumbnail(instance, media, timeoutMilliseconds) }
  public func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, position: Double, seek: NativeThumbnailSeek,
    width: UInt32, height: UInt32, crop: Bool, timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest? { requestThumbnail(instance, media, timeoutMilliseconds) }

  private func requestThumbnail(
    _ instance: NativeInstance, _ media: NativeMedia, _ timeoutMilliseconds: Int
  ) -> NativeThumbnailRequest? {
    demand(.thumbnails)
    _ = find(instance)
    let media = find(media)
    // The request has a count of its own.
    objects.retain(media)
    let request = objects.add(SimulatedThumbnailRequest(self, media, timeoutMilliseconds))
    request.start()
    return request.reference()
  }
  public func destroyThumbnailRequest(_ request: NativeThumbnailRequest) {
    demand(.thumbnails)
    let request = objects.find(request, as: SimulatedThumbnailRequest.self, "destroyThumbnailRequest(_:)")
    guard objects.release(request) else { return }
    request.cancel()
    objects.remove(request)
  }
  public func thumbnailBytes(_ event: UnsafeRawPointer) -> [UInt8]? {
    demand(.thumbnails)
    return event.assumingMemoryBound(to: RawEvent.self).pointee.picture
  }

  public func mixMode(_ player: NativePlayer) -> NativeMixMode {
    demand(.mixMode)
    return settings(player) { $0.mixMode }
  }
  public func setMixMode(_ player: NativePlayer, _ mode: NativeMixMode) -> Bool {
    demand(.mixMode)
    settings(player) { $0.mixMode = mode }
    return true
  }
  public func subtitleTextScale(_ player: NativePlayer) -> Float {
    demand(.subtitleTextScale)
    return settings(player) { $0.subtitleTextScale }
  }
  public func setSubtitleTextScale(_ player: NativePlayer, _ scale: Float) {
    demand(.subtitleTextScale)
    settings(player) { $0.subtitleTextScale = scale }
  }
}
