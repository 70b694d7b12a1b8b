import CommandOptions
import Foundation
import Glibc
import Interleaving
import InterleavingReports

/// `interleave explore`.
struct ExploreCommand {
  private let body: NamedBody
  private var options = ExplorationOptions(executions: 10_000)
  private var isInProcess = false
  private var isChild = false
  private var isJSON = false
  private var files: [ReportFile] = []

  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try CommandLineOptions(
      arguments,
      options: [
        "executions:", "seed:", "strategy:", "substrate:", "first:", "repeat:", "in-process", "child", "json",
        "no-fair", "html:", "trace:", "junit:",
      ])
    guard parsed.operands.count == 1, let name = parsed.operands.first else {
      throw UsageError(reason: "explore takes the name of one body")
    }
    body = try Interleave.body(name)
    options.world = body.world
    for (name, value) in parsed.options {
      switch name {
      case "executions": options.executions = try Self.count(name, value)
      case "first": options.firstExecution = try Self.count(name, value)
      case "repeat": options.repeatsOneOf = try Self.count(name, value)
      case "seed": options.seed = UInt64(try Self.count(name, value))
      case "substrate": options.substrate = try Interleave.substrate(value)
      case "strategy": options.strategy = try Self.strategy(value)
      case "in-process": isInProcess = true
      case "child": isChild = true
      case "json": isJSON = true
      case "no-fair": options.tellsFair = false
      default: files.append(ReportFile(name, value))
      }
    }
  }

  static func strategy(_ name: String) throws(UsageError) -> StrategyChoice {
    guard let strategy = StrategyChoice(name) else {
      throw UsageError(reason: "\"\(name)\" is no strategy: interleave list strategies names them")
    }
    return strategy
  }

  static func count(_ name: String, _ value: String) throws(UsageError) -> Int {
    guard let count = Int(value), count >= 0 else {
      throw UsageError(reason: "--\(name) is a whole number from 0, not \"\(value)\"")
    }
    return count
  }

  func run() async throws -> Interleave.Status {
    if isChild || isInProcess { body.prepare() }
    if isChild { World.exploreAsChild(body.name, options, body: body.body) }
    let start = ContinuousClock.now
    let progress = ProgressLine()
    let exploration =
      isInProcess
      ? await Interleaving.explore(body.name, options, body: body.body)
      : try Self.inChildren(body, options) { progress.show($0, of: options.executions) }
    progress.remove()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    var shrunk: Shrunk?
    if let artefact = exploration.artefact {
      shrunk = try await Self.shrink(artefact, body, options.substrate)
    }
    let report = Report(
      body: body.name, summary: body.summary, strategy: "\(options.strategy)", seconds: seconds, exploration,
      shrunk: shrunk, replay: Interleave.replayCommand)
    for file in files { try file.write(report) }
    if isJSON {
      print(String(decoding: try report.json(), as: UTF8.self))
    } else {
      show(exploration, shrunk)
    }
    if exploration.finding?.kind == .nondeterminism || exploration.digestMismatches > 0 {
      return .nondeterminism
    }
    return exploration.finding == nil ? .clean : .finding
  }

  private func show(_ exploration: Exploration, _ shrunk: Shrunk?) {
    print(
      "\(body.name): \(exploration.executions) executions, \(exploration.steps) steps, "
        + "\(exploration.digestMismatches) digest mismatches, on \(exploration.substrate.rawValue)"
        + (exploration.completeness.map { ", \($0)" } ?? ""))
    let statistics = exploration.statistics
    print(
      "\(statistics.distinctSchedules) distinct schedules; one more is new with a chance of "
        + String(format: "%.3g", statistics.unseen))
    let bounds = statistics.missBounds.enumerated().filter { $0.element < 1 }
    for (place, bound) in bounds {
      print(
        "a bug of depth \(place + 1) was missed with a chance of at most \(String(format: "%.3g", bound))")
    }
    for (name, count) in statistics.marks.sorted(by: { $0.key < $1.key }) {
      print("mark '\(name)': in \(count) executions")
    }
    if let finding = shrunk?.finding ?? exploration.finding { print(finding) }
    if let shrunk {
      print(
        "made small: \(shrunk.choicesBefore) choices and \(shrunk.preemptionsBefore) preemptions became "
          + "\(shrunk.choicesAfter) and \(shrunk.preemptionsAfter), in \(shrunk.attempts) tries")
      print(Lanes(shrunk.trace))
    }
    if let line = shrunk?.artefact ?? exploration.artefact {
      print("replay: \(Interleave.replayCommand(line))")
    }
  }

  // MARK: For the corpus too

  /// Explores a body in children, with what it says of its world.
  static func explore(_ body: NamedBody, _ strategy: StrategyChoice, executions: Int, tellsFair: Bool = true)
    throws
    -> Exploration
  {
    var options = ExplorationOptions(executions: executions)
    options.world = body.world
    options.strategy = strategy
    options.tellsFair = tellsFair
    return try inChildren(body, options)
  }

  private static func inChildren(
    _ body: NamedBody, _ options: ExplorationOptions, progress: (Exploration) -> Void = { _ in }
  ) throws -> Exploration {
    // A search of every schedule goes on in its own process alone.
    let batch = if case .depthFirst = options.strategy { max(1, options.executions) } else { 20_000 }
    return try exploreInChildren(body.name, options, batch: batch, progress: progress) { first, executions in
      .itself(
        [
          "interleave", "explore", body.name, "--child", "--first", "\(first)", "--executions",
          "\(executions)",
          "--seed", "\(options.seed)", "--repeat", "\(options.repeatsOneOf)", "--strategy",
          "\(options.strategy)", "--substrate", options.substrate.rawValue,
        ] + (options.tellsFair ? [] : ["--no-fair"]))
    }
  }

  /// Makes what was found small: each try in a child, where one could end the process.
  static func shrink(_ artefact: Artefact, _ body: NamedBody, _ substrate: World.Substrate = .best)
    async throws -> Shrunk?
  {
    var options = ExplorationOptions()
    options.world = body.world
    options.substrate = substrate
    if let shrunk = await Interleaving.shrink(artefact, options, body: body.body) { return shrunk }
    return try shrinkInChildren(artefact, options) { plan in
      .itself(
        ["interleave", "replay", "\(artefact)", "--child", "--substrate", substrate.rawValue]
          + (plan.map { ["--plan", $0] } ?? []))
    }
  }
}

/// How far a search is, on a terminal; nothing where standard error is none.
private struct ProgressLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1

  func show(_ exploration: Exploration, of executions: Int) {
    guard isTerminal else { return }
    write(
      "\r\u{1B}[K\(exploration.executions) of \(executions) executions, "
        + "\(exploration.statistics.distinctSchedules) distinct schedules")
  }

  func remove() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
