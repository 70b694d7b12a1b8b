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
    var isComplete = Contract.missing().isEmpty && Contract.missingOfLibVLC4().isEmpty
    for rule in Rule.all {
      let real = isRealThere ? ChildCheck.run(rule, command: command) : .missing
      let simulated = ChildCheck.run(rule, command: command, on: .simulated)
      if !real.meets(rule.expectation, on: .real) || !simulated.meets(rule.expectation, on: .simulated) {
        isComplete = false
      }
      let row = Row(
        rule: rule.name, statement: rule.statement, expectation: rule.expectation.rawValue,
        real: told(real, rule, .real), simulated: told(simulated, rule, .simulated))
      // At once: a table takes minutes.
      FileHandle.standardOutput.write(Data(((asJSON ? json(row) : text(row)) + "\n").utf8))
    }
    if !runLibVLC4(asJSON: asJSON, command: command) { isComplete = false }
    for name in Contract.missing() + Contract.missingOfLibVLC4() { print("\(name)\tno rule") }
    return isComplete ? 0 : 1
  }

  /// The rules of libVLC 4.0: where a recording backs one, what became of the comparison with that recording stands for the real
  /// library, since there is none. Whether none is violated.
  private static func runLibVLC4(asJSON: Bool, command: String) -> Bool {
    var isComplete = true
    var compared: [String: Outcome] = [:]
    for rule in Rule.recordings {
      guard case .recorded(let file) = rule.evidence else { continue }
      compared[file] = ChildCheck.run(rule, command: command, on: .simulated)
    }
    for rule in Rule.libVLC4 {
      let simulated = ChildCheck.run(rule, command: command, on: .simulated)
      if !simulated.meets(rule.expectation, on: .simulated) { isComplete = false }
      let real: String
      switch rule.evidence {
      case .checked: real = "missing"
      case .documented: real = "documented"
      case .recorded(let file):
        switch compared[file] {
        // Figures without an order of events: nothing is compared with them but by the rules that name them.
        case nil, .holds: real = "recorded: \(file)"
        case .some(let outcome):
          real = "recorded: \(file) \(outcome)"
          isComplete = false
        }
      }
      let row = Row(
        rule: rule.name, statement: rule.statement, expectation: rule.expectation.rawValue, real: real,
        simulated: told(simulated, rule, .simulated))
      FileHandle.standardOutput.write(Data(((asJSON ? json(row) : text(row)) + "\n").utf8))
    }
    return isComplete
  }

  /// What is not what the rule expects is violated, too.
  private static func told(_ outcome: Outcome, _ rule: Rule, _ library: Libraries.Name) -> String {
    switch outcome {
    case .violated, .missing: return outcome.description
    case .holds, .deadlocks, .aborts, .notRun, .reported:
      if outcome.meets(rule.expectation, on: library) { return outcome.description }
      return "VIOLATED: \(outcome) instead of \(rule.expectation.rawValue)"
    }
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
