/// A trace with one thing in it that did not happen.
public enum Mutation: CaseIterable, Sendable {
  /// Two events that came on one thread, one after the other, the other way round.
  case swapped
  case dropped
  case doubled
  /// On another thread that is in the trace.
  case elsewhere
  /// After the next return of a call that waited for it.
  case late

  /// A trace that is changed somehow, which follows from the seed; nil where nothing can be changed.
  public static func changed(_ trace: RecordedTrace, seed: UInt64) -> (
    mutation: Mutation, trace: RecordedTrace
  )? {
    let first = Int(seed % UInt64(allCases.count))
    for mutation in allCases[first...] + allCases[..<first] {
      if let changed = mutation.applied(to: trace, seed: seed) { return (mutation, changed) }
    }
    return nil
  }

  /// The changed trace; nil where the trace has nothing to change in this way.
  ///
  /// What the contract leaves open is not changed: an event at a rate of its own, or one whose place the schedule decides.
  public func applied(to trace: RecordedTrace, seed: UInt64) -> RecordedTrace? {
    let places = trace.lines.indices.filter { isPossible(at: $0, in: trace.lines) }
    guard !places.isEmpty else { return nil }
    let place = places[Int(seed % UInt64(places.count))]
    var changed = trace
    switch self {
    case .swapped:
      guard let next = Self.next(after: place, in: trace.lines) else { return nil }
      changed.lines.swapAt(place, next)
    case .dropped: changed.lines.remove(at: place)
    case .doubled: changed.lines.insert(trace.lines[place], at: place + 1)
    case .elsewhere:
      let others = Set(trace.lines.map(\.thread)).subtracting([trace.lines[place].thread]).sorted()
      guard !others.isEmpty else { return nil }
      changed.lines[place].thread = others[Int(seed / 7 % UInt64(others.count))]
    case .late:
      guard
        let end = trace.lines[place...].firstIndex(where: {
          $0.isReturn && $0.thread == trace.lines[place].thread
        })
      else { return nil }
      let line = changed.lines.remove(at: place)
      changed.lines.insert(line, at: end)
    }
    return changed
  }

  private static func isEvent(_ line: TraceLine) -> Bool { !line.isBegin && !line.isReturn && !line.isRun }

  private static func next(after place: Int, in lines: [TraceLine]) -> Int? {
    lines[(place + 1)...].firstIndex { $0.thread == lines[place].thread }
  }

  private func isPossible(at place: Int, in lines: [TraceLine]) -> Bool {
    guard Self.isEvent(lines[place]) else { return false }
    switch self {
    case .dropped, .doubled, .elsewhere: return true
    case .swapped:
      guard let next = Self.next(after: place, in: lines) else { return false }
      return Self.isEvent(lines[next]) && lines[next].text != lines[place].text
    case .late:
      // Told inside a call, on its own thread.
      let thread = lines[place].thread
      return lines[..<place].last { $0.thread == thread && ($0.isBegin || $0.isReturn) }?.isBegin == true
    }
  }
}
