import SwiftVLC

/// Each session that was started has exactly one outcome, for a reason that there was, and its last time.
struct OutcomesChecker: Sendable {
  /// What the host asked for, and what may go wrong: the reasons that there are.
  struct Reasons: Sendable {
    var stops = 0
    var loads = 0
    var isDropped = false
    /// Whether a pause was asked for of a libVLC that stops what has become unpausable meanwhile.
    var pausesMayStop = false
    /// Whether faults may make any media fail.
    var faults = false
    /// What was loaded, in order, and whether it fails.
    var media: [(name: String, fails: Bool)] = []
  }

  private(set) var outcomes: [PlaybackTerminalOutcome] = []

  mutating func received(_ outcome: PlaybackTerminalOutcome, _ reasons: Reasons) -> Violation? {
    if outcomes.contains(where: { $0.playback == outcome.playback }) {
      return Violation(.outcomes, "\(outcome.playback) ended twice: \(outcome.cause)")
    }
    if let last = outcomes.last, last.playback > outcome.playback {
      return Violation(.outcomes, "\(outcome.playback) ended after \(last.playback)")
    }
    outcomes.append(outcome)
    let isPossible =
      switch outcome.cause {
      case .naturalEnd: true
      case .requestedStop: reasons.stops > 0
      case .replacement: reasons.loads > 1
      case .cancellation: reasons.isDropped
      // Whose failure it is, is known when all events are.
      case .failure: true
      // Everything else that stops a session was asked for, or told.
      case .unknownNativeStop: reasons.pausesMayStop
      }
    return isPossible
      ? nil : Violation(.outcomes, "a session ended as \(outcome.cause), for which there was no reason")
  }

  /// The player's streams have ended.
  ///
  /// - Parameter events: all of the player's, in order.
  func ended(_ events: [PlayerEventEnvelope], _ reasons: Reasons) -> Violation? {
    judgeSessions(events) ?? judgeFailures(events, reasons)
  }

  /// Each load is told once, with the first session of its media.
  private func judgeFailures(_ events: [PlayerEventEnvelope], _ reasons: Reasons) -> Violation? {
    guard !reasons.faults else { return nil }
    let firsts = events.filter { $0.event == .mediaChanged }.map(\.playback)
    for outcome in outcomes {
      guard case .failure = outcome.cause else { continue }
      let place = firsts.lastIndex { $0 <= outcome.playback } ?? 0
      guard place < reasons.media.count, !reasons.media[place].fails else { continue }
      return Violation(
        .outcomes, "\(reasons.media[place].name) ended as \(outcome.cause), for which there was no reason")
    }
    return nil
  }

  private func judgeSessions(_ events: [PlayerEventEnvelope]) -> Violation? {
    var started: Set<PlaybackGeneration> = []
    var times: [PlaybackGeneration: Duration] = [:]
    var ends: Set<PlaybackGeneration> = []
    var over: Set<PlaybackGeneration> = []
    for envelope in events {
      switch envelope.event {
      case .stateChanged(.opening), .stateChanged(.playing): started.insert(envelope.playback)
      case .timeChanged(let time): if !over.contains(envelope.playback) { times[envelope.playback] = time }
      case .endReached: ends.insert(envelope.playback)
      case .stateChanged(.stopped): over.insert(envelope.playback)
      default: break
      }
    }
    let told = Set(outcomes.map(\.playback))
    if let missing = started.subtracting(told).min() {
      return Violation(.outcomes, "\(missing) was started and has no outcome")
    }
    for outcome in outcomes {
      if ends.contains(outcome.playback) != (outcome.cause == .naturalEnd) {
        return Violation(
          .outcomes,
          "\(outcome.cause) is told, and an end is \(outcome.cause == .naturalEnd ? "not " : "")told")
      }
      if let time = times[outcome.playback], outcome.finalTimeline.time != time {
        return Violation(
          .outcomes,
          "the last time was \(time.milliseconds) ms, and the outcome has \(outcome.finalTimeline.time.milliseconds)"
        )
      }
    }
    return nil
  }
}
