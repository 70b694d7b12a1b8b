import Synchronization
import VLCNative

/// Transport, threads and locks of libVLC 4.0: what 1.2 and 5 of the contract say, and where it was recorded.
let vlc4Rules: [Rule] = [
  Rule(
    "4.new", "A new player is stopped, at time 0 of length 0, without a position and a media.",
    evidence: .recorded("mlp4.txt")
  ) { stage in
    let player = try stage.makePlayer()
    let library = stage.library
    try stage.expect(library.state(player), is: .stopped, "the state")
    try stage.expect(library.time(player), is: 0, "the time")
    try stage.expect(library.length(player), is: 0, "the length")
    try stage.expect(library.position(player), is: -1, "the position")
    try stage.expect(library.retainedMedia(of: player), is: nil, "the media")
  },
  Rule(
    "4.play.noMedia", "play without a media is refused, and tells nothing.", evidence: .recorded("mlp4.txt")
  ) { stage in
    let player = try stage.makePlayer()
    try stage.expect(stage.play(player).result, is: false, "the answer")
    try stage.expect(stage.entries.events().isEmpty, "no event")
  },

  // Play and end.

  Rule(
    "4.play.order", "Until Playing the events come in one order, programs and streams first.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    _ = try stage.playing("h264_aac.mkv")
    let told = Array(stage.events().prefix { $0 != .playing }).filter { $0 != .buffering(0) }
    let media = try stage.require(told.first, "MediaChanged")
    let length = try stage.require(
      told.first { if case .lengthChanged = $0 { true } else { false } }, "LengthChanged")
    try stage.expect(
      told,
      is: [
        media, .opening, .programAdded(0), .programSelected(unselected: -1, selected: 0), .programUpdated(0),
        .elementaryStreamAdded(.video, number: 0), .elementaryStreamAdded(.audio, number: 1),
        .seekableChanged(true), .pausableChanged(true), length,
        .elementaryStreamSelected(.video, number: 0), .elementaryStreamSelected(.audio, number: 1),
      ], "before Playing")
  },
  Rule(
    "4.play.media",
    "A media tells each time how long it is, and the first time that it is parsed; and no states.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    let (player, _) = try ended4(stage, "silence.wav", options: [":stop-time=0.2"])
    let mark = stage.mark
    try stage.expect(stage.play(player).result, "play answers true")
    try stage.wait(for: .playing, from: mark)
    let told = stage.events(of: "media").filter {
      if case .mediaMetadataChanged = $0 { false } else { true }
    }
    let length = stage.library.length(player)
    try stage.expect(
      told, is: [.mediaParsedChanged(.done), .mediaDurationChanged(length), .mediaDurationChanged(length)],
      "told")
  },
  Rule(
    "4.play.titles", "Chapters make a list of titles, told between what can be done and the length.",
    evidence: .recorded("ratem.txt")
  ) { stage in
    _ = try stage.playing("tour.mkv")
    let told = stage.events()
    let list = try stage.require(told.firstIndex(of: .titleListChanged), "TitleListChanged")
    try stage.expect(told[list - 1], is: .pausableChanged(true), "before it")
    try stage.expect(told[list + 1], is: .titleSelectionChanged(0), "after it")
    if case .lengthChanged = told[list + 2] {} else { throw stage.violation("no length after it") }
  },
  Rule(
    "4.play.threads",
    "What plays tells on its input's thread, the output on a decoder's, and Stopped on the player's own.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    _ = try ended4(stage, "h264_aac.mkv")
    let input = try stage.wait(for: .playing)
    try stage.expect(input.threadName ?? "vlc-input", is: "vlc-input", "the thread of Playing")
    let end = try stage.wait(for: .stopped)
    try stage.expect(end.threadName ?? "vlc-player-end", is: "vlc-player-end", "the thread of Stopped")
    let output = try stage.wait(for: .videoOutputs(1))
    try stage.expect(output.threadName ?? "vlc-dec-video", is: "vlc-dec-video", "the thread of Vout")
    try stage.expect(Set([input.lane, end.lane, output.lane]).count, is: 3, "threads")
    for entry in stage.entries where entry.number != output.number && entry.number != end.number {
      guard case .event("player", let event) = entry.content, entry.lane != .check, entry.lane != .caller
      else {
        continue
      }
      try stage.expect(entry.lane, is: input.lane, "the lane of \(event)")
    }
  },
  Rule(
    "4.threads", "A player has one thread of its own for all its playbacks, and another player another.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    let (player, _) = try ended4(stage, "silence.wav", options: [":stop-time=0.2"])
    let first = try stage.wait(for: .stopped)
    let input = try stage.wait(for: .playing)
    let mark = stage.mark
    stage.play(player)
    let second = try stage.wait(for: .stopped, from: mark)
    try stage.expect(first.lane, is: second.lane, "the lane of Stopped")
    try stage.expect(stage.wait(for: .playing, from: mark).lane != input.lane, "another input thread")
    let other = try stage.makePlayer("other")
    stage.setMedia(other, try stage.makeMedia("silence.wav", options: [":stop-time=0.2"]))
    stage.play(other)
    try stage.expect(stage.wait(for: .stopped, of: "other").lane != first.lane, "another player's")
  },
  Rule(
    "4.end", "A natural end tells Stopping and Stopped, and no reason; the state is Stopped.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    let (player, _) = try ended4(stage, "h264_aac.mkv")
    try stage.expect(stage.events().states, is: [.opening, .playing, .stopping, .stopped], "the states")
    try stage.expect(stage.library.state(player), is: .stopped, "the state")
    try stage.expect(stage.library.time(player), is: 0, "the time")
    try stage.expect(
      stage.wait(for: .stopping).lane, is: stage.wait(for: .playing).lane, "the lane of Stopping")
  },
  Rule(
    "4.end.order",
    "What it can do goes, then Stopping, the streams and the program go, and Stopped is the last.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    _ = try ended4(stage, "h264_aac.mkv")
    let told = stage.events().drop { $0 != .seekableChanged(false) }
    try stage.expect(
      Array(told),
      is: [
        .seekableChanged(false), .pausableChanged(false), .stopping, .videoOutputs(1),
        .elementaryStreamSelected(.video, number: nil), .elementaryStreamSelected(.audio, number: nil),
        .elementaryStreamDeleted(.video, number: 0), .elementaryStreamDeleted(.audio, number: 1),
        .programDeleted(0), .stopped,
      ], "the end")
  },
  Rule("4.play.again", "After a natural end play plays again.", evidence: .recorded("play_end.txt")) {
    stage in
    let (player, _) = try ended4(stage, "silence.wav", options: [":stop-time=0.2"])
    let mark = stage.mark
    try stage.expect(stage.play(player).result, is: true, "the answer")
    try stage.wait(for: .stopped, from: mark)
    try stage.expect(
      stage.events(from: mark).states, is: [.opening, .playing, .stopping, .stopped], "the states")
  },

  // Stop.

  Rule(
    "4.stop",
    "A stop returns at once; Stopping and its reason are told first, by the thread that tells Stopped.",
    evidence: .recorded("stop_playing.txt")
  ) { stage in
    let (player, _) = try stage.playing("h264_aac.mkv")
    try stage.waitForTime()
    let call = stage.stopAsynchronously(player)
    try stage.expect(call.result, is: true, "the answer")
    try stage.expect(call.onCaller.events(), is: [], "on the caller")
    try stage.expect(!call.entries.events().contains(.stopped), "it returns before Stopped")
    let stopped = try stage.wait(for: .stopped)
    let told = stage.entries.dropFirst(call.begin).filter {
      if case .event("player", let event) = $0.content { !event.isTimed } else { false }
    }
    try stage.expect(
      told.events(),
      is: [
        .stopping, .mediaStopping(.user), .seekableChanged(false), .pausableChanged(false), .videoOutputs(1),
        .elementaryStreamSelected(.video, number: nil), .elementaryStreamSelected(.audio, number: nil),
        .elementaryStreamDeleted(.video, number: 0), .elementaryStreamDeleted(.audio, number: 1),
        .programDeleted(0), .stopped,
      ], "told")
    let input = try stage.wait(for: .playing).lane
    for (place, entry) in told.enumerated() {
      let isOwn = place < 2 || place == told.count - 1
      try stage.expect(entry.lane, is: isOwn ? stopped.lane : input, "the lane of \(entry)")
    }
    try stage.expect(stopped.lane != input, "two threads")
  },
  Rule(
    "4.stop.nothing", "A stop of what does not play is refused, and tells nothing.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    let player = try stage.makePlayer()
    try stage.expect(stage.stopAsynchronously(player).result, is: false, "of a new player")
    stage.setMedia(player, try stage.makeMedia("silence.wav"))
    try stage.expect(stage.stopAsynchronously(player).result, is: false, "before play")
    let mark = stage.mark
    stage.play(player)
    try stage.wait(for: .playing)
    try stage.expect(stage.stopAsynchronously(player).result, is: true, "the first")
    try stage.expect(stage.stopAsynchronously(player).result, is: false, "the second")
    try stage.wait(for: .stopped)
    try stage.expect(stage.stopAsynchronously(player).result, is: false, "after Stopped")
    try stage.expect(
      stage.events(from: mark).states, is: [.opening, .playing, .stopping, .mediaStopping(.user), .stopped],
      "the states")
  },
  Rule(
    "4.stop.opening", "A stop of what opens tells Stopping, its reason and Stopped, and no streams.",
    evidence: .recorded("stop_opening.txt")
  ) { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    stage.play(player)
    stage.stopAsynchronously(player)
    try stage.wait(for: .stopped)
    let states = stage.events().states
    try stage.expect(
      [[], [.opening], [.opening, .playing]].map { $0 + [.stopping, .mediaStopping(.user), .stopped] }
        .contains(states),
      "\(states) is one of the allowed")
    try stage.expect(stage.library.state(player), is: .stopped, "the state")
  },
  Rule(
    "4.stop.again", "After Stopped play plays, and until then it is refused.", evidence: .documented
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let isInside = stage.keep(object: Once())
    let (library, trace) = (stage.library, stage.trace)
    try stage.listen(.player(player), [.stopping]) { _ in
      if isInside.take(), !library.play(player) { trace.append(.mark("refused")) }
    }
    stage.stopAsynchronously(player)
    let mark = try stage.wait(for: .stopped).number + 1
    try stage.expect(stage.entries.contains(mark: "refused"), "play is refused while it stops")
    try stage.expect(stage.play(player).result, is: true, "the answer")
    try stage.wait(for: .playing, from: mark)
  },

  // Another media.

  Rule(
    "4.setMedia.idle", "A media for a player that does not play is told on the caller, and not started.",
    evidence: .recorded("stop_playing.txt")
  ) { stage in
    let player = try stage.makePlayer()
    let (first, second) = (try stage.makeMedia("silence.wav"), try stage.makeMedia("base.mp4"))
    for media in [first, second] {
      let call = stage.setMedia(player, media)
      try stage.expect(call.onCaller.events(), is: [.mediaChanged(media)], "on the caller")
      try stage.expect(stage.library.state(player), is: .stopped, "the state")
    }
  },
  Rule(
    "4.setMedia.playing",
    "Another media for a player that plays: it returns at once, the old goes, and the new starts by itself.",
    evidence: .recorded("setmedia_playing.txt")
  ) { stage in
    let (player, _) = try stage.playing("h264_aac.mkv")
    try stage.waitForTime()
    let next = try stage.makeMedia("tour.mkv", as: "next")
    let call = stage.setMedia(player, next)
    try stage.expect(call.onCaller.events(), is: [], "on the caller")
    try stage.expect(!call.entries.events().contains(.mediaChanged(next)), "it returns before the change")
    let changed = try stage.wait(for: .mediaChanged(next), from: call.begin)
    try stage.wait(for: .elementaryStreamSelected(.video, number: 0), from: changed.number)
    try stage.waitForTime(from: changed.number)
    try stage.expect(stage.events(from: call.begin).states, is: [.mediaStopping(.user)], "the states")
    try stage.expect(stage.library.state(player), is: .playing, "the state")
    let reason = try stage.wait(for: .mediaStopping(.user), from: call.begin)
    try stage.expect(reason.lane, is: changed.lane, "the player's thread")
    let gone = try stage.wait(for: .programDeleted(0), from: call.begin)
    try stage.expect(reason.number < gone.number && gone.number < changed.number, "first the old goes")
    try stage.expect(gone.lane, is: stage.wait(for: .playing).lane, "the lane of what goes")
    let came = try stage.wait(for: .programAdded(0), from: changed.number)
    try stage.expect(came.lane != gone.lane, "a thread of its own for the new")
  },
  Rule(
    "4.setMedia.none", "No media for a player that plays stops it: MediaChanged without one, then Stopped.",
    evidence: .recorded("setmedia_playing.txt")
  ) { stage in
    let (player, _) = try stage.playing("h264_aac.mkv")
    let call = stage.setMedia(player, nil)
    try stage.wait(for: .stopped)
    let told = stage.events(from: call.begin)
    try stage.expect(Array(told.suffix(2)), is: [.mediaChanged(nil), .stopped], "the last")
    try stage.expect(told.states, is: [.stopping, .mediaStopping(.user), .stopped], "the states")
    try stage.expect(stage.play(player).result, is: false, "play's answer")
  },
  Rule(
    "4.setMedia.stopping",
    "A media that is set while a stop drains is the player's before Stopped, and waits for play.",
    evidence: .documented
  ) { stage in
    let (player, _) = try stage.playing("h264_aac.mkv")
    try stage.waitForTime()
    let next = try stage.makeMedia("silence.wav")
    let isFirst = stage.keep(object: Once())
    let library = stage.library
    try stage.listen(.player(player), [.stopping]) { _ in
      if isFirst.take() { library.setMedia(player, next) }
    }
    stage.stopAsynchronously(player)
    let stopped = try stage.wait(for: .stopped)
    try stage.expect(Array(stage.events().suffix(2)), is: [.mediaChanged(next), .stopped], "the last")
    try stage.expect(stage.play(player).result, is: true, "play's answer")
    try stage.wait(for: .playing, from: stopped.number)
  },

  // Pause.

  Rule(
    "4.pause", "A pause is told by the input's thread, and so is its end.", evidence: .recorded("watch.txt")
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    stage.setPause(player, true)
    let paused = try stage.wait(for: .paused)
    try stage.expect(paused.lane, is: stage.wait(for: .playing).lane, "the lane")
    try stage.expect(stage.library.state(player), is: .paused, "the state")
    stage.setPause(player, true)
    stage.setPause(player, false)
    try stage.wait(for: .playing, from: paused.number)
    try stage.expect(stage.events(from: paused.number).states, is: [.paused, .playing], "the states")
  },
  Rule(
    "4.pause.early", "A pause before it is known that the media can be paused stops the player.",
    evidence: .recorded("pause.txt")
  ) { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    stage.play(player)
    // The library's threads may have come as far as that by now.
    let canPause = stage.library.canPause(player)
    stage.setPause(player, true)
    if canPause {
      try stage.wait(for: .paused)
    } else {
      try stage.wait(until: "Stopped or Paused") { $0.first(.stopped) ?? $0.first(.paused) }
    }
    let isStopped = stage.events().contains(.stopped)
    try stage.expect(stage.library.state(player), is: isStopped ? .stopped : .paused, "the state")
    if isStopped { try stage.expect(stage.events().contains(.mediaStopping(.user)), "the reason") }
  },
  Rule(
    "4.pause.opening", "A pause inside Opening stops the player.", evidence: .recorded("th4.txt")
  ) { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    let library = stage.library
    try stage.listen(.player(player), [.opening]) { _ in library.setPause(player, true) }
    stage.play(player)
    try stage.wait(for: .stopped)
    try stage.expect(
      stage.events().states, is: [.opening, .stopping, .mediaStopping(.user), .stopped], "the states")
  },
  Rule(
    "4.pause.idle", "A pause of a player that does not play does nothing.", evidence: .recorded("pause.txt")
  ) { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    let mark = stage.mark
    stage.setPause(player, true)
    stage.setPause(player, false)
    try stage.expect(stage.events(from: mark), is: [], "told")
    stage.play(player)
    try stage.waitForTime()
    try stage.expect(stage.events().states, is: [.opening, .playing], "the states")
  },

  // What cannot be played.

  Rule(
    "4.missing",
    "A missing file tells Opening, EncounteredError, Stopping, Stopped, and the state is Stopped.",
    evidence: .recorded("missing.txt")
  ) { stage in
    let player = try stage.makePlayer()
    let (library, trace) = (stage.library, stage.trace)
    try stage.listen(.player(player), [.encounteredError]) { _ in
      trace.append(.mark("state \(library.state(player))"))
    }
    stage.setMedia(
      player, try stage.keep(library.newMedia(stage.instance(), path: stage.harness.media.missingPath)))
    try stage.expect(stage.play(player).result, is: true, "play's answer")
    let stopped = try stage.wait(for: .stopped)
    try stage.expect(
      stage.events().states, is: [.opening, .encounteredError, .stopping, .stopped], "the states")
    try stage.expect(stage.entries.marks, is: ["state opening"], "no state of its own")
    try stage.expect(
      stage.wait(for: .stopping).lane, is: stage.wait(for: .encounteredError).lane, "the lane of Stopping")
    try stage.expect(stopped.lane != stage.wait(for: .stopping).lane, "Stopped is the player's thread's")
    try stage.expect(library.state(player), is: .stopped, "the state")
  },

  // Seeks.

  Rule("4.seek.early", "A seek before play is honoured.", evidence: .recorded("seek.txt")) { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    try stage.expect(stage.setTime(player, 30_000).result, is: true, "the answer")
    try stage.expect(stage.events().states, is: [], "told")
    stage.play(player)
    try stage.waitForTime()
    try stage.expect(stage.events().times.allSatisfy { $0 >= 30_000 }, "it begins there")
  },
  Rule(
    "4.seek", "A seek tells nothing on the caller, buffers, and goes on at its target.",
    evidence: .recorded("seek.txt")
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let call = stage.setTime(player, 30_000)
    try stage.expect(call.result, is: true, "the answer")
    try stage.expect(call.onCaller.events(), is: [], "on the caller")
    try stage.wait(for: .buffering(0), from: call.begin)
    try stage.wait(for: .buffering(100), from: call.begin)
    try stage.wait(for: "a time after the target", from: call.begin) {
      if case .timeChanged(let time) = $0 { (30_000...40_000).contains(time) } else { false }
    }
    try stage.expect(stage.events(from: call.begin).states, is: [], "the states")
  },
  Rule(
    "4.seek.end", "A seek beyond the end ends the media, by time and by position.",
    evidence: .recorded("seek.txt")
  ) { stage in
    let library = stage.library
    let seeks: [@Sendable (NativePlayer) -> Bool] = [
      { library.setPosition($0, 1.5, fast: false) },
      { library.setTime($0, milliseconds: 70_000, fast: false) },
    ]
    for (number, seek) in seeks.enumerated() {
      let player = try stage.makePlayer("player \(number)")
      stage.setMedia(player, try stage.makeMedia("tour.mkv"))
      stage.play(player)
      try stage.wait(for: "a time", of: "player \(number)") { $0.isTime }
      try stage.expect(seek(player), is: true, "the answer")
      try stage.wait(for: .stopped, of: "player \(number)")
      try stage.expect(
        stage.events(of: "player \(number)").states, is: [.opening, .playing, .stopping, .stopped],
        "the states")
    }
  },
  Rule(
    "4.seek.answer", "A seek of what has nothing to seek in is refused.", evidence: .documented
  ) { stage in
    let player = try stage.makePlayer()
    try stage.expect(stage.setTime(player, 1_000).result, is: false, "by time")
    try stage.expect(stage.library.setPosition(player, 0.5, fast: true), is: false, "by position")
    try stage.expect(stage.library.jumpTime(player, milliseconds: 10), is: false, "by a distance")
    try stage.expect(stage.entries.events(), is: [], "told")
  },
  Rule("4.seek.jump", "A jump goes from where playback is, and not before the start.", evidence: .documented)
  {
    stage in
    let (player, _) = try stage.playing("tour.mkv", options: [":start-time=10"])
    try stage.waitForTime()
    var mark = stage.mark
    try stage.expect(stage.library.jumpTime(player, milliseconds: 20_000), is: true, "the answer")
    try stage.wait(for: "a time after the target", from: mark) {
      if case .timeChanged(let time) = $0 { (30_000...45_000).contains(time) } else { false }
    }
    mark = stage.mark
    _ = stage.library.jumpTime(player, milliseconds: -90_000)
    try stage.wait(for: "a time of the beginning", from: mark) {
      if case .timeChanged(let time) = $0 { (0...9_000).contains(time) } else { false }
    }
  },

  // Locks.

  Rule(
    "4.lock", "Reading the state elsewhere waits for a callback that runs.",
    evidence: .recorded("calls_during_cb.txt")
  ) { stage in
    try whileCallbackRuns4(stage) { library, player in _ = library.state(player) }
  },
  Rule("4.lock.time", "Reading the time elsewhere waits for a callback that runs.", evidence: .documented) {
    stage in
    try whileCallbackRuns4(stage) { library, player in _ = library.time(player) }
  },
  Rule("4.lock.stop", "A stop elsewhere waits for a callback that runs.", evidence: .documented) { stage in
    try whileCallbackRuns4(stage) { library, player in _ = library.stopAsynchronously(player) }
  },
  Rule(
    "4.lock.detach", "detach elsewhere waits for a callback that runs.", evidence: .recorded("detach.txt")
  ) { stage in
    let player = try stage.makePlayer()
    let other = stage.makeListener(.player(player), [.corked]) { _ in }
    other.attachAll()
    try whileCallbackRuns4(stage, player) { _, _ in other.detachAll() }
  },
  Rule("4.lock.otherPlayer", "Another player is not kept waiting by a callback.", evidence: .documented) {
    stage in
    let other = try stage.makePlayer("other")
    let player = try stage.makePlayer()
    try stage.listen(.player(player), [.playing]) { [trace = stage.trace] _ in
      trace.append(.mark("enters"))
      trace.gate("opens")
      trace.append(.mark("leaves"))
    }
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    stage.play(player)
    try stage.wait(mark: "enters")
    stage.setMedia(other, try stage.makeMedia("tour.mkv"))
    stage.play(other)
    try stage.wait(for: .playing, of: "other")
    stage.stopAsynchronously(other)
    try stage.wait(for: .stopped, of: "other")
    try stage.expect(!stage.entries.contains(mark: "leaves"), "the callback still runs")
    stage.note("opens")
    try stage.wait(mark: "leaves")
  },

  // Release.

  Rule(
    "4.release", "release without a stop tells nothing after the call began.",
    evidence: .recorded("release_nostop.txt")
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let call = stage.call("release") { stage.library.releasePlayer(player) }
    stage.forget(player)
    try stage.expect(stage.entries.dropFirst(call.begin + 1).events().untimed, is: [], "told")
    try stage.expect(stage.entries.dropFirst(call.end).events(), is: [], "told after it returned")
  },
  Rule(
    "4.release.stopping", "A player that stops can be released: it waits, and tells nothing more.",
    evidence: .recorded("calls_during_cb.txt")
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    stage.stopAsynchronously(player)
    let call = stage.call("release") { stage.library.releasePlayer(player) }
    stage.forget(player)
    // However long nobody looks.
    try ended4(stage, "silence.wav", options: [":stop-time=0.2"], as: "other")
    try stage.expect(stage.events(from: call.end), is: [], "told after it returned")
  },
  Rule(
    "4.release.watched", "The last release of a player whose time is watched ends the process.", .aborts,
    evidence: .recorded("watch.txt")
  ) { stage in
    let player = try stage.makePlayer(nil)
    let watch = stage.keep(object: Watch(stage.trace))
    try stage.expect(watch.begin(stage.library, player), "it is watched")
    stage.forget(player)
    stage.callAtRisk("release") { stage.library.releasePlayer(player) }
  },
]

/// Runs a call while a callback of Playing runs, and shows that it came back afterwards.
func whileCallbackRuns4(
  _ stage: Stage, _ made: NativePlayer? = nil,
  _ body: @escaping @Sendable (any NativeLibrary, NativePlayer) -> Void
) throws {
  let player = try made ?? stage.makePlayer()
  let isFirst = stage.keep(object: Once())
  try stage.listen(.player(player), [.playing]) { [trace = stage.trace] _ in
    guard isFirst.take() else { return }
    trace.append(.mark("enters"))
    trace.gate("calls")
    trace.gate("opens")
    trace.append(.mark("leaves"))
  }
  stage.setMedia(player, try stage.makeMedia("tour.mkv"))
  stage.play(player)
  try stage.wait(mark: "enters")
  let library = stage.library
  stage.spawn { [trace = stage.trace] in
    trace.append(.mark("calls"))
    body(library, player)
    trace.append(.mark("came back"))
  }
  try stage.wait(mark: "calls")
  stage.note("opens")
  let back = try stage.wait(mark: "came back")
  let left = try stage.wait(mark: "leaves")
  try stage.expect(left.number < back.number, "it comes back when the callback has left")
}

/// A new player of that name that played a fixture to its natural end.
@discardableResult
func ended4(
  _ stage: Stage, _ fixture: String, options: [String], as name: String
) throws -> NativePlayer {
  let player = try stage.makePlayer(name)
  stage.setMedia(player, try stage.makeMedia(fixture, options: options))
  stage.play(player)
  try stage.wait(for: .stopped, of: name)
  return player
}

/// A new player that played a fixture to its natural end.
func ended4(_ stage: Stage, _ fixture: String, options: [String] = []) throws -> (NativePlayer, NativeMedia) {
  let (player, media) = try stage.playing(fixture, options: options)
  try stage.wait(for: .stopped)
  return (player, media)
}

extension Stage {
  @discardableResult
  func stopAsynchronously(_ player: NativePlayer) -> Call<Bool> {
    call("stop_async") { library.stopAsynchronously(player) }
  }
}

/// A watcher of a player's time, which notes "update" and "discontinuity".
final class Watch: Sendable {
  private let trace: Trace
  /// What an update does.
  let inside = Mutex<(@Sendable () -> Void)?>(nil)
  let library = Mutex<(any NativeLibrary)?>(nil)

  init(_ trace: Trace) { self.trace = trace }

  func begin(_ library: any NativeLibrary, _ player: NativePlayer, period: Int64 = 0) -> Bool {
    self.library.withLock { $0 = library }
    return library.watchTime(
      player, minimumPeriodMicroseconds: period, callbacks: Self.callbacks,
      context: Unmanaged.passUnretained(self).toOpaque())
  }

  private static let callbacks = NativeTimerCallbacks(
    update: { point, context in
      guard let point, let context else { return }
      let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
      guard let library = watch.library.withLock({ $0 }) else { return }
      let time = library.decode(timePoint: point)
      watch.trace.append(.mark("watch_time update rate=\(time.rate)"))
      watch.inside.withLock { $0 }?()
    },
    discontinuity: { date, context in
      guard let context else { return }
      Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().trace.append(
        .mark(date == 0 ? "watch_time discontinuity 0" : "watch_time discontinuity"))
    })
}
