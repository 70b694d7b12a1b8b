#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct OverlayTests {
    @Test func `each number of the marquee is kept`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let values: [(NativeMarqueeNumber, Int)] = [
        (.color, 0xFF8000), (.opacity, 128), (.refresh, 500), (.size, 24), (.timeout, 2_000), (.x, 11),
        (.y, 13),
      ]
      for (number, value) in values { library.setMarquee(stage.player, number, value) }
      for (number, value) in values { #expect(library.marquee(stage.player, number) == value, "\(number)") }
    }

    @Test func `a marquee's text is in the picture where it was put`() throws {
      let plain = try brightRows(isExpected: false) { _ in }
      #expect(plain.isEmpty)
      let top = try brightRows { player in
        show("MMMM", player)
        library.setMarqueePosition(player, .top)
      }
      let bottom = try brightRows { player in
        show("MMMM", player)
        library.setMarqueePosition(player, .bottom)
      }
      #expect(try #require(top.max()) < 120, "\(top)")
      #expect(try #require(bottom.min()) > 120, "\(bottom)")
    }

    @Test func `each number of the logo is kept`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let values: [(NativeLogoNumber, Int)] = [
        (.x, 5), (.y, 6), (.delay, 700), (.repeatCount, 3), (.opacity, 99),
      ]
      for (number, value) in values { library.setLogo(stage.player, number, value) }
      for (number, value) in values { #expect(library.logo(stage.player, number) == value, "\(number)") }
    }

    @Test func `a logo's file is in the picture where it was put`() throws {
      let path = FileManager.default.temporaryDirectory.path + "/logo-\(UUID().uuidString).pgm"
      try Data("P5 32 32 255\n".utf8 + [UInt8](repeating: 255, count: 32 * 32))
        .write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      for (position, isTop) in [(NativeOverlayPosition.topLeft, true), (.bottomRight, false)] {
        let rows = try brightRows { player in
          library.setLogoFile(player, path)
          library.setLogo(player, .opacity, 255)
          library.setLogoPosition(player, position)
          library.setLogo(player, .enabled, 1)
        }
        let first = try #require(rows.first)
        #expect((first < 120) == isTop, "\(rows)")
      }
    }

    @Test func `marquee and logo are on while they are in the output, adjustments never say so`() throws {
      let stage = try Stage()
      defer { stage.close() }
      library.setAdjusting(stage.player, true)
      #expect(!library.isAdjusting(stage.player), "nothing plays yet")
      library.setMarquee(stage.player, .enabled, 1)
      #expect(library.marquee(stage.player, .enabled) == 0, "nothing plays yet")
      library.setLogo(stage.player, .enabled, 1)
      #expect(library.logo(stage.player, .enabled) == 0, "nothing plays yet")
      try stage.play("tour.mkv")
      try stage.settle("the marquee") { library.marquee(stage.player, .enabled) == 1 }
      try stage.settle("the logo") { library.logo(stage.player, .enabled) == 1 }
      // libVLC 3.0 looks for the adjustments among the overlays, where they never are.
      #expect(!library.isAdjusting(stage.player))
      library.setMarquee(stage.player, .enabled, 0)
      try stage.settle("the end of the marquee") { library.marquee(stage.player, .enabled) == 0 }
      library.setLogo(stage.player, .enabled, 0)
      try stage.settle("the end of the logo") { library.logo(stage.player, .enabled) == 0 }
    }

    @Test func `adjustments change the picture while they are on`() throws {
      // No brightness and no contrast make a test card black.
      #expect(try !brightRows(isAdjusting: false) { _ in }.isEmpty)
      #expect(try brightRows(isExpected: false) { _ in }.isEmpty)
    }

    @Test func `each adjustment is kept`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let values: [(NativeAdjustment, Float)] = [
        (.contrast, 1.5), (.brightness, 0.5), (.hue, 90), (.saturation, 2), (.gamma, 0.75),
      ]
      for (adjustment, value) in values { library.setAdjustment(stage.player, adjustment, value) }
      for (adjustment, value) in values {
        #expect(library.adjustment(stage.player, adjustment) == value, "\(adjustment)")
      }
    }

    @Test func `a title is shown over the picture for as long as was asked`() throws {
      let rows = try brightRows(["--video-title-show"]) { player in
        library.setVideoTitleDisplay(player, .top, timeoutMilliseconds: 60_000)
      }
      #expect(try #require(rows.max()) < 120, "\(rows)")
      let hidden = try brightRows(isExpected: false, ["--video-title-show"]) { player in
        library.setVideoTitleDisplay(player, .disabled, timeoutMilliseconds: 60_000)
      }
      #expect(hidden.isEmpty)
    }

    private func show(_ text: String, _ player: NativePlayer) {
      library.setMarqueeText(player, text)
      library.setMarquee(player, .size, 48)
      library.setMarquee(player, .opacity, 255)
      library.setMarquee(player, .color, 0xFFFFFF)
      library.setMarquee(player, .enabled, 1)
    }

    /// The rows of a black picture that an overlay made bright, none after a few pictures without any.
    private func brightRows(
      isExpected: Bool = true, isAdjusting: Bool = true, _ arguments: [String] = [],
      _ prepare: (NativePlayer) -> Void
    ) throws -> [Int] {
      let sink = PictureSink()
      let stage = try Stage(quietArguments + arguments)
      defer { stage.close() }
      library.setVideoCallbacks(stage.player, PictureSink.callbacks, opaque: sink.opaque)
      library.setVideoFormatCallbacks(stage.player, setup: PictureSink.setup, cleanup: PictureSink.cleanup)
      // The picture itself goes black; overlays are laid over it afterwards.
      library.setAdjusting(stage.player, isAdjusting)
      library.setAdjustment(stage.player, .brightness, 0)
      library.setAdjustment(stage.player, .contrast, 0)
      prepare(stage.player)
      try stage.play("tour.mkv", options: [":no-spu"])
      return try sink.calls.wait(until: "pictures") { calls in
        let rows = calls.compactMap { if case .display(_, let rows) = $0 { rows } else { nil } }
        if let bright = rows.last(where: { !$0.isEmpty }) { return bright }
        return isExpected || rows.count < 15 ? nil : []
      }
    }
  }
}
#endif
