import VLCNative

// Waiting and asserting.

extension Stage {
  var entries: [Entry] { trace.entries }
  /// The number of the next entry: what comes from here on is new.
  var mark: Int { trace.entries.count }

  /// What a recorder received, from an entry on.
  func events(of source: String = "player", from start: Int = 0) -> [NativeEvent] {
    entries.dropFirst(start).events(of: source)
  }

  func note(_ mark: String) { trace.append(.mark(mark)) }

  /// Waits for an event, from an entry on.
  @discardableResult
  func wait(for event: NativeEvent, of source: String = "player", from start: Int = 0) throws -> Entry {
    try wait(until: "\(source) \(event)") { $0.dropFirst(start).first(event, of: source) }
  }

  /// Waits for an event that a test takes.
  @discardableResult
  func wait(
    for what: String, of source: String = "player", from start: Int = 0,
    where matches: (NativeEvent) -> Bool
  ) throws -> Entry {
    try wait(until: "\(source) \(what)") { entries in
      entries.dropFirst(start).first { entry in
        if case .event(source, let event) = entry.content { matches(event) } else { false }
      }
    }
  }

  /// Waits for what the check or a callback notes.
  @discardableResult
  func wait(mark: String, from start: Int = 0) throws -> Entry {
    try wait(until: "\"\(mark)\"") { $0.dropFirst(start).first(mark: mark) }
  }

  @discardableResult
  func waitForTime(from start: Int = 0) throws -> Entry {
    try wait(for: "a time", from: start) { $0.isTime }
  }

  @discardableResult
  func wait<Result>(until what: String, _ found: ([Entry]) -> Result?) throws -> Result {
    try trace.wait(until: what, rule: rule, found)
  }

  func expect(_ condition: Bool, _ statement: String) throws {
    if !condition { throw violation("expected: \(statement)") }
  }

  func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
    if value != expected { throw violation("\(what): expected \(expected), got \(value)") }
  }

  func require<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw violation("there is no \(what)") }
    return value
  }

  func violation(_ message: String) -> Violation {
    Violation(rule: rule, message: "\(message); recorded: \(entries.summary)")
  }
}

// Calls that many checks make.

extension Stage {
  @discardableResult
  func call<Result>(_ name: String, _ body: () -> Result) -> Call<Result> { trace.call(name, body) }

  @discardableResult
  func setMedia(_ player: NativePlayer, _ media: NativeMedia?) -> Call<Void> {
    call("set_media") { library.setMedia(player, media) }
  }

  @discardableResult
  func play(_ player: NativePlayer) -> Call<Bool> { call("play") { library.play(player) } }

  @discardableResult
  func stop(_ player: NativePlayer) -> Call<Void> { call("stop") { library.stop(player) } }

  @discardableResult
  func setTime(_ player: NativePlayer, _ milliseconds: Int64) -> Call<Bool> {
    call("set_time") { library.setTime(player, milliseconds: milliseconds, fast: false) }
  }

  @discardableResult
  func setPause(_ player: NativePlayer, _ isPaused: Bool) -> Call<Void> {
    call("set_pause") { library.setPause(player, isPaused) }
  }

  /// Plays a media to its Playing event.
  func start(_ player: NativePlayer, _ media: NativeMedia) throws {
    setMedia(player, media)
    let mark = self.mark
    try expect(play(player).result, "play answers true")
    try wait(for: .playing, from: mark)
  }

  /// A new player that plays a fixture, recorded as "player" and "media".
  func playing(_ fixture: String, options: [String] = []) throws -> (NativePlayer, NativeMedia) {
    let player = try makePlayer()
    let media = try makeMedia(fixture, options: options, as: "media")
    try start(player, media)
    return (player, media)
  }

  /// A new player that played a fixture to its natural end.
  func ended(_ fixture: String, options: [String] = []) throws -> (NativePlayer, NativeMedia) {
    let (player, media) = try playing(fixture, options: options)
    try wait(for: .stopped)
    return (player, media)
  }

  /// Runs a call that may never return: the harness is told before and after it.
  func callAtRisk(_ name: String, _ body: () -> Void) {
    harness.announce("calls")
    call(name, body)
    harness.announce("returned")
  }
}
