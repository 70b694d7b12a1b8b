#if LibVLC
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct ListPlayerTests {
    @Test func `a list is played from its first item to its last, and told so`() throws {
      let stage = try ListStage(["silence.wav", "silence.wav"], options: [":stop-time=0.2"])
      defer { stage.close() }
      #expect(library.state(stage.listPlayer) == .nothingSpecial)
      library.play(stage.listPlayer)
      try stage.events.wait(for: .listPlayerPlayed)
      #expect(
        stage.events.entries == [
          .listPlayerNextItemSet(stage.media[0]), .listPlayerNextItemSet(stage.media[1]), .listPlayerPlayed,
        ])
      #expect(library.state(stage.listPlayer) == .ended)
    }

    @Test func `it plays through the player that it was given`() throws {
      let stage = try ListStage(["tour.mkv"])
      defer { stage.close() }
      library.play(stage.listPlayer)
      try stage.playerEvents.wait(for: .playing)
      #expect(stage.playerEvents.entries.contains(.mediaChanged(stage.media[0])))
      #expect(library.isPlaying(stage.listPlayer))
      #expect(library.isPlaying(stage.player))
      #expect(library.state(stage.listPlayer) == .playing)
    }

    @Test func `an item is played by its index, by itself, and not when the list has it not`() throws {
      let stage = try ListStage(["tour.mkv", "base.mp4"])
      defer { stage.close() }
      library.play(stage.listPlayer)
      #expect(library.play(stage.listPlayer, at: 1))
      #expect(stage.playerEvents.entries.contains(.mediaChanged(stage.media[1])))
      // The item that was the current one until now is the one that is told.
      #expect(stage.events.entries.last == .listPlayerNextItemSet(stage.media[0]))
      let count = stage.events.count
      #expect(library.play(stage.listPlayer, stage.media[0]))
      #expect(stage.playerEvents.entries.filter { $0 == .mediaChanged(stage.media[0]) }.count == 2)
      #expect(stage.events.count == count, "an item that is played by itself is not told")
      #expect(library.play(stage.listPlayer, at: 7) == false)
      try withMedia(library.newMedia(stage.instance, path: "/a")) { stranger in
        #expect(library.play(stage.listPlayer, stranger) == false)
      }
    }

    @Test func `the first play by index plays although it answers that it does not`() throws {
      let stage = try ListStage(["tour.mkv", "base.mp4"])
      defer { stage.close() }
      #expect(library.play(stage.listPlayer, at: 1) == false)
      try stage.playerEvents.wait(for: .playing)
      #expect(stage.playerEvents.entries.contains(.mediaChanged(stage.media[1])))
      #expect(stage.events.entries.isEmpty)
    }

    @Test func `next and previous go through the list and end at its ends`() throws {
      let stage = try ListStage(["tour.mkv", "tour.mkv"])
      defer { stage.close() }
      library.play(stage.listPlayer)
      #expect(library.playNext(stage.listPlayer))
      #expect(stage.events.entries.last == .listPlayerNextItemSet(stage.media[1]))
      #expect(library.playPrevious(stage.listPlayer))
      #expect(stage.events.entries.last == .listPlayerNextItemSet(stage.media[0]))
      #expect(library.playPrevious(stage.listPlayer) == false)
      #expect(stage.events.entries.last == .listPlayerPlayed)
    }

    @Test func `a pause is the player's pause`() throws {
      let stage = try ListStage(["tour.mkv"])
      defer { stage.close() }
      library.play(stage.listPlayer)
      try stage.playerEvents.wait(for: .playing)
      library.setPause(stage.listPlayer, true)
      try stage.playerEvents.wait(for: .paused)
      #expect(library.state(stage.listPlayer) == .paused)
      #expect(!library.isPlaying(stage.listPlayer))
      let mark = stage.playerEvents.count
      library.setPause(stage.listPlayer, false)
      try stage.playerEvents.wait(for: .playing, from: mark)
    }

    @Test func `a stop is told after the player's`() throws {
      let stage = try ListStage(["tour.mkv"])
      defer { stage.close() }
      library.play(stage.listPlayer)
      try stage.playerEvents.wait(for: .playing)
      library.stop(stage.listPlayer)
      #expect(stage.playerEvents.entries.states.last == .stopped)
      #expect(stage.events.entries.last == .listPlayerStopped)
      #expect(library.state(stage.listPlayer) == .stopped)
    }

    @Test func `a loop begins again at the first item`() throws {
      let stage = try ListStage(["silence.wav", "silence.wav"], options: [":stop-time=0.2"])
      defer { stage.close() }
      library.setPlaybackMode(stage.listPlayer, .loop)
      library.play(stage.listPlayer)
      try stage.events.wait(until: "the first item again") { events in
        events.count >= 3 ? true : nil
      }
      #expect(stage.events.entries.prefix(3).last == .listPlayerNextItemSet(stage.media[0]))
    }

    @Test func `a repeated item begins again, and without repeating the list goes on`() throws {
      let stage = try ListStage(["silence.wav", "silence.wav"], options: [":stop-time=0.2"])
      defer { stage.close() }
      // In this order: a list player that repeats before it played anything plays nothing.
      library.play(stage.listPlayer)
      library.setPlaybackMode(stage.listPlayer, .repeatOne)
      try stage.playerEvents.wait(until: "two openings") { events in
        events.filter { $0 == .opening }.count >= 2 ? true : nil
      }
      #expect(!stage.playerEvents.entries.contains(.mediaChanged(stage.media[1])))
      library.setPlaybackMode(stage.listPlayer, .once)
      try stage.playerEvents.wait(for: .mediaChanged(stage.media[1]))
    }

    @Test func `a list player lives until its last count is given back`() throws {
      try withInstance { instance in
        let listPlayer = try #require(library.newListPlayer(instance))
        library.retainListPlayer(listPlayer)
        library.releaseListPlayer(listPlayer)
        #expect(library.state(listPlayer) == .nothingSpecial)
        library.releaseListPlayer(listPlayer)
      }
    }
  }
}

/// A list player with a list and a player of our own, and what they tell.
private final class ListStage {
  let instance: NativeInstance
  let listPlayer: NativeListPlayer
  let player: NativePlayer
  let media: [NativeMedia]
  private let list: NativeMediaList
  private let recorder: EventRecorder
  private let playerRecorder: EventRecorder

  init(_ fixtures: [String], options: [String] = []) throws {
    holdPlugins()
    let instance = try #require(library.newInstance(arguments: quietArguments))
    self.instance = instance
    listPlayer = try #require(library.newListPlayer(instance))
    player = try #require(library.newPlayer(instance))
    list = try #require(library.newMediaList(instance))
    media = try fixtures.map { name in
      let media = try #require(library.newMedia(instance, path: MediaFixtures.path(name)))
      for option in options { library.addMediaOption(media, option) }
      return media
    }
    recorder = try EventRecorder(.listPlayer(listPlayer), NativeEventKind.ofListPlayers)
    playerRecorder = try EventRecorder(.player(player), NativeEventKind.ofPlayers)
    library.setPlayer(of: listPlayer, player)
    library.lockMediaList(list)
    for media in media { #expect(library.appendMedia(list, media)) }
    library.unlockMediaList(list)
    library.setList(of: listPlayer, list)
  }

  var events: Record<NativeEvent> { recorder.events }
  var playerEvents: Record<NativeEvent> { playerRecorder.events }

  func close() {
    library.stop(listPlayer)
    recorder.detach()
    library.releaseListPlayer(listPlayer)
    playerRecorder.detach()
    library.releasePlayer(player)
    library.releaseMediaList(list)
    for media in media { library.releaseMedia(media) }
    library.releaseInstance(instance)
  }
}
#endif
