/// One thing that happened: a call that begins or returns, or an event, and the thread that it happened on.
public struct TraceLine: Hashable, Sendable, CustomStringConvertible {
  /// Numbered in the order of appearance; the first is the driver's own.
  public var thread: Int
  /// "> stop" for a call, "< true" for its return, else what a listener was told: "player opening".
  public var text: String
  /// When a call began, in milliseconds; a hint for whoever makes it again.
  var moment: Int?

  public init(thread: Int, text: String) {
    self.thread = thread
    self.text = text
  }

  public static func == (one: TraceLine, other: TraceLine) -> Bool {
    one.thread == other.thread && one.text == other.text
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(thread)
    hasher.combine(text)
  }

  var isBegin: Bool { text.hasPrefix(">") }
  var isReturn: Bool { text.hasPrefix("<") }

  /// What comes in a number and at a rate of its own stands once for a whole run of it.
  var isRun: Bool { text == "player times" || text == "player fills" }

  public var description: String { "\(thread)\(moment.map { "@\($0)" } ?? "") \(text)" }
}

/// What was seen of one player, in one order, and with which media.
public struct RecordedTrace: Hashable, Sendable, CustomStringConvertible {
  /// The names of the fixtures; each is one media.
  public var media: [String]
  public var lines: [TraceLine]

  public init(media: [String], lines: [TraceLine]) {
    self.media = media
    self.lines = lines
  }

  /// A header, and a line each.
  public var description: String {
    (["media " + media.joined(separator: " ")] + lines.map(\.description)).joined(separator: "\n") + "\n"
  }

  /// Reads what `description` writes; nil for anything else.
  public init?(_ text: String) {
    let rows = text.split(separator: "\n")
    guard let header = rows.first, header.hasPrefix("media ") else { return nil }
    media = header.split(separator: " ").dropFirst().map(String.init)
    lines = []
    for row in rows.dropFirst() {
      let parts = row.split(separator: " ", maxSplits: 1)
      let place = parts[0].split(separator: "@")
      guard parts.count == 2, let thread = place.first.flatMap({ Int($0) }) else { return nil }
      var line = TraceLine(thread: thread, text: String(parts[1]))
      if place.count == 2 { line.moment = Int(place[1]) }
      lines.append(line)
    }
  }

  /// Several, with an empty line between two.
  public static func several(in text: String) -> [RecordedTrace] {
    var parts: [[Substring]] = [[]]
    for row in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if row.isEmpty { parts.append([]) } else { parts[parts.count - 1].append(row) }
    }
    return parts.compactMap { $0.isEmpty ? nil : RecordedTrace($0.joined(separator: "\n")) }
  }

  /// The calls of each thread that makes any, in their order, and when they were made.
  var calls: [Int: [(call: TraceCall, moment: Int)]] {
    var calls: [Int: [(TraceCall, Int)]] = [:]
    for line in lines where line.isBegin {
      guard let call = TraceCall(line.text.dropFirst(2)) else { continue }
      calls[line.thread, default: []].append((call, line.moment ?? 0))
    }
    return calls
  }
}

/// Leaves out of a run all but its first line, on each thread.
struct RunFilter {
  private var last: [Int: String] = [:]

  mutating func keeps(_ line: TraceLine) -> Bool {
    defer { last[line.thread] = line.text }
    return !line.isRun || last[line.thread] != line.text
  }
}
