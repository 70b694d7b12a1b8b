import VLCNative

/// Which calls may be made inside which callbacks: the matrix of the contract, cell by cell.
let matrixRules: [Rule] = InnerCall.all.flatMap { call in
  Column.allCases.map { column in
    Rule(
      "matrix \(call.name)/\(column.rawValue)", call.statement(in: column), call.expectation(column)
    ) { stage in try check(stage, call, in: column) }
  }
}

/// The callback in which a call is made.
private enum Column: String, CaseIterable {
  case opening = "Opening"
  case playing = "Playing"
  case time = "Time"
  case output = "Vout"
  case end = "EndReached"
  /// Told by a stop, on its caller.
  case stopped = "Stopped"

  var kind: NativeEventKind {
    switch self {
    case .opening: .opening
    case .playing: .playing
    case .time: .timeChanged
    case .output: .videoOutputs
    case .end: .endReached
    case .stopped: .stopped
    }
  }
}

/// What a call inside a callback is made on.
struct Place: Sendable {
  let stage: Stage
  let library: any NativeLibrary
  let instance: NativeInstance
  let player: NativePlayer
  let media: NativeMedia
  let other: NativeMedia
  /// A listener that is attached, and one that is not.
  let attached: Listener
  let detached: Listener
}

/// A call that is made inside a callback.
struct InnerCall: Sendable {
  let name: String
  /// Where it does not return.
  fileprivate let deadlocks: Set<Column>
  /// Where it is an error that the library does not notice.
  fileprivate let undefined: Set<Column>
  let body: @Sendable (Place) -> Void

  fileprivate init(
    _ name: String, deadlocks: Set<Column> = [], undefined: Set<Column> = [],
    _ body: @escaping @Sendable (Place) -> Void
  ) {
    self.name = name
    self.deadlocks = deadlocks
    self.undefined = undefined
    self.body = body
  }

  fileprivate func expectation(_ column: Column) -> Rule.Expectation {
    if undefined.contains(column) { return .undefined }
    return deadlocks.contains(column) ? .deadlocks : .holds
  }

  fileprivate func statement(in column: Column) -> String {
    switch expectation(column) {
    case .holds: "\(name) returns inside a callback of \(column.rawValue)."
    case .deadlocks: "\(name) never returns inside a callback of \(column.rawValue)."
    case .aborts: "\(name) ends the process inside a callback of \(column.rawValue)."
    case .undefined: "\(name) inside a callback of \(column.rawValue) frees what the library still uses."
    }
  }

  private static let everywhere = Set(Column.allCases)

  static let all: [InnerCall] = [
    InnerCall("get_state") { _ = $0.library.state($0.player) },
    InnerCall("is_playing") { _ = $0.library.isPlaying($0.player) },
    InnerCall("get_media") { place in
      place.library.retainedMedia(of: place.player).map(place.library.releaseMedia)
    },
    InnerCall("retain/release pair") { place in
      place.library.retainPlayer(place.player)
      place.library.releasePlayer(place.player)
    },
    InnerCall("media_get_meta") { _ = $0.library.metadata($0.media, .title) },
    InnerCall("tracks_get") { _ = $0.library.mediaTracks($0.media) },
    InnerCall("attach") { $0.detached.attachAll() },
    InnerCall("detach") { $0.attached.detachAll() },
    InnerCall("volume") { place in
      _ = place.library.setVolume(place.player, percent: 50)
      _ = place.library.volume(place.player)
    },
    InnerCall("equalizer") { place in
      guard let equalizer = place.library.newEqualizer(preset: 0) else { return }
      _ = place.library.setEqualizer(place.player, equalizer)
      place.library.releaseEqualizer(equalizer)
    },
    InnerCall("new player") { place in
      place.library.newPlayer(place.instance).map(place.library.releasePlayer)
    },
    InnerCall("new instance") { place in
      place.library.newInstance(arguments: place.stage.arguments).map(place.library.releaseInstance)
    },
    InnerCall("media_parse") { place in
      _ = place.library.parseMedia(
        place.instance, place.other, options: .local, timeoutMilliseconds: 10_000)
    },

    InnerCall("get_time", deadlocks: [.stopped]) { _ = $0.library.time($0.player) },
    InnerCall("track descriptions", deadlocks: [.stopped]) {
      _ = $0.library.trackDescriptions($0.player, .audio)
    },
    InnerCall("set_rate", deadlocks: [.stopped]) { _ = $0.library.setRate($0.player, 1.5) },
    InnerCall("set_pause", deadlocks: [.stopped]) { $0.library.setPause($0.player, true) },
    InnerCall("play", deadlocks: [.stopped]) { _ = $0.library.play($0.player) },
    InnerCall("snapshot", deadlocks: [.stopped]) { place in
      _ = place.library.takeSnapshot(
        place.player, output: 0, path: place.stage.harness.media.outputPath("inside.png"), width: 0, height: 0
      )
    },

    InnerCall("set_time", deadlocks: everywhere.subtracting([.opening])) {
      _ = $0.library.setTime($0.player, milliseconds: 500, fast: false)
    },
    InnerCall("stop", deadlocks: everywhere) { $0.library.stop($0.player) },
    InnerCall("set_media", deadlocks: everywhere) { $0.library.setMedia($0.player, $0.other) },
    InnerCall("player_release", deadlocks: everywhere.subtracting([.stopped]), undefined: [.stopped]) {
      $0.library.releasePlayer($0.player)
    },
  ]
}

/// Plays to the callback of a column, and makes the call inside of the first.
private func check(_ stage: Stage, _ call: InnerCall, in column: Column) throws {
  let player = try stage.makePlayer()
  // An end before the end of the file comes sooner; an output wants pictures.
  let media =
    column == .end
    ? try stage.makeMedia("silence.wav", options: [":stop-time=0.2"])
    : try stage.makeMedia("h264_aac.mkv")
  let place = Place(
    stage: stage, library: stage.library, instance: try stage.instance(), player: player, media: media,
    other: try stage.makeMedia("base.mp4"),
    attached: stage.makeListener(.player(player), [.corked]) { _ in },
    detached: stage.makeListener(.player(player), [.corked]) { _ in })
  place.attached.attachAll()
  let isFirst = stage.keep(object: Once())
  let inside = try stage.listen(.player(player), [column.kind]) { _ in
    guard isFirst.take() else { return }
    stage.note("inside")
    // Until play has returned the player does not know its input: a release would join nothing, and free what play uses.
    if call.name == "player_release", column == .opening { stage.trace.gate("plays") }
    stage.callAtRisk(call.name) { call.body(place) }
    stage.note("came back")
  }
  stage.setMedia(player, media)
  try stage.expect(stage.play(player).result, "it plays")
  stage.note("plays")
  if column == .stopped {
    try stage.wait(for: .playing)
    // On a thread of its own: what deadlocks deadlocks the stop.
    stage.spawn { stage.stop(player) }
  }
  try stage.wait(mark: "inside")
  // Not bounded as the other waits are: who looks for deadlocks decides when it is one.
  try stage.wait(mark: "came back")
  withExtendedLifetime(inside) {}
  settle(call.name, place)
}

/// Gives back what a call inside a callback left.
func settle(_ call: String, _ place: Place) {
  switch call {
  case "attach":
    place.detached.detachAll()
    place.attached.detachAll()
  case "detach": break
  default: place.attached.detachAll()
  }
}
