public import VLCNative

extension SimulatedLibrary {
  func find(_ player: NativePlayer, _ call: StaticString = #function) -> SimulatedPlayer {
    // 4.watch: a callback of a timer may call nothing of a player.
    if PlayerTimer.isInside { misuse("\(call) inside a callback of a player's timer") }
    return objects.find(player, as: SimulatedPlayer.self, call)
  }

  // MARK: Life and transport

  public func newPlayer(_ instance: NativeInstance) -> NativePlayer? {
    let instance = find(instance)
    guard !faults.fires(.playerIsNil) else { return nil }
    objects.retain(instance)
    return objects.add(SimulatedPlayer.make(self, instance)).reference()
  }

  public func newPlayer(_ instance: NativeInstance, media: NativeMedia) -> NativePlayer? {
    let media = find(media)
    guard let player = newPlayer(instance) else { return nil }
    switch profile {
    case .libVLC3:
      objects.retain(media)
      find(player).state.read { $0.media = media }
    case .libVLC4: setMedia(player, media.reference())
    }
    return player
  }

  public func retainPlayer(_ player: NativePlayer) { objects.retain(find(player)) }
  public func releasePlayer(_ player: NativePlayer) { release(find(player)) }

  func release(_ player: SimulatedPlayer) {
    guard objects.release(player) else { return }
    player.destroy()
    if let media = player.state.read({ $0.media }) { release(media) }
    objects.remove(player)
    release(player.instance)
  }

  public func setMedia(_ player: NativePlayer, _ media: NativeMedia?) {
    let player = find(player)
    let media = media.map { find($0) }
    if let media { objects.retain(media) }
    if let old = player.setMedia(media) { release(old) }
  }

  public func retainedMedia(of player: NativePlayer) -> NativeMedia? {
    guard let media = find(player).shownMedia else { return nil }
    objects.retain(media)
    return media.reference()
  }

  public func play(_ player: NativePlayer) -> Bool {
    let player = find(player)
    // What plays or is paused goes on, and cannot be refused.
    let begins = profile == .libVLC3 ? player.current == nil : player.nativeState == .stopped
    let isRefused = begins && faults.fires(.playIsRefused)
    let isPlaying = !isRefused && player.play()
    if !isPlaying, profile == .libVLC3 { setErrorMessage("No associated media descriptor") }
    return isPlaying
  }

  public func setPause(_ player: NativePlayer, _ paused: Bool) {
    let player = find(player)
    if paused, profile == .libVLC3, let current = player.current, !current.canPause {
      options.observer?(.called("setPause of what cannot be paused", player.identifier))
    }
    player.setPause(paused)
  }
  public func stop(_ player: NativePlayer) {
    demand(.joiningTransport)
    find(player).stop()
  }
  public func stopAsynchronously(_ player: NativePlayer) -> Bool {
    demand(.asynchronousStop)
    return find(player).stopAsynchronously()
  }
  public func isPlaying(_ player: NativePlayer) -> Bool { state(player) == .playing }
  public func state(_ player: NativePlayer) -> NativeState { find(player).nativeState }
  public func canPause(_ player: NativePlayer) -> Bool {
    find(player).current?.canPause ?? false
  }
  public func role(_ player: NativePlayer) -> NativeRole { find(player).state.read { $0.role } }
  public func setRole(_ player: NativePlayer, _ role: NativeRole) -> Bool {
    find(player).state.read { $0.role = role }
    return true
  }

  // MARK: Time

  func input<Value>(
    _ player: NativePlayer, else absent: Value, _ body: (Input, inout Input.State) -> Value
  ) -> Value {
    guard let input = find(player).current else { return absent }
    return input.state.read { body(input, &$0) }
  }

  /// What there is of time and length without a playback: -1, and 0 in 4.0 (4.new).
  private var noTime: Int64 { profile == .libVLC3 ? -1 : 0 }

  public func length(_ player: NativePlayer) -> Int64 { input(player, else: noTime) { $1.length } }
  public func time(_ player: NativePlayer) -> Int64 {
    input(player, else: noTime) { $1.time.wholeMilliseconds }
  }
  public func setTime(_ player: NativePlayer, milliseconds: Int64, fast: Bool) -> Bool {
    guard let input = find(player).current else { return profile == .libVLC3 }
    guard !faults.fires(.seekIsLost) else { return true }
    switch profile {
    case .libVLC3: input.seek(to: milliseconds)
    case .libVLC4: input.send(.seekTime(.milliseconds(max(milliseconds, 0))))
    }
    return true
  }
  public func position(_ player: NativePlayer) -> Double {
    input(player, else: -1) { input, state in
      switch profile {
      case .libVLC3:
        state.length > 0 ? Double(Float(state.time.wholeMilliseconds) / Float(state.length)) : 0
      // 4.new: none before it is open.
      case .libVLC4:
        state.isOpen ? state.length > 0 ? Double(state.time.wholeMilliseconds) / Double(state.length) : 0 : -1
      }
    }
  }
  public func setPosition(_ player: NativePlayer, _ position: Double, fast: Bool) -> Bool {
    guard let input = find(player).current else { return profile == .libVLC3 }
    guard !faults.fires(.seekIsLost) else { return true }
    input.send(.seekPosition(position))
    return true
  }
  public func isSeekable(_ player: NativePlayer) -> Bool {
    input(player, else: false) { $0.media.item.medium.isSeekable || !$1.isOpen }
  }
  public func rate(_ player: NativePlayer) -> Float { find(player).state.read { $0.rate } }
  public func setRate(_ player: NativePlayer, _ rate: Float) -> Bool {
    let player = find(player)
    player.state.read { $0.rate = rate }
    player.current?.send(.rate)
    return true
  }
  public func showNextFrame(_ player: NativePlayer) { find(player).current?.send(.pause) }

  // MARK: Tracks

  public func trackDescriptions(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrackDescription] {
    demand(.trackDescriptions)
    let tracks = input(player, else: []) { $1.tracks }.filter { $0.type == type }
    guard !tracks.isEmpty else { return [] }
    return [NativeTrackDescription(number: -1, name: "Disable")]
      + tracks.enumerated().map { place, track in
        NativeTrackDescription(number: track.number, name: track.name ?? "Track \(place + 1)")
      }
  }
  public func selectedTrack(_ player: NativePlayer, _ type: NativeTrackType) -> Int {
    demand(.trackDescriptions)
    return input(player, else: -1) { $1.selected[type]?.first ?? -1 }
  }
  public func selectTrack(_ player: NativePlayer, _ type: NativeTrackType, number: Int) -> Bool {
    demand(.trackDescriptions)
    guard let input = find(player).current else { return false }
    let numbers = input.state.read { $0.tracks.filter { $0.type == type }.map(\.number) }
    // None can be chosen where there ever was one.
    let isKnown = number == -1 ? input.hasTold(type) : numbers.contains(number)
    guard isKnown else { return false }
    input.send(.select(type, number < 0 ? [] : [number]))
    return true
  }
  public func addSlave(_ player: NativePlayer, _ type: NativeSlaveType, uri: String, select: Bool) -> Bool {
    let player = find(player)
    guard let media = player.state.read({ $0.media }) else { return false }
    guard let input = player.current else {
      media.item.state.read {
        $0.slaves.append(NativeSlave(uri: uri, type: type, priority: 4))
      }
      return true
    }
    if type == .subtitle { input.send(.addText(input.addText(uri), select: select)) }
    return true
  }

  // MARK: Titles and chapters

  private func medium(_ player: NativePlayer, _ call: StaticString = #function) -> SimulatedMedium? {
    guard let input = find(player, call).current, input.state.read({ $0.isOpen }) else { return nil }
    return input.media.item.medium
  }

  public func titles(_ player: NativePlayer) -> [NativeTitle] {
    guard let medium = medium(player), !medium.chapters.isEmpty else { return [] }
    return [
      NativeTitle(
        durationMilliseconds: medium.milliseconds, name: nil, isMenu: false, isInteractive: false)
    ]
  }
  public func chapters(_ player: NativePlayer, title: Int?) -> [NativeChapter] {
    guard let medium = medium(player), title ?? 0 == 0 else { return [] }
    return medium.chapters.enumerated().map { place, chapter in
      let end =
        place + 1 < medium.chapters.count
        ? medium.chapters[place + 1].start : medium.duration ?? chapter.start
      return NativeChapter(
        startMilliseconds: chapter.start.wholeMilliseconds,
        durationMilliseconds: (end - chapter.start).wholeMilliseconds, name: chapter.name)
    }
  }
  public func title(_ player: NativePlayer) -> Int { find(player).current == nil ? -1 : 0 }
  public func setTitle(_ player: NativePlayer, _ title: Int) {
    guard title == 0, medium(player)?.chapters.isEmpty == false else { return }
    find(player).current?.send(.chapter(0))
  }
  public func titleCount(_ player: NativePlayer) -> Int {
    guard find(player).current != nil else { return -1 }
    return titles(player).count
  }
  public func chapter(_ player: NativePlayer) -> Int { input(player, else: -1) { $1.chapter } }
  public func setChapter(_ player: NativePlayer, _ chapter: Int) {
    guard let medium = medium(player), medium.chapters.indices.contains(chapter) else { return }
    find(player).current?.send(.chapter(chapter))
  }
  public func chapterCount(_ player: NativePlayer, title: Int?) -> Int {
    guard find(player).current != nil, title ?? 0 == 0 else { return -1 }
    return medium(player)?.chapters.count ?? 0
  }
  public func showNextChapter(_ player: NativePlayer) { step(player, .nextChapter) }
  public func showPreviousChapter(_ player: NativePlayer) { step(player, .previousChapter) }
  private func step(_ player: NativePlayer, _ command: Input.Command) {
    guard medium(player)?.chapters.isEmpty == false, let input = find(player).current,
      input.state.read({ $0.isDescribed })
    else { return }
    input.send(command)
  }
  public func navigate(_ player: NativePlayer, _ navigation: NativeNavigation) { _ = find(player).current }
  public func isScrambled(_ player: NativePlayer) -> Bool {
    _ = find(player).current
    return false
  }
}
