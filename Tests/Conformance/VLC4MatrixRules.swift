import VLCNative

/// Which calls may be made inside which callbacks of libVLC 4.0: the last column of the matrix of the contract, event by event.
let vlc4MatrixRules: [Rule] = VLC4Call.all.flatMap { call in
  VLC4Column.allCases.map { column in
    let expectation = call.expectation(column)
    return Rule(
      "4.matrix \(call.name)/\(column.rawValue)", call.statement(in: column), expectation,
      evidence: call.isRecorded && column.isRecorded ? .recorded("reent.txt") : .documented
    ) { stage in try check(stage, call, in: column) }
  }
}

/// The callback in which a call is made.
enum VLC4Column: String, CaseIterable {
  case opening = "Opening"
  case playing = "Playing"
  case time = "TimeChanged"
  case output = "Vout"
  /// Told by a stop, on the player's own thread, as the next two are.
  case stopping = "Stopping"
  case reason = "MediaStopping"
  case stopped = "Stopped"
  /// Told by the input.
  case end = "Stopping at the end"

  var kind: NativeEventKind {
    switch self {
    case .opening: .opening
    case .playing: .playing
    case .time: .timeChanged
    case .output: .videoOutputs
    case .stopping, .end: .stopping
    case .reason: .mediaStopping
    case .stopped: .stopped
    }
  }

  var isRecorded: Bool { self != .output && self != .end }
  /// Whether the player's own thread tells it.
  var isOwn: Bool { [.stopping, .reason, .stopped].contains(self) }
}

struct VLC4Call: Sendable {
  let name: String
  let isRecorded: Bool
  let body: @Sendable (Place) -> Void

  /// Only a release waits for the threads that tell (5 of the contract).
  func expectation(_ column: VLC4Column) -> Rule.Expectation {
    guard name == "player_release" else { return .holds }
    return column.isOwn ? .aborts : .deadlocks
  }

  func statement(in column: VLC4Column) -> String {
    switch expectation(column) {
    case .holds: "\(name) returns inside a callback of \(column.rawValue)."
    case .deadlocks: "\(name) never returns inside a callback of \(column.rawValue)."
    case .aborts, .undefined: "\(name) ends the process inside a callback of \(column.rawValue)."
    }
  }

  /// Those of 3.0 that are made the same way.
  private static let shared = [
    "get_state", "is_playing", "get_media", "retain/release pair", "media_get_meta", "tracks_get", "attach",
    "detach", "volume", "equalizer", "new player", "new instance", "media_parse", "get_time", "set_rate",
    "set_pause", "play", "snapshot", "set_time", "set_media", "player_release",
  ]
  private static let recorded: Set = [
    "get_time", "set_time", "set_pause", "stop_async", "set_media", "play", "player_release", "get_tracklist",
    "detach", "new player",
  ]

  static let all: [VLC4Call] =
    InnerCall.all.filter { shared.contains($0.name) }.map { call in
      VLC4Call(name: call.name, isRecorded: recorded.contains(call.name), body: call.body)
    } + [
      VLC4Call(name: "get_tracklist", isRecorded: true) { _ = $0.library.tracks($0.player, .audio) },
      VLC4Call(name: "stop_async", isRecorded: true) { _ = $0.library.stopAsynchronously($0.player) },
    ]
}

/// Plays to the callback of a column, and makes the call inside of the first.
private func check(_ stage: Stage, _ call: VLC4Call, in column: VLC4Column) throws {
  let player = try stage.makePlayer()
  let media =
    column == .end
    ? try stage.makeMedia("silence.wav", options: [":stop-time=0.2"]) : try stage.makeMedia("h264_aac.mkv")
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
    stage.callAtRisk(call.name) { call.body(place) }
    stage.note("came back")
  }
  stage.setMedia(player, media)
  try stage.expect(stage.play(player).result, "it plays")
  if column.isOwn {
    try stage.waitForTime()
    stage.stopAsynchronously(player)
  }
  try stage.wait(mark: "inside")
  try stage.wait(mark: "came back")
  withExtendedLifetime(inside) {}
  settle(call.name, place)
}
