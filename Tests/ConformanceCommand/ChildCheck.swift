import Conformance
import Foundation

/// What became of a rule on a library.
enum Outcome: Equatable, Sendable, CustomStringConvertible {
  case holds, deadlocks, aborts
  case violated(String)
  case notRun
  /// The library says that the call is its caller's error.
  case reported
  case missing

  var description: String {
    switch self {
    case .holds: "holds"
    case .deadlocks: "deadlocks"
    case .aborts: "aborts"
    case .violated(let message): "VIOLATED: \(message)"
    case .notRun: "not run"
    case .reported: "reported"
    case .missing: "missing"
    }
  }

  /// Whether this is what the rule expects.
  func meets(_ expectation: Rule.Expectation, on library: Libraries.Name) -> Bool {
    switch expectation {
    case .holds: self == .holds
    case .deadlocks: self == .deadlocks
    case .aborts: self == .aborts
    case .undefined: self == (library == .real ? .notRun : .reported)
    }
  }
}

/// The check of one rule in a process of its own, which may hang or be ended.
enum ChildCheck {
  /// How long a call may take before it counts as one that never returns: the contract's own definition.
  private static let patience: TimeInterval = 2.5
  /// How long everything else may take.
  private static let bound: TimeInterval = 45

  /// Runs `conformance check NAME` of the command at a path.
  static func run(_ rule: Rule, command: String, on library: Libraries.Name = .real) -> Outcome {
    if rule.expectation == .undefined, library == .real { return .notRun }
    let arguments = library == .real ? ["check", rule.name] : ["check", "--simulated", rule.name]
    guard let child = Child(command, arguments) else { return .violated("no process") }
    var text = ""
    var deadline = Date(timeIntervalSinceNow: bound)
    var calls = false
    while let piece = child.read(until: deadline) {
      text += piece
      let lines = text.split(separator: "\n")
      if !calls, lines.contains("calls") {
        calls = true
        // A process that is being ended may take its time, above all on a busy machine.
        let isEnding = rule.expectation == .aborts
        deadline = Date(timeIntervalSinceNow: isEnding ? bound : patience)
      }
      if calls, lines.contains("returned") { deadline = Date(timeIntervalSinceNow: bound) }
    }
    let wasLate = Date() >= deadline
    let status = child.end()
    let lines = text.split(separator: "\n").map(String.init)
    if wasLate {
      let isInCall = lines.contains("calls") && !lines.contains("returned")
      return isInCall ? .deadlocks : .violated("it hung outside of its call")
    }
    switch status {
    case 0: return .holds
    case 128 + SIGABRT: return rule.expectation == .undefined ? .reported : .aborts
    default:
      let message = lines.first { $0.hasPrefix("violated: ") }?.dropFirst("violated: ".count)
      return .violated(message.map(String.init) ?? "the process ended with \(status)")
    }
  }
}

/// A process whose output is read with a deadline.
private struct Child {
  private let identifier: pid_t
  private let output: Int32

  init?(_ path: String, _ arguments: [String]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // Another child must not keep them open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var vector = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for text in vector { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, nil, &vector, environ)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      return nil
    }
    identifier = child
    output = ends[0]
  }

  /// Nil at the end of the output, and when the deadline passed.
  func read(until deadline: Date) -> String? {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(max(0, deadline.timeIntervalSinceNow * 1_000).rounded(.up))
    guard poll(&descriptor, 1, milliseconds) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(output, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }

  /// Ends the process, and answers its exit status, or 128 and the signal that ended it.
  func end() -> Int32 {
    var raw: Int32 = 0
    // One whose output ended is ending by itself; what hangs is killed.
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let isEnding = poll(&descriptor, 1, 0) > 0
    if !isEnding { kill(identifier, SIGKILL) }
    while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
    close(output)
    let signal = raw & 0x7F
    return signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
  }
}
