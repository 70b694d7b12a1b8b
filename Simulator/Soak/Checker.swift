public import Interleaving

/// Who says that something is wrong.
public enum Checker: String, Sendable, CaseIterable {
  case ledger
  case preconditions
  case mainActor = "main-actor"
  case streams
  case generations
  case outcomes
  case commands
  case settling
  case memory

  /// What it holds the engine to.
  public var summary: String {
    switch self {
    case .ledger: "native objects and contexts: no use after release, none released twice, none left"
    case .preconditions: "what libVLC demands of its callers, and the engine's own preconditions"
    case .mainActor: "the main actor never waits for the native side, nor the native side for it"
    case .streams: "streams: complete, in order, in their lane, and ended"
    case .generations: "nothing of a session or player that is gone reaches its successor"
    case .outcomes: "each session that was started has one outcome, with the right cause and its last time"
    case .commands: "what was asked for and what libVLC does agree once all is quiet; parses tell the truth"
    case .settling: "when faults stop, everything that is pending comes to its end"
    case .memory: "buffers keep their limits, and nothing of a host's outlives it"
    }
  }
}

/// Something that does not hold.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  public let checker: Checker
  public let message: String

  public init(_ checker: Checker, _ message: String) {
    self.checker = checker
    self.message = message
  }

  public var description: String { "\(checker.rawValue): \(message)" }

  /// Whose finding it is that a world made.
  public init(_ finding: Finding) {
    self.init(Self.checker(of: finding), finding.message)
  }

  private static func checker(of finding: Finding) -> Checker {
    switch finding.kind {
    case .failure:
      let name = finding.message.prefix { $0 != ":" }
      if let checker = Checker(rawValue: String(name)) { return checker }
      guard finding.message.hasPrefix("misuse") else { return .commands }
      let isOfLife = ["which is released", "too many", "at an address", "is freed"].contains {
        finding.message.contains($0)
      }
      return isOfLife ? .ledger : .preconditions
    case .deadlock, .reentrancy, .lockOrder: return finding.message.contains("main") ? .mainActor : .settling
    case .neverReturns, .livelock, .starvation, .stepLimit, .hang: return .settling
    case .crash, .race: return .ledger
    case .trap: return .preconditions
    case .unmodelled, .foreignEnqueue, .nondeterminism, .differs: return .settling
    }
  }
}
