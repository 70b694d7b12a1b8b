import VLCNative

/// Play, stop, release, a new media, pause: S1 to S6 and S8, and what a new player is.
let transportRules: [Rule] = [
  Rule("1.2.newPlayer", "A new player has no media, no time, no length and no position.") { stage in
    let player = try stage.makePlayer()
    let library = stage.library
    try stage.expect(library.state(player), is: .nothingSpecial, "the state")
    try stage.expect(library.time(player), is: -1, "the time")
    try stage.expect(library.length(player), is: -1, "the length")
    try stage.expect(library.position(player), is: -1, "the position")
    try stage.expect(library.retainedMedia(of: player), is: nil, "the media")
  },
  Rule("1.2.noMedia", "play without a media fails with a message.") { stage in
    let player = try stage.makePlayer()
    stage.library.clearErrorMessage()
    try stage.expect(stage.play(player).result, is: false, "the answer")
    try stage.expect(stage.library.errorMessage(), is: "No associated media descriptor", "the message")
    try stage.expect(stage.entries.events().isEmpty, "no event")
  },

  Rule(
    "S1.states", "A play to the end tells Opening, Playing, EndReached, Stopped, and the state stays Ended."
  ) { stage in
    let (player, _) = try stage.ended("h264_aac.mkv")
    try stage.expect(
      stage.events().states, is: [.opening, .playing, .endReached, .stopped], "the states")
    try stage.expect(stage.library.state(player), is: .ended, "the state")
  },
  Rule("S1.order", "Until Playing the events come in one order.") { stage in
    _ = try stage.playing("h264_aac.mkv")
    let told = Array(stage.events().prefix { $0 != .playing }).filter { $0 != .buffering(0) }
    let media = try stage.require(told.first, "MediaChanged")
    let length = try stage.require(
      told.first { if case .lengthChanged = $0 { true } else { false } }, "LengthChanged")
    try stage.expect(
      told,
      is: [
        media, .opening,
        .elementaryStreamDeleted(.audio, number: nil), .elementaryStreamSelected(.audio, number: nil),
        .elementaryStreamSelected(.video, number: nil), .elementaryStreamSelected(.text, number: nil),
        .elementaryStreamDeleted(.video, number: nil), .elementaryStreamDeleted(.text, number: nil),
        .scrambledChanged(false),
        .elementaryStreamAdded(.video, number: 0), .elementaryStreamAdded(.audio, number: 1),
        .seekableChanged(true), .pausableChanged(true), length,
        .elementaryStreamSelected(.video, number: 0), .elementaryStreamSelected(.audio, number: 1),
      ], "before Playing")
  },
  Rule("S1.end", "From EndReached to Stopped the events come in one order.") { stage in
    _ = try stage.ended("h264_aac.mkv")
    let told = stage.events().drop { $0 != .endReached }
    try stage.expect(
      Array(told),
      is: [
        .endReached, .videoOutputs(0),
        .elementaryStreamSelected(.video, number: nil), .elementaryStreamSelected(.audio, number: nil),
        .elementaryStreamDeleted(.video, number: 0), .elementaryStreamDeleted(.audio, number: 1), .stopped,
      ], "from EndReached")
  },
  Rule("S1.buffering", "Buffering 0 follows Opening; after Playing it rises to 100.") { stage in
    let (_, _) = try stage.playing("h264_aac.mkv")
    try stage.wait(for: .buffering(100))
    let told = stage.events()
    let opening = try stage.require(told.firstIndex(of: .opening), "Opening")
    try stage.expect(told[opening + 1], is: .buffering(0), "after Opening")
    let parts = told.drop { $0 != .playing }.bufferings
    try stage.expect(parts.first == 0 && parts == parts.sorted(), "it rises from 0")
  },
  Rule("S1.media", "The media tells its states, its duration and that it is parsed, the last two once.") {
    stage in
    let (player, _) = try stage.ended("h264_aac.mkv")
    stage.stop(player)
    let mark = stage.mark
    stage.play(player)
    try stage.wait(for: .playing, from: mark)
    let told = stage.events(of: "media")
    try stage.expect(
      told.mediaStates, is: [.opening, .playing, .ended, .ended, .stopped, .opening, .playing], "the states")
    let durations = told.filter { if case .mediaDurationChanged = $0 { true } else { false } }
    try stage.expect(durations.count, is: 1, "durations")
    try stage.expect(told.filter { $0 == .mediaParsedChanged(.done) }.count, is: 1, "parsed")
    let parsed = try stage.wait(for: .mediaParsedChanged(.done), of: "media")
    try stage.expect(parsed.number < stage.wait(for: .playing).number, "parsed before Playing")
  },
  Rule("S1.metadata", "The first use of a media tells two changes of metadata on the caller of play.") {
    stage in
    let player = try stage.makePlayer()
    let media = try stage.makeMedia("h264_aac.mkv", as: "media")
    stage.setMedia(player, media)
    let told = stage.play(player).onCaller.events(of: "media")
    try stage.expect(
      told, is: [.mediaMetadataChanged(.nowPlaying), .mediaMetadataChanged(.nowPlaying)], "told")
  },
  Rule("S1.pairs", "A position and a time come as a pair, the position first, and rise.") { stage in
    _ = try stage.ended("h264_aac.mkv")
    let told = stage.events().filter {
      switch $0 {
      case .positionChanged, .timeChanged: true
      default: false
      }
    }
    try stage.expect(told.count >= 2 && told.count % 2 == 0, "pairs")
    for (index, event) in told.enumerated() {
      try stage.expect(event.isTime == (index % 2 == 1), "the position comes first")
    }
    try stage.expect(told.times == told.times.sorted(), "times rise")
  },
  Rule("S1.outputs", "The output is told at least once, after Playing.") { stage in
    _ = try stage.ended("h264_aac.mkv")
    let output = try stage.wait(for: .videoOutputs(1))
    try stage.expect(output.number > stage.wait(for: .playing).number, "after Playing")
  },

  Rule("S2.play", "After the natural end play answers true and does nothing.") { stage in
    let (player, _) = try stage.ended("silence.wav", options: [":stop-time=0.2"])
    let mark = stage.mark
    try stage.expect(stage.play(player).result, is: true, "the answer")
    try stage.expect(stage.library.state(player), is: .ended, "the state")
    stage.stop(player)
    try stage.expect(
      stage.events(from: mark), is: [.stopped, .audioVolume(-1)], "only the stop's events")
  },
  Rule("S2.stop", "stop after the natural end tells a second Stopped, on the caller.") { stage in
    let (player, _) = try stage.ended("silence.wav", options: [":stop-time=0.2"])
    let call = stage.stop(player)
    try stage.expect(
      call.onCaller.events(of: "player"), is: [.stopped, .audioVolume(-1)], "on the caller")
    try stage.expect(call.onCaller.events(of: "media"), is: [.mediaStateChanged(.stopped)], "the media")
    try stage.expect(stage.events().filter { $0 == .stopped }.count, is: 2, "Stopped")
    try stage.expect(stage.library.state(player), is: .stopped, "the state")
  },
  Rule("S2.again", "After end and stop play plays again.") { stage in
    let (player, _) = try stage.ended("silence.wav", options: [":stop-time=0.2"])
    stage.stop(player)
    let mark = stage.mark
    try stage.expect(stage.play(player).result, is: true, "the answer")
    try stage.wait(for: .endReached, from: mark)
  },
  Rule("S2.secondStop", "stop of a stopped player tells nothing.") { stage in
    let (player, _) = try stage.playing("silence.wav")
    stage.stop(player)
    try stage.expect(stage.stop(player).entries.events().isEmpty, "no event")
    try stage.expect(stage.library.state(player), is: .stopped, "the state")
  },

  Rule("S3", "stop while playing tells Stopped and a volume of -1, and neither an end nor tracks that go.") {
    stage in
    let (player, _) = try stage.playing("h264_aac.mkv")
    try stage.wait(for: .videoOutputs(1))
    let mark = stage.mark
    let call = stage.stop(player)
    try stage.expect(call.onCaller.events(), is: [.stopped, .audioVolume(-1)], "on the caller")
    try stage.expect(call.onCaller.events(of: "media"), is: [.mediaStateChanged(.stopped)], "the media")
    let gone: [NativeEvent] = [
      .endReached, .videoOutputs(0), .elementaryStreamSelected(.video, number: nil),
      .elementaryStreamDeleted(.video, number: 0), .elementaryStreamDeleted(.audio, number: 1),
    ]
    let told = stage.events(from: mark)
    for event in gone { try stage.expect(!told.contains(event), "no \(event)") }
    try stage.expect(stage.library.state(player), is: .stopped, "the state")
  },

  Rule(
    "S4",
    "stop straight after play: Opening or not, at most one Stopped, which is the caller's, and no Playing after it."
  ) {
    stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    for _ in 0..<20 {
      let mark = stage.mark
      stage.play(player)
      let stop = stage.stop(player)
      let states = stage.events(from: mark).states
      try stage.expect(
        [[], [.stopped], [.opening], [.opening, .stopped], [.opening, .playing, .stopped]].contains(states),
        "\(states) is one of the allowed")
      let stopped = stage.entries.dropFirst(mark).filter { $0.content == .event("player", .stopped) }
      try stage.expect(stopped.allSatisfy { $0.lane == .caller }, "Stopped is the caller's")
      // Whatever won, the input is gone: what comes now would come from it.
      stage.stop(player)
      try stage.expect(stage.events(from: stop.end + 1), is: [], "afterwards")
      try stage.expect(
        [.stopped, .nothingSpecial].contains(stage.library.state(player)), "the state after the stop")
    }
  },

  Rule("S5.silent", "release without a stop tells nothing after the call began.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let call = stage.call("release") { stage.library.releasePlayer(player) }
    stage.forget(player)
    let told = stage.entries.dropFirst(call.begin + 1).events()
    try stage.expect(told.untimed.filter { !$0.isStart }.isEmpty, "no event, not \(told.untimed)")
    try stage.expect(stage.entries.dropFirst(call.end).events().isEmpty, "none after it returned")
  },
  Rule("S5.retained", "With another count a release ends nothing: playback goes on.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    stage.library.retainPlayer(player)
    let mark = stage.call("release") { stage.library.releasePlayer(player) }.end
    try stage.waitForTime(from: mark)
    try stage.expect(stage.library.state(player), is: .playing, "the state")
  },

  Rule(
    "S6.events",
    "A new media while one plays tells MediaChanged on the caller and no Stopped, and starts nothing."
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let next = try stage.makeMedia("base.mp4")
    let call = stage.setMedia(player, next)
    try stage.expect(call.onCaller.events(), is: [.mediaChanged(next)], "on the caller")
    try stage.expect(
      call.onCaller.events(of: "media"), is: [.mediaStateChanged(.nothingSpecial)], "the old media")
    try stage.expect(stage.library.state(player), is: .nothingSpecial, "the state")
    let later = stage.stop(player)
    let told = stage.entries.dropFirst(call.end).events()
    try stage.expect(told, is: [.stopped, .audioVolume(-1)], "nothing is started, and stop tells its own")
    try stage.expect(later.onCaller.events(), is: told, "on the caller of stop")
  },
  Rule("S6.none", "No media at all is told as MediaChanged without a media.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    stage.setMedia(player, nil)
    try stage.expect(stage.library.retainedMedia(of: player), is: nil, "the media")
    try stage.expect(stage.library.state(player), is: .nothingSpecial, "the state")
    try stage.expect(stage.play(player).result, is: false, "play's answer")
  },

  Rule("S8.pause", "A pause is told by the input thread after the media's state.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    stage.setPause(player, true)
    let paused = try stage.wait(for: .paused)
    try stage.expect(paused.lane, is: stage.wait(for: .playing).lane, "the lane")
    let media = try stage.wait(for: .mediaStateChanged(.paused), of: "media")
    try stage.expect(media.number < paused.number, "the media's state first")
    try stage.expect(stage.library.state(player), is: .paused, "the state")
  },
  Rule("S8.twice", "A pause of a paused player tells nothing.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    stage.setPause(player, true)
    let mark = try stage.wait(for: .paused).number + 1
    stage.setPause(player, true)
    stage.setPause(player, false)
    try stage.wait(for: .playing, from: mark)
    try stage.expect(stage.events(from: mark).states, is: [.playing], "the states")
  },
  Rule("S8.resume", "The end of a pause tells Playing without Opening, by set_pause and by play.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    var mark = stage.mark
    for resumes in [{ _ = stage.setPause(player, false) }, { _ = stage.play(player) }] {
      stage.setPause(player, true)
      try stage.wait(for: .paused, from: mark)
      resumes()
      try stage.wait(for: .playing, from: mark)
      try stage.expect(stage.events(from: mark).states, is: [.paused, .playing], "the states")
      mark = stage.mark
    }
  },
  Rule("S8.beforePlay", "A pause before play is ignored.") { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    stage.setPause(player, true)
    stage.play(player)
    try stage.wait(for: .playing)
    try stage.waitForTime()
    try stage.expect(stage.events().states, is: [.opening, .playing], "the states")
  },
  Rule("S8.afterPlay", "A pause right after play is honoured: Playing, then Paused, then buffering to 100.") {
    stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    stage.play(player)
    stage.setPause(player, true)
    let paused = try stage.wait(for: .paused)
    try stage.wait(for: .buffering(100))
    try stage.expect(stage.events().states, is: [.opening, .playing, .paused], "the states")
    try stage.expect(!stage.entries.prefix(paused.number).events().contains { $0.isTime }, "no time before")
  },
  Rule("S8.noTime", "While paused no time is told.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    stage.setPause(player, true)
    let mark = try stage.wait(for: .paused).number
    // A seek is heard to its end by the thread that would tell the times.
    stage.setTime(player, 30_000)
    try stage.wait(for: .buffering(100), from: mark)
    try stage.expect(stage.events(from: mark).times.isEmpty, "no time")
  },
]

extension NativeEvent {
  /// What a play that is still being prepared tells.
  fileprivate var isStart: Bool {
    switch self {
    case .titleChanged, .chapterChanged, .videoOutputs: true
    default: false
    }
  }
}
