import VLCNative

extension Media {
  /// The chapters, read through a private player: no libVLC tells them from a parse.
  ///
  /// The media is opened, muted and without a window, until libVLC knows its chapters, and closed again. Suspends for
  /// that long: some tens of milliseconds for a local file.
  ///
  /// - Parameters:
  ///   - timeout: how long it may take until libVLC knows them.
  ///   - instance: the libVLC to use.
  /// - Throws: `playbackFailed` when the media cannot be opened, `parseTimeout`, `mediaCreationFailed`,
  ///   `operationFailed`, `cancelled`.
  public func chapters(
    timeout: Duration = .seconds(10), instance: VLCInstance = .shared
  ) async throws(VLCError) -> [Chapter] {
    guard let handle = NativeHandle(instance: instance) else {
      throw .operationFailed("libVLC made no player to read chapters with: free some memory and try again.")
    }
    let signals = handle.context.signals.subscribe(policy: .unbounded)
    // Decoded for nobody, at the pace of playback, so that the input lives while it is read.
    let media = copy(adding: [":no-audio", ":no-spu", ":vout=dummy", ":no-sub-autodetect-file"])
    guard let owner = media.playbackOwner(in: instance) else { throw .mediaCreationFailed(source: mrl) }
    defer { owner.interrupt() }
    let alarm = Task {
      try await Task.sleep(for: timeout)
      handle.context.tornDown()
    }
    defer { alarm.cancel() }
    handle.submit { handle in
      handle.load(owner)
      handle.play()
    }
    for await signal in signals {
      switch signal {
      case .event(let envelope) where envelope.event == .stateChanged(.playing):
        if let chapters = await handle.chapters() { return chapters }
      case .outcome(let outcome) where outcome.cause != .cancellation:
        throw .playbackFailed(
          reason:
            "\"\(mrl)\" could not be opened, or was over at once: check that it is there and can be read.")
      default: break
      }
    }
    throw Task.isCancelled ? .cancelled : .parseTimeout
  }
}
