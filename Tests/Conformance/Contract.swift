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
}
