import VLCNative

/// Parsing: S12.
let parseRules: [Rule] = [
  Rule("S12.done", "A parse tells metadata, duration and its end, in this order, and none on the caller.") {
    stage in
    let media = try stage.makeMedia("base.mp4", as: "media")
    let call = try parse(stage, media)
    try stage.expect(call.result, "the answer")
    try stage.wait(for: .mediaParsedChanged(.done), of: "media")
    let told = stage.entries.filter { if case .event("media", _) = $0.content { true } else { false } }
    try stage.expect(!told.contains { $0.lane == .caller || $0.lane == .check }, "none on the caller")
    let events = told.events(of: "media")
    if case .mediaMetadataChanged = events.first {} else { throw stage.violation("the first is no metadata") }
    let duration = try stage.require(
      events.firstIndex { if case .mediaDurationChanged = $0 { true } else { false } }, "duration")
    let parsed = try stage.require(events.firstIndex(of: .mediaParsedChanged(.done)), "end")
    try stage.expect(duration < parsed, "the duration first")
    try stage.expect(stage.library.parsedStatus(media), is: .done, "the status")
  },
  Rule("S12.again", "A second parse is refused and tells nothing.") { stage in
    let media = try stage.makeMedia("base.mp4", as: "media")
    _ = try parse(stage, media)
    let mark = try stage.wait(for: .mediaParsedChanged(.done), of: "media").number + 1
    try stage.expect(parse(stage, media).result, is: false, "the answer")
    // The preparser is one after the other: what it would tell comes before the next media's.
    let next = try stage.makeMedia("base.mp4", as: "next")
    _ = try parse(stage, next)
    try stage.wait(for: .mediaParsedChanged(.done), of: "next")
    try stage.expect(stage.events(of: "media", from: mark), is: [], "told")
  },
  Rule("S12.failed", "The parse of a missing file fails.") { stage in
    let media = try stage.keep(
      stage.library.newMedia(stage.instance(), path: stage.harness.media.missingPath), as: "media")
    _ = try parse(stage, media)
    try stage.wait(for: .mediaParsedChanged(.failed), of: "media")
    try stage.expect(stage.library.parsedStatus(media), is: .failed, "the status")
  },
  Rule("S12.skipped", "What is not local is skipped, on the caller before the call returns.") { stage in
    let media = try stage.keep(
      stage.library.newMedia(stage.instance(), location: "http://127.0.0.1:1/a.mkv"), as: "media")
    let call = try parse(stage, media)
    try stage.expect(call.onCaller.events(of: "media"), is: [.mediaParsedChanged(.skipped)], "on the caller")
    try stage.expect(stage.library.parsedStatus(media), is: .skipped, "the status")
  },
  Rule("S12.bytes", "A byte source is skipped like what is not local.") { stage in
    let source = stage.keep(object: ByteSource(stage.trace, stage.harness.media.bytes("base.mp4")))
    let media = try stage.keep(source.makeMedia(stage), as: "media")
    let call = try parse(stage, media)
    try stage.expect(call.onCaller.events(of: "media"), is: [.mediaParsedChanged(.skipped)], "on the caller")
    try stage.expect(stage.entries.marks, is: [], "calls of the source")
  },
  Rule("S12.timeout", "A parse that takes longer than it may has a timeout.") { stage in
    let file = try stalled(stage)
    let media = try stage.keep(stage.library.newMedia(stage.instance(), path: file.path), as: "media")
    _ = try parse(stage, media, timeoutMilliseconds: 50)
    try stage.wait(for: .mediaParsedChanged(.timeout), of: "media")
    try stage.expect(stage.library.parsedStatus(media), is: .timeout, "the status")
    file.close()
  },
  Rule("S12.stopRunning", "A parse that runs is stopped with a timeout.") { stage in
    let (file, media) = try stalledParse(stage)
    let instance = try stage.instance()
    stage.call("parse_stop") { stage.library.stopParsing(instance, media) }
    // Before or after the call returns.
    let parsed = try stage.wait(for: .mediaParsedChanged(.timeout), of: "media")
    if case .library = parsed.lane {} else { throw stage.violation("it came on \(parsed.lane)") }
    try stage.expect(stage.library.parsedStatus(media), is: .timeout, "the status")
    file.close()
  },
  Rule(
    "S12.stopQueued", "A parse that waits its turn is stopped without an event, and its status stays none."
  ) { stage in
    let (file, first) = try stalledParse(stage)
    let instance = try stage.instance()
    let queued = try stage.makeMedia("base.mp4", as: "queued")
    let last = try stage.makeMedia("base.mp4", as: "last")
    try stage.expect(parse(stage, queued).result, is: true, "the answer")
    try stage.expect(parse(stage, last).result, is: true, "the answer")
    stage.call("parse_stop") { stage.library.stopParsing(instance, queued) }
    stage.call("parse_stop") { stage.library.stopParsing(instance, first) }
    // One after the other: the last is done when the queued one would have been.
    try stage.wait(for: .mediaParsedChanged(.done), of: "last")
    try stage.expect(stage.events(of: "queued"), is: [], "told")
    try stage.expect(stage.library.parsedStatus(queued), is: .none, "the status")
    file.close()
  },
  Rule("S12.serial", "One parse that does not end keeps all others waiting.") { stage in
    let (file, first) = try stalledParse(stage)
    let waiting = try stage.makeMedia("base.mp4", as: "waiting")
    _ = try parse(stage, waiting)
    let instance = try stage.instance()
    stage.note("stops")
    stage.call("parse_stop") { stage.library.stopParsing(instance, first) }
    let done = try stage.wait(for: .mediaParsedChanged(.done), of: "waiting")
    let events = stage.entries.filter { if case .event("waiting", _) = $0.content { true } else { false } }
    try stage.expect(
      events.allSatisfy { $0.number > (stage.entries.first(mark: "stops")?.number ?? 0) }, "not before")
    try stage.expect(done.lane != .caller, "on a library's thread")
    file.close()
  },
  Rule("S12.release", "A media that is being parsed can be released: its parse ends without an event.") {
    stage in
    let (file, media) = try stalledParse(stage)
    let call = stage.call("release") { stage.library.releaseMedia(media) }
    stage.forget(media)
    let next = try stage.makeMedia("base.mp4", as: "next")
    _ = try parse(stage, next)
    try stage.wait(for: .mediaParsedChanged(.done), of: "next")
    let told = stage.events(of: "media", from: call.begin)
    try stage.expect(
      !told.contains { if case .mediaParsedChanged = $0 { true } else { false } }, "no end told")
    file.close()
  },
]

private func parse(
  _ stage: Stage, _ media: NativeMedia, timeoutMilliseconds: Int = 60_000
) throws -> Call<Bool> {
  let instance = try stage.instance()
  return stage.call("parse") {
    stage.library.parseMedia(
      instance, media, options: .local, timeoutMilliseconds: timeoutMilliseconds)
  }
}

private func stalled(_ stage: Stage) throws -> any StalledFile { try stage.harness.media.makeStalledFile() }

/// A media, recorded as "media", whose parse runs and does not end.
private func stalledParse(_ stage: Stage) throws -> (any StalledFile, NativeMedia) {
  let file = try stalled(stage)
  let media = try stage.keep(stage.library.newMedia(stage.instance(), path: file.path), as: "media")
  try stage.expect(parse(stage, media, timeoutMilliseconds: 0).result, "the parse is taken")
  stage.spawn { [trace = stage.trace] in
    file.waitUntilOpened()
    trace.append(.mark("opened"))
  }
  try stage.wait(mark: "opened")
  return (file, media)
}
