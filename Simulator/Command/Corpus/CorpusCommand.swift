import CommandOptions
import Foundation
import Interleaving

/// `interleave corpus`: which strategy finds which bug, and how small its schedule becomes.
struct CorpusCommand {
  private struct Row: Encodable {
    let name: String
    let kind: String
    let depth: Int
    /// By strategy, in how many executions.
    let foundBy: [String: Int]
    let twinClean: Bool
    let choicesBefore: Int
    let choicesAfter: Int
    let preemptions: Int
    let shrinkSeconds: Double
    let secondsToFind: Double
  }
  private struct Report: Encodable { let programs: [Row] }

  private var isJSON = false
  private var strategies = StrategyChoice.all.filter { $0 != .priorities(depth: 4) }
  private var twins = 100_000
  private var most = 20_000
  private var only: Set<String> = []

  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try CommandLineOptions(
      arguments, options: ["json", "strategy:", "twins:", "executions:", "only:"])
    if let operand = parsed.operands.first { throw UsageError(reason: "corpus takes no \"\(operand)\"") }
    for (name, value) in parsed.options {
      switch name {
      case "json": isJSON = true
      case "strategy": strategies = [try ExploreCommand.strategy(value)]
      case "twins": twins = try ExploreCommand.count(name, value)
      case "executions": most = try ExploreCommand.count(name, value)
      default: only = Set(value.split(separator: ",").map(String.init))
      }
    }
    if let unknown = only.first(where: { name in !CorpusProgram.all.contains { $0.name == name } }) {
      throw UsageError(
        reason: "\"\(unknown)\" is no program of the corpus: interleave list bodies names them")
    }
  }

  func run() async throws -> Interleave.Status {
    var rows: [Row] = []
    for program in CorpusProgram.all where only.isEmpty || only.contains(program.name) {
      let row = try await measure(program)
      rows.append(row)
      if !isJSON { print(Self.line(row)) }
    }
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(Report(programs: rows)), as: UTF8.self))
    }
    return rows.allSatisfy { $0.twinClean && !$0.foundBy.isEmpty } ? .clean : .finding
  }

  private func measure(_ program: CorpusProgram) async throws -> Row {
    let broken = program.broken
    var foundBy: [String: Int] = [:]
    var line: Artefact?
    var seconds = 0.0
    for strategy in strategies {
      let start = ContinuousClock.now
      let done = try ExploreCommand.explore(broken, strategy, executions: most)
      guard let finding = done.finding, finding.kind == program.finding else {
        if let other = done.finding {
          FileHandle.standardError.write(Data("\(program.name), \(strategy): \(other)\n".utf8))
        }
        continue
      }
      foundBy["\(strategy)"] = done.executions
      // What is made small is what a search found that knows nothing of the program, the same for all.
      if strategy == strategies.last {
        line = done.artefact
        seconds = (ContinuousClock.now - start) / .seconds(1)
      } else if line == nil {
        line = done.artefact
      }
    }
    let start = ContinuousClock.now
    let shrunk = if let line { try await ExploreCommand.shrink(line, broken) } else { Optional<Shrunk>.none }
    let shrinkSeconds = (ContinuousClock.now - start) / .seconds(1)
    let twin = try ExploreCommand.explore(program.twin, .portfolio, executions: twins)
    if let finding = twin.finding {
      FileHandle.standardError.write(Data("\(program.twin.name): \(finding)\n\(twin.artefact as Any)\n".utf8))
    }
    return Row(
      name: program.name, kind: program.kind.rawValue, depth: program.depth, foundBy: foundBy,
      twinClean: twin.finding == nil, choicesBefore: shrunk?.choicesBefore ?? 0,
      choicesAfter: shrunk?.choicesAfter ?? 0, preemptions: shrunk?.preemptionsAfter ?? 0,
      shrinkSeconds: shrinkSeconds, secondsToFind: seconds)
  }

  private static func line(_ row: Row) -> String {
    let found = row.foundBy.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { "\($0.key) \($0.value)" }
    return "\(row.name) (\(row.kind), depth \(row.depth)): "
      + (found.isEmpty ? "NOT FOUND" : found.joined(separator: ", "))
      + "; choices \(row.choicesBefore) → \(row.choicesAfter), \(row.preemptions) preemptions, "
      + "\(String(format: "%.1f", row.shrinkSeconds)) s"
      + (row.twinClean ? "" : "; its TWIN is not clean")
  }
}
