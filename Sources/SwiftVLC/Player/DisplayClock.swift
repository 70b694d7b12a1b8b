/// The time to display between two of libVLC's, which come about four times a second.
///
/// A pure value: it is told samples, movement and rate with the instants at which they came, and asked for an instant.
/// It never runs ahead of a sample by more than a limit, so that a stall shows as one, and never beyond the length.
struct DisplayClock {
  /// How long a sample is good for: libVLC tells four a second of wall time at every rate; a few may be missing.
  static let longestExtrapolation = Duration.seconds(1)

  private var time = Duration.zero
  private var instant: ContinuousClock.Instant?
  private var rate = 1.0
  private var isMoving = false

  /// libVLC told where playback is.
  mutating func sampled(_ time: Duration, at instant: ContinuousClock.Instant) {
    self.time = time
    self.instant = instant
  }

  /// Playback began or ceased to move.
  mutating func movementChanged(_ isMoving: Bool, at instant: ContinuousClock.Instant) {
    guard isMoving != self.isMoving else { return }
    settle(at: instant)
    self.isMoving = isMoving
  }

  /// Playback goes on at another rate.
  mutating func rateChanged(_ rate: Double, at instant: ContinuousClock.Instant) {
    settle(at: instant)
    self.rate = rate
  }

  /// Nothing is known of the media of now.
  mutating func reset() {
    time = .zero
    instant = nil
    isMoving = false
  }

  /// The time to display at an instant.
  func time(at now: ContinuousClock.Instant, length: Duration?) -> Duration {
    guard isMoving, let instant else { return min(time, length ?? time) }
    let elapsed = min(max(.zero, now - instant), Self.longestExtrapolation)
    let moved = time + elapsed * rate
    return min(moved, length ?? moved)
  }

  private mutating func settle(at now: ContinuousClock.Instant) {
    guard instant != nil else { return }
    time = time(at: now, length: nil)
    instant = now
  }
}
