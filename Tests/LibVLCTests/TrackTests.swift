#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct TrackTests {
    @Test func `tracks are described by name and language, after one that is none`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      #expect(
        library.trackDescriptions(stage.player, .audio).map(\.name) == [
          "Disable", "English - [English]", "Français - [French]", "Deutsch - [German]",
        ])
      #expect(
        library.trackDescriptions(stage.player, .video).map(\.name) == [
          "Disable", "Main", "Small", "Small VP9",
        ])
      #expect(
        library.trackDescriptions(stage.player, .text).map(\.name) == [
          "Disable", "English - [English]", "Français - [French]", "العربية - [Arabic]",
        ])
      #expect(library.trackDescriptions(stage.player, .unknown).isEmpty)
      for type in [NativeTrackType.audio, .video, .text] {
        #expect(library.trackDescriptions(stage.player, type).map(\.number).first == -1)
      }
    }

    @Test func `nothing is described while nothing plays`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.trackDescriptions(stage.player, .audio).isEmpty)
      #expect(library.selectedTrack(stage.player, .audio) == -1)
      #expect(library.selectTrack(stage.player, .audio, number: 1) == false)
    }

    @Test(arguments: [NativeTrackType.audio, .video, .text])
    func `a track is selected by its number, and none by minus one`(type: NativeTrackType) throws {
      let stage = try Stage(quietArguments + ["--spu"])
      defer { stage.close() }
      try stage.play("tour.mkv")
      let numbers = library.trackDescriptions(stage.player, type).map(\.number)
      try #require(numbers.count == 4)
      try stage.events.wait(for: .elementaryStreamSelected(type, number: numbers[1]))
      #expect(library.selectedTrack(stage.player, type) == numbers[1])

      var mark = stage.events.count
      #expect(library.selectTrack(stage.player, type, number: numbers[2]))
      try stage.events.wait(for: .elementaryStreamSelected(type, number: numbers[2]), from: mark)
      #expect(library.selectedTrack(stage.player, type) == numbers[2])

      mark = stage.events.count
      #expect(library.selectTrack(stage.player, type, number: -1))
      try stage.events.wait(for: .elementaryStreamSelected(type, number: nil), from: mark)
      #expect(library.selectedTrack(stage.player, type) == -1)
      #expect(library.selectTrack(stage.player, type, number: 4_711) == false)
    }

    @Test func `captions are added to what plays, and selected`() throws {
      let stage = try Stage(quietArguments + ["--spu"])
      defer { stage.close() }
      try stage.play("h264_aac.mkv")
      let uri = URL(fileURLWithPath: MediaFixtures.path("captions/lorem.srt")).absoluteString
      #expect(library.addSlave(stage.player, .subtitle, uri: uri, select: true))
      let added = try stage.events.first("a text track") { event in
        if case .elementaryStreamAdded(.text, _?) = event { true } else { false }
      }
      guard case .elementaryStreamAdded(.text, let number) = added else { return }
      try stage.events.wait(for: .elementaryStreamSelected(.text, number: number))
      #expect(library.selectedTrack(stage.player, .text) == number)
      #expect(library.trackDescriptions(stage.player, .text).count == 2)
    }
  }
}
#endif
