import VLCNative

/// Volume, mute and samples in memory: S11.
let audioRules: [Rule] = [
  Rule("S11.dummy", "The dummy output takes every volume, has none, and tells nothing.") { stage in
    let (player, _) = try stage.playing("silence.wav")
    try stage.waitForTime()
    let mark = stage.mark
    try stage.expect(stage.library.setVolume(player, percent: 50), is: true, "the answer")
    stage.library.setMuted(player, true)
    try stage.expect(stage.library.volume(player), is: 0, "the volume")
    try stage.expect(stage.library.isMuted(player), is: false, "mute")
    stage.setPause(player, true)
    try stage.wait(for: .paused, from: mark)
    try stage.expect(!stage.events(from: mark).contains { $0.isVolume }, "nothing told")
  },
  Rule("S11.none", "Without an output there is neither volume nor mute.") { stage in
    let player = try stage.makePlayer()
    try stage.start(player, stage.makeMedia("tour.mkv", options: [":no-audio"]))
    stage.stop(player)
    try stage.expect(stage.library.volume(player), is: -1, "the volume")
    try stage.expect(stage.library.isMuted(player), is: nil, "mute")
  },
  Rule(
    "S11.every", "An output with a volume tells every set, also of the same volume, and takes 250 percent."
  ) { stage in
    stage.arguments += ["--aout=alsa", "--alsa-audio-device=null"]
    let player = try stage.makePlayer()
    for percent in [50, 50, 250] {
      let call = stage.call("set_volume") { stage.library.setVolume(player, percent: percent) }
      try stage.expect(call.result, is: true, "the answer for \(percent)")
      try stage.expect(call.onCaller.events(), is: [.audioVolume(Float(percent) / 100)], "on the caller")
      try stage.expect(stage.library.volume(player), is: percent, "the volume")
    }
    let negative = stage.call("set_volume") { stage.library.setVolume(player, percent: -5) }
    try stage.expect(negative.result, is: false, "the answer for -5")
    try stage.expect(negative.entries.events(), is: [], "told")
  },
  Rule("S11.mute", "An output with a mute tells changes only.") { stage in
    stage.arguments += ["--aout=alsa", "--alsa-audio-device=null"]
    let player = try stage.makePlayer()
    let sets: [(Bool, [NativeEvent])] = [
      (true, [.muted]), (true, []), (false, [.unmuted]), (false, []),
    ]
    for (isMuted, expected) in sets {
      let call = stage.call("set_mute") { stage.library.setMuted(player, isMuted) }
      try stage.expect(call.entries.events(), is: expected, "told")
      try stage.expect(stage.library.isMuted(player), is: isMuted, "mute")
    }
  },
  Rule("S11.playing", "A volume that is set while an output works is told, with the volume.") { stage in
    stage.arguments += ["--aout=alsa", "--alsa-audio-device=null"]
    let (player, _) = try stage.playing("silence.wav")
    try stage.waitForTime()
    let mark = stage.mark
    try stage.expect(stage.library.setVolume(player, percent: 40), is: true, "the answer")
    try stage.wait(for: "a volume of 0.4", from: mark) {
      if case .audioVolume(let volume) = $0 { abs(volume - 0.4) < 0.001 } else { false }
    }
  },
  Rule("S11.stop", "stop ends with a volume of -1.") { stage in
    let (player, _) = try stage.playing("silence.wav")
    try stage.expect(stage.stop(player).onCaller.events().last, is: .audioVolume(-1), "the last event")
  },
  Rule("S11.memory", "Samples in memory are set up, played and cleaned up, and a stop flushes them.") {
    stage in
    let (player, _) = try sounding(stage)
    try stage.wait(mark: "play")
    let call = stage.stop(player)
    let marks = stage.entries.marks.filter { !$0.hasPrefix("volume") }
    try stage.expect(marks.first, is: "setup", "the first call")
    try stage.expect(call.entries.marks.contains("flush"), "flushed in the stop")
    try stage.expect(marks.last, is: "cleanup", "the last call")
    try stage.expect(stage.entries.dropFirst(call.end).marks, is: [], "afterwards")
  },
  Rule(
    "S11.memoryVolume",
    "An output in memory begins at its full volume, whatever was set before, and gets each set."
  ) { stage in
    let player = try stage.makePlayer()
    stage.keep(object: SoundSink(stage.trace)).install(stage, player)
    _ = stage.library.setVolume(player, percent: 60)
    try stage.start(player, stage.makeMedia("silence.wav"))
    try stage.wait(mark: "play")
    try stage.expect(
      stage.entries.marks.filter { $0.hasPrefix("volume") }.last, is: "volume 1.0 false",
      "the volume at setup")
    let mark = stage.mark
    for percent in [80, 80, 250] { _ = stage.library.setVolume(player, percent: percent) }
    try stage.wait(mark: "volume 2.5 false", from: mark)
    try stage.expect(stage.library.volume(player), is: 0, "the volume that is told")
    try stage.expect(!stage.events(from: mark).contains { $0.isVolume }, "no event")
  },
  Rule("S11.memoryPause", "An output in memory is told pause and resume, and drains at the end.") { stage in
    let (player, _) = try sounding(stage)
    try stage.wait(mark: "play")
    stage.setPause(player, true)
    let pause = try stage.wait(mark: "pause")
    stage.setPause(player, false)
    try stage.wait(mark: "resume", from: pause.number)
    try stage.wait(for: .endReached)
    try stage.wait(mark: "drain")
  },
]

extension NativeEvent {
  fileprivate var isVolume: Bool {
    switch self {
    case .audioVolume, .muted, .unmuted: true
    default: false
    }
  }
}

/// A player whose samples a sink takes.
private func sounding(_ stage: Stage) throws -> (NativePlayer, SoundSink) {
  let player = try stage.makePlayer()
  let sink = stage.keep(object: SoundSink(stage.trace))
  sink.install(stage, player)
  try stage.start(player, stage.makeMedia("silence.wav"))
  return (player, sink)
}
