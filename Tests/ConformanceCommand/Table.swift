import Conformance
import Foundation

/// The rules with what became of each on both libraries.
enum Table {
  private struct Row: Encodable {
    let rule: String
    let statement: String
    let expectation: String
    let real: String
    let simulated: String
  }

  /// Prints a line a rule; 1 if one is violated or missing on either side.
  static func run(asJSON: Bool) -> Int32 {
    let command = CommandLine.arguments[0].hasPrefix("/") ? CommandLine.arguments[0] : "/proc/self/exe"
    let isRealThere = Libraries.real() != nil
    if !isRealThere {
      FileHandle.standardError.write(
        Data("there is no real library in this build: it was built without the trait LibVLC\n".utf8))
    }
    let simulated = Libraries.simulated()
    var isComplete = Contract.missing().isEmpty
    for rule in Rule.all {
      let real = isRealThere ? ChildCheck.run(rule, command: command) : .missing
      let other = simulated.map { check(rule, on: $0) } ?? .missing
      if !real.meets(rule.expectation) || other == .missing { isComplete = false }
      if case .violated = other { isComplete = false }
      let row = Row(
        rule: rule.name, statement: rule.statement, expectation: rule.expectation.rawValue,
        real: told(real, rule), simulated: other.description)
      // At once: a table takes minutes.
      FileHandle.standardOutput.write(Data(((asJSON ? json(row) : text(row)) + "\n").utf8))
    }
    for name in Contract.missing() { print("\(name)\tno rule") }
    return isComplete ? 0 : 1
  }

  /// What is not what the rule expects is violated, too.
  private static func told(_ outcome: Outcome, _ rule: Rule) -> String {
    switch outcome {
    case .violated, .missing: return outcome.description
    case .holds, .deadlocks, .aborts, .notRun:
      if outcome.meets(rule.expectation) { return outcome.description }
      return "VIOLATED: \(outcome) instead of \(rule.expectation.rawValue)"
    }
  }

  /// In this process: what deadlocks or aborts there its own world has to tell.
  private static func check(_ rule: Rule, on harness: Harness) -> Outcome {
    do {
      try rule.run(on: harness)
      return .holds
    } catch { return .violated("\(error)") }
  }

  private static func text(_ row: Row) -> String {
    row.rule.padding(toLength: 34, withPad: " ", startingAt: 0) + " "
      + row.real.padding(toLength: max(10, row.real.count), withPad: " ", startingAt: 0) + " "
      + row.simulated
  }

  private static func json(_ row: Row) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(row)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
