import SwiftVLC
import VLCNative

/// What is seen of one player: its streams, its outcomes, its events on their way.
final class Probe: Sendable {
  private struct Seen {
    var streams = StreamsChecker()
    var outcomes = OutcomesChecker()
    var generations = GenerationsChecker()
    var reasons = OutcomesChecker.Reasons()
    var pendingLoads = 0
    var pauseCalls = 0
    var hasPlayed = false
    var statuses: [PlaybackStatus] = []
  }
  private let chooser: Chooser
  private let seen = CheckerState(Seen())

  init(_ chooser: Chooser) { self.chooser = chooser }

  private func check(_ body: (inout Seen) -> Violation?) {
    if let violation = seen.withValue(body) { chooser.fail(violation) }
  }

  // MARK: From the host

  func loading(_ medium: SoakMedium, faults: Bool) {
    seen.withValue { seen in
      seen.reasons.loads += 1
      seen.reasons.faults = seen.reasons.faults || faults
    }
  }
  func loaded(_ medium: SoakMedium) {
    seen.withValue { seen in
      seen.generations.loaded(medium.facts)
      seen.reasons.media.append((medium.location, medium.fails))
      seen.pendingLoads += 1
    }
  }
  func stopAsked() { seen.withValue { $0.reasons.stops += 1 } }
  func pauseAsked(mayStop: Bool) {
    seen.withValue { $0.reasons.pausesMayStop = $0.reasons.pausesMayStop || mayStop }
  }
  func dropped() { seen.withValue { $0.reasons.isDropped = true } }
  var isStopAsked: Bool { seen.withValue { $0.reasons.stops > 0 } }

  @MainActor func look(at player: Player) {
    let tracks = player.audioTracks + player.videoTracks + player.subtitleTracks
    check { seen in
      seen.generations.saw(
        duration: player.duration, time: player.currentTime, isSeekable: player.isSeekable,
        tracks: tracks.map(\.id), generation: player.generation)
    }
  }

  // MARK: From the library's threads

  /// The native player is being given its media.
  func loadReached() {
    seen.withValue { seen in
      seen.pendingLoads -= seen.pendingLoads > 0 ? 1 : 0
      seen.hasPlayed = false
    }
  }
  func pauseReached() { seen.withValue { $0.pauseCalls += 1 } }
  /// How often libVLC was told to pause or to go on.
  var pauseCalls: Int { seen.withValue { $0.pauseCalls } }
  /// Whether the media of now was told as playing.
  var hasPlayed: Bool { seen.withValue { $0.hasPlayed } }

  func delivering(_ event: NativeEvent) {
    let (isDropped, isLoading) = seen.withValue { ($0.reasons.isDropped, $0.pendingLoads > 0) }
    if isDropped { chooser.mark(.eventAfterDrop) }
    if isLoading { chooser.mark(.eventDuringLoad) }
    switch event {
    case .playing: seen.withValue { $0.hasPlayed = true }
    case .opening, .endReached, .stopping, .encounteredError: seen.withValue { $0.hasPlayed = false }
    default: break
    }
    if event == .encounteredError { chooser.mark(.failure) }
  }

  // MARK: From streams

  func received(_ envelope: PlayerEventEnvelope, by reader: StreamsChecker.Reader) {
    check { seen in
      seen.streams.received(envelope, by: reader)
        ?? (reader == .all
          ? seen.generations.told(envelope, known: (SoakMedium.all + [.source, .soundSource]).map(\.facts))
          : nil)
    }
  }
  func received(_ outcome: PlaybackTerminalOutcome) {
    if outcome.cause == .naturalEnd {
      chooser.mark(.naturalEnd)
      if isStopAsked { chooser.mark(.endAfterStop) }
    }
    check { seen in seen.outcomes.received(outcome, seen.reasons) }
  }
  func transitioned(to state: PlayerState) { seen.withValue { $0.streams.transitioned(to: state) } }
  func told(_ status: PlaybackStatus) { seen.withValue { $0.statuses.append(status) } }
  /// One who came later was told the latest, and then all that followed.
  func toldLater(_ statuses: [PlaybackStatus]) {
    check { seen in
      seen.statuses.suffix(statuses.count) == statuses[...] && statuses.isEmpty == seen.statuses.isEmpty
        ? nil : Violation(.streams, "who came later was not told the states from then on, or not in order")
    }
  }
  func left(_ newest: [PlayerEvent]) { seen.withValue { $0.streams.left(newest) } }

  /// Every stream has ended.
  func ended(_ readers: Subject.Readers) {
    check { seen in
      seen.streams.ended(readers) ?? seen.outcomes.ended(seen.streams.all, seen.reasons)
    }
  }
}
