import Foundation
import Interleaving

/// What a checker or a probe knows. In a world one thing happens at a time, and a lock would be one more place to stop at.
final class CheckerState<Value>: @unchecked Sendable {
  // Unchecked: under the lock, or in a world, which orders everything.
  // Of the system, since sanitizers know that.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
    if World.current != nil { return body(&value) }
    return lock.withLock { body(&value) }
  }
}
