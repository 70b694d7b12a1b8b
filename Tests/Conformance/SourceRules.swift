import VLCNative

/// Byte sources, and how long a stop takes: S15 and R-stop.
let sourceRules: [Rule] = [
  Rule("S15.threads", "A source is opened and closed on the input thread and read on another.") { stage in
    let (player, _) = try sourcePlaying(stage, .plays)
    let input = try stage.wait(for: .playing).lane
    try stage.expect(stage.wait(mark: "open").lane, is: input, "the lane of open")
    try stage.expect(stage.wait(mark: "read").lane != input, "read on another")
    stage.stop(player)
    try stage.expect(stage.wait(mark: "close").lane, is: input, "the lane of close")
  },
  Rule("S15.stop", "stop closes the source before it tells Stopped.") { stage in
    let (player, _) = try sourcePlaying(stage, .plays)
    let call = stage.stop(player)
    let close = try stage.require(call.entries.first(mark: "close"), "close in the stop")
    let stopped = try stage.require(call.entries.first(.stopped), "Stopped in the stop")
    try stage.expect(close.number < stopped.number, "close first")
  },
  Rule("S15.end", "A natural end closes the source between EndReached and Stopped.") { stage in
    _ = try sourcePlaying(stage, .plays)
    let stopped = try stage.wait(for: .stopped)
    let close = try stage.require(stage.entries.last { $0.content == .mark("close") }, "close")
    try stage.expect(close.number < stopped.number, "close before Stopped")
    try stage.expect(close.number > stage.wait(for: .endReached).number, "close after EndReached")
  },
  Rule("S15.again", "Each open has its close, and another play is another open.") { stage in
    let (player, _) = try sourcePlaying(stage, .plays)
    stage.stop(player)
    let opens = stage.entries.marks.filter { $0 == "open" }.count
    try stage.expect(stage.entries.marks.filter { $0 == "close" }.count, is: opens, "closes")
    let mark = stage.mark
    stage.play(player)
    try stage.wait(for: .playing, from: mark)
    try stage.wait(mark: "open", from: mark)
    stage.stop(player)
    let marks = stage.entries.marks
    try stage.expect(
      marks.filter { $0 == "close" }.count, is: marks.filter { $0 == "open" }.count, "closes of all")
  },
  Rule("S15.released", "A media can be released while it plays.") { stage in
    let (player, media) = try sourcePlaying(stage, .plays)
    stage.library.releaseMedia(media)
    stage.forget(media)
    try stage.wait(for: .stopped)
    try stage.expect(stage.library.state(player), is: .ended, "the state")
  },
  Rule("S15.getters", "While a stop waits for a read the state can be read, and the time waits for the stop.")
  { stage in
    let player = try waitingInRead(stage)
    try stage.listen(.player(player), [.stopped]) { [trace = stage.trace] _ in
      trace.append(.mark("tells"))
      trace.gate("goes on")
      trace.append(.mark("told"))
    }
    stage.spawn { stage.stop(player) }
    try stage.wait(until: "the stop's beginning") { $0.first { $0.content == .begins("stop") } }
    _ = stage.library.state(player)
    try stage.expect(!stage.entries.contains(mark: "read goes on"), "the state is read meanwhile")
    stage.note("opens")
    // Before that nobody knows whether the stop has what the time waits for.
    try stage.wait(mark: "tells")
    stage.spawn { stage.call("get_time") { _ = stage.library.time(player) } }
    try stage.wait(until: "the beginning") { $0.first { $0.content == .begins("get_time") } }
    for _ in 0..<1_000 { _ = stage.library.state(player) }
    stage.note("goes on")
    try stage.wait(until: "the stop's return") { $0.first { $0.content == .returned("stop") } }
    let returned = try stage.wait(until: "the return") { $0.first { $0.content == .returned("get_time") } }
    try stage.expect(stage.wait(mark: "told").number < returned.number, "the time waits for the stop")
  },

  Rule("R-stop.read", "stop waits without limit for a read that does not return.") { stage in
    let player = try waitingInRead(stage)
    stage.spawn { stage.stop(player) }
    try stopWaits(stage)
  },
  Rule("R-stop.release", "The last release waits without limit for a read that does not return.") { stage in
    let player = try waitingInRead(stage)
    let library = stage.library
    stage.spawn { stage.call("stop") { library.releasePlayer(player) } }
    stage.forget(player)
    try stopWaits(stage)
  },
  Rule("R-stop.setMedia", "A new media waits without limit for a read that does not return.") { stage in
    let player = try waitingInRead(stage)
    let next = try stage.makeMedia("base.mp4")
    let library = stage.library
    stage.spawn { stage.call("stop") { library.setMedia(player, next) } }
    try stopWaits(stage)
  },
]

private func sourcePlaying(
  _ stage: Stage, _ behaviour: ByteSource.Behaviour
) throws -> (NativePlayer, NativeMedia) {
  let source = stage.keep(
    object: ByteSource(stage.trace, stage.harness.media.bytes("h264_aac.mkv"), behaviour: behaviour))
  let player = try stage.makePlayer()
  let media = try stage.keep(source.makeMedia(stage), as: "media")
  try stage.start(player, media)
  return (player, media)
}

/// A player whose source holds its first read.
private func waitingInRead(_ stage: Stage) throws -> NativePlayer {
  let source = stage.keep(
    object: ByteSource(stage.trace, stage.harness.media.bytes("h264_aac.mkv"), behaviour: .waitsInRead))
  let player = try stage.makePlayer()
  stage.setMedia(player, try stage.keep(source.makeMedia(stage)))
  stage.play(player)
  try stage.wait(mark: "read waits")
  return player
}

/// Shows that the call "stop" of another thread returns after the read went on, which the check lets it.
private func stopWaits(_ stage: Stage) throws {
  try stage.wait(until: "the call's beginning") { $0.first { $0.content == .begins("stop") } }
  // Time for a call that does not wait to show it.
  _ = stage.library.newPlayer(try stage.instance()).map(stage.library.releasePlayer)
  stage.note("opens")
  let returned = try stage.wait(until: "the call's return") { $0.first { $0.content == .returned("stop") } }
  try stage.expect(stage.wait(mark: "read goes on").number < returned.number, "the read went on first")
}
