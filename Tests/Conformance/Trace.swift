import Foundation
public import VLCNative

/// One thing that happened during a check.
public struct Entry: Sendable, CustomStringConvertible {
  /// The kind of thread that it happened on.
  public enum Lane: Hashable, Sendable {
    /// A thread of the check inside a call of the library.
    case caller
    /// A thread of the check outside of one.
    case check
    /// A thread of the library's, numbered in the order of appearance.
    case library(Int)
  }

  public enum Content: Hashable, Sendable {
    /// An event, and the name of the recorder that received it.
    case event(String, NativeEvent)
    /// A call of the library that the check begins.
    case begins(String)
    /// A call of the library that came back.
    case returned(String)
    /// What the check or one of its callbacks notes.
    case mark(String)
    /// A dialog callback by its name.
    case dialog(String, NativeDialog)
  }

  public let number: Int
  public let lane: Lane
  let thread: UInt64
  /// The name that the library gave its thread, where it is known.
  public let threadName: String?
  public let content: Content

  public var description: String {
    let lane =
      switch self.lane {
      case .caller: "caller"
      case .check: "check"
      case .library(let number): "T\(number)"
      }
    let text =
      switch content {
      case .event(let source, let event): "\(source) \(event)"
      case .begins(let call): "> \(call)"
      case .returned(let call): "< \(call)"
      case .mark(let text): text
      case .dialog(let name, let dialog): "\(name) \(dialog)"
      }
    return "[\(lane)] \(text)"
  }
}

/// What happened, in one order, written by every thread of a check.
final class Trace: @unchecked Sendable {
  // Unchecked: the variables are touched under the condition's lock alone.
  private let condition = NSCondition()
  private let currentThread: @Sendable () -> UInt64
  private let threadName: @Sendable () -> String?
  private var stored: [Entry] = []
  private var depths: [UInt64: Int] = [:]
  private var checkThreads: Set<UInt64> = []
  private var numbers: [UInt64: Int] = [:]
  private var isClosing = false
  private var running = 0

  private let patience: TimeInterval

  init(
    _ currentThread: @escaping @Sendable () -> UInt64, _ threadName: @escaping @Sendable () -> String?,
    patience: TimeInterval
  ) {
    self.currentThread = currentThread
    self.threadName = threadName
    self.patience = patience
    checkThreads.insert(currentThread())
  }

  var entries: [Entry] { condition.withLock { stored } }

  func append(_ content: Entry.Content) {
    let thread = currentThread()
    condition.withLock { store(content, thread) }
  }

  private func store(_ content: Entry.Content, _ thread: UInt64) {
    let lane: Entry.Lane
    if depths[thread, default: 0] > 0 {
      lane = .caller
    } else if checkThreads.contains(thread) {
      lane = .check
    } else {
      if numbers[thread] == nil { numbers[thread] = numbers.count + 1 }
      lane = .library(numbers[thread] ?? 0)
    }
    let isLibrarys = if case .library = lane { true } else { false }
    stored.append(
      Entry(
        number: stored.count, lane: lane, thread: thread, threadName: isLibrarys ? threadName() : nil,
        content: content))
    condition.broadcast()
  }

  /// Runs a call of the library, during which what comes on this thread comes "on the caller".
  func call<Result>(_ name: String, _ body: () -> Result) -> Call<Result> {
    let thread = currentThread()
    let first = condition.withLock {
      store(.begins(name), thread)
      depths[thread, default: 0] += 1
      return stored.count
    }
    let result = body()
    return condition.withLock {
      depths[thread, default: 1] -= 1
      let entries = Array(stored[first...])
      store(.returned(name), thread)
      return Call(
        result: result, begin: first - 1, end: stored.count - 1, entries: entries,
        onCaller: entries.filter { $0.thread == thread })
    }
  }

  /// What `found` makes of the entries as soon as it is not nil; throws when it never is.
  @discardableResult
  func wait<Result>(until what: String, rule: String, _ found: ([Entry]) -> Result?) throws -> Result {
    let deadline = Date(timeIntervalSinceNow: patience)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = found(stored) { return result }
      guard condition.wait(until: deadline) else {
        throw Violation(rule: rule, message: "\(what) never happened; recorded: \(stored.summary)")
      }
    }
  }

  /// Holds a callback until the check notes `mark`, or ends.
  func gate(_ mark: String) {
    let deadline = Date(timeIntervalSinceNow: patience)
    condition.lock()
    defer { condition.unlock() }
    while !isClosing, !stored.contains(where: { $0.content == .mark(mark) }) {
      guard condition.wait(until: deadline) else { return }
    }
  }

  /// Opens every gate for good.
  func openGates() {
    condition.withLock {
      isClosing = true
      condition.broadcast()
    }
  }

  func threadWillStart() { condition.withLock { running += 1 } }

  func threadDidStart() {
    let thread = currentThread()
    condition.withLock { _ = checkThreads.insert(thread) }
  }

  func threadDidEnd() {
    let thread = currentThread()
    condition.withLock {
      // Its number may be given to a thread of the library's.
      checkThreads.remove(thread)
      running -= 1
      condition.broadcast()
    }
  }

  /// Returns when the threads of the check have ended.
  func join(rule: String) throws {
    try wait(until: "the end of the check's threads", rule: rule) { _ in running == 0 ? true : nil }
  }
}

/// A call of the library, and what was recorded while it ran.
struct Call<Result> {
  let result: Result
  /// The number of the entry that begins it, and of the one that ends it.
  let begin: Int
  let end: Int
  /// What happened on any thread.
  let entries: [Entry]
  /// What happened on the calling thread.
  let onCaller: [Entry]
}

extension Call: Sendable where Result: Sendable {}

extension Sequence<Entry> {
  /// What a failed check prints: without the many that say little.
  var summary: String {
    let told = filter { entry in
      if case .event(_, let event) = entry.content { !event.isTimed } else { true }
    }
    return told.isEmpty ? "nothing" : told.suffix(60).map { "\($0)" }.joined(separator: ", ")
  }

  /// The events that a recorder received.
  func events(of source: String = "player") -> [NativeEvent] {
    compactMap {
      if case .event(source, let event) = $0.content { event } else { nil }
    }
  }

  var marks: [String] {
    compactMap { if case .mark(let mark) = $0.content { mark } else { nil } }
  }

  func first(_ event: NativeEvent, of source: String = "player") -> Entry? {
    first { $0.content == .event(source, event) }
  }

  func first(mark: String) -> Entry? { first { $0.content == .mark(mark) } }

  func contains(mark: String) -> Bool { first(mark: mark) != nil }
}

extension Sequence<NativeEvent> {
  /// Without what comes at a rate of its own: times, positions, buffering.
  var untimed: [NativeEvent] { filter { !$0.isTimed } }

  /// The events of a player's state alone.
  var states: [NativeEvent] {
    filter {
      switch $0 {
      case .opening, .playing, .paused, .stopping, .mediaStopping, .stopped, .endReached, .encounteredError:
        true
      default: false
      }
    }
  }

  var times: [Int64] { compactMap { if case .timeChanged(let time) = $0 { time } else { nil } } }

  var bufferings: [Float] { compactMap { if case .buffering(let part) = $0 { part } else { nil } } }

  var mediaStates: [NativeState] {
    compactMap { if case .mediaStateChanged(let state) = $0 { state } else { nil } }
  }
}

extension NativeEvent {
  var isTimed: Bool {
    switch self {
    case .timeChanged, .positionChanged, .buffering: true
    default: false
    }
  }

  var isTime: Bool { if case .timeChanged = self { true } else { false } }
}
