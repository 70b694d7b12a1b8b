import Foundation
import SimulatedVLC
import SwiftVLC
import VLCNative

/// A player under test, with whoever reads its streams.
@MainActor
final class Subject {
  /// Which streams somebody reads, beside all events and the outcomes.
  struct Readers: OptionSet, Sendable {
    let rawValue: Int
    static let lanes = Readers(rawValue: 1)
    static let others = Readers(rawValue: 2)
  }

  private(set) var player: Player?
  private weak var dropped: Player?
  private(set) var intent = CommandsChecker.Intent.nothing
  private(set) var medium: SoakMedium?
  let probe: Probe
  private let stage: Stage
  private let readers: Readers
  private var reads: [@Sendable () async -> Void] = []
  private var tasks: [Task<Void, Never>] = []
  /// Raised when a read of the host's own bytes blocks.
  private let blocks = Flag()
  /// The media of now, used again.
  private var media: [String: Media] = [:]

  init(_ stage: Stage, _ instance: VLCInstance) {
    self.stage = stage
    let probe = Probe(stage.chooser)
    self.probe = probe
    readers = Readers(rawValue: stage.chooser.draw(4))
    let player = stage.making(probe) { Player(instance: instance) }
    self.player = player
    dropped = player
    // Of everything that is read, while it comes or when all is over.
    let all = player.eventEnvelopes(policy: .unbounded)
    let outcomes = player.terminalOutcomes
    let statuses = player.playbackStatus
    reads = [
      { for await envelope in all { probe.received(envelope, by: .all) } },
      { for await status in statuses { probe.told(status) } },
      { for await outcome in outcomes { probe.received(outcome) } },
    ]
    if readers.contains(.lanes) { readLanes(of: player) }
    if readers.contains(.others) { readOthers(of: player) }
    if stage.chooser.draw(3) == 2 {
      tasks = reads.map { read in Task.detached { await read() } }
      reads = []
    }
  }

  private func readLanes(of player: Player) {
    let (control, timing) = (player.controlEventEnvelopes, player.timingEventEnvelopes)
    reads += [
      { [probe] in for await envelope in control { probe.received(envelope, by: .control) } },
      { [probe] in for await envelope in timing { probe.received(envelope, by: .timing) } },
    ]
  }

  private func readOthers(of player: Player) {
    // A filter may take a lock of the application's, which also guards what subscribes.
    let filtered = player.eventEnvelopes(policy: .unbounded) { [lock] envelope in
      lock.withLock { StreamsChecker.passes(envelope) }
    }
    let states = player.stateTransitions
    let newest = player.events(policy: .newest(StreamsChecker.newestCount))
    reads += [
      { [probe] in for await envelope in filtered { probe.received(envelope, by: .filtered) } },
      { [probe] in for await state in states { probe.transitioned(to: state) } },
    ]
    // One that is read when all is over, whatever the others are.
    late = { [probe] in
      var left: [PlayerEvent] = []
      for await event in newest { left.append(event) }
      probe.left(left)
    }
  }
  private var late: (@Sendable () async -> Void)?
  private let lock = NSLock()

  // MARK: Commands

  private func media(_ medium: SoakMedium) throws -> Media {
    if let known = media[medium.location] { return known }
    let isSound = medium.location == SoakMedium.soundSource.location
    let made =
      isSound || medium.location == SoakMedium.source.location
      ? Media(source: SoakSource(stage.chooser, isSound: isSound, blocks: blocks))
      : try Media(mrl: medium.location)
    media[medium.location] = made
    return made
  }

  func load(_ medium: SoakMedium, plays: Bool) {
    stage.chooser.say("host: load \(medium.location), \(plays ? "and play" : "not to play")")
    guard let player else { return }
    if player.state == .opening { stage.chooser.mark(.loadDuringOpening) }
    if intent == .stop, player.state.isActive { stage.chooser.mark(.loadDuringStop) }
    do {
      let media = try media(medium)
      // What the load brings about may be told before it returns.
      probe.loading(medium, faults: stage.mayFail)
      try player.load(media)
      self.medium = medium
      intent = .stop
      probe.loaded(medium)
      if plays { try play() }
    } catch {
      tolerate(error)
    }
  }

  private func play() throws {
    stage.chooser.say("host: play")
    guard let player else { return }
    if player.didReachEnd { stage.chooser.mark(.playAfterEnd) }
    try player.play()
    intent = .play
  }

  func resumeOrPlay() { do { try play() } catch { tolerate(error) } }

  func pause() {
    stage.chooser.say("host: pause")
    guard let player else { return }
    if player.state == .opening { stage.chooser.mark(.pauseDuringOpening) }
    let isKept = player.isPlaying
    probe.pauseAsked(mayStop: stage.library.profile == .libVLC4)
    player.pause()
    if isKept { intent = medium?.medium.isPausable == true ? .pause : .nothing }
  }
  func resume() {
    stage.chooser.say("host: resume")
    player?.resume()
    if intent == .pause { intent = .play }
  }
  func toggle() {
    stage.chooser.say("host: toggle")
    probe.pauseAsked(mayStop: stage.library.profile == .libVLC4)
    player?.togglePlayPause()
    intent = .nothing
  }
  func stop() {
    stage.chooser.say("host: stop")
    probe.stopAsked()
    player?.stop()
    intent = .stop
  }
  func seek(to time: Duration) {
    stage.chooser.say("host: seek to \(time.milliseconds) ms")
    do { try player?.seek(to: time) } catch { tolerate(error) }
  }
  func seek(to position: PlaybackPosition) { do { try player?.seek(to: position) } catch { tolerate(error) } }
  func setRate(_ rate: PlaybackRate) { do { try player?.setPlaybackRate(rate) } catch { tolerate(error) } }
  func setSound(_ volume: Volume, isMuted: Bool) {
    do { try player?.setAudioVolume(volume) } catch { tolerate(error) }
    player?.isMuted = isMuted
  }
  func selectTracks() {
    guard let player else { return }
    player.selectedAudioTrack = player.selectedAudioTrack == nil ? player.audioTracks.last : nil
    player.selectedVideoTrack = player.videoTracks.first
  }

  private func tolerate(_ error: any Error) {
    switch error as? VLCError {
    // The state is libVLC's, and changes when it likes.
    case .invalidState: break
    case .mediaCreationFailed where stage.may(.mediaIsNil): break
    case .operationFailed where stage.may(.playerIsNil, .attachFails): break
    default: stage.check(Violation(.commands, "a command threw \(error)"))
    }
  }

  // MARK: Looking

  func look() { if let player { probe.look(at: player) } }

  /// Everything that was asked for was done, and nobody can run before time passes.
  func lookWhenQuiet() {
    guard player != nil else { return }
    look()
    stage.check(disagreement)
    stage.check(MemoryChecker().living(stage.library.livingObjects, players: 1, media: media.count + 1))
  }

  /// What of a lone player's does not agree with what was asked for.
  var disagreement: Violation? {
    guard let player, let native = stage.library.playerStates.last else { return nil }
    return CommandsChecker().quiet(
      intent: intent, state: player.state, isPlaying: player.isPlaying, native: native,
      mayBlock: medium?.medium.duration == SoakMedium.source.medium.duration)
  }

  /// A pause in a wait for data is not put off: libVLC is told before time passes, in a world where it passes when nobody can run.
  func pauseInAWait() async {
    // An event in flight keeps calls waiting.
    guard !stage.may(.eventIsDelayed) else { return }
    await quiet()
    guard let player, player.state == .buffering, player.isPlaying, probe.hasPlayed,
      medium?.medium.isPausable == true
    else { return }
    let before = probe.pauseCalls
    pause()
    await quiet()
    guard self.player?.state == .buffering, probe.pauseCalls == before else { return }
    stage.check(Violation(.commands, "a pause in a wait for data is put off"))
  }
  private func quiet() async { try? await Task.sleep(for: .microseconds(7)) }

  // MARK: The end

  /// Comes to a stream late: leaves it, is cancelled, shares it, or reads to the end.
  func readBriefly() {
    guard let player else { return }
    switch stage.chooser.draw(4) {
    case 0:
      _ = player.controlEvents
      stage.chooser.mark(.streamLeft)
    case 1:
      let statuses = player.playbackStatus
      lateReads.append { [probe] in
        var told: [PlaybackStatus] = []
        for await status in statuses { told.append(status) }
        probe.toldLater(told)
      }
    case 2:
      let events = lock.withLock { player.events(policy: .unbounded) { _ in true } }
      cancel(Task.detached { for await _ in events {} })
    default:
      let events = player.controlEvents
      tasks.append(Task.detached { for await _ in events {} })
      cancel(Task.detached { for await _ in events {} })
    }
  }

  /// Stops in the moment in which what plays begins to end.
  func stopAtItsEnd() {
    guard let events = player?.controlEvents else { return }
    tasks.append(
      Task { [weak self] in
        for await event in events where event == .mediaStopping {
          self?.stop()
          break
        }
      })
  }

  /// Stops when a read of the host's own bytes blocks, where one does soon.
  func stopWhenBlocked() {
    tasks.append(
      Task { [weak self, blocks] in
        for _ in 0..<40 where !blocks.isRaised { try? await Task.sleep(for: .milliseconds(60)) }
        if blocks.isRaised { self?.stop() }
      })
  }

  /// Plays in about the moment in which what plays ends.
  func playNearItsEnd() {
    guard let player, let length = medium?.medium.duration else { return }
    let events = player.timingEventEnvelopes
    tasks.append(
      Task { [weak self] in
        for await envelope in events {
          guard let time = envelope.event.timeChanged, length - time < .milliseconds(260) else { continue }
          self?.resumeOrPlay()
          break
        }
      })
  }

  private func cancel(_ reader: Task<Void, Never>) {
    tasks.append(
      Task { [chooser = stage.chooser] in
        try? await Task.sleep(for: .milliseconds(40))
        chooser.mark(.streamCancelled)
        reader.cancel()
        await reader.value
      })
  }
  /// Read when all is over.
  private var lateReads: [@Sendable () async -> Void] = []

  /// Lets the player go, on the main actor or elsewhere.
  func drop() async {
    stage.chooser.say("host: drop")
    guard player != nil else { return }
    markDrop()
    probe.dropped()
    media = [:]
    guard stage.chooser.draw(3) == 2 else {
      player = nil
      return
    }
    stage.chooser.mark(.dropOffMainActor)
    await handOver()?.value
  }

  /// A task elsewhere has the last reference.
  private func handOver() -> Task<Void, Never>? {
    defer { player = nil }
    return player.map { player in Task.detached { _ = player } }
  }

  private func markDrop() {
    guard let player else { return }
    switch player.state {
    case .opening: stage.chooser.mark(.dropDuringOpening)
    case .playing: stage.chooser.mark(.dropDuringPlaying)
    case .paused: stage.chooser.mark(.dropDuringPause)
    default: break
    }
    if intent == .stop, player.state.isActive { stage.chooser.mark(.dropDuringStop) }
  }

  /// Whether libVLC has made a player of it.
  var hasNativePlayer: Bool { player?.nativeEventGeneration != nil }
  /// Whether somebody has the player that was dropped.
  var isKept: Bool { dropped != nil }

  /// After everything native is gone.
  func end() async {
    for task in tasks { await task.value }
    for read in reads + lateReads { await read() }
    await late?()
    probe.ended(readers)
  }
}
