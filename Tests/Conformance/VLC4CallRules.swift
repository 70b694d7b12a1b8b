import Synchronization
import VLCNative

/// What only libVLC 4.0 has, and what it parses and lists in ways of its own.
let vlc4CallRules: [Rule] = [
  Rule(
    "4.events", "The kinds of 3.0 that told ends and states of media are gone, and those of 4.0 are there.",
    evidence: .documented
  ) { stage in
    let kinds = stage.library.eventKinds
    let gone: [NativeEventKind] = [.mediaStateChanged, .endReached, .titleChanged, .scrambledChanged]
    let come: [NativeEventKind] = [
      .stopping, .mediaStopping, .titleListChanged, .titleSelectionChanged, .elementaryStreamUpdated,
      .recordingChanged, .programAdded, .programDeleted, .programSelected, .programUpdated,
      .mediaThumbnailGenerated,
    ]
    for kind in gone { try stage.expect(!kinds.contains(kind), "no \(kind)") }
    for kind in come { try stage.expect(kinds.contains(kind), "\(kind)") }
  },
  Rule(
    "4.absent.stop", "The stop of 3.0, which joins, is an error of the caller's.", .undefined,
    evidence: .documented
  ) { stage in
    let player = try stage.makePlayer()
    stage.callAtRisk("stop") { stage.library.stop(player) }
  },
  Rule(
    "4.absent.descriptions", "Track descriptions, which are 3.0's, are an error of the caller's.", .undefined,
    evidence: .documented
  ) { stage in
    let player = try stage.makePlayer()
    stage.callAtRisk("track_description") { _ = stage.library.trackDescriptions(player, .audio) }
  },

  Rule(
    "4.watch", "A player's time has one watcher: a second is refused, until the first has gone.",
    evidence: .recorded("watch.txt")
  ) { stage in
    let player = try stage.makePlayer()
    let watch = stage.keep(object: Watch(stage.trace))
    try stage.expect(watch.begin(stage.library, player), is: true, "the first")
    try stage.expect(watch.begin(stage.library, player), is: false, "the second")
    stage.library.unwatchTime(player)
    try stage.expect(watch.begin(stage.library, player), is: true, "after the first")
    stage.library.unwatchTime(player)
  },
  Rule(
    "4.watch.threads",
    "Updates come from an output's thread, discontinuities from the input's: at a pause, and at the end.",
    evidence: .recorded("watch.txt")
  ) { stage in
    let player = try stage.makePlayer()
    let watch = stage.keep(object: Watch(stage.trace))
    try stage.expect(watch.begin(stage.library, player), is: true, "it is watched")
    try stage.start(player, stage.makeMedia("h264_aac.mkv"))
    let input = try stage.wait(for: .playing).lane
    let update = try stage.wait(mark: "watch_time update rate=1.0")
    try stage.expect(update.threadName ?? "vlc-vout", is: "vlc-vout", "the thread of an update")
    stage.setPause(player, true)
    let pause = try stage.wait(mark: "watch_time discontinuity")
    let paused = try stage.wait(for: .paused)
    try stage.expect(pause.lane == input && pause.number < paused.number, "before Paused, by the input")
    stage.stopAsynchronously(player)
    let end = try stage.wait(mark: "watch_time discontinuity 0")
    try stage.expect(end.lane, is: input, "the lane of the end")
    try stage.wait(for: .stopped)
    stage.library.unwatchTime(player)
  },
  Rule(
    "4.watch.calls", "A callback of a timer that calls its player is an error of the caller's.", .undefined,
    evidence: .documented
  ) { stage in
    let player = try stage.makePlayer()
    let watch = stage.keep(object: Watch(stage.trace))
    try stage.expect(watch.begin(stage.library, player), is: true, "it is watched")
    watch.inside.withLock { [library = stage.library, harness = stage.harness] inside in
      inside = {
        harness.announce("calls")
        _ = library.state(player)
        harness.announce("returned")
      }
    }
    try stage.start(player, stage.makeMedia("h264_aac.mkv"))
    try stage.wait(for: .stopped)
    stage.library.unwatchTime(player)
  },

  Rule(
    "4.tracks", "Tracks have identifiers of type and number that are stable, and are known until they go.",
    evidence: .recorded("parse.txt")
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let library = stage.library
    let texts = library.tracks(player, .text)
    try stage.expect(texts.map(\.identifier), is: texts.map { "spu/\($0.number)" }, "the identifiers")
    try stage.expect(texts.count, is: 3, "texts")
    for type in [NativeTrackType.video, .audio] {
      let tracks = library.tracks(player, type)
      try stage.expect(tracks.allSatisfy(\.isIdentifierStable), "stable")
      try stage.expect(tracks.filter(\.isSelected).count, is: 1, "selected")
    }
    stage.stopAsynchronously(player)
    try stage.wait(for: .stopped)
    try stage.expect(library.tracks(player, .audio), is: [], "after the end")
  },
  Rule(
    "4.tracks.select",
    "A selection tells what goes, then what comes; two texts may be selected, and one sound.",
    evidence: .documented
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let library = stage.library
    let sounds = library.tracks(player, .audio)
    let texts = library.tracks(player, .text)
    var mark = stage.mark
    library.selectTracks(player, .audio, identifiers: sounds.dropFirst().map(\.identifier))
    try stage.wait(for: .elementaryStreamSelected(.audio, number: sounds[1].number), from: mark)
    try stage.expect(
      stage.events(from: mark).untimed.filter(\.isSelection),
      is: [
        .elementaryStreamSelected(.audio, number: nil),
        .elementaryStreamSelected(.audio, number: sounds[1].number),
      ], "told")
    try stage.expect(
      library.tracks(player, .audio).filter(\.isSelected).map(\.number), is: [sounds[1].number], "sounds")
    mark = stage.mark
    library.selectTracks(player, .text, identifiers: texts.prefix(2).map(\.identifier) + ["spu/99"])
    try stage.wait(for: .elementaryStreamSelected(.text, number: texts[1].number), from: mark)
    try stage.expect(library.tracks(player, .text).filter(\.isSelected).count, is: 2, "texts")
    mark = stage.mark
    library.selectTracks(player, .text, identifiers: [])
    try stage.wait(until: "two texts that go") { entries in
      entries.dropFirst(mark).filter {
        $0.content == .event("player", .elementaryStreamSelected(.text, number: nil))
      }
      .count == 2 ? true : nil
    }
    try stage.expect(library.tracks(player, .text).filter(\.isSelected).count, is: 0, "texts")
  },
  Rule(
    "4.programs", "What plays has a program, which is selected, and goes at the end.",
    evidence: .recorded("play_end.txt")
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let programs = stage.library.programs(player)
    try stage.expect(programs.map(\.isSelected), is: [true], "selected")
    try stage.expect(stage.events().contains(.programAdded(programs[0].number)), "it was told")
    stage.stopAsynchronously(player)
    try stage.wait(for: .stopped)
    try stage.expect(stage.library.programs(player), is: [], "after the end")
  },
  Rule(
    "4.abLoop", "A loop goes back to its start from its end, until it is taken away.", evidence: .documented
  ) { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let library = stage.library
    try stage.expect(
      library.setABLoop(player, aMilliseconds: 9_000, bMilliseconds: 8_000), is: false, "backwards")
    _ = library.setTime(player, milliseconds: 7_000, fast: false)
    try stage.expect(
      library.setABLoop(player, aMilliseconds: 2_000, bMilliseconds: 8_000), is: true, "the answer")
    try stage.expect(
      library.abLoop(player), is: NativeABLoop(aMilliseconds: 2_000, bMilliseconds: 8_000), "the loop")
    try stage.wait(for: "a time of its end") {
      if case .timeChanged(let time) = $0 { (8_000...9_500).contains(time) } else { false }
    }
    let mark = stage.mark
    try stage.wait(for: "a time of its start", from: mark) {
      if case .timeChanged(let time) = $0 { (2_000...4_000).contains(time) } else { false }
    }
    try stage.expect(library.resetABLoop(player), is: true, "the answer")
    try stage.expect(
      library.abLoop(player), is: NativeABLoop(aMilliseconds: nil, bMilliseconds: nil), "no loop")
  },
  Rule("4.record", "A recording tells its beginning, and its end with a file.", evidence: .documented) {
    stage in
    let (player, _) = try stage.playing("tour.mkv")
    stage.library.setRecording(player, true, directory: "/tmp")
    try stage.wait(for: .recordingChanged(isRecording: true, path: nil))
    stage.library.setRecording(player, false, directory: nil)
    try stage.wait(for: "the end of a recording") {
      if case .recordingChanged(isRecording: false, path: .some) = $0 { true } else { false }
    }
  },
  Rule("4.settings", "The mix mode and the scale of subtitles are kept.", evidence: .documented) { stage in
    let player = try stage.makePlayer()
    try stage.expect(stage.library.setMixMode(player, .binaural), is: true, "the answer")
    try stage.expect(stage.library.mixMode(player), is: .binaural, "the mix mode")
    stage.library.setSubtitleTextScale(player, 1.5)
    try stage.expect(stage.library.subtitleTextScale(player), is: 1.5, "the scale")
  },
  Rule(
    "4.thumbnail", "A thumbnail comes as an event of its media; of what has no picture it is empty.",
    evidence: .recorded("th4.txt")
  ) { stage in
    let (library, trace, instance) = (stage.library, stage.trace, try stage.instance())
    for (fixture, expected) in [("base.mp4", "a picture"), ("silence.wav", "none")] {
      let media = try stage.makeMedia(fixture)
      let sink = stage.keep(object: ThumbnailSink(library, trace))
      try stage.expect(sink.attach(media), "it is listened to")
      let mark = stage.mark
      let request = try stage.require(
        library.requestThumbnail(
          instance, media, milliseconds: 500, seek: .precise, width: 160, height: 0, crop: false,
          timeoutMilliseconds: 5_000), "request")
      try stage.wait(mark: expected, from: mark)
      library.destroyThumbnailRequest(request)
      sink.detach(media)
    }
  },
  Rule("4.thumbnail.destroyed", "After a request is destroyed nothing comes of it.", evidence: .documented) {
    stage in
    let (library, instance) = (stage.library, try stage.instance())
    let media = try stage.makeMedia("base.mp4")
    let sink = stage.keep(object: ThumbnailSink(library, stage.trace))
    try stage.expect(sink.attach(media), "it is listened to")
    let request = try stage.require(
      library.requestThumbnail(
        instance, media, position: 0.5, seek: .fast, width: 160, height: 90, crop: true,
        timeoutMilliseconds: 0),
      "request")
    library.destroyThumbnailRequest(request)
    let mark = stage.mark
    _ = try ended4(stage, "silence.wav", options: [":stop-time=0.2"])
    try stage.expect(stage.entries.dropFirst(mark).marks, is: [], "told")
    sink.detach(media)
  },

  // Parsing.

  Rule(
    "4.parse",
    "A parse tells duration, metadata and its end on a thread of its own; a second one is refused.",
    evidence: .recorded("parse.txt")
  ) { stage in
    let media = try stage.makeMedia("base.mp4", as: "media")
    try stage.expect(parse4(stage, media), is: true, "the answer")
    let end = try stage.wait(for: .mediaParsedChanged(.done), of: "media")
    if case .library = end.lane {} else { throw stage.violation("it came on \(end.lane)") }
    try stage.expect(end.threadName ?? "vlc-run-prepars", is: "vlc-run-prepars", "the thread")
    let told = stage.events(of: "media")
    if case .mediaDurationChanged = told.first {} else { throw stage.violation("the first is no duration") }
    try stage.expect(told.last, is: .mediaParsedChanged(.done), "the last")
    try stage.expect(parse4(stage, media), is: false, "the second answer")
  },
  Rule("4.parse.failed", "A parse of a missing file fails.", evidence: .recorded("parse.txt")) { stage in
    let media = try stage.keep(
      stage.library.newMedia(stage.instance(), path: stage.harness.media.missingPath), as: "media")
    try stage.expect(parse4(stage, media), is: true, "the answer")
    try stage.wait(for: .mediaParsedChanged(.failed), of: "media")
  },
  Rule(
    "4.parse.stop", "A parse that is stopped ends with a timeout, which the call does not wait for.",
    evidence: .recorded("parse.txt")
  ) { stage in
    let file = try stage.harness.media.makeStalledFile()
    let media = try stage.keep(stage.library.newMedia(stage.instance(), path: file.path), as: "media")
    try stage.expect(parse4(stage, media), is: true, "the answer")
    file.waitUntilOpened()
    let instance = try stage.instance()
    try stage.listen(.media(media), [.mediaParsedChanged]) { [trace = stage.trace] _ in
      trace.gate("returned")
      trace.append(.mark("left"))
    }
    let call = stage.call("parse_stop") { stage.library.stopParsing(instance, media) }
    let returned = stage.mark
    stage.note("returned")
    try stage.expect(call.onCaller.events(of: "media"), is: [], "on the caller")
    try stage.wait(for: .mediaParsedChanged(.timeout), of: "media")
    try stage.expect(stage.wait(mark: "left").number > returned, "the call does not wait")
    file.close()
  },
  Rule(
    "4.parse.release", "A media that is released while it is parsed is told its end: the request keeps it.",
    evidence: .recorded("parse.txt")
  ) { stage in
    let file = try stage.harness.media.makeStalledFile()
    let media = try stage.keep(stage.library.newMedia(stage.instance(), path: file.path), as: "media")
    try stage.expect(parse4(stage, media), is: true, "the answer")
    file.waitUntilOpened()
    stage.call("release") { stage.library.releaseMedia(media) }
    stage.forget(media)
    file.close()
    try stage.wait(for: .mediaParsedChanged(.done), of: "media")
  },
  Rule("4.parse.bytes", "A byte source is parsed: opened, read and closed.", evidence: .documented) { stage in
    let source = stage.keep(object: ByteSource(stage.trace, stage.harness.media.bytes("base.mp4")))
    let media = try stage.keep(source.makeMedia(stage), as: "media")
    try stage.expect(parse4(stage, media), is: true, "the answer")
    try stage.wait(for: .mediaParsedChanged(.done), of: "media")
    let marks = stage.entries.marks.filter { $0 != "read" && $0 != "seek" }
    try stage.expect(marks, is: ["open", "close"], "calls of the source")
  },

  // List players.

  Rule(
    "4.list.next", "next while an item plays switches to the next one, and the state stays Playing.",
    evidence: .recorded("mlp4.txt")
  ) { stage in
    let (listPlayer, items) = try list4(stage, ["tour.mkv", "tour.mkv"])
    stage.call("list play") { stage.library.play(listPlayer) }
    try stage.waitForTime()
    let call = stage.call("list next") { stage.library.playNext(listPlayer) }
    try stage.expect(call.result, is: true, "the answer")
    try stage.expect(call.onCaller.events(of: "list player"), is: [.listPlayerNextItemSet(items[1])], "told")
    let changed = try stage.wait(for: .mediaChanged(items[1]))
    try stage.waitForTime(from: changed.number)
    try stage.expect(stage.library.state(listPlayer), is: .playing, "the state")
    let last = stage.call("list next") { stage.library.playNext(listPlayer) }
    try stage.expect(last.result, is: false, "the answer at the end")
  },
  Rule(
    "4.list.advance",
    "At an item's Stopped the list goes on, on a thread of its own; at its own end it has played.",
    evidence: .documented
  ) { stage in
    let (listPlayer, items) = try list4(stage, ["silence.wav", "silence.wav"], options: [":stop-time=0.2"])
    stage.call("list play") { stage.library.play(listPlayer) }
    let advance = try stage.wait(for: .listPlayerNextItemSet(items[1]), of: "list player")
    let played = try stage.wait(for: .listPlayerPlayed, of: "list player")
    try stage.expect(played.lane, is: advance.lane, "the list player's thread")
    let ends = stage.entries.filter { $0.content == .event("player", .stopped) }
    try stage.expect(ends.count, is: 2, "ends")
    try stage.expect(ends[0].number < advance.number && ends[1].number < played.number, "after the ends")
    try stage.expect(stage.library.state(listPlayer), is: .stopped, "the state")
  },
  Rule(
    "4.list.stop",
    "A stop returns at once with an event of the list player's; the player's Stopped starts nothing.",
    evidence: .documented
  ) { stage in
    let (listPlayer, _) = try list4(stage, ["tour.mkv", "tour.mkv"])
    stage.call("list play") { stage.library.play(listPlayer) }
    try stage.waitForTime()
    let call = stage.call("list stop") { stage.library.stopAsynchronously(listPlayer) }
    try stage.expect(call.onCaller.events(of: "list player"), is: [.listPlayerStopped], "on the caller")
    let stopped = try stage.wait(for: .stopped)
    try ended4(stage, "silence.wav", options: [":stop-time=0.2"], as: "other")
    try stage.expect(stage.events(from: stopped.number + 1), is: [], "afterwards")
  },
]

private func parse4(_ stage: Stage, _ media: NativeMedia, timeoutMilliseconds: Int = 0) throws -> Bool {
  let instance = try stage.instance()
  return stage.call("parse") {
    stage.library.parseMedia(
      instance, media, options: .local, timeoutMilliseconds: timeoutMilliseconds)
  }.result
}

private func list4(
  _ stage: Stage, _ fixtures: [String], options: [String] = []
) throws -> (NativeListPlayer, [NativeMedia]) {
  let items = try fixtures.map { try stage.makeMedia($0, options: options) }
  return (try stage.makeListPlayer(try stage.makeList(of: items)), items)
}

extension NativeEvent {
  fileprivate var isSelection: Bool { if case .elementaryStreamSelected = self { true } else { false } }
}

/// Notes "a picture" or "none" for a thumbnail.
private final class ThumbnailSink: Sendable {
  private let library: any NativeLibrary
  private let trace: Trace

  init(_ library: any NativeLibrary, _ trace: Trace) {
    self.library = library
    self.trace = trace
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func attach(_ media: NativeMedia) -> Bool {
    library.attach(.media(media), .mediaThumbnailGenerated, Self.receive, context: context)
  }
  func detach(_ media: NativeMedia) {
    library.detach(.media(media), .mediaThumbnailGenerated, Self.receive, context: context)
  }

  private static let receive: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    let sink = Unmanaged<ThumbnailSink>.fromOpaque(context).takeUnretainedValue()
    let bytes = sink.library.thumbnailBytes(event)
    sink.trace.append(.mark(bytes?.isEmpty == false ? "a picture" : "none"))
  }
}
