import CommandOptions
import Foundation
import Glibc
import Interleaving
import InterleavingReports

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
      --json         the report as one object
      --html FILE  --trace FILE  --junit FILE      a page to step through, Perfetto's trace, JUnit's XML
    interleave replay LINE|FILE [--substrate fibers|threads] [--html FILE] [--trace FILE]
                                                  makes a recorded execution again
    interleave corpus [--json|--markdown] [--strategy NAME] [--only PROGRAM,...] [--executions N] [--twins N]
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
    let parsed = try CommandLineOptions(
      arguments, options: ["substrate:", "child", "plan:", "html:", "trace:"])
    guard parsed.operands.count == 1, let operand = parsed.operands.first else {
      throw UsageError(reason: "replay takes one line, or a file that begins with one")
    }
    var options = ExplorationOptions()
    var isChild = false
    var plan: String?
    var files: [ReportFile] = []
    for (name, value) in parsed.options {
      switch name {
      case "child": isChild = true
      case "plan": plan = value
      case "html", "trace": files.append(ReportFile(name, value))
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
    var exploration = Exploration(replaying: artefact, finding)
    exploration.substrate = options.substrate
    let report = Report(
      body: body.name, summary: body.summary, strategy: artefact.strategy, seconds: 0, exploration,
      trace: replayed.trace, replay: replayCommand)
    for file in files { try file.write(report) }
    return finding.kind == .differs ? .nondeterminism : .finding
  }

  static func replayCommand(_ line: Artefact) -> String { "interleave replay '\(line)'" }

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
