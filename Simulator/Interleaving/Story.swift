/// What the body itself said in a trace (`World.say`, `World.mark`, what it was found to do wrong), a line each, with the passing of
/// time between: an execution as its author tells it.
public struct Story: CustomStringConvertible {
  private let trace: Trace
  private let mostLines: Int

  /// - Parameter mostLines: of which the last are kept, since the end is where it is found.
  public init(_ trace: Trace, mostLines: Int = 60) {
    self.trace = trace
    self.mostLines = mostLines
  }

  /// Whether anything was said.
  public var isEmpty: Bool { !trace.events.contains { $0.action == .notes } }

  public var description: String {
    var lines: [String] = []
    var time: String?
    var marks: Set<String> = []
    for event in trace.events {
      guard let lane = event.lane else {
        time = event.text
        continue
      }
      guard event.action == .notes || event.action == .finds else { continue }
      // A window that is passed often is told once.
      if event.text.hasPrefix("mark "), !marks.insert(event.text).inserted { continue }
      if let passed = time { lines.append("        \(passed)") }
      time = nil
      let step = "\(event.step)"
      lines.append(
        String(repeating: " ", count: max(0, 6 - step.count)) + step
          + "  \(trace.lanes[lane].name): \(event.text)")
    }
    let left = lines.count - mostLines
    return (left > 0 ? ["        … \(left) lines before"] : []).joined()
      + (left > 0 ? "\n" : "") + lines.suffix(mostLines).joined(separator: "\n")
  }
}
