import ConcurrencySeam
import VLCNative

/// One native player, and everything that may wait for its threads.
///
/// Its executor is a serial queue of its own, so a joining call (stop, set_media) is never on the main actor, and
/// commands that come by `submit` keep their order. Where the library's stop does not join, the queue does not wait
/// either: what is submitted until the library tells Stopped is kept and carried out then. Whoever holds a reference is an owner; with the last one the
/// native release is queued behind everything that was submitted before.
actor NativeHandle {
  nonisolated let instance: VLCInstance
  nonisolated let context: PlayerEventContext
  private nonisolated let player: NativePlayer
  private nonisolated let queue: SerialQueue
  // The kinds whose attach succeeded: exactly these are detached, or libVLC aborts (R5).
  private nonisolated let attached: [NativeEventKind]
  // libVLC sets the state of a media after it was replaced: it lives until the native side let it go. Guarded, because
  // the end of the process interrupts its reads while the queue may wait for one.
  private nonisolated let loaded = Guarded<NativeMediaOwner?>(nil)
  private nonisolated var media: NativeMediaOwner? { loaded.withLock { $0 } }
  // What goes on when the library has stopped, while it is waited for, and what was submitted meanwhile.
  private var afterStop: Work?
  private var postponed: [Work] = []
  // Whether the last word to libVLC was to pause, told by an event or not yet.
  private var isPauseAsked = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
  private nonisolated var library: any NativeLibrary { instance.library }

  /// Nil when libVLC makes no player, or none that tells everything.
  init?(instance: VLCInstance) {
    let library = instance.library
    guard let player = library.newPlayer(instance.native) else { return nil }
    NativeObjects.enter(.player)
    self.instance = instance
    self.player = player
    queue = SerialQueue(label: "org.swiftvlc.player.\(player.identifier.number)")
    let context = PlayerEventContext(library: library)
    self.context = context
    // The context is complete, and owned by the attachment, before the first event can come.
    let opaque = Unmanaged.passRetained(context).toOpaque()
    let wanted = NativeEventKind.ofPlayers.filter(library.eventKinds.contains)
    attached = wanted.filter { kind in
      library.attach(.player(player), kind, PlayerEventContext.callback, context: opaque)
    }
    NativeObjects.stopAtExit(self, player.identifier)
    // Of what plays unheard neither the end nor the outcome would be known.
    guard attached.count == wanted.count else { return nil }
  }

  deinit {
    let isPauseAsked = isPauseAsked
    let remains = Remains(
      instance: instance, player: player, context: context, attached: attached, media: media,
      isPauseAsked: isPauseAsked)
    queue.async { remains.release() }
  }

  /// Runs `work` on the handle's queue, after everything that was submitted before.
  nonisolated func submit(_ work: @escaping Work) {
    queue.async { self.assumeIsolated { $0.perform(work) } }
  }

  typealias Work = @Sendable (isolated NativeHandle) -> Void

  private func perform(_ work: @escaping Work) {
    if afterStop == nil { work(self) } else { postponed.append(work) }
  }

  /// The library told Stopped, or never will.
  private func stopped() {
    guard let work = afterStop else { return }
    afterStop = nil
    work(self)
    // Until one of them waits again.
    while afterStop == nil, !postponed.isEmpty { postponed.removeFirst()(self) }
  }

  // MARK: Transport

  /// Gives the player a media; its session begins when libVLC has let the old one go.
  ///
  /// - Parameter isAsked: whether `context.endAsked` told of it before.
  func load(_ owner: NativeMediaOwner, isAsked: Bool = false) {
    guard !context.isTornDown else { return }
    join(.setMedia, cause: isAsked ? nil : .replacement) { handle in
      handle.context.onJoiningThread { handle.library.setMedia(handle.player, owner.native) }
      handle.context.joinReturned(.loaded)
      // The one before is let go outside the lock.
      let old = handle.loaded.withLock { loaded in
        defer { loaded = owner }
        return loaded
      }
      withExtendedLifetime(old) {}
    }
  }

  func play() {
    // What is played by the work that loads it follows the load.
    guard afterStop == nil else {
      postponed.append { $0.play() }
      return
    }
    switch context.startBegan() {
    case .nothing: break
    case .begins:
      media?.prepareToPlay()
      isPauseAsked = false
      if media == nil || !library.play(player) { context.startRejected() }
    case .goesOn:
      isPauseAsked = false
      // It may end before it hears this, and a play would begin it anew then, in a session that is over.
      library.setPause(player, false)
    // A natural end leaves a dead input, which a play would not notice (S2), or one that is still to go.
    case .followsStop:
      // What broke may have left a read that blocks, for which the stop would wait.
      let ended = media
      ended?.interrupt()
      stop(cause: .unknownNativeStop) { handle in
        ended?.endInterruption()
        handle.play()
      }
    }
  }

  func setPause(_ paused: Bool) {
    guard context.sessionState.isActive, !context.isTornDown else { return }
    // libVLC 3 ends what it cannot pause.
    guard !paused || library.canPause(player) else {
      context.pauseRefused()
      return
    }
    isPauseAsked = paused
    library.setPause(player, paused)
  }

  /// Stops; nil is the first of the causes that `context.endAsked` told of before.
  ///
  /// - Parameter completion: what follows when libVLC has stopped.
  func stop(cause: PlaybackTerminalCause?, completion: @escaping Work = { _ in }) {
    join(.stop, cause: cause) { handle in
      handle.context.joinReturned(.stopped)
      completion(handle)
    }
  }

  /// Makes reads of the loaded media return, for the end of the process.
  nonisolated func interruptReads() { media?.interrupt() }

  /// Ends what plays, and goes on when it has ended.
  ///
  /// A set_media joins by itself where stop does; elsewhere what plays is stopped first, since the library would start
  /// the new media when the old has gone (contract 1.2), and nobody asked for that.
  private func join(
    _ call: SessionMachine.Joining, cause: PlaybackTerminalCause?, then work: @escaping Work
  ) {
    precondition(afterStop == nil, "joining call \(call) is made while another waits")
    context.joinBegan(call, cause: cause)
    context.onJoiningThread { resumeBeforeStop() }
    guard !library.capabilities.contains(.joiningTransport) else {
      if call == .stop { context.onJoiningThread { library.stop(player) } }
      return work(self)
    }
    // False where nothing plays, or where it goes already: whether Stopped is to come the context knows.
    _ = library.stopAsynchronously(player)
    afterStop = work
    // The waiter is an owner until then.
    let isWaiting = context.whenStopped {
      self.queue.async { self.assumeIsolated { $0.stopped() } }
    }
    if !isWaiting { stopped() }
  }

  /// Resumes what is paused or about to be: a paused output may keep the stop that follows waiting.
  private func resumeBeforeStop() {
    if isPauseAsked { library.setPause(player, false) }
    isPauseAsked = false
  }

  // MARK: Settings

  func setTime(_ time: Duration, fast: Bool) {
    guard context.sessionState.isActive else { return }
    _ = library.setTime(player, milliseconds: time.milliseconds, fast: fast)
  }

  func setPosition(_ position: PlaybackPosition, fast: Bool) {
    guard context.sessionState.isActive else { return }
    _ = library.setPosition(player, position.value, fast: fast)
  }

  func setRate(_ rate: PlaybackRate) { _ = library.setRate(player, rate.value) }
  func setVolume(_ volume: Volume) {
    _ = library.setVolume(player, percent: Int((volume.value * 100).rounded()))
  }
  func setMuted(_ isMuted: Bool) { library.setMuted(player, isMuted) }

  // MARK: Tracks, titles, chapters

  /// Selects a track, nil for none.
  func selectTrack(_ type: TrackType, _ track: Track?) {
    if library.capabilities.contains(.trackLists) {
      library.selectTracks(player, type.native, identifiers: track.map { [$0.id] } ?? [])
    } else {
      _ = library.selectTrack(player, type.native, number: track?.number ?? -1)
    }
    readTracks()
  }

  /// Reads the tracks and sends them with the session that they are of.
  func readTracks() {
    let playback = context.playback
    guard let media, context.sessionState.isActive else {
      context.tracksRead([], of: playback)
      return
    }
    guard !library.capabilities.contains(.trackLists) else {
      let tracks = TrackType.allCases.flatMap { library.tracks(player, $0.native) }
      context.tracksRead(tracks.compactMap { Track($0, library: library) }, of: playback)
      return
    }
    var tracks = Track.all(of: media.native, library: library)
    for type in TrackType.allCases {
      let selected = library.selectedTrack(player, type.native)
      let names = library.trackDescriptions(player, type.native)
      for index in tracks.indices where tracks[index].type == type {
        tracks[index].isSelected = tracks[index].number == selected
        if tracks[index].name == nil {
          tracks[index].name = names.first { $0.number == tracks[index].number }?.name
        }
      }
    }
    context.tracksRead(tracks, of: playback)
  }

  /// The chapters of the current title; nil where playback had ended before they were read.
  ///
  /// Where a stop joins, what has ended is there until it is stopped, and tells them still.
  func chapters() -> [Chapter]? {
    let chapters = library.chapters(player, title: nil).map(Chapter.init)
    let isThere = library.capabilities.contains(.joiningTransport) || context.sessionState.isActive
    return isThere ? chapters : nil
  }
}

extension NativeHandle {
  /// What is left of a handle that nobody holds any more, on its way to the native release.
  private struct Remains: @unchecked Sendable {
    // Sendable without a check: made by the last owner, used by one closure.
    let instance: VLCInstance
    let player: NativePlayer
    let context: PlayerEventContext
    let attached: [NativeEventKind]
    let media: NativeMediaOwner?
    let isPauseAsked: Bool

    /// In the order that what still reads each thing allows: listeners, streams, input, player, context.
    func release() {
      let library = instance.library
      let opaque = Unmanaged.passUnretained(context).toOpaque()
      for kind in attached {
        library.detach(.player(player), kind, PlayerEventContext.callback, context: opaque)
      }
      context.tornDown()
      if isPauseAsked { library.setPause(player, false) }
      // Where a stop does not join, the release does.
      if library.capabilities.contains(.joiningTransport) { library.stop(player) }
      library.releasePlayer(player)
      // The attachment's own count: no callback can run any more.
      Unmanaged.passUnretained(context).release()
      NativeObjects.leave(.player)
      NativeObjects.releaseReturned(player.identifier)
    }
  }
}
