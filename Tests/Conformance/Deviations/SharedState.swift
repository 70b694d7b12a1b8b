import Foundation
import VLCNative

/// Something to do once, on whichever thread.
struct Work: @unchecked Sendable {
  // Unchecked: it captures what a caller gave to a call, and who does it is the only one.
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

/// What a listener's callback is given, good during the call.
struct Handed {
  var event: NativeEvent
  /// Of a thumbnail.
  var picture: [UInt8]?

  /// Another of its kind, where the kind has several.
  var garbled: Handed {
    let isThumbnail = if case .mediaThumbnailGenerated = event { true } else { false }
    return Handed(event: event.garbled, picture: isThumbnail && picture == nil ? [1] : nil)
  }
}

/// An event that a listener is, or was, told.
struct Told {
  let relay: Relay
  let event: Handed
}

/// What a deviating library's threads share.
final class Shared: @unchecked Sendable {
  // Unchecked: the state is touched under the condition's lock alone.
  struct State {
    var numbers: [Deviation.Call: Int] = [:]
    /// How often events of each came.
    var kinds: [NativeEventKind: Int] = [:]
    /// How many calls and how many callbacks run.
    var running = 0
    var callbacks = 0
    /// The callbacks that run, by thread.
    var depths: [UInt64: Int] = [:]
    /// Those that are attached, in their order; a detached one is kept for what may still reach it.
    var relays: [Relay] = []
    var detached: [Relay] = []
    var lagging: [UInt64: [Told]] = [:]
    var echoes: [Told] = []
    /// The thread whose call waits for an event, the event, and whether it was told.
    var expecting: UInt64?
    var drawn: Told?
    var isDrawn = false
    var recurring: Work?
    /// Where the last parse was asked for.
    var parsing: NativeInstance?
    /// Of the one thread.
    var queue: [Work] = []
    var hasThread = false
    var pictures: [NativePlayer: Pictures] = [:]
    var keptPictures: [Pictures] = []
    var lines: [Lines] = []
    var sources: [Source] = []
  }
  private let condition = NSCondition()
  private var state = State()

  func change<Result>(_ body: (inout State) -> Result) -> Result {
    condition.withLock {
      defer { condition.broadcast() }
      return body(&state)
    }
  }

  @discardableResult
  func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    condition.withLock {
      while true {
        if let result = body(&state) { return result }
        condition.wait()
      }
    }
  }
}

/// Set once, and waited for.
final class Done: @unchecked Sendable {
  // Unchecked: the flag is touched under the condition's lock alone.
  private let condition = NSCondition()
  private var isSet = false

  func set() {
    condition.withLock {
      isSet = true
      condition.broadcast()
    }
  }

  func wait() {
    condition.withLock {
      while !isSet { condition.wait() }
    }
  }
}
