import TestSupport
import Testing

@testable import SwiftVLC

@Suite(.tags(.logic)) struct DisplayClockTests {
  private let start = ContinuousClock.now
  private func instant(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  @Test func `time moves between samples at the rate, and stands while paused`() {
    var clock = DisplayClock()
    clock.movementChanged(true, at: instant(0))
    clock.sampled(.seconds(10), at: instant(0))
    #expect(clock.time(at: instant(200), length: nil) == .milliseconds(10_200))
    clock.rateChanged(2, at: instant(200))
    #expect(clock.time(at: instant(300), length: nil) == .milliseconds(10_400))
    clock.movementChanged(false, at: instant(300))
    #expect(clock.time(at: instant(9_000), length: nil) == .milliseconds(10_400))
    clock.movementChanged(true, at: instant(9_000))
    #expect(clock.time(at: instant(9_100), length: nil) == .milliseconds(10_600))
  }

  @Test func `it stays within the length, and does not run away from a stall`() {
    var clock = DisplayClock()
    clock.movementChanged(true, at: instant(0))
    clock.sampled(.seconds(59), at: instant(0))
    #expect(clock.time(at: instant(2_000), length: .milliseconds(59_500)) == .milliseconds(59_500))
    #expect(clock.time(at: instant(60_000), length: nil) == .seconds(60))
  }

  @Test func `without a sample there is no time, and a reset forgets`() {
    var clock = DisplayClock()
    clock.movementChanged(true, at: instant(0))
    #expect(clock.time(at: instant(500), length: nil) == .zero)
    clock.sampled(.seconds(3), at: instant(500))
    clock.reset()
    #expect(clock.time(at: instant(900), length: nil) == .zero)
  }

  @Test func `an instant before the sample is the sample`() {
    var clock = DisplayClock()
    clock.movementChanged(true, at: instant(100))
    clock.sampled(.seconds(1), at: instant(100))
    #expect(clock.time(at: instant(0), length: nil) == .seconds(1))
  }
}
