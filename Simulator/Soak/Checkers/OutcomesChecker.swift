import SwiftVLC

/// Each session that was started has exactly one outcome, for a reason that there was, and its last time.
struct OutcomesChecker: Sendable {
  /// What the host asked for, and what may go wrong: the reasons that there are.
  struct Reasons: Sendable {
    var stops = 0
    var loads = 0
    var isDropped = false
    /// Whether anything was loaded that fails, or faults make fail.
    var failures = false
    /// Native ends that were told.
    var nativeEnds = 0
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
      case .failure: reasons.failures
      // Everything that stops a session was asked for, or told.
      case .unknownNativeStop: false
      }
    return isPossible
      ? nil : Violation(.outcomes, "a session ended as \(outcome.cause), for which there was no reason")
  }

  /// The player's streams have ended.
  ///
  /// - Parameters:
  ///   - events: all of the player's, in order.
  ///   - timeResets: whether times were told that playback did not come to.
  func ended(_ events: [PlayerEventEnvelope]) -> Violation? {
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
