#if LibVLC
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct TitleTests {
    @Test func `the chapters are the manifest's, each name after a space`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      let expected = MediaFixtures.file("tour.mkv").chapters.map { chapter in
        NativeChapter(
          startMilliseconds: Int64(chapter.start * 1000),
          durationMilliseconds: Int64((chapter.end - chapter.start) * 1000),
          name: chapter.title.map { " " + $0 })
      }
      let chapters = library.chapters(stage.player, title: nil)
      #expect(chapters.map(\.name) == expected.map(\.name))
      #expect(chapters.map(\.startMilliseconds) == expected.map(\.startMilliseconds))
      #expect(chapters.dropLast() == expected.dropLast())
      #expect(library.chapters(stage.player, title: 0) == chapters)
      #expect(library.chapterCount(stage.player, title: nil) == 6)
      #expect(library.chapterCount(stage.player, title: 0) == 6)
      #expect(library.chapterCount(stage.player, title: 7) == 0)
    }

    @Test func `there is one title, which is as long as the file`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      let title = try #require(library.titles(stage.player).first)
      #expect(library.titles(stage.player).count == 1)
      #expect(library.titleCount(stage.player) == 1)
      #expect(library.title(stage.player) == 0)
      #expect(!title.isMenu)
      #expect(!title.isInteractive)
      let mark = stage.events.count
      library.setTitle(stage.player, 0)
      try stage.events.wait(for: .titleChanged(0), from: mark)
    }

    @Test func `a file without chapters has no title`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("base.mp4")
      #expect(library.titles(stage.player).isEmpty)
      #expect(library.titleCount(stage.player) == 0)
      #expect(library.chapters(stage.player, title: nil).isEmpty)
      #expect(library.chapterCount(stage.player, title: nil) == 0)
      #expect(library.chapter(stage.player) == 0)
      #expect(library.title(stage.player) == 0)
      library.stop(stage.player)
      #expect(library.chapter(stage.player) == -1)
      #expect(library.title(stage.player) == -1)
    }

    @Test func `chapters are gone to by number, forwards and backwards`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      try stage.waitForTime()
      #expect(library.chapter(stage.player) == 0)
      library.setChapter(stage.player, 3)
      try stage.events.wait(for: .chapterChanged(3))
      #expect(library.chapter(stage.player) == 3)
      try settle(stage, at: 30_000)

      library.showNextChapter(stage.player)
      // The event alone: once in a hundred times libVLC answers with the number after it, and goes on so.
      try stage.events.wait(for: .chapterChanged(4))
      try settle(stage, at: 40_000)

      let mark = stage.events.count
      library.showPreviousChapter(stage.player)
      try stage.events.wait(for: .chapterChanged(3), from: mark)
    }

    @Test(arguments: NativeNavigation.allCases)
    func `a direction moves nothing where there is no menu`(navigation: NativeNavigation) throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      try stage.waitForTime()
      let mark = stage.events.count
      library.navigate(stage.player, navigation)
      try stage.waitForTime(from: mark)
      #expect(library.title(stage.player) == 0)
      #expect(library.isPlaying(stage.player))
    }

    @Test func `a program in the clear is not scrambled`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("h264_aac.ts")
      // A transport stream plays before its first program is known.
      try stage.events.wait(for: .scrambledChanged(false))
      #expect(library.isScrambled(stage.player) == false)
    }

    /// Waits for a time of the chapter that begins at `start`.
    private func settle(_ stage: Stage, at start: Int64) throws {
      try stage.events.first("a time of the chapter at \(start) ms") { event in
        if case .timeChanged(let time) = event { (start...(start + 9_999)).contains(time) } else { false }
      }
    }
  }
}
#endif
