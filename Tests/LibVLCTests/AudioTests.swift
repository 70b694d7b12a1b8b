#if LibVLC
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct AudioTests {
    /// An output with a volume that needs no sound card.
    private let nullDevice = quietArguments + ["--aout=alsa", "--alsa-audio-device=null"]

    @Test func `without an output there is neither volume nor mute`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv", options: [":no-audio"])
      library.stop(stage.player)
      #expect(library.volume(stage.player) == -1)
      #expect(library.isMuted(stage.player) == nil)
    }

    @Test func `the dummy output takes a volume and stays at none`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("silence.wav")
      #expect(library.setVolume(stage.player, percent: 50))
      library.setMuted(stage.player, true)
      #expect(library.volume(stage.player) == 0)
      #expect(library.isMuted(stage.player) == false)
      #expect(!stage.events.entries.contains(.muted))
    }

    @Test func `an output with a volume tells each change`() throws {
      let stage = try Stage(nullDevice)
      defer { stage.close() }
      try stage.play("silence.wav")
      try stage.waitForTime()
      // While the output is at work a change waits for it: the event says when it is made.
      #expect(library.setVolume(stage.player, percent: 40))
      try stage.events.first("the volume") { event in
        if case .audioVolume(let volume) = event { abs(volume - 0.4) < 0.001 } else { false }
      }
      #expect(library.volume(stage.player) == 40)
      library.setMuted(stage.player, true)
      try stage.events.wait(for: .muted)
      #expect(library.isMuted(stage.player) == true)
      library.setMuted(stage.player, false)
      try stage.events.wait(for: .unmuted)
      #expect(library.isMuted(stage.player) == false)
      #expect(library.setVolume(stage.player, percent: -5) == false)
    }

    @Test func `sound is delayed while something plays`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.audioDelay(stage.player) == 0)
      #expect(library.setAudioDelay(stage.player, microseconds: 1_000) == false)
      try stage.play("tour.mkv")
      #expect(library.setAudioDelay(stage.player, microseconds: 120_000))
      #expect(library.audioDelay(stage.player) == 120_000)
    }

    @Test func `the stereo modes of 3.0 are kept by an output`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("h264_aac.mkv")
      try stage.waitForTime()
      for mode in [NativeStereoMode.reversedStereo, .left, .right, .dolbySurround, .stereo] {
        #expect(library.setStereoMode(stage.player, mode), "\(mode)")
        #expect(library.stereoMode(stage.player) == mode)
      }
      #expect(library.setStereoMode(stage.player, .mono) == false)
      #expect(library.setStereoMode(stage.player, .unset) == false)
    }

    @Test func `an output is chosen by its name for the next play`() throws {
      let log = LogRecorder()
      let stage = try Stage()
      library.setLog(stage.instance, context: log.context)
      #expect(library.setAudioOutput(stage.player, "no such output") == false)
      #expect(library.setAudioOutput(stage.player, "amem"))
      library.setMedia(stage.player, try stage.media("silence.wav"))
      #expect(library.play(stage.player))
      try log.lines.first("the search for the chosen output") { line in
        line.message.hasPrefix("looking for audio output module matching \"amem")
      }
      stage.close()
      log.close()
    }

    @Test func `a device is kept`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.audioDevices(stage.player).isEmpty)
      library.setAudioDevice(stage.player, output: nil, device: "somewhere")
      #expect(library.audioDevice(stage.player) == nil, "the dummy output has no devices")
    }

    @Test func `the devices of an output with devices are listed, and one is chosen`() throws {
      let stage = try Stage(nullDevice)
      defer { stage.close() }
      try stage.play("silence.wav")
      try stage.waitForTime()
      #expect(library.audioDevices(stage.player).contains { $0.name == "null" })
      library.setAudioDevice(stage.player, output: nil, device: "null")
      #expect(library.audioDevice(stage.player) == "null")
    }
  }
}
#endif
