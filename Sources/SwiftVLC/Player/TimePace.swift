import Synchronization

/// How often the main actor is woken for the playback clock alone.
///
/// libVLC tells time and position four times a second, but hundreds of times for a file with chapters, and each wake of
/// the main thread costs more than everything else an event does. What is not woken for is found at the next wake, which
/// every other event makes at once: a time may stay unapplied for a tenth of a second, and is interpolated over.
final class TimePace: Sendable {
  /// As often as a view may want to change.
  static let shortestInterval = Duration.milliseconds(100)

  private let start = ContinuousClock.now
  // Microseconds from the start until the next wake is due.
  private let due = Atomic<Int64>(0)

  func wakes(for signal: PlayerSignal) -> Bool {
    guard case .event(let envelope) = signal else { return true }
    switch envelope.event {
    case .timeChanged, .positionChanged:
      let now = (ContinuousClock.now - start).microseconds
      guard now >= due.load(ordering: .relaxed) else { return false }
      // Pairs come position first: the wake is for the time that follows.
      if case .positionChanged = envelope.event { return false }
      due.store(now + Self.shortestInterval.microseconds, ordering: .relaxed)
      return true
    default: return true
    }
  }

  /// `wakes(for:)` as a subscription takes it.
  var wakes: @Sendable (PlayerSignal) -> Bool {
    { [self] signal in wakes(for: signal) }
  }
}
