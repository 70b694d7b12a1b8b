/// A trace as text: one column a lane, time downwards.
public struct Lanes: CustomStringConvertible {
  private let trace: Trace
  private let width: Int
  private let mostRows: Int

  /// - Parameters:
  ///   - width: of the whole, in characters, from 40.
  ///   - mostRows: how many rows at most; what a lane does in a row without another between is cut first.
  public init(_ trace: Trace, width: Int = 100, mostRows: Int = 48) {
    self.trace = trace
    self.width = max(40, width)
    self.mostRows = max(8, mostRows)
  }

  public var description: String {
    guard !trace.lanes.isEmpty else { return "nothing happened" }
    let column = max(10, min(32, (width - 6) / trace.lanes.count - 3))
    var lines = [row("step", trace.lanes.map { $0.name }, column)]
    lines.append(String(repeating: "─", count: min(width, 6 + (column + 3) * trace.lanes.count)))
    for row in rows() {
      switch row {
      case .event(let event):
        guard let lane = event.lane else {
          lines.append(Self.padded("\(event.step)", 5) + " ~ " + event.text)
          continue
        }
        var cells = trace.lanes.map { _ in "" }
        // What was chosen has a reason to be there.
        cells[lane] = (event.isPreemption ? "▶ " : "") + event.text
        lines.append(self.row("\(event.step)", cells, column))
      case .left(let count, let lane):
        var cells = trace.lanes.map { _ in "" }
        if let lane { cells[lane] = "… \(count) more" }
        lines.append(self.row("", cells, column))
      }
    }
    return lines.joined(separator: "\n")
  }

  private enum Row {
    case event(Trace.Event)
    case left(Int, lane: Int?)
  }

  /// Keeps the beginning and the end of what each lane does in a row, as much as there is room for.
  private func rows() -> [Row] {
    var kept = 8
    while true {
      let rows = rows(keeping: kept)
      if rows.count <= mostRows || kept == 1 {
        guard rows.count > mostRows else { return rows }
        // The end is where it is found.
        let tail = rows.suffix(mostRows - 1)
        return [.left(rows.count - tail.count, lane: 0)] + tail
      }
      kept -= 1
    }
  }

  private func rows(keeping kept: Int) -> [Row] {
    var rows: [Row] = []
    var start = 0
    while start < trace.events.count {
      var end = start + 1
      while end < trace.events.count, trace.events[end].lane == trace.events[start].lane { end += 1 }
      let stretch = trace.events[start..<end]
      if stretch.count <= 2 * kept {
        rows += stretch.map { .event($0) }
      } else {
        rows += stretch.prefix(kept).map { .event($0) }
        rows.append(.left(stretch.count - 2 * kept, lane: trace.events[start].lane))
        rows += stretch.suffix(kept).map { .event($0) }
      }
      start = end
    }
    return rows
  }

  private func row(_ step: String, _ cells: [String], _ column: Int) -> String {
    var line = Self.padded(step, 5)
    for cell in cells { line += " │ " + Self.padded(cell, column) }
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text.count > width
      ? String(text.prefix(width - 1)) + "…" : text + String(repeating: " ", count: width - text.count)
  }
}
