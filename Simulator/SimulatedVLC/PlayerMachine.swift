import VLCNative

/// What a player of libVLC 4.0 does, decided from what it was asked and from what its playbacks told. A pure value, under the
/// player's lock.
///
/// One thread of the player's ends its playbacks. A playback that goes is *asked* to end, then *stopping* (told to, or ending by
/// itself), then *dead*, and then buried; until it is, another one only waits (4.setMedia).
struct PlayerMachine {
  /// The number of a playback of this player's.
  typealias Playback = Int

  enum Phase: Hashable, Sendable { case made, running, asked, stopping, dead }

  /// What comes when the last playback is buried.
  enum Next: Hashable, Sendable { case same, media, nothing }

  enum Action: Hashable, Sendable {
    case tell(NativeEvent)
    /// The next media, or none, is the player's from now on.
    case changeMedia
    case tellMedia
    /// Makes the playback of the player's media.
    case make(Playback)
    case start(Playback)
    /// Tells a playback to end, without waiting for it.
    case halt(Playback)
    /// Forgets a playback that has no thread.
    case drop(Playback)
  }

  /// What the player's own thread does next.
  enum Turn: Hashable, Sendable {
    case stop(Playback)
    case bury(Playback)
  }

  enum PauseDecision: Hashable, Sendable { case nothing, send(Playback), stop }

  /// 4.new: a player that did nothing yet is stopped.
  private(set) var state = NativeState.stopped
  /// Whether it is to play: from play to a stop or an end that nothing follows.
  private(set) var isStarted = false
  private(set) var hasMedia = false
  private(set) var next = Next.same
  /// The playback that calls reach.
  private(set) var current: Playback?
  private(set) var phases: [Playback: Phase] = [:]
  private var last = 0

  /// Whether a playback goes and is not buried.
  var isDraining: Bool { phases.values.contains { [.asked, .stopping, .dead].contains($0) } }

  // MARK: Asked

  /// 4.setMedia: what plays is asked to end, and the new media is the player's when that is buried; at once where nothing goes.
  mutating func mediaSet(_ isMedia: Bool) -> [Action] {
    guard isMedia || hasMedia else {
      next = .same
      return []
    }
    next = isMedia ? .media : .nothing
    var actions: [Action] = []
    if let current {
      if phases[current] == .running {
        phases[current] = .asked
      } else {
        phases[current] = nil
        actions.append(.drop(current))
      }
      self.current = nil
    }
    return isDraining ? actions : actions + openNext()
  }

  /// 4.play: nil where it is refused, without a media and while the last playback goes with nothing to follow.
  mutating func playAsked() -> [Action]? {
    if isStarted { return [] }
    guard !isDraining else {
      guard next == .media else { return nil }
      isStarted = true
      return []
    }
    guard hasMedia else { return nil }
    var actions: [Action] = []
    let playback = current ?? make(&actions)
    current = playback
    phases[playback] = .running
    isStarted = true
    return actions + [.start(playback)]
  }

  /// 4.stop: nothing is told yet; false where nothing plays that does not go already. What was to follow does not.
  mutating func stopAsked() -> Bool {
    if next == .media { next = .same }
    guard isStarted, let current else { return false }
    isStarted = false
    phases[current] = .asked
    self.current = nil
    return true
  }

  /// 4.pause: what cannot be paused, or is not known to, is stopped.
  func pauseAsked(canPause: Bool) -> PauseDecision {
    guard canPause else { return .stop }
    return resumeAsked()
  }

  func resumeAsked() -> PauseDecision {
    guard let current, phases[current] == .running else { return .nothing }
    return .send(current)
  }

  /// 4.release: whatever plays goes, and nothing follows.
  mutating func released() -> [Action] {
    next = .same
    isStarted = false
    guard let current else { return [] }
    self.current = nil
    guard phases[current] == .running else {
      phases[current] = nil
      return [.drop(current)]
    }
    phases[current] = .asked
    return []
  }

  // MARK: Told by a playback, on its thread

  /// A playback came to a state. 4.setMedia: of one that follows another neither Opening nor Playing is told while the player plays.
  mutating func entered(_ new: NativeState, _ playback: Playback) -> [Action] {
    // What was told to end tells no more states.
    guard let phase = phases[playback], phase != .stopping, phase != .dead else { return [] }
    switch new {
    case .stopping:
      phases[playback] = .stopping
      return leave(playback)
    case .error:
      // 4.missing: an error is no state of the player's; of what was asked to end none is told.
      return phase == .asked ? [] : [.tell(.encounteredError)]
    case .opening, .playing:
      if isStarted, state == .playing { return [] }
      return change(to: new, new == .opening ? .opening : .playing)
    case .paused: return change(to: new, .paused)
    case .nothingSpecial, .buffering, .stopped, .ended: preconditionFailure("no playback comes to \(new)")
    }
  }

  /// A playback's thread comes to its end.
  mutating func died(_ playback: Playback) {
    precondition(
      phases[playback] == .stopping, "a playback died in phase \(String(describing: phases[playback]))")
    phases[playback] = .dead
  }

  // MARK: The player's own thread

  var turn: Turn? {
    for (playback, phase) in phases.sorted(by: { $0.key < $1.key }) {
      if phase == .asked { return .stop(playback) }
      if phase == .dead { return .bury(playback) }
    }
    return nil
  }

  /// 4.stop: Stopping and MediaStopping before the playback tells what goes; 4.setMedia: without Stopping where another follows.
  mutating func stopBegan(_ playback: Playback) -> [Action] {
    phases[playback] = .stopping
    return leave(playback) + [.tell(.mediaStopping(.user)), .halt(playback)]
  }

  /// 4.end: Stopped, or, where another media follows, MediaChanged and its start.
  mutating func buried(_ playback: Playback) -> [Action] {
    phases[playback] = nil
    var actions = next == .same ? [] : openNext()
    guard let current else {
      isStarted = false
      state = .stopped
      return actions + [.tell(.stopped)]
    }
    guard isStarted else {
      state = .stopped
      return actions + [.tell(.stopped)]
    }
    phases[current] = .running
    actions.append(.start(current))
    return actions
  }

  // MARK: Parts

  private mutating func make(_ actions: inout [Action]) -> Playback {
    last += 1
    phases[last] = .made
    actions.append(.make(last))
    return last
  }

  private mutating func openNext() -> [Action] {
    hasMedia = next == .media
    next = .same
    var actions = [Action.changeMedia]
    if hasMedia { current = make(&actions) }
    return actions + [.tellMedia]
  }

  /// A playback goes: the player with it, unless another follows.
  private mutating func leave(_ playback: Playback) -> [Action] {
    if current == playback { current = nil }
    if isStarted, next != .media { isStarted = false }
    return isStarted ? [] : change(to: .stopping, .stopping)
  }

  private mutating func change(to new: NativeState, _ event: NativeEvent) -> [Action] {
    guard state != new else { return [] }
    state = new
    return [.tell(event)]
  }
}
