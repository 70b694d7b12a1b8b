#if LibVLC
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct TimeTests {
    @Test func `the length is the file's`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      #expect(library.length(stage.player) == 60_008)
      #expect(library.isSeekable(stage.player))
    }

    @Test func `a seek by time lands where it says`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      try stage.waitForTime()
      let mark = stage.events.count
      #expect(library.setTime(stage.player, milliseconds: 25_000, fast: false))
      // A position and a time are told before the call returns, but the time may be the input's of before:
      // both write it.
      #expect(stage.events.count >= mark + 2)
      try stage.events.first("a time after the seek", from: mark) { event in
        if case .timeChanged(let time) = event { (25_001...30_000).contains(time) } else { false }
      }
      #expect((25_001...35_000).contains(library.time(stage.player)))
    }

    @Test func `a seek by position lands where it says`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      try stage.waitForTime()
      let mark = stage.events.count
      #expect(library.setPosition(stage.player, 0.5, fast: false))
      try stage.events.first("a position after the seek", from: mark) { event in
        if case .positionChanged(let position) = event { (0.49...0.6).contains(position) } else { false }
      }
      #expect((0.49...0.6).contains(library.position(stage.player)))
      #expect((29_000...36_000).contains(library.time(stage.player)))
    }

    @Test func `a paused player takes a seek and plays on from there`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      try stage.waitForTime()
      library.setPause(stage.player, true)
      try stage.events.wait(for: .paused)
      #expect(library.setTime(stage.player, milliseconds: 40_000, fast: true))
      let mark = stage.events.count
      library.setPause(stage.player, false)
      try stage.events.first("a time after the pause", from: mark) { event in
        if case .timeChanged(let time) = event { (40_001...45_000).contains(time) } else { false }
      }
    }

    @Test func `a rate is kept over a stop and makes the end come sooner`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.setRate(stage.player, 8))
      #expect(library.rate(stage.player) == 8)
      let clock = ContinuousClock()
      let start = clock.now
      try stage.play("tour.mkv", options: [":start-time=40"])
      try stage.events.wait(for: .endReached)
      #expect(clock.now - start < .seconds(15), "twenty seconds at eight times the rate")
      library.stop(stage.player)
      #expect(library.rate(stage.player) == 8)
    }

    @Test func `the next frame pauses`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      try stage.waitForOutput()
      library.showNextFrame(stage.player)
      try stage.events.wait(for: .paused)
      #expect(library.state(stage.player) == .paused)
    }
  }
}
#endif
