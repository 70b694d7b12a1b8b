import VLCNative

/// What cannot be played: S7.
let failureRules: [Rule] = [
  Rule("S7.missing", "A missing file tells Opening, EncounteredError, Stopped, and the state is Ended.") {
    stage in
    try fail(stage, stage.library.newMedia(stage.instance(), path: stage.harness.media.missingPath))
  },
  Rule("S7.scheme", "An address without a service fails as a missing file does.") { stage in
    try fail(stage, stage.library.newMedia(stage.instance(), location: "nosuch://nowhere"))
  },
  Rule("S7.open", "A byte source that does not open fails as a missing file does.") { stage in
    let source = stage.keep(object: ByteSource(stage.trace, [], behaviour: .doesNotOpen))
    try fail(stage, source.makeMedia(stage))
  },
  Rule("S7.read", "A byte source that cannot be read fails as a missing file does.") { stage in
    let source = stage.keep(object: ByteSource(stage.trace, [], behaviour: .doesNotRead))
    try fail(stage, source.makeMedia(stage))
  },
  Rule("S7.empty", "An empty file fails as a missing file does.") { stage in
    try fail(
      stage, stage.library.newMedia(stage.instance(), path: stage.harness.media.path("broken/empty.mkv")))
  },
  Rule("S7.error", "The state is Error between EncounteredError and Stopped only.") { stage in
    let player = try stage.makePlayer()
    let (library, trace) = (stage.library, stage.trace)
    try stage.listen(.player(player), [.encounteredError]) { _ in
      if library.state(player) == .error { trace.append(.mark("is in error")) }
    }
    stage.setMedia(
      player, try stage.keep(library.newMedia(stage.instance(), path: stage.harness.media.missingPath)))
    stage.play(player)
    try stage.wait(for: .stopped)
    try stage.expect(stage.entries.contains(mark: "is in error"), "Error inside the callback")
    try stage.expect(library.state(player), is: .ended, "the state after Stopped")
  },
  Rule("S7.junk", "Random bytes named .mkv play to an end without a track.") { stage in
    let (player, _) = try stage.ended("broken/junk.mkv")
    try stage.expect(stage.events().states, is: [.opening, .playing, .endReached, .stopped], "the states")
    try stage.expect(stage.events().contains(.lengthChanged(0)), "a length of 0")
    let hasTrack = stage.events().contains { if case .elementaryStreamAdded = $0 { true } else { false } }
    try stage.expect(!hasTrack, "no track")
    try stage.expect(stage.library.state(player), is: .ended, "the state")
  },
  Rule("S7.neverFails", "A media is made of every path and address.") { stage in
    let instance = try stage.instance()
    for path in ["", "/nowhere", "no/slash"] {
      _ = try stage.keep(stage.library.newMedia(instance, path: path))
    }
    for location in ["nosuch://", "file:///nowhere"] {
      _ = try stage.keep(stage.library.newMedia(instance, location: location))
    }
  },
]

private func fail(_ stage: Stage, _ media: NativeMedia?) throws {
  let player = try stage.makePlayer()
  stage.library.clearErrorMessage()
  stage.setMedia(player, try stage.keep(media, as: "media"))
  try stage.expect(stage.play(player).result, is: true, "play's answer")
  let stopped = try stage.wait(for: .stopped)
  try stage.expect(stage.events().states, is: [.opening, .encounteredError, .stopped], "the states")
  try stage.expect(stage.events().bufferings, is: [0], "the bufferings")
  let error = try stage.wait(for: .encounteredError)
  try stage.expect(error.lane, is: stopped.lane, "both on the input thread")
  try stage.expect(stage.library.state(player), is: .ended, "the state")
  try stage.expect(stage.library.errorMessage(), is: nil, "the message")
}
