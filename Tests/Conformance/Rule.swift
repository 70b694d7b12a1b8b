/// One thing that a libVLC promises, or is known to do, with a check that runs on any library.
public struct Rule: Sendable {
  /// What becomes of a library that is asked to show the rule.
  public enum Expectation: String, Sendable, CaseIterable {
    /// The check comes to its end.
    case holds
    /// A call of the check never returns.
    case deadlocks
    /// A call of the check ends the process with SIGABRT.
    case aborts
    /// The call is an error of the caller's that the real library may answer with anything: only a simulated one
    /// can report it.
    case undefined
  }

  /// What a rule stands on.
  public enum Evidence: Sendable, Hashable {
    /// It is checked on the real library.
    case checked
    /// It was recorded of a libVLC 4.0, in the file of this name.
    case recorded(String)
    /// It was observed of a libVLC 4.0 or is in its source or headers, and there is no recording of it.
    case documented
  }

  /// The contract's name, and after a dot which part of it: "S1.order".
  public let name: String
  /// What holds, in one sentence.
  public let statement: String
  /// What becomes of a library that is asked to show the rule.
  public let expectation: Expectation
  /// What says so.
  public let evidence: Evidence
  /// Shows the rule on a stage, or throws what was seen instead.
  public let check: @Sendable (Stage) throws -> Void

  init(
    _ name: String, _ statement: String, _ expectation: Expectation = .holds, evidence: Evidence = .checked,
    _ check: @escaping @Sendable (Stage) throws -> Void
  ) {
    self.name = name
    self.statement = statement
    self.expectation = expectation
    self.evidence = evidence
    self.check = check
  }

  /// Every rule of libVLC 3.0, by subject.
  public static let all: [Rule] =
    eventRules + transportRules + failureRules + seekRules + trackRules + videoRules + audioRules + parseRules
    + listRules + sourceRules + instanceRules + dialogRules + matrixRules

  /// Every rule of libVLC 4.0 that 3.0 does otherwise or has not, and the recordings.
  public static let libVLC4: [Rule] = vlc4Rules + vlc4CallRules + vlc4MatrixRules + recordingRules

  /// Those of them that compare with a recording as a whole.
  public static let recordings: [Rule] = recordingRules

  /// Runs the check on a new stage of a harness, and puts the stage away whatever happens.
  ///
  /// - Parameter failed: told what was seen instead, before the stage is put away, which a library that deviates may not survive.
  public func run(on harness: Harness, failed: (any Error) -> Void = { _ in }) throws {
    let stage = Stage(harness, rule: name)
    do {
      try check(stage)
    } catch {
      failed(error)
      try? stage.close()
      throw error
    }
    try stage.close()
  }
}

extension Rule: CustomStringConvertible {
  public var description: String { name }
}

/// What a check saw instead of what a rule says.
public struct Violation: Error, CustomStringConvertible {
  public let rule: String
  public let message: String
  public var description: String { "\(rule): \(message)" }
}
