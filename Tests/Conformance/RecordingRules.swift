import VLCNative

/// The recordings of a libVLC 4.0: the same calls tell the same events, on threads of the same kind.
let recordingRules: [Rule] = [
  rule("play_end") { stage in
    let (player, _) = try film(stage, 3_011)
    stage.play(player)
    try stage.waitForTime()
    let end = try stage.wait(for: .stopped).number + 1
    noteState(stage, player)
    stage.play(player)
    try stage.waitForTime(from: end)
    stage.stopAsynchronously(player)
    try stage.wait(for: .stopped, from: end)
    try stage.expect(stage.stopAsynchronously(player).result, is: false, "a second stop")
  },
  rule("stop_playing") { stage in
    let (player, _) = try film(stage, 60_011)
    stage.play(player)
    try stage.waitForTime()
    stage.stopAsynchronously(player)
    try stage.wait(for: .stopped)
  },
  rule("setmedia_playing") { stage in
    let (player, _) = try film(stage, 60_011)
    let second = try media(stage, 3_011, as: "md2")
    stage.play(player)
    try stage.waitForTime()
    stage.setMedia(player, second)
    let changed = try stage.wait(for: .mediaChanged(second)).number
    try stage.waitForTime(from: changed)
    stage.setMedia(player, nil)
    try stage.wait(for: .stopped)
    noteState(stage, player)
  },
  rule("missing") { stage in
    let player = try stage.makePlayer()
    let missing = try stage.keep(
      stage.library.newMedia(stage.instance(), path: stage.harness.media.missingPath), as: "md")
    stage.library.setMedia(player, missing)
    stage.play(player)
    try stage.wait(for: .stopped)
    noteState(stage, player)
  },
  rule("stop_opening") { stage in
    let (player, _) = try film(stage, 60_011)
    stage.play(player)
    try stage.wait(for: .opening)
    stage.stopAsynchronously(player)
    try stage.wait(for: .stopped)
    noteState(stage, player)
  },
  rule("pause") { stage in
    let (player, _) = try film(stage, 60_011)
    stage.play(player)
    try stage.wait(for: .opening)
    stage.setPause(player, true)
    try stage.wait(for: .stopped)
    stage.setPause(player, false)
    stage.setPause(player, true)
    stage.setPause(player, true)
    try stage.expect(stage.stopAsynchronously(player).result, is: false, "a stop of what is stopped")
  },
  rule("seek") { stage in
    let (player, _) = try film(stage, 60_011)
    stage.setTime(player, 5_000)
    stage.play(player)
    try stage.waitForTime()
    try stage.expect(stage.events().times[0] >= 5_000, "it begins at the target")
    let mark = stage.setTime(player, 30_000).end
    try stage.wait(for: "a time after the target", from: mark) {
      if case .timeChanged(let time) = $0 { time >= 30_000 } else { false }
    }
    stage.call("set_position") { _ = stage.library.setPosition(player, 1.5, fast: false) }
    try stage.wait(for: .stopped)
    noteState(stage, player)
    try stage.expect(stage.library.time(player), is: 0, "the time")
    stage.setTime(player, -500)
    try stage.expect(stage.stopAsynchronously(player).result, is: false, "a stop of what is stopped")
  },
  rule("release_nostop") { stage in
    let (player, _) = try film(stage, 60_011)
    _ = stage.library.play(player)
    try stage.waitForTime()
    stage.call("release") { stage.library.releasePlayer(player) }
    stage.forget(player)
  },
  rule("calls_during_cb") { stage in
    let (player, _) = try film(stage, 60_011)
    try holdPlaying(stage, player)
    _ = stage.library.play(player)
    try stage.wait(mark: "cb enters")
    // Elsewhere, so that this thread can let the callback go.
    let library = stage.library
    stage.spawn { [trace = stage.trace] in
      trace.append(.mark("asks"))
      _ = library.state(player)
      trace.append(.mark("answered"))
    }
    try stage.wait(mark: "asks")
    stage.note("goes on")
    let answer = try stage.wait(mark: "answered")
    let left = try stage.wait(mark: "cb leaves")
    try stage.expect(left.number < answer.number, "the state is read when the callback has left")
    try stage.waitForTime()
    _ = library.stopAsynchronously(player)
    try stage.wait(for: .mediaStopping(.user))
    library.releasePlayer(player)
    stage.forget(player)
  } isTail: { told in
    // How much of what goes is told before the release is a matter of moments.
    ["SeekableChanged", "PausableChanged", "Vout 1", "ESSelected", "ESDeleted", "ProgramDeleted", "Stopped"]
      .contains {
        told.text.hasPrefix("player \($0)")
      }
  },
  rule("detach") { stage in
    let (player, _) = try film(stage, 60_011)
    let other = stage.makeListener(.player(player), [.corked]) { _ in }
    other.attachAll()
    try holdPlaying(stage, player)
    _ = stage.library.play(player)
    try stage.wait(mark: "cb enters")
    let trace = stage.trace
    stage.spawn {
      _ = trace.call("detach during cb") { other.detachAll() }
      trace.append(.mark("detached"))
    }
    try stage.wait(until: "the detach") { entries in
      entries.first { $0.content == .begins("detach during cb") }
    }
    stage.note("goes on")
    let left = try stage.wait(mark: "cb leaves")
    try stage.expect(left.number < stage.wait(mark: "detached").number, "detach waits for the callback")
    try stage.wait(for: .elementaryStreamUpdated(.video, number: 0))
  } isTail: { told in
    // The recording ends before there is an output.
    told.text == "player Vout 1"
  },
  rule("watch") { stage in
    let (player, _) = try film(stage, 60_011)
    let watch = stage.keep(object: Watch(stage.trace))
    try stage.expect(watch.begin(stage.library, player), is: true, "it is watched")
    _ = stage.library.play(player)
    try stage.wait(mark: "watch_time update rate=1.0")
    try stage.waitForTime()
    try stage.expect(watch.begin(stage.library, player), is: false, "a second watcher")
    stage.library.setPause(player, true)
    let paused = try stage.wait(for: .paused).number
    stage.library.setPause(player, false)
    try stage.wait(for: .playing, from: paused)
    try stage.waitForTime(from: paused)
    _ = stage.library.stopAsynchronously(player)
    try stage.wait(for: .stopped)
    stage.library.unwatchTime(player)
  },
  rule("parse") { stage in
    let instance = try stage.instance()
    let library = stage.library
    let parse = { (media: NativeMedia, timeout: Int) in
      library.parseMedia(instance, media, options: .local, timeoutMilliseconds: timeout)
    }
    let first = try media(stage, 3_011, as: "md")
    try stage.expect(parse(first, 0), is: true, "the answer")
    try stage.wait(for: .mediaParsedChanged(.done), of: "md")
    try stage.expect(parse(first, 0), is: false, "the second answer")
    let tracks = library.mediaTracks(first).filter { $0.type == .audio }
    try stage.expect(tracks.map(\.identifier), is: ["audio/1"], "the identifiers")
    try stage.expect(tracks.allSatisfy(\.isIdentifierStable), "stable")
    for (name, timeout) in [("m3", 300), ("m4", 0)] {
      let stalled = try stage.harness.media.makeStalledFile()
      let media = try stage.keep(library.newMedia(instance, path: stalled.path), as: name)
      try stage.expect(parse(media, timeout), is: true, "the answer")
      if name == "m4" {
        stalled.waitUntilOpened()
        stage.call("parse_stop") { library.stopParsing(instance, media) }
      }
      try stage.wait(for: .mediaParsedChanged(.timeout), of: name)
      stalled.close()
    }
    let missing = try stage.keep(
      library.newMedia(instance, path: stage.harness.media.missingPath), as: "m5")
    try stage.expect(parse(missing, 0), is: true, "the answer")
    try stage.wait(for: .mediaParsedChanged(.failed), of: "m5")
    let released = try media(stage, 60_011, as: "m6")
    try stage.expect(parse(released, 0), is: true, "the answer")
    library.releaseMedia(released)
    stage.forget(released)
    try stage.wait(for: .mediaParsedChanged(.done), of: "m6")
  },
  Rule(
    "4.recording reent", "Each cell that was recorded is what the rule of that cell expects.",
    evidence: .recorded("reent.txt")
  ) { stage in
    var column: Substring = ""
    var count = 0
    for line in try stage.harness.media.recording("reent.txt").split(separator: "\n") {
      if line.hasPrefix("== inside ") {
        column = line.dropFirst("== inside ".count)
        continue
      }
      let words = line.split(separator: " ")
      guard words.count == 2, let expectation = outcomes[words[1]] else { continue }
      // The lock of a player is no call of the seam.
      if words[0].hasPrefix("libvlc_media_player_lock") { continue }
      let call = names[words[0]] ?? String(words[0])
      let name = "4.matrix \(call)/\(column)"
      let rule = try stage.require(vlc4MatrixRules.first { $0.name == name }, "rule \(name)")
      try stage.expect(rule.expectation, is: expectation, "the expectation of \(name)")
      count += 1
    }
    try stage.expect(count, is: 60, "cells")
  },
]

/// The recording's words for calls and for what became of them.
private let names: [Substring: String] = [
  "set_media(other)": "set_media", "event_detach(self)": "detach", "player_new+release": "new player",
]
private let outcomes: [Substring: Rule.Expectation] = [
  "ok": .holds, "DEADLOCK": .deadlocks, "ABORT": .aborts,
]

/// A rule that plays what was recorded, and compares.
///
/// - Parameter isTail: what may follow the last of the recording.
private func rule(
  _ name: String, _ play: @escaping @Sendable (Stage) throws -> Void,
  isTail: @escaping @Sendable (Recording.Heard) -> Bool = { _ in false }
) -> Rule {
  Rule(
    "4.recording \(name)", "The same calls tell what was recorded, on threads of the same kind.",
    evidence: .recorded("\(name).txt")
  ) { stage in
    let recording = Recording(try stage.harness.media.recording("\(name).txt"))
    try stage.expect(recording.heard.count > 4, "there is a recording")
    try play(stage)
    var seen = Recording.heard(stage.entries)
    while seen.count > recording.heard.count, let last = seen.last, isTail(last) { seen.removeLast() }
    if let difference = recording.difference(from: seen) { throw stage.violation(difference) }
  }
}

private func media(_ stage: Stage, _ milliseconds: Int, as name: String) throws -> NativeMedia {
  let path = stage.harness.media.filmPath(milliseconds: milliseconds)
  return try stage.keep(stage.library.newMedia(stage.instance(), path: path), as: name)
}

/// A player with a film, told as "player" and "md".
private func film(_ stage: Stage, _ milliseconds: Int) throws -> (NativePlayer, NativeMedia) {
  let player = try stage.makePlayer()
  let made = try media(stage, milliseconds, as: "md")
  stage.library.setMedia(player, made)
  return (player, made)
}

private func noteState(_ stage: Stage, _ player: NativePlayer) {
  let state = "\(stage.library.state(player))"
  stage.note("state=" + state.prefix(1).uppercased() + state.dropFirst())
}

/// Holds the first callback of Playing until "goes on" is noted.
private func holdPlaying(_ stage: Stage, _ player: NativePlayer) throws {
  let isFirst = stage.keep(object: Once())
  try stage.listen(.player(player), [.playing]) { [trace = stage.trace] _ in
    guard isFirst.take() else { return }
    trace.append(.mark("cb enters"))
    trace.gate("goes on")
    trace.append(.mark("cb leaves"))
  }
}
