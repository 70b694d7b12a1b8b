#if LibVLC
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct MemoryOutputTests {
    @Test func `pictures are set up, locked, unlocked and shown in turn`() throws {
      let sink = PictureSink()
      let stage = try Stage()
      library.setVideoCallbacks(stage.player, PictureSink.callbacks, opaque: sink.opaque)
      library.setVideoFormatCallbacks(
        stage.player, setup: PictureSink.setup, cleanup: PictureSink.cleanup)
      try stage.play("h264_aac.mkv")
      try sink.calls.wait(until: "ten pictures") { $0.shown.count >= 10 ? true : nil }
      #expect(library.videoOutputCount(stage.player) == 1)
      library.stop(stage.player)
      let calls = sink.calls.entries
      guard case .setup(_, let width, let height) = calls.first else {
        Issue.record("the first call is \(String(describing: calls.first))")
        return
      }
      #expect(width == 320)
      #expect(height >= 240)
      #expect(calls.last == .cleanup, "before the stop returned")
      #expect(calls.filter(\.isSetup).count == calls.filter { $0 == .cleanup }.count)
      #expect(calls.shown.allSatisfy { $0 > 16 }, "a test card has more than sixteen shades")
      var isLocked = false
      for call in calls where call == .lock || call == .unlock {
        #expect(isLocked == (call == .unlock))
        isLocked = call == .lock
      }
      stage.close()
      withExtendedLifetime(sink) {}
    }

    @Test func `a fixed format needs no setup`() throws {
      let sink = PictureSink()
      let output = PictureSink.Output(sink, width: 64, height: 48)
      let stage = try Stage()
      library.setVideoCallbacks(
        stage.player, PictureSink.callbacks, opaque: Unmanaged.passUnretained(output).toOpaque())
      library.setVideoFormat(stage.player, chroma: "RV32", width: 64, height: 48, pitch: 256)
      try stage.play("h264_aac.mkv")
      try sink.calls.wait(until: "ten pictures") { $0.shown.count >= 10 ? true : nil }
      stage.close()
      #expect(sink.calls.entries.shown.allSatisfy { $0 > 16 })
      #expect(!sink.calls.entries.contains { $0.isSetup || $0 == .cleanup })
      withExtendedLifetime(output) {}
    }

    @Test func `an open output keeps the callbacks that were replaced`() throws {
      let old = PictureSink("old")
      let new = PictureSink("new")
      let stage = try Stage()
      library.setVideoCallbacks(stage.player, PictureSink.callbacks, opaque: old.opaque)
      library.setVideoFormatCallbacks(
        stage.player, setup: PictureSink.setup, cleanup: PictureSink.cleanup)
      try stage.play("tour.mkv")
      try old.calls.wait(until: "a picture") { $0.shown.isEmpty ? nil : true }
      library.setVideoCallbacks(stage.player, PictureSink.callbacks, opaque: new.opaque)
      let count = old.calls.entries.shown.count
      try old.calls.wait(until: "ten more pictures") { $0.shown.count >= count + 10 ? true : nil }
      #expect(new.calls.entries.isEmpty)
      library.stop(stage.player)
      #expect(old.calls.entries.last == .cleanup)
      try stage.play("tour.mkv")
      try new.calls.wait(until: "a picture of the next play") { $0.shown.isEmpty ? nil : true }
      stage.close()
      withExtendedLifetime((old, new)) {}
    }

    @Test func `samples are set up, played, paused, flushed and drained`() throws {
      let sink = SoundSink()
      let stage = try Stage()
      library.setAudioCallbacks(stage.player, SoundSink.callbacks, opaque: sink.opaque)
      library.setAudioFormatCallbacks(stage.player, setup: SoundSink.setup, cleanup: SoundSink.cleanup)
      library.setAudioVolumeCallback(stage.player, SoundSink.setVolume)
      try stage.play("h264_aac.mkv")
      try sink.calls.first("a sample") { if case .play = $0 { true } else { false } }
      library.setPause(stage.player, true)
      try sink.calls.wait(for: .pause)
      library.setPause(stage.player, false)
      try sink.calls.wait(for: .resume)
      #expect(library.setVolume(stage.player, percent: 50))
      try sink.calls.first("the volume") { call in
        if case .volume(let volume, isMuted: false) = call { volume < 1 } else { false }
      }
      try stage.events.wait(for: .stopped)
      stage.close()
      let calls = sink.calls.entries
      #expect(calls.contains(.setup(format: "S16N", rate: 48_000, channels: 2)))
      #expect(calls.contains(.drain))
      #expect(calls.contains(.flush))
      #expect(calls.last == .cleanup)
      // Two seconds at half of 48 kHz.
      #expect((40_000...50_000).contains(SoundSink.frames(calls)), "\(SoundSink.frames(calls))")
      withExtendedLifetime(sink) {}
    }

    @Test func `a fixed sound format needs no setup`() throws {
      let sink = SoundSink()
      let stage = try Stage()
      library.setAudioCallbacks(stage.player, SoundSink.callbacks, opaque: sink.opaque)
      library.setAudioFormat(stage.player, format: "S16N", rate: 8_000, channels: 1)
      try stage.play("silence.wav")
      try stage.events.wait(for: .stopped)
      stage.close()
      let calls = sink.calls.entries
      #expect(!calls.contains { if case .setup = $0 { true } else { $0 == .cleanup } })
      #expect((15_000...17_000).contains(SoundSink.frames(calls)), "\(SoundSink.frames(calls))")
      withExtendedLifetime(sink) {}
    }
  }
}

extension [PictureSink.Call] {
  /// The shades of each picture that was shown.
  fileprivate var shown: [Int] { compactMap { if case .display(let shades, _) = $0 { shades } else { nil } } }
}

extension PictureSink.Call {
  fileprivate var isSetup: Bool { if case .setup = self { true } else { false } }
}
#endif
