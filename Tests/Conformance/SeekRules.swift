import VLCNative

/// Seeks and rates: S9.
let seekRules: [Rule] = [
  Rule("S9.time", "After set_time the time is the target at once, and is told when it has moved on.") {
    stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let mark = stage.mark
    stage.setTime(player, 25_000)
    // The input may write the time that it had between the two calls.
    let time = stage.library.time(player)
    try stage.expect(time < 5_000 || (25_000...30_000).contains(time), "the time, not \(time)")
    try stage.wait(for: .buffering(100), from: mark)
    try stage.wait(for: "a time after the target", from: mark) {
      if case .timeChanged(let time) = $0 { (25_001...35_000).contains(time) } else { false }
    }
    try stage.expect(stage.events(from: mark).states, is: [], "the states")
  },
  Rule("S9.position", "set_position tells nothing on the caller.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let call = stage.call("set_position") { stage.library.setPosition(player, 0.5, fast: false) }
    try stage.expect(call.onCaller.events(), is: [], "on the caller")
    try stage.wait(for: "a time after the target", from: call.begin) {
      if case .timeChanged(let time) = $0 { (29_000...40_000).contains(time) } else { false }
    }
  },
  Rule("S9.paused", "A seek of a paused player buffers and tells no time; the time is the target.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    stage.setPause(player, true)
    let mark = try stage.wait(for: .paused).number + 1
    let call = stage.setTime(player, 30_000)
    try stage.expect(call.onCaller.events(), is: [], "on the caller")
    try stage.wait(for: .buffering(100), from: mark)
    try stage.expect(stage.events(from: mark).untimed.states, is: [], "the states")
    try stage.expect(stage.events(from: mark).times, is: [], "the times")
    // The target, or the block before it that the demuxer found.
    let time = stage.library.time(player)
    try stage.expect((29_500...30_000).contains(time), "the time is the target, not \(time)")
  },
  Rule("S9.storm", "Many seeks at once are one in the end, and it lands on the last target.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let mark = stage.mark
    for index in 0..<50 { stage.setTime(player, 5_000 + Int64(index) * 900) }
    try stage.wait(for: "a time after the last target", from: mark) {
      if case .timeChanged(let time) = $0 { (49_101...56_000).contains(time) } else { false }
    }
    let zeros = stage.events(from: mark).bufferings.filter { $0 == 0 }.count
    try stage.expect((1...25).contains(zeros), "far fewer seeks than calls, not \(zeros)")
  },
  Rule("S9.beyondEnd", "A seek beyond the end is ignored: buffering, then on from the old place.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let mark = stage.mark
    stage.setTime(player, 70_000)
    try stage.wait(for: .buffering(100), from: mark)
    let buffered = stage.mark
    try stage.wait(for: "a time of the old place", from: buffered) {
      if case .timeChanged(let time) = $0 { time < 20_000 } else { false }
    }
    try stage.expect(stage.events(from: mark).states, is: [], "the states")
  },
  Rule("S9.negative", "A negative time is the beginning.") { stage in
    let (player, _) = try stage.playing("tour.mkv", options: [":start-time=30"])
    try stage.waitForTime()
    let mark = stage.mark
    stage.setTime(player, -5_000)
    try stage.wait(for: .buffering(100), from: mark)
    try stage.wait(for: "a time of the beginning", from: mark) {
      if case .timeChanged(let time) = $0 { (0...10_000).contains(time) } else { false }
    }
  },
  Rule("S9.beforePlay", "A seek before play is ignored.") { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    try stage.expect(stage.setTime(player, 30_000).entries.events(), is: [], "told")
    stage.play(player)
    try stage.waitForTime()
    try stage.expect(stage.events().times[0] < 10_000, "it begins at the beginning")
  },
  Rule("S9.opening", "A seek straight after play is honoured.") { stage in
    let player = try stage.makePlayer()
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    stage.play(player)
    stage.setTime(player, 30_000)
    try stage.wait(for: "a time after the target") {
      if case .timeChanged(let time) = $0 { (29_000...40_000).contains(time) } else { false }
    }
  },
  Rule("S9.rate", "Every rate is taken, kept over a stop, and one set before play is that of the play.") {
    stage in
    let player = try stage.makePlayer()
    for rate: Float in [0.25, 8, 100] {
      try stage.expect(stage.library.setRate(player, rate), is: true, "the answer for \(rate)")
      try stage.expect(stage.library.rate(player), is: rate, "the rate")
    }
    _ = stage.library.setRate(player, 2)
    try stage.start(player, stage.makeMedia("tour.mkv"))
    try stage.expect(stage.library.rate(player), is: 2, "the rate while playing")
    stage.stop(player)
    try stage.expect(stage.library.rate(player), is: 2, "the rate after the stop")
  },
]
