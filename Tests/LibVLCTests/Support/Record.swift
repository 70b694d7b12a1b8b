#if LibVLC
import Foundation

/// What did not happen within the bound.
struct NeverHappened: Error, CustomStringConvertible {
  let what: String
  let seen: String
  var description: String { "\(what) did not happen within \(bound) seconds; seen so far: \(seen)" }
}

/// Far beyond anything that was measured: a wait that ends here is a hang, not a slow machine.
private let bound: TimeInterval = 20

/// An append-only list that threads of the library write and a test waits on.
final class Record<Entry: Sendable>: @unchecked Sendable {
  // Unchecked because of the variable below, which is touched under the condition's lock alone.
  private let condition = NSCondition()
  private var stored: [Entry] = []

  var entries: [Entry] { condition.withLock { stored } }
  var count: Int { condition.withLock { stored.count } }

  func append(_ entry: Entry) {
    condition.withLock {
      stored.append(entry)
      condition.broadcast()
    }
  }

  /// What `found` makes of all entries as soon as it is not nil; throws a sentence when it never is.
  @discardableResult
  func wait<Result>(until what: String, _ found: ([Entry]) -> Result?) throws -> Result {
    let deadline = Date(timeIntervalSinceNow: bound)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = found(stored) { return result }
      guard condition.wait(until: deadline) else {
        let seen = stored.suffix(30).map { "\($0)" }.joined(separator: ", ")
        throw NeverHappened(what: what, seen: seen.isEmpty ? "nothing" : seen)
      }
    }
  }

  /// The first entry from the one numbered `start` on that `matches` takes.
  @discardableResult
  func first(
    _ what: String, from start: Int = 0, where matches: (Entry) -> Bool = { _ in true }
  ) throws -> Entry {
    try wait(until: what) { $0.dropFirst(start).first(where: matches) }
  }
}

extension Record where Entry: Equatable {
  /// Waits for an entry from the one numbered `start` on.
  func wait(for entry: Entry, from start: Int = 0) throws {
    try first("\(entry)", from: start) { $0 == entry }
  }
}

/// Runs a body on a thread of its own, so that a call which may wait for ever turns into a failure.
func onOwnThread<Result: Sendable>(
  _ what: String, _ body: @escaping @Sendable () -> Result
) throws -> Result {
  let results = Record<Result>()
  Thread.detachNewThread { results.append(body()) }
  return try results.first(what)
}
#endif
