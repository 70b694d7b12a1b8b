public import Foundation

/// A finding's schedule in the trace event format that Perfetto and Chrome open: a thread a lane, a microsecond a step.
public struct PerfettoTrace {
  private let report: Report

  public init(_ report: Report) { self.report = report }

  private struct Event: Encodable {
    var name: String
    var ph: String
    var ts: Int = 0
    var dur: Int?
    var pid = 1
    var tid: Int
    var s: String?
    var args: [String: String]?
  }
  private struct Document: Encodable {
    let displayTimeUnit = "ms"
    let traceEvents: [Event]
  }

  public func json() throws -> Data {
    let lanes = report.finding?.lanes ?? []
    let rows = report.finding?.events ?? []
    var events = [
      Event(name: "process_name", ph: "M", tid: 0, args: ["name": report.body])
    ]
    for (lane, name) in lanes.enumerated() {
      events.append(Event(name: "thread_name", ph: "M", tid: lane + 1, args: ["name": name]))
    }
    // Places, not steps: several things may happen in one step, and one after the other is what is to be seen.
    for (place, row) in rows.enumerated() {
      let arguments = ["step": "\(row.step)", "time": "\(row.nanoseconds) ns"]
      guard let lane = row.lane else {
        events.append(Event(name: row.text, ph: "i", ts: place, tid: 0, s: "g", args: arguments))
        continue
      }
      // A wait lasts until its lane does something again.
      let next = row.action == "waits" ? rows[(place + 1)...].firstIndex { $0.lane == lane } : place + 1
      events.append(
        Event(
          name: row.text, ph: "X", ts: place, dur: max(1, (next ?? rows.count) - place), tid: lane + 1,
          args: arguments))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(Document(traceEvents: events))
  }
}
