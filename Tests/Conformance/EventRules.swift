import Synchronization
import VLCNative

/// Threads, event managers and their locks: R1 to R7.
let eventRules: [Rule] = [
  Rule("R1.mediaChanged", "set_media tells MediaChanged on the caller before it returns.") { stage in
    let player = try stage.makePlayer()
    let media = try stage.makeMedia("base.mp4")
    let call = stage.setMedia(player, media)
    try stage.expect(call.onCaller.events(), is: [.mediaChanged(media)], "on the caller")
  },
  Rule("R1.stopped", "stop tells Stopped on the caller before it returns.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let call = stage.stop(player)
    try stage.expect(call.onCaller.events(), is: [.stopped, .audioVolume(-1)], "on the caller")
  },
  Rule("R1.time", "set_time tells a position and a time on the caller before it returns.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let told = stage.setTime(player, 25_000).onCaller.events()
    try stage.expect(told.count, is: 2, "events on the caller")
    if case .positionChanged = told[0] {} else { throw stage.violation("the first is no position") }
    try stage.expect(told[1].isTime, "the second is a time")
  },
  Rule("R1.snapshot", "A snapshot is told on the caller before the call returns.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.wait(for: .videoOutputs(1))
    try stage.waitForTime()
    let path = stage.harness.media.outputPath("snapshot.png")
    let call = stage.call("take_snapshot") {
      stage.library.takeSnapshot(player, output: 0, path: path, width: 0, height: 0)
    }
    try stage.expect(call.result, "the snapshot is taken")
    try stage.expect(call.onCaller.events(), is: [.snapshotTaken(path)], "on the caller")
  },
  Rule("R1.volume", "A volume that is set on an idle output is told on the caller.") { stage in
    stage.arguments += ["--aout=alsa", "--alsa-audio-device=null"]
    let player = try stage.makePlayer()
    let volume = stage.call("set_volume") { stage.library.setVolume(player, percent: 50) }
    try stage.expect(volume.onCaller.events(), is: [.audioVolume(0.5)], "on the caller")
    let mute = stage.call("set_mute") { stage.library.setMuted(player, true) }
    try stage.expect(mute.onCaller.events(), is: [.muted], "on the caller")
    let unmute = stage.call("set_mute") { stage.library.setMuted(player, false) }
    try stage.expect(unmute.onCaller.events(), is: [.unmuted], "on the caller")
  },

  Rule("R2.input", "What playback tells comes on one thread of the library's, the natural Stopped too.") {
    stage in
    _ = try stage.ended("h264_aac.mkv")
    let told = stage.entries.filter { entry in
      switch entry.content {
      case .event("player", .mediaChanged), .event("player", .videoOutputs(1...)): false
      case .event("player", _): true
      default: false
      }
    }
    let lanes = Set(told.map(\.lane))
    try stage.expect(lanes.count == 1, "one thread, not \(lanes)")
    try stage.expect(lanes.allSatisfy { if case .library = $0 { true } else { false } }, "a library's thread")
  },
  Rule("R2.output", "An output is told on a decoder's thread, its end on the input's.") { stage in
    _ = try stage.ended("h264_aac.mkv")
    let input = try stage.wait(for: .playing).lane
    try stage.expect(stage.wait(for: .videoOutputs(1)).lane != input, "the output is not told by the input")
    try stage.expect(stage.wait(for: .videoOutputs(0)).lane, is: input, "the lane of the end")
  },
  Rule("R2.newThread", "Each playback has an input thread of its own.") { stage in
    let (player, _) = try stage.playing("silence.wav")
    let first = try stage.wait(for: .playing).lane
    stage.stop(player)
    let mark = stage.mark
    stage.play(player)
    try stage.expect(stage.wait(for: .playing, from: mark).lane != first, "another thread than \(first)")
  },
  Rule("R2.parsed", "MediaParsedChanged comes on a thread of the preparser's.") { stage in
    let media = try stage.makeMedia("base.mp4", as: "media")
    let instance = try stage.instance()
    let call = stage.call("parse") {
      stage.library.parseMedia(instance, media, options: .local, timeoutMilliseconds: 20_000)
    }
    try stage.expect(call.result, "the parse is taken")
    let parsed = try stage.wait(for: .mediaParsedChanged(.done), of: "media")
    if case .library = parsed.lane {} else { throw stage.violation("it came on \(parsed.lane)") }
  },
  Rule("R2.list", "A list tells its changes on the caller.") { stage in
    let media = try stage.makeMedia("base.mp4")
    let list = try stage.makeList(as: "list")
    let call = stage.call("append") {
      stage.library.lockMediaList(list)
      defer { stage.library.unlockMediaList(list) }
      return stage.library.appendMedia(list, media)
    }
    try stage.expect(
      call.onCaller.events(of: "list"),
      is: [.listWillAddItem(media, index: 0), .listItemAdded(media, index: 0)], "on the caller")
  },
  Rule(
    "R2.nextItem",
    "A list player tells the next item on the caller, and on a thread of its own when it goes on."
  ) {
    stage in
    let items = try (0..<2).map { _ in try stage.makeMedia("silence.wav", options: [":stop-time=0.2"]) }
    let listPlayer = try stage.makeListPlayer(try stage.makeList(of: items))
    let call = stage.call("list play") { stage.library.play(listPlayer) }
    try stage.expect(
      call.onCaller.events(of: "list player"), is: [.listPlayerNextItemSet(items[0])], "on the caller")
    let advance = try stage.wait(for: .listPlayerNextItemSet(items[1]), of: "list player")
    let input = try stage.wait(for: .playing).lane
    if case .library = advance.lane {} else { throw stage.violation("it came on \(advance.lane)") }
    try stage.expect(advance.lane != input, "another thread than the input's")
  },

  Rule("R3.detachSame", "detach of the kind whose callback runs waits for that callback.") { stage in
    try whileCallbackRuns(stage) { player, inside in
      inside.detachAll()
    }
  },
  Rule("R3.detachOther", "detach of another kind of the same manager waits for the callback that runs.") {
    stage in
    let player = try stage.makePlayer()
    let other = stage.makeListener(.player(player), [.corked]) { _ in }
    other.attachAll()
    try whileCallbackRuns(stage, player) { _, _ in other.detachAll() }
  },
  Rule("R3.attach", "attach waits for the callback that runs.") { stage in
    let player = try stage.makePlayer()
    let other = stage.makeListener(.player(player), [.corked]) { _ in }
    try whileCallbackRuns(stage, player) { _, _ in other.attachAll() }
    other.detachAll()
  },
  Rule("R3.otherPlayer", "Another player can be stopped while a callback runs.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let blocked = try stage.makePlayer(nil)
    try stage.listen(.player(blocked), [.playing]) { [trace = stage.trace] _ in
      trace.append(.mark("enters"))
      trace.gate("opens")
      trace.append(.mark("leaves"))
    }
    stage.setMedia(blocked, try stage.makeMedia("tour.mkv"))
    stage.play(blocked)
    try stage.wait(mark: "enters")
    let call = stage.stop(player)
    try stage.expect(!stage.entries.contains(mark: "leaves"), "the callback still runs")
    try stage.expect(call.onCaller.events().contains(.stopped), "the other player stopped")
    stage.note("opens")
    try stage.wait(mark: "leaves")
  },
  Rule("R3.getters", "While a callback runs, the state and the time can be read elsewhere.") { stage in
    let player = try stage.makePlayer()
    try stage.listen(.player(player), [.playing]) { [trace = stage.trace] _ in
      trace.append(.mark("enters"))
      trace.gate("opens")
      trace.append(.mark("leaves"))
    }
    stage.setMedia(player, try stage.makeMedia("tour.mkv"))
    stage.play(player)
    try stage.wait(mark: "enters")
    _ = stage.library.state(player)
    _ = stage.library.time(player)
    try stage.expect(!stage.entries.contains(mark: "leaves"), "the callback still runs")
    stage.note("opens")
    try stage.wait(mark: "leaves")
  },
  Rule("R3.stop", "stop waits for the callback that runs.") { stage in
    try whileCallbackRuns(stage) { [library = stage.library] player, _ in library.stop(player) }
  },
  Rule("R3.setTime", "set_time waits for the callback that runs.") { stage in
    try whileCallbackRuns(stage, on: .timeChanged) { [library = stage.library] player, _ in
      _ = library.setTime(player, milliseconds: 9_000, fast: false)
    }
  },

  Rule("R4", "After detach returned no callback runs, however many events there are.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let counters = stage.keep(object: Counters())
    let listener = stage.makeListener(.player(player), [.buffering, .timeChanged, .positionChanged]) { _ in
      counters.heard.add(1, ordering: .relaxed)
      if !counters.isAttached.load(ordering: .sequentiallyConsistent) {
        counters.late.add(1, ordering: .relaxed)
      }
    }
    stage.spawn { [library = stage.library] in
      var target: Int64 = 1_000
      while !counters.isDone.load(ordering: .relaxed) {
        _ = library.setTime(player, milliseconds: target, fast: false)
        target = target % 50_000 + 700
      }
    }
    for _ in 0..<300 {
      counters.isAttached.store(true, ordering: .sequentiallyConsistent)
      listener.attachAll()
      listener.detachAll()
      counters.isAttached.store(false, ordering: .sequentiallyConsistent)
    }
    counters.isDone.store(true, ordering: .relaxed)
    try stage.trace.join(rule: stage.rule)
    try stage.expect(counters.late.load(ordering: .relaxed), is: 0, "callbacks after detach")
  },

  Rule("R5.twice", "A second detach of one listener ends the process.", .aborts) { stage in
    let player = try stage.makePlayer(nil)
    let listener = stage.makeListener(.player(player), [.playing]) { _ in }
    listener.attachAll()
    listener.detachAll()
    stage.callAtRisk("detach") { listener.detachAll() }
  },
  Rule("R5.never", "detach of what was never attached ends the process.", .aborts) { stage in
    let player = try stage.makePlayer(nil)
    let listener = stage.makeListener(.player(player), [.playing]) { _ in }
    stage.callAtRisk("detach") { listener.detachAll() }
  },
  Rule("R5.sameTwice", "What is attached twice is called twice, and detached once a time.") { stage in
    let player = try stage.makePlayer(nil)
    let listener = stage.makeListener(.player(player), [.mediaChanged]) { [trace = stage.trace] _ in
      trace.append(.mark("heard"))
    }
    listener.attachAll()
    listener.attachAll()
    let media = try stage.makeMedia("base.mp4")
    try stage.expect(stage.setMedia(player, media).onCaller.marks, is: ["heard", "heard"], "attached twice")
    listener.detachAll()
    try stage.expect(stage.setMedia(player, media).onCaller.marks, is: ["heard"], "detached once")
    listener.detachAll()
    try stage.expect(stage.setMedia(player, media).onCaller.marks, is: [], "detached twice")
  },
  Rule("R5.anyKind", "A manager takes a listener for a kind that it never tells.") { stage in
    let player = try stage.makePlayer(nil)
    try stage.listen(.player(player), [.mediaParsedChanged]) { _ in }
  },

  Rule("R6.order", "Listeners hear in the order in which they were attached.") { stage in
    let player = try stage.makePlayer(nil)
    for name in ["A", "B", "C"] {
      try stage.listen(.player(player), [.mediaChanged]) { [trace = stage.trace] _ in
        trace.append(.mark(name))
      }
    }
    let call = stage.setMedia(player, try stage.makeMedia("base.mp4"))
    try stage.expect(call.onCaller.marks, is: ["A", "B", "C"], "on the caller")
  },
  Rule("R6.selfDetach", "Where a listener detaches itself the next one misses that event.") { stage in
    let player = try stage.makePlayer(nil)
    let source = NativeEventSource.player(player)
    let trace = stage.trace
    let itself = stage.keep(object: Reference())
    try stage.listen(source, [.mediaChanged]) { _ in trace.append(.mark("A")) }
    let detaching = stage.makeListener(source, [.mediaChanged]) { _ in
      trace.append(.mark("S"))
      itself.listener.withLock { $0 }?.detachAll()
    }
    itself.listener.withLock { $0 = detaching }
    defer { itself.listener.withLock { $0 = nil } }
    detaching.attachAll()
    for name in ["B", "C"] { try stage.listen(source, [.mediaChanged]) { _ in trace.append(.mark(name)) } }
    let media = try stage.makeMedia("base.mp4")
    try stage.expect(stage.setMedia(player, media).onCaller.marks, is: ["A", "S", "C"], "the first event")
    try stage.expect(stage.setMedia(player, media).onCaller.marks, is: ["A", "B", "C"], "the second event")
  },
  Rule("R6.attachInside", "A listener that is attached inside a callback hears the event that is being told.")
  { stage in
    let player = try stage.makePlayer(nil)
    let source = NativeEventSource.player(player)
    let trace = stage.trace
    let second = stage.makeListener(source, [.mediaChanged]) { _ in trace.append(.mark("second")) }
    try stage.listen(source, [.mediaChanged]) { _ in
      trace.append(.mark("first"))
      second.attachAll()
    }
    let call = stage.setMedia(player, try stage.makeMedia("base.mp4"))
    try stage.expect(call.onCaller.marks, is: ["first", "second"], "on the caller")
    second.detachAll()
  },

  Rule("R7.order", "A state is told by the media first, then by the player.") { stage in
    let (player, _) = try stage.ended("silence.wav", options: [":stop-time=0.2"])
    stage.stop(player)
    let expected: [(NativeState, NativeEvent)] = [
      (.opening, .opening), (.playing, .playing), (.ended, .endReached), (.stopped, .stopped),
    ]
    for (state, event) in expected {
      let media = try stage.wait(for: .mediaStateChanged(state), of: "media")
      // The last: a natural end is followed by a Stopped without the media's state.
      let told = stage.entries.filter { $0.content == .event("player", event) }
      try stage.expect(told.last.map { $0.number > media.number } ?? false, "\(state) before \(event)")
      try stage.expect(told.last?.lane == media.lane, "both on one thread")
    }
  },
  Rule("R7.shared", "Two players overwrite the state of a media that they share.") { stage in
    let (first, media) = try stage.playing("tour.mkv")
    let second = try stage.makePlayer("second")
    stage.setMedia(second, media)
    stage.play(second)
    try stage.wait(for: .playing, of: "second")
    let call = stage.stop(first)
    try stage.expect(
      call.onCaller.events(of: "media").contains(.mediaStateChanged(.stopped)), "the media is stopped")
    try stage.expect(stage.library.state(second), is: .playing, "the second player's state")
  },
]

/// What a storm of events and the thread that attaches share.
private final class Counters: Sendable {
  let isAttached = Atomic(false)
  let isDone = Atomic(false)
  let heard = Atomic(0)
  let late = Atomic(0)
}

/// A listener that its own callback reaches.
private final class Reference: Sendable {
  let listener = Mutex<Listener?>(nil)
}

/// Shows that a call on another thread returns only when the callback that runs has left.
///
/// That it waits is shown by the order: the callback leaves after the call began, and before it returned.
private func whileCallbackRuns(
  _ stage: Stage, _ player: NativePlayer? = nil, on kind: NativeEventKind = .playing,
  _ body: @escaping @Sendable (NativePlayer, Listener) -> Void
) throws {
  let player = try player ?? stage.makePlayer()
  let trace = stage.trace
  let isFirst = stage.keep(object: Once())
  let inside = stage.makeListener(.player(player), [kind]) { _ in
    guard isFirst.take() else { return }
    trace.append(.mark("enters"))
    trace.gate("opens")
    trace.append(.mark("leaves"))
  }
  inside.attachAll()
  stage.setMedia(player, try stage.makeMedia("tour.mkv"))
  stage.play(player)
  try stage.wait(mark: "enters")
  stage.spawn {
    trace.append(.mark("waits"))
    body(player, inside)
    trace.append(.mark("comes back"))
  }
  try stage.wait(mark: "waits")
  // Time for a call that does not wait to show it.
  for _ in 0..<1_000 { _ = stage.library.state(player) }
  stage.note("opens")
  try stage.wait(mark: "comes back")
  let marks = stage.entries.marks
  try stage.expect(marks, is: ["enters", "waits", "opens", "leaves", "comes back"], "the order")
}

/// True the first time that it is asked.
final class Once: Sendable {
  private let wasTaken = Atomic(false)
  func take() -> Bool { !wasTaken.exchange(true, ordering: .relaxed) }
}
