import SwiftVLC

/// What the streams of one player brought, each to one reader, from the player's beginning to its end.
struct StreamsChecker: Sendable {
  /// Everything, unbounded: the measure of the others.
  private(set) var all: [PlayerEventEnvelope] = []
  private var control: [PlayerEventEnvelope] = []
  private var timing: [PlayerEventEnvelope] = []
  private var filtered: [PlayerEventEnvelope] = []
  private var states: [PlayerState] = []
  private var newest: [PlayerEvent] = []

  /// How many the stream of the newest keeps.
  static let newestCount = 3

  enum Reader: CaseIterable { case all, control, timing, filtered }

  mutating func received(_ envelope: PlayerEventEnvelope, by reader: Reader) -> Violation? {
    let last: PlayerEventEnvelope?
    switch reader {
    case .all:
      last = all.last
      all.append(envelope)
      if envelope.sequence != (last?.sequence ?? 0) + 1 {
        return Violation(.streams, "after event \(last?.sequence ?? 0) came \(envelope.sequence)")
      }
    case .control:
      last = control.last
      control.append(envelope)
    case .timing:
      last = timing.last
      timing.append(envelope)
    case .filtered:
      last = filtered.last
      filtered.append(envelope)
    }
    if let lane = reader.lane, envelope.event.expectedLane != lane {
      return Violation(.streams, "\(envelope.event) came in the lane \(lane)")
    }
    guard let last else { return nil }
    if envelope.sequence <= last.sequence {
      return Violation(.streams, "event \(envelope.sequence) came after \(last.sequence)")
    }
    if envelope.playback < last.playback {
      return Violation(.streams, "an event of \(envelope.playback) came after one of \(last.playback)")
    }
    return nil
  }

  mutating func transitioned(to state: PlayerState) { states.append(state) }
  mutating func left(_ newest: [PlayerEvent]) { self.newest = newest }

  /// What the filtered stream lets pass.
  static func passes(_ envelope: PlayerEventEnvelope) -> Bool { envelope.sequence.isMultiple(of: 2) }

  /// Every stream that was read has ended.
  func ended(_ readers: Subject.Readers) -> Violation? {
    (readers.contains(.lanes) ? lanesEnded() : nil) ?? (readers.contains(.others) ? othersEnded() : nil)
  }

  private func lanesEnded() -> Violation? {
    let wanted = all.filter { $0.event.expectedLane == .control }
    if control != wanted {
      return Violation(.streams, "of \(wanted.count) control events \(control.count) came in their stream")
    }
    for last in lastTimings where !timing.contains(last) {
      return Violation(.streams, "the newest \(last.event) did not come in the timing lane")
    }
    // Sequences begin at 1 and have no gap.
    let isTold = timing.allSatisfy { $0.sequence <= all.count && all[Int($0.sequence) - 1] == $0 }
    return isTold ? nil : Violation(.streams, "the timing lane has what nobody told")
  }

  private func othersEnded() -> Violation? {
    let passing = all.filter(Self.passes)
    if filtered != passing {
      return Violation(.streams, "of \(passing.count) events that a filter lets pass \(filtered.count) came")
    }
    let transitions = all.compactMap(\.event.stateChanged)
    if states != transitions {
      return Violation(.streams, "of \(transitions.count) states \(states.count) came as transitions")
    }
    if newest.count > Self.newestCount {
      return Violation(.memory, "\(newest.count) events wait where \(Self.newestCount) are kept")
    }
    return newest == all.suffix(Self.newestCount).map(\.event)
      ? nil : Violation(.streams, "not the newest events were kept")
  }

  /// The newest of each kind of the timing lane.
  private var lastTimings: [PlayerEventEnvelope] {
    let kinds: [(PlayerEvent) -> Bool] = [
      { $0.timeChanged != nil }, { $0.positionChanged != nil }, { $0.bufferingProgress != nil },
      { $0.voutChanged != nil },
    ]
    return kinds.compactMap { isOfKind in all.last { isOfKind($0.event) } }
  }
}

extension StreamsChecker.Reader {
  fileprivate var lane: PlayerEvent.Lane? {
    switch self {
    case .control: .control
    case .timing: .timing
    case .all, .filtered: nil
    }
  }
}

extension PlayerEvent {
  /// What supersedes what was told before it may be dropped; nothing else may.
  fileprivate var expectedLane: Lane {
    switch self {
    case .timeChanged, .positionChanged, .bufferingProgress, .voutChanged: .timing
    default: .control
    }
  }

}
