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
    let deviationsBefore: Int
    let preemptions: Int
    let shrinkSeconds: Double
    let secondsToFind: Double
  }
  private struct Report: Encodable { let programs: [Row] }

  private var isJSON = false
  private var isPage = false
  private var strategies = StrategyChoice.all.filter { $0 != .priorities(depth: 4) }
  private var twins = 100_000
  private var most = 20_000
  private var only: Set<String> = []

  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try CommandLineOptions(
      arguments, options: ["json", "markdown", "strategy:", "twins:", "executions:", "only:"])
    if let operand = parsed.operands.first { throw UsageError(reason: "corpus takes no \"\(operand)\"") }
    for (name, value) in parsed.options {
      switch name {
      case "json": isJSON = true
      case "markdown": isPage = true
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
      if !isJSON, !isPage { print(Self.line(row)) }
    }
    if isPage { print(Self.page(rows, strategies)) }
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
      // Without what the fair execution finds, which is the same for all; one that ends the process is told all the same.
      let done = try ExploreCommand.explore(broken, strategy, executions: most, tellsFair: false)
      guard let finding = done.finding, finding.kind == program.finding else {
        if let other = done.finding {
          FileHandle.standardError.write(Data("\(program.name), \(strategy): \(other)\n".utf8))
        }
        continue
      }
      let isFair = done.artefact?.strategy == "fair"
      foundBy[isFair ? "fair" : "\(strategy)"] = isFair ? 1 : done.executions - 1
      // What is made small is what a search found that knows nothing of the program, the same for all.
      if strategy == strategies.last {
        line = done.artefact
        seconds = (ContinuousClock.now - start) / .seconds(1)
      } else if line == nil {
        line = done.artefact
      }
    }
    let (shrunk, shrinkSeconds) = try await Self.shrink(line, broken)
    let twin = try ExploreCommand.explore(program.twin, .portfolio, executions: twins)
    if let finding = twin.finding {
      FileHandle.standardError.write(Data("\(program.twin.name): \(finding)\n\(twin.artefact as Any)\n".utf8))
    }
    return Row(
      name: program.name, kind: program.kind.rawValue, depth: program.depth, foundBy: foundBy,
      twinClean: twin.finding == nil, choicesBefore: shrunk?.choicesBefore ?? 0,
      choicesAfter: shrunk?.choicesAfter ?? 0, deviationsBefore: shrunk?.deviationsBefore ?? 0,
      preemptions: shrunk?.preemptionsAfter ?? 0,
      shrinkSeconds: shrinkSeconds, secondsToFind: seconds)
  }

  private static func shrink(_ line: Artefact?, _ body: NamedBody) async throws -> (Shrunk?, seconds: Double)
  {
    guard let line else { return (nil, 0) }
    let start = ContinuousClock.now
    let shrunk = try await ExploreCommand.shrink(line, body)
    return (shrunk, (ContinuousClock.now - start) / .seconds(1))
  }

  /// How small the schedules become that the portfolio finds: of each program that has one.
  static func shrinkAll() async throws -> [(program: CorpusProgram, shrunk: Shrunk, seconds: Double)] {
    var all: [(CorpusProgram, Shrunk, Double)] = []
    for program in CorpusProgram.all {
      let done = try ExploreCommand.explore(program.broken, .portfolio, executions: 20_000, tellsFair: false)
      let (shrunk, seconds) = try await shrink(done.artefact, program.broken)
      if let shrunk { all.append((program, shrunk, seconds)) }
    }
    return all
  }

  /// The page of `docs/` that says which strategy finds what.
  private static func page(_ rows: [Row], _ strategies: [StrategyChoice]) -> String {
    let names = strategies.map(\.description)
    var lines = [
      "# The corpus",
      "",
      "Small concurrent programs with a known bug each, and which strategy finds it, in how many executions; a dash for none in",
      "20,000, or a search that was complete without it. No strategy, seed or bound is chosen for a program. Those that the fair",
      "execution finds as a crash of the process are found by it alone. Each has a twin that differs by the fix; all are clean",
      "over 100,000 executions. The last columns are the choices of the line that was found, those that the small one has to",
      "say, and its preemptions.",
      "",
      "Made by `interleave corpus --markdown`; not to be edited.",
      "",
      "| program | what goes wrong | kind | depth | fair | " + names.joined(separator: " | ")
        + " | choices | small | preemptions |",
      "|---|---|---|--:|--:|" + names.map { _ in "--:|" }.joined() + "--:|--:|--:|",
    ]
    for (row, program) in zip(
      rows, CorpusProgram.all.filter { program in rows.contains { $0.name == program.name } })
    {
      let cells = ["fair"] + names
      lines.append(
        "| \(row.name) | \(program.summary) | \(row.kind) | \(row.depth) | "
          + cells.map { row.foundBy[$0].map(String.init) ?? "–" }.joined(separator: " | ")
          + " | \(row.choicesBefore) | \(row.choicesAfter) | \(row.preemptions) |")
    }
    if !World.isDeep {
      lines += [
        "", "## Found in deep mode alone", "",
        "Programs of the standard library and nothing else, between whose steps an ordinary world has no point. `make deep` looks for",
        "each, and runs its twin 100,000 times.", "", "| program | what goes wrong | kind |", "|---|---|---|",
      ]
      lines += CorpusProgram.deep.map { "| \($0.name) | \($0.summary) | \($0.kind.rawValue) |" }
    }
    return lines.joined(separator: "\n")
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
