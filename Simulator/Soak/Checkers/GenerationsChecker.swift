import SwiftVLC

/// Nothing of a media that was replaced is shown beside its successor, nor told as the successor's.
struct GenerationsChecker: Sendable {
  /// What can be told of a media.
  struct Facts: Hashable, Sendable {
    let name: String
    let duration: Duration?
    let isSeekable: Bool
    let tracks: Set<String>

    /// A length that grows may be a second longer for a moment.
    func allows(length: Duration?) -> Bool {
      guard let length else { return true }
      return duration.map { length == $0 || length == $0 + .seconds(1) } ?? (length == .zero)
    }
  }

  private var current: Facts?
  private var newest: PlaybackGeneration?
  private var lengths: [PlaybackGeneration: Duration] = [:]

  /// A load was asked for, on the main actor.
  mutating func loaded(_ facts: Facts) { current = facts }

  /// What a view sees, on the main actor.
  mutating func saw(
    duration: Duration?, time: Duration, isSeekable: Bool, tracks: [String], generation: PlaybackGeneration?
  ) -> Violation? {
    if let generation {
      if let newest, generation < newest {
        return Violation(.generations, "the player is of \(generation) after it was of \(newest)")
      }
      newest = generation
    }
    guard let current else {
      return duration == nil && time == .zero
        ? nil : Violation(.generations, "a time is shown without a media")
    }
    if !current.allows(length: duration) {
      return Violation(
        .generations, "the length \(duration?.formatted ?? "-") is shown beside \(current.name)")
    }
    if let length = current.duration, time > length + .seconds(1) {
      return Violation(.generations, "the time \(time.formatted) is shown beside \(current.name)")
    }
    if isSeekable && !current.isSeekable {
      return Violation(.generations, "\(current.name) is shown as seekable")
    }
    if let other = tracks.first(where: { !current.tracks.contains($0) }) {
      return Violation(.generations, "the track \(other) is shown beside \(current.name)")
    }
    return nil
  }

  /// A length was told of a session: always the same media's.
  mutating func told(_ envelope: PlayerEventEnvelope, known: [Facts]) -> Violation? {
    guard let length = envelope.event.lengthChanged, length > .zero else { return nil }
    guard let media = known.first(where: { $0.duration != nil && $0.allows(length: length) }),
      let duration = media.duration
    else { return Violation(.generations, "a length that no media has is told") }
    if let other = lengths[envelope.playback], other != duration {
      return Violation(.generations, "\(envelope.playback) is told two media's lengths")
    }
    lengths[envelope.playback] = duration
    return nil
  }
}
