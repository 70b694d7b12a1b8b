import CommandOptions
import Foundation
import Interleaving
import InterleavingReports
import Soak

/// Lines that a soak left: `vlcsim replay` and `vlcsim shrink`.
enum Schedules {
  static func replayCommand(_ line: String) -> String { "vlcsim replay '\(line)'" }

  private static func body(of line: Artefact) throws(UsageError) -> SoakBody {
    guard let body = SoakBody(name: line.body, parameters: line.parameters) else {
      throw UsageError(reason: "that line is not of a soak: its body is \"\(line.body)\"")
    }
    return body
  }

  private static func options(_ body: SoakBody) -> ExplorationOptions {
    var options = ExplorationOptions()
    options.world = body.options
    options.parameters = body.parameters
    return options
  }

  static func line(of operand: String) throws(UsageError) -> Artefact {
    var text = operand
    if !operand.hasPrefix("interleaving/") {
      guard let file = try? String(contentsOfFile: operand, encoding: .utf8) else {
        throw UsageError(reason: "\"\(operand)\" is neither a line nor a file that can be read")
      }
      // What is before it is for its readers.
      text = file.split(separator: "\n").first { $0.hasPrefix("interleaving/") }.map(String.init) ?? ""
    }
    guard let line = Artefact(text) else {
      throw UsageError(reason: "that is no line of this version's, or it was changed: \(text.prefix(60))")
    }
    return line
  }

  /// A line made small, each try in a child; nil where it finds nothing any more.
  static func shrink(_ line: Artefact) throws -> Shrunk? {
    let options = options(try body(of: line))
    return try withOperand(line) { operand in
      try shrinkInChildren(line, options) { plan in
        let file = operand + ".plan"
        guard let plan else { return .itself(["vlcsim", "try", operand]) }
        // Of a file that is not there the child says so.
        _ = FileManager.default.createFile(atPath: file, contents: Data(plan.utf8))
        return .itself(["vlcsim", "try", operand, file])
      }
    }
  }

  /// What a child is given: files, since a line or a plan may be longer than the system takes for an argument.
  private static func withOperand<Result>(_ line: Artefact, _ body: (String) throws -> Result) throws
    -> Result
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "vlcsim-\(UUID().uuidString).txt")
    try Data("\(line)\n".utf8).write(to: file)
    defer {
      try? FileManager.default.removeItem(at: file)
      try? FileManager.default.removeItem(atPath: file.path + ".plan")
    }
    return try body(file.path)
  }

  static func report(_ line: Artefact) throws -> (report: Report, finding: Finding?, trace: Trace) {
    let body = try body(of: line)
    let replayed = try withOperand(line) { operand in
      try replayInChild(line, options(body), program: .itself(["vlcsim", "try", operand]))
    }
    let finding = replayed.finding
    let exploration = Exploration(replaying: line, finding ?? Finding(.differs, "nothing was found"))
    let report = Report(
      body: body.name, summary: "\(body.workload.summary), on \(body.profile.name)", strategy: line.strategy,
      seconds: 0, exploration, trace: replayed.trace, replay: { replayCommand("\($0)") })
    return (report, finding, replayed.trace)
  }

  /// `vlcsim try`, which the others start.
  static func child(_ arguments: [String]) throws -> Never {
    guard let operand = arguments.first else { throw UsageError(reason: "try takes a line") }
    let line = try line(of: operand)
    let body = try body(of: line)
    if arguments.count > 1 {
      guard let plan = try? String(contentsOfFile: arguments[1], encoding: .utf8) else {
        throw UsageError(reason: "\"\(arguments[1])\" is no plan that can be read")
      }
      World.tryAsChild(plan, of: line, options(body), body: body.body(countsProcess: true))
    }
    World.replayAsChild(line, options(body), body: body.body(countsProcess: true))
  }

  static func replay(_ arguments: [String]) throws -> SimulatorCommand.Status {
    let parsed = try CommandLineOptions(arguments, options: ["html:", "trace:"])
    guard parsed.operands.count == 1, let operand = parsed.operands.first else {
      throw UsageError(reason: "replay takes one line, or a file that holds one")
    }
    let (report, finding, trace) = try report(try line(of: operand))
    guard let finding else {
      print("nothing was found: the line is stale")
      return .clean
    }
    print("\(Violation(finding).checker.rawValue): \(finding)")
    if !Story(trace).isEmpty { print(Story(trace, mostLines: 500)) }
    if !trace.events.isEmpty { print(Lanes(trace)) }
    for (name, path) in parsed.options {
      try write(name == "html" ? try HTMLReport(report).html() : try PerfettoTrace(report).json(), to: path)
    }
    return finding.kind == .differs ? .nondeterminism : .finding
  }

  static func shrink(_ arguments: [String]) throws -> SimulatorCommand.Status {
    let parsed = try CommandLineOptions(arguments, options: ["out:"])
    guard parsed.operands.count == 1, let operand = parsed.operands.first else {
      throw UsageError(reason: "shrink takes one line, or a file that holds one")
    }
    guard let shrunk = try shrink(try line(of: operand)) else {
      print("nothing was found: the line is stale")
      return .clean
    }
    print(
      "\(shrunk.choicesBefore) choices and \(shrunk.preemptionsBefore) preemptions became "
        + "\(shrunk.choicesAfter) and \(shrunk.preemptionsAfter), in \(shrunk.attempts) tries")
    if !Story(shrunk.trace).isEmpty { print(Story(shrunk.trace)) }
    print(Lanes(shrunk.trace))
    let line = shrunk.artefact
    print("replay: \(replayCommand("\(line)"))")
    for (_, path) in parsed.options { try write(Data("\(line)\n".utf8), to: path) }
    return .finding
  }

  private static func write(_ data: Data, to path: String) throws(UsageError) {
    do {
      try data.write(to: URL(filePath: path))
    } catch {
      throw UsageError(reason: "\"\(path)\" cannot be written: name a file in a directory that is there")
    }
  }
}
