#if LibVLC
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct PlayerTests {
    @Test func `a new player has nothing`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.state(stage.player) == .nothingSpecial)
      #expect(library.retainedMedia(of: stage.player) == nil)
      #expect(!library.isPlaying(stage.player))
      #expect(!library.canPause(stage.player))
      #expect(library.time(stage.player) == -1)
      #expect(library.length(stage.player) == -1)
      #expect(library.position(stage.player) == -1)
      #expect(library.rate(stage.player) == 1)
    }

    @Test func `a player made with a media has that media`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: "/a")) { media in
          let player = try #require(library.newPlayer(instance, media: media))
          let kept = try #require(library.retainedMedia(of: player))
          #expect(kept == media)
          #expect(kept.address == media.address)
          library.releaseMedia(kept)
          library.releasePlayer(player)
        }
      }
    }

    @Test func `a player lives until its last count is given back`() throws {
      try withInstance { instance in
        let player = try #require(library.newPlayer(instance))
        library.retainPlayer(player)
        library.releasePlayer(player)
        #expect(library.state(player) == .nothingSpecial)
        library.releasePlayer(player)
      }
    }

    @Test func `setting a media tells it before the call returns and starts nothing`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let media = try stage.media("base.mp4")
      library.setMedia(stage.player, media)
      #expect(stage.events.entries == [.mediaChanged(media)])
      #expect(library.state(stage.player) == .nothingSpecial)
      library.setMedia(stage.player, nil)
      #expect(library.retainedMedia(of: stage.player) == nil)
    }

    @Test func `setting a media while another plays ends that without a stop`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("base.mp4")
      let other = try stage.media("h264_aac.mkv")
      let mark = stage.events.count
      library.setMedia(stage.player, other)
      #expect(stage.events.entries.dropFirst(mark).untimed.contains(.mediaChanged(other)))
      #expect(library.state(stage.player) == .nothingSpecial)
      #expect(!stage.events.entries.contains(.stopped))
    }

    @Test func `a pause and its end are told, and pausing twice is nothing`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      #expect(library.canPause(stage.player))
      #expect(library.isPlaying(stage.player))
      library.setPause(stage.player, true)
      try stage.events.wait(for: .paused)
      #expect(library.state(stage.player) == .paused)
      #expect(!library.isPlaying(stage.player))
      library.setPause(stage.player, true)
      let mark = stage.events.count
      library.setPause(stage.player, false)
      try stage.events.wait(for: .playing, from: mark)
      #expect(stage.events.entries.states == [.opening, .playing, .paused, .playing])
    }

    @Test func `a stop while playing tells no end`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      library.stop(stage.player)
      #expect(stage.events.entries.states == [.opening, .playing, .stopped])
      #expect(library.state(stage.player) == .stopped)
      let count = stage.events.count
      library.stop(stage.player)
      #expect(stage.events.count == count, "a second stop tells nothing")
    }

    @Test func `after the end a play does nothing until a stop`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("silence.wav")
      try stage.events.wait(for: .stopped)
      let count = stage.events.count
      #expect(library.play(stage.player))
      #expect(library.state(stage.player) == .ended)
      #expect(stage.events.count == count)
      library.stop(stage.player)
      let mark = stage.events.count
      #expect(library.play(stage.player))
      try stage.events.wait(for: .playing, from: mark)
    }

    @Test(arguments: ["/nowhere/at-all.mkv", "broken/empty.mkv"])
    func `what cannot be opened is an error and then ended`(name: String) throws {
      let stage = try Stage()
      defer { stage.close() }
      let path = name.hasPrefix("/") ? name : MediaFixtures.path(name)
      library.setMedia(stage.player, try stage.keep(library.newMedia(stage.instance, path: path)))
      #expect(library.play(stage.player))
      try stage.events.wait(for: .stopped)
      #expect(stage.events.entries.states == [.opening, .encounteredError, .stopped])
      #expect(library.state(stage.player) == .ended)
    }

    @Test func `every role is kept`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.role(stage.player) == .video)
      for role in NativeRole.allCases {
        #expect(library.setRole(stage.player, role))
        #expect(library.role(stage.player) == role)
      }
    }

    @Test func `no renderer is the local output, which plays on`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.setRenderer(stage.player, nil))
      try stage.play("silence.wav")
      #expect(library.isPlaying(stage.player))
    }
  }
}
#endif
