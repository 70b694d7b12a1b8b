/// The names of what was found out about libVLC 3.0: each wants one rule at least.
public enum Contract {
  /// Threads and delivery of events.
  public static let delivery = ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R-stop"]
  /// Sequences of calls and events.
  public static let sequences = [
    "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "S12", "S13", "S14", "S15", "S16",
    "S17", "S18",
  ]
  /// The events in whose callbacks the calls of the matrix are made; the first is the contract's column.
  public static let columns = ["Opening", "Playing", "Time", "Vout", "EndReached", "Stopped"]
  /// The calls of the matrix, row by row.
  public static let calls = [
    "get_state", "is_playing", "get_media", "retain/release pair", "media_get_meta", "tracks_get", "attach",
    "detach", "volume", "equalizer", "new player", "new instance", "media_parse",
    "get_time", "track descriptions", "set_rate", "set_pause", "play", "snapshot",
    "set_time",
    "stop",
    "set_media",
    "player_release",
  ]
  /// Every cell of the matrix of calls inside callbacks.
  public static let matrix = calls.flatMap { call in columns.map { "matrix \(call)/\($0)" } }

  /// Everything that a rule has to be there for.
  public static let names = delivery + sequences + matrix

  /// The names that no rule is called after, with or without a part.
  public static func missing(from rules: [Rule] = Rule.all) -> [String] {
    let covered = Set(rules.map { String($0.name.prefix { $0 != "." }) })
    return names.filter { !covered.contains($0) }
  }

  // MARK: libVLC 4.0

  /// What of 1.2 and 5 the seam can express.
  public static let libVLC4 = [
    "4.new", "4.play", "4.threads", "4.end", "4.stop", "4.setMedia", "4.pause", "4.missing", "4.seek",
    "4.lock", "4.release",
    "4.watch", "4.tracks", "4.programs", "4.events", "4.absent", "4.abLoop", "4.record", "4.settings",
    "4.thumbnail", "4.parse", "4.list",
  ]
  /// The sequences that were recorded.
  public static let recordings = [
    "play_end", "stop_playing", "setmedia_playing", "missing", "stop_opening", "pause", "seek",
    "release_nostop",
    "calls_during_cb", "detach", "watch", "parse", "reent",
  ]
  /// The callbacks of 4.0's column of the matrix, each event for itself.
  public static let libVLC4Columns = [
    "Opening", "Playing", "TimeChanged", "Vout", "Stopping", "MediaStopping", "Stopped",
    "Stopping at the end",
  ]
  /// The calls of the matrix as 4.0 has them.
  public static let libVLC4Calls =
    calls.filter { !["track descriptions", "stop"].contains($0) } + ["get_tracklist", "stop_async"]

  /// The names of 4.0 that no rule is called after, with or without a part.
  public static func missingOfLibVLC4(from rules: [Rule] = Rule.libVLC4) -> [String] {
    let names = Set(rules.map(\.name))
    // The part of a rule is what follows its second dot.
    let subjects = Set(rules.map { $0.name.split(separator: ".").prefix(2).joined(separator: ".") })
    let cells = libVLC4Calls.flatMap { call in libVLC4Columns.map { "4.matrix \(call)/\($0)" } }
    return libVLC4.filter { !subjects.contains($0) }
      + recordings.map { "4.recording \($0)" }.filter { !names.contains($0) }
      + cells.filter { !names.contains($0) }
  }
}
