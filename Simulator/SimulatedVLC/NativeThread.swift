import Foundation
import Interleaving

/// A thread of the library's own: one of the world's inside a world, else one of the system's.
enum NativeThread {
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    if let world = World.current {
      world.spawn(name, body)
    } else {
      let thread = Thread(block: body)
      thread.name = name
      thread.start()
    }
  }
}

/// State that threads wait for changes of.
final class Monitor<State>: @unchecked Sendable {
  private let condition = NSCondition()
  private var state: State

  init(_ state: State) { self.state = state }

  /// Reads or changes the state, and wakes everybody who waits.
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    let result = body(&state)
    condition.broadcast()
    return result
  }

  /// Reads the state, or changes what nobody waits for.
  func read<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }

  /// Waits until the body has a result.
  func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&state) { return result }
      condition.wait()
    }
  }

  /// Waits until the body has a result, or for a time; nil then.
  func wait<Result>(for duration: Duration, _ body: (inout State) -> Result?) -> Result? {
    let (seconds, attoseconds) = duration.components
    let deadline = Date(timeIntervalSinceNow: Double(seconds) + Double(attoseconds) * 1e-18)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&state) { return result }
      guard condition.wait(until: deadline) else { return body(&state) }
    }
  }
}
