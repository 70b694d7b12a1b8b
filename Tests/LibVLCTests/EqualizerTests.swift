#if LibVLC
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct EqualizerTests {
    @Test func `there are eighteen presets with names`() {
      #expect(library.equalizerPresetCount == 18)
      let names = (0..<18).map { library.equalizerPresetName($0) }
      #expect(names.first == "Flat")
      #expect(names.last == "Techno")
      #expect(library.equalizerPresetName(18) == nil)
    }

    @Test func `there are ten bands`() {
      #expect(library.equalizerBandCount == 10)
      let frequencies = (0..<10).map(library.equalizerBandFrequency)
      #expect(
        frequencies.map { Int($0.rounded()) } == [31, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000])
      #expect(library.equalizerBandFrequency(10) == -1)
    }

    @Test func `preamplification and gains are kept within twenty decibels`() throws {
      let equalizer = try #require(library.newEqualizer(preset: nil))
      defer { library.releaseEqualizer(equalizer) }
      #expect(library.equalizerPreamp(equalizer) == 0)
      #expect(library.setEqualizerPreamp(equalizer, 12.5))
      #expect(library.equalizerPreamp(equalizer) == 12.5)
      #expect(library.setEqualizerPreamp(equalizer, 30))
      #expect(library.equalizerPreamp(equalizer) == 20)
      for band in 0..<10 {
        #expect(library.setEqualizerGain(equalizer, band: band, Float(band) - 5))
        #expect(library.equalizerGain(equalizer, band: band) == Float(band) - 5)
      }
      #expect(library.setEqualizerGain(equalizer, band: 10, 1) == false)
      #expect(library.equalizerGain(equalizer, band: 10).isNaN)
    }

    @Test func `a preset has gains, and an unknown one is none`() throws {
      let rock = try #require((0..<18).first { library.equalizerPresetName($0) == "Rock" })
      let equalizer = try #require(library.newEqualizer(preset: rock))
      #expect(library.equalizerPreamp(equalizer) > 0)
      #expect(library.equalizerGain(equalizer, band: 0) > 0)
      library.releaseEqualizer(equalizer)
      #expect(library.newEqualizer(preset: 18) == nil)
    }

    @Test func `an equalizer is copied into what plays, and nil removes it`() throws {
      let log = LogRecorder()
      let stage = try Stage()
      library.setLog(stage.instance, context: log.context)
      try stage.play("tour.mkv")
      try stage.waitForTime()
      let equalizer = try #require(library.newEqualizer(preset: 1))
      #expect(library.setEqualizer(stage.player, equalizer))
      library.releaseEqualizer(equalizer)
      try log.lines.first("the filter") { $0.message.contains("using audio filter module \"equalizer\"") }
      let mark = log.lines.count
      #expect(library.setEqualizer(stage.player, nil))
      try log.lines.first("the filter's end", from: mark) { line in
        line.message.contains("removing module \"equalizer\"")
      }
      stage.close()
      log.close()
    }
  }
}
#endif
