import CommandOptions
import Foundation
import Glibc
import Interleaving

/// `interleave`: explores, replays and measures the kernel's own bodies.
@main
struct Interleave {
  private static let usage = """
    interleave bench [--json] [--only ROW,...]    the kernel's figures beside their goals
    interleave bench --determinism N [--json]     N executions of everything, each made twice and in two processes
    interleave explore BODY [options]             looks for schedules that break a body, in child processes
      --executions N  --seed N  --strategy NAME  --substrate fibers|threads
      --repeat N     runs one of N executions twice, to be the same (64)
      --in-process   in this process, which a crash ends
      --json
    interleave replay LINE|FILE [--substrate fibers|threads]
                                                  makes a recorded execution again
    interleave corpus [--json] [--strategy NAME] [--only PROGRAM,...] [--executions N] [--twins N]
                                                  which strategy finds which bug, in how many executions
    interleave list bodies|strategies
    Exit status: 0 nothing found, 1 a finding, 2 usage, 3 nondeterminism, 4 an internal failure.
    """

  enum Status: Int32 {
    case clean = 0
    case finding = 1
    case usage = 2
    case nondeterminism = 3
    case failure = 4
  }

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      exit(try await run(arguments).rawValue)
    } catch let error as UsageError {
      FileHandle.standardError.write(Data("interleave: \(error.reason)\n\(usage)\n".utf8))
      exit(Status.usage.rawValue)
    } catch {
      FileHandle.standardError.write(Data("interleave: \(error)\n".utf8))
      exit(Status.failure.rawValue)
    }
  }

  private static func run(_ arguments: [String]) async throws -> Status {
    switch arguments.first {
    case "bench": return try await Bench.run(arguments)
    case "explore": return try await ExploreCommand(arguments).run()
    case "replay": return try await replay(arguments)
    case "corpus": return try await CorpusCommand(arguments).run()
    case "list": return try list(arguments)
    case "--help", "help":
      print(usage)
      return .clean
    case let other?: throw UsageError(reason: "\"\(other)\" is no command")
    case nil: throw UsageError(reason: "what is to be done?")
    }
  }

  private static func list(_ arguments: [String]) throws -> Status {
    let parsed = try CommandLineOptions(arguments, options: [])
    switch parsed.operands {
    case ["bodies"]:
      for body in NamedBody.all {
        print("\(body.name)\t\(body.finding?.rawValue ?? "clean")\t\(body.summary)")
      }
    case ["strategies"]:
      for strategy in StrategyChoice.all { print(strategy) }
    default: throw UsageError(reason: "list takes bodies or strategies")
    }
    return .clean
  }

  static func substrate(_ name: String) throws(UsageError) -> World.Substrate {
    guard let substrate = World.Substrate(rawValue: name) else {
      throw UsageError(reason: "--substrate is fibers or threads, not \"\(name)\"")
    }
    return substrate
  }

  static func body(_ name: String) throws(UsageError) -> NamedBody {
    guard let body = NamedBody.named(name) else {
      throw UsageError(reason: "\"\(name)\" is no body: interleave list bodies names them")
    }
    return body
  }

  // MARK: Replaying

  private static func replay(_ arguments: [String]) async throws -> Status {
    let parsed = try CommandLineOptions(arguments, options: ["substrate:", "child", "plan:"])
    guard parsed.operands.count == 1, let operand = parsed.operands.first else {
      throw UsageError(reason: "replay takes one line, or a file that begins with one")
    }
    var options = ExplorationOptions()
    var isChild = false
    var plan: String?
    for (name, value) in parsed.options {
      switch name {
      case "child": isChild = true
      case "plan": plan = value
      default: options.substrate = try substrate(value)
      }
    }
    let line = try line(of: operand)
    guard let artefact = Artefact(line) else {
      throw UsageError(reason: "that is no line of this version's, or it was changed: \(line.prefix(60))")
    }
    let body = try body(artefact.body)
    options.world = body.world
    if isChild { body.prepare() }
    if isChild, let plan { World.tryAsChild(plan, of: artefact, options, body: body.body) }
    if isChild { World.replayAsChild(artefact, options, body: body.body) }
    let replayed = try replayInChild(
      artefact, options,
      program: .itself(["interleave", "replay", line, "--child", "--substrate", options.substrate.rawValue]))
    guard let finding = replayed.finding else {
      print("nothing was found: the line is stale")
      return .clean
    }
    print(finding)
    if !replayed.trace.events.isEmpty { print(Lanes(replayed.trace)) }
    return finding.kind == .differs ? .nondeterminism : .finding
  }

  private static func line(of operand: String) throws -> String {
    if operand.hasPrefix("interleaving/") { return operand }
    let text: String
    do {
      text = try String(contentsOfFile: operand, encoding: .utf8)
    } catch {
      throw UsageError(reason: "\"\(operand)\" is neither a line nor a file that can be read")
    }
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }
}

/// `interleave explore`.
struct ExploreCommand {
  private let body: NamedBody
  private var options = ExplorationOptions(executions: 10_000)
  private var isInProcess = false
  private var isChild = false
  private var isJSON = false

  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try CommandLineOptions(
      arguments,
      options: [
        "executions:", "seed:", "strategy:", "substrate:", "first:", "repeat:", "in-process", "child", "json",
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
      case "strategy":
        options.strategy = try Self.strategy(value)
      case "in-process": isInProcess = true
      case "child": isChild = true
      default: isJSON = true
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
    let exploration =
      isInProcess
      ? await Interleaving.explore(body.name, options, body: body.body)
      : try Self.inChildren(body, options)
    var shrunk: Shrunk?
    if let artefact = exploration.artefact { shrunk = try await Self.shrink(artefact, body, options.substrate) }
    try report(exploration, shrunk)
    if exploration.finding?.kind == .nondeterminism || exploration.digestMismatches > 0 {
      return .nondeterminism
    }
    return exploration.finding == nil ? .clean : .finding
  }

  private struct Report: Encodable {
    let body: String
    let substrate: String
    let executions: Int
    let steps: Int
    let digestMismatches: Int
    let finding: String?
    let message: String?
    let artefact: String?
  }

  private func report(_ exploration: Exploration, _ shrunk: Shrunk?) throws {
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let report = Report(
        body: body.name, substrate: exploration.substrate.rawValue, executions: exploration.executions,
        steps: exploration.steps, digestMismatches: exploration.digestMismatches,
        finding: exploration.finding?.kind.rawValue, message: exploration.finding?.message,
        artefact: exploration.artefact?.description)
      print(String(decoding: try encoder.encode(report), as: UTF8.self))
      return
    }
    print(
      "\(body.name): \(exploration.executions) executions, \(exploration.steps) steps, "
        + "\(exploration.digestMismatches) digest mismatches, on \(exploration.substrate.rawValue)"
        + (exploration.completeness.map { ", \($0)" } ?? ""))
    if let finding = exploration.finding { print(finding) }
    if let shrunk {
      print(
        "shrunk from \(shrunk.choicesBefore) choices and \(shrunk.preemptionsBefore) preemptions to "
          + "\(shrunk.choicesAfter) and \(shrunk.preemptionsAfter), in \(shrunk.attempts) tries:")
      print(Lanes(shrunk.trace))
    }
    if let artefact = shrunk?.artefact ?? exploration.artefact {
      print("replay: interleave replay '\(artefact)'")
    }
  }

  // MARK: For the corpus too

  /// Explores a body in children, with what it says of its world.
  static func explore(_ body: NamedBody, _ strategy: StrategyChoice, executions: Int) throws -> Exploration {
    var options = ExplorationOptions(executions: executions)
    options.world = body.world
    options.strategy = strategy
    return try inChildren(body, options)
  }

  private static func inChildren(_ body: NamedBody, _ options: ExplorationOptions) throws -> Exploration {
    // A search of every schedule goes on in its own process alone.
    let batch = if case .depthFirst = options.strategy { max(1, options.executions) } else { 20_000 }
    return try exploreInChildren(body.name, options, batch: batch) { first, executions in
      .itself([
        "interleave", "explore", body.name, "--child", "--first", "\(first)", "--executions", "\(executions)",
        "--seed", "\(options.seed)", "--repeat", "\(options.repeatsOneOf)", "--strategy",
        "\(options.strategy)", "--substrate", options.substrate.rawValue,
      ])
    }
  }

  /// Makes what was found small: each try in a child, where one could end the process.
  static func shrink(_ artefact: Artefact, _ body: NamedBody, _ substrate: World.Substrate = .best) async throws
    -> Shrunk?
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
