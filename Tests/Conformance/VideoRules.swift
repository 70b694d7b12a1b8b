import VLCNative

/// Pictures in memory: S14.
let videoRules: [Rule] = [
  Rule("S14.turns", "Pictures are locked, unlocked and shown in turn, and at rest each lock has its unlock.")
  { stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 10)
    stage.stop(player)
    let marks = stage.entries.marks
    var isLocked = false
    for mark in marks where mark == "A'.lock" || mark == "A'.unlock" {
      try stage.expect(isLocked == (mark == "A'.unlock"), "lock and unlock alternate")
      isLocked = mark == "A'.lock"
    }
    try stage.expect(!isLocked, "no picture is locked at the end")
    let (locks, displays) = (count("A'.lock", marks), count("A'.display", marks))
    // The output shows its last picture again when nothing new comes: that has a lock of its own.
    try stage.expect((locks - 1...locks).contains(displays), "\(locks) locks, \(displays) displays")
  },
  Rule("S14.opaque", "Setup may replace the opaque pointer: the picture calls and cleanup get the new one.") {
    stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 1)
    stage.stop(player)
    let marks = stage.entries.marks
    try stage.expect(marks.first, is: "A.setup", "the first call")
    let names = Set(marks.map { String($0.prefix { $0 != "." }) })
    try stage.expect(names, is: ["A", "A'"], "the names")
    try stage.expect(
      Set(marks.filter { $0.hasPrefix("A.") }), is: ["A.setup"], "the calls of the first pointer")
    try stage.expect(!marks.contains("A.pitch is set"), "the pitches arrive as 0")
  },
  Rule("S14.balance", "Each setup has its cleanup, and no picture comes outside of the two.") { stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 5)
    stage.stop(player)
    var isOpen = false
    for mark in stage.entries.marks {
      switch mark {
      case "A.setup":
        try stage.expect(!isOpen, "a setup after a cleanup")
        isOpen = true
      case "A'.cleanup":
        try stage.expect(isOpen, "a cleanup after a setup")
        isOpen = false
      default: try stage.expect(isOpen, "\(mark) inside of both")
      }
    }
    try stage.expect(!isOpen, "cleaned up before the stop returned")
  },
  Rule("S14.thread", "One thread of the library's locks, unlocks and shows every picture of an output.") {
    stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 5)
    stage.stop(player)
    let lanes = Set(stage.entries.filter { $0.isPictureCall }.map(\.lane))
    try stage.expect(lanes.count, is: 1, "lanes")
    try stage.expect(lanes.first != stage.wait(for: .playing).lane, "not the input's")
  },
  Rule("S14.stop", "stop cleans up after Stopped was told, and before it returns.") { stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 1)
    let call = stage.stop(player)
    let stopped = try stage.require(call.entries.first(.stopped), "Stopped in the stop")
    let cleanup = try stage.require(call.entries.first(mark: "A'.cleanup"), "cleanup in the stop")
    try stage.expect(stopped.number < cleanup.number, "Stopped first")
    try stage.expect(stage.entries.dropFirst(call.end).marks, is: [], "afterwards")
  },
  Rule("S14.release", "release cleans up before it returns.") { stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 1)
    let call = stage.call("release") { stage.library.releasePlayer(player) }
    stage.forget(player)
    try stage.expect(call.entries.contains(mark: "A'.cleanup"), "cleanup in the release")
    try stage.expect(stage.entries.dropFirst(call.end).marks, is: [], "afterwards")
  },
  Rule("S14.end", "A natural end cleans nothing up until the stop.") { stage in
    let (player, _) = try showing(stage, "h264_aac.mkv")
    let end = try stage.wait(for: .endReached)
    try stage.wait(for: .stopped)
    // Time for a library that cleans up to show it.
    for _ in 0..<1_000 { _ = stage.library.state(player) }
    let call = stage.stop(player)
    let late = stage.entries.dropFirst(end.number).prefix(call.begin - end.number)
    try stage.expect(!late.contains(mark: "A'.cleanup"), "no cleanup before the stop")
    try stage.expect(call.entries.contains(mark: "A'.cleanup"), "cleanup in the stop")
  },
  Rule("S14.setMedia", "A new media cleans nothing up until the next play opens an output again.") { stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 1)
    let call = stage.setMedia(player, try stage.makeMedia("h264_aac.mkv"))
    try stage.expect(!call.entries.contains(mark: "A'.cleanup"), "no cleanup in set_media")
    stage.play(player)
    let cleanup = try stage.wait(mark: "A'.cleanup", from: call.end)
    try stage.wait(mark: "A.setup", from: cleanup.number)
  },
  Rule(
    "S14.replaced", "An open output keeps the callbacks that were replaced; the next play has the new ones."
  ) { stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 1)
    stage.keep(object: PictureSink(stage.trace, "B")).install(stage, player)
    try waitForPictures(stage, 10, from: stage.mark)
    try stage.expect(!stage.entries.marks.contains { $0.hasPrefix("B") }, "nothing of the new ones")
    let call = stage.stop(player)
    try stage.expect(call.entries.contains(mark: "A'.cleanup"), "the old cleanup")
    stage.play(player)
    try stage.wait(mark: "B'.display", from: call.end)
  },
  Rule("S14.cleared", "An open output keeps the callbacks that were taken away.") { stage in
    let (player, _) = try showing(stage)
    try waitForPictures(stage, 1)
    stage.library.setVideoCallbacks(player, nil, opaque: nil)
    try waitForPictures(stage, 10, from: stage.mark)
    let call = stage.stop(player)
    try stage.expect(call.entries.contains(mark: "A'.cleanup"), "the old cleanup")
  },
  Rule(
    "S14.refused",
    "A setup that answers 0 is tried again, each time with an end of the output, and is no error."
  ) { stage in
    let player = try stage.makePlayer()
    stage.keep(object: PictureSink(stage.trace, behaviour: .refuses)).install(stage, player)
    try stage.start(player, stage.makeMedia("tour.mkv"))
    let input = try stage.wait(for: .playing).lane
    try stage.wait(until: "three setups and two ends") { entries in
      count("A.setup", entries.marks) >= 3 && entries.events().filter { $0 == .videoOutputs(0) }.count >= 2
        ? true : nil
    }
    try stage.expect(stage.wait(for: .videoOutputs(0)).lane != input, "told by the decoder")
    try stage.expect(!stage.events().contains(.videoOutputs(1)), "no output")
    try stage.expect(stage.library.state(player), is: .playing, "the state")
  },
  Rule("S14.display", "stop waits for the display callback that runs, and cleans up after it.") { stage in
    try stopWhile(stage, .waitsInDisplay, "display")
  },
  Rule("S14.lock", "stop waits for the lock callback that runs, and cleans up after it.") { stage in
    try stopWhile(stage, .waitsInLock, "lock")
  },
]

extension Entry {
  fileprivate var isPictureCall: Bool {
    switch content {
    case .mark("A'.lock"), .mark("A'.unlock"), .mark("A'.display"): true
    default: false
    }
  }
}

private func count(_ mark: String, _ marks: [String]) -> Int { marks.filter { $0 == mark }.count }

/// A player that shows pictures to a sink "A".
private func showing(
  _ stage: Stage, _ fixture: String = "tour.mkv", behaviour: PictureSink.Behaviour = .shows
) throws -> (NativePlayer, PictureSink) {
  let player = try stage.makePlayer()
  let sink = stage.keep(object: PictureSink(stage.trace, behaviour: behaviour))
  sink.install(stage, player)
  try stage.start(player, stage.makeMedia(fixture))
  return (player, sink)
}

private func waitForPictures(_ stage: Stage, _ number: Int, from start: Int = 0) throws {
  try stage.wait(until: "\(number) pictures") { entries in
    count("A'.display", entries.dropFirst(start).marks) >= number ? true : nil
  }
}

private func stopWhile(_ stage: Stage, _ behaviour: PictureSink.Behaviour, _ place: String) throws {
  let (player, _) = try showing(stage, behaviour: behaviour)
  try stage.wait(mark: "A'.\(place) waits")
  stage.spawn { stage.stop(player) }
  try stage.wait(until: "the stop's beginning") { entries in
    entries.first { $0.content == .begins("stop") }
  }
  for _ in 0..<1_000 { _ = stage.library.state(player) }
  stage.note("opens")
  let returned = try stage.wait(until: "the stop's return") { entries in
    entries.first { $0.content == .returned("stop") }
  }
  let goesOn = try stage.wait(mark: "A'.\(place) goes on")
  let cleanup = try stage.require(
    stage.entries.last { $0.content == .mark("A'.cleanup") }, "cleanup")
  try stage.expect(goesOn.number < cleanup.number, "cleanup after the callback")
  try stage.expect(cleanup.number < returned.number, "the stop returns after both")
}
