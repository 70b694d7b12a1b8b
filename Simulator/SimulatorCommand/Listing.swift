import CommandOptions
import Foundation
import Interleaving
import SimulatedVLC
import Soak

/// `vlcsim list`, `vlcsim merge` and `vlcsim explore`.
enum Listing {
  static func list(_ arguments: [String]) throws -> SimulatorCommand.Status {
    let parsed = try CommandLineOptions(arguments, options: [])
    switch parsed.operands {
    case ["workloads"]: for workload in Workload.all { print("\(workload.name)\t\(workload.summary)") }
    case ["faults"]:
      for fault in SimulatedFault.allCases {
        print("\(fault)\t\(fault.tag.rawValue)\t1 in \(fault.oneIn)\t\(fault.summary)")
      }
      for fault in HostFault.allCases {
        print("\(fault.rawValue)\tof the workload's own\t\t\(fault.summary)")
      }
    case ["strategies"]: for strategy in StrategyChoice.all { print(strategy) }
    case ["checkers"]: for checker in Checker.allCases { print("\(checker.rawValue)\t\(checker.summary)") }
    case ["marks"]: for mark in Mark.expected { print(mark) }
    default: throw UsageError(reason: "list takes workloads, faults, strategies, checkers or marks")
    }
    return .clean
  }

  static func merge(_ arguments: [String]) throws -> SimulatorCommand.Status {
    let parsed = try CommandLineOptions(arguments, options: ["require-marks"])
    guard !parsed.operands.isEmpty else { throw UsageError(reason: "merge takes reports of soak --json") }
    var sum: SoakReport?
    for path in parsed.operands {
      let report: SoakReport
      do {
        report = try JSONDecoder().decode(SoakReport.self, from: Data(contentsOf: URL(filePath: path)))
      } catch {
        throw UsageError(reason: "\"\(path)\" is no report: give files that vlcsim soak --json has printed")
      }
      if sum == nil { sum = report } else { sum?.add(report) }
    }
    guard let sum else { return .clean }
    print(try sum.json())
    if sum.isNondeterministic { return .nondeterminism }
    let isMissing = !parsed.options.isEmpty && !sum.marksMissed.isEmpty
    return sum.findings.isEmpty && !isMissing ? .clean : .finding
  }

  static func explore(_ arguments: [String]) async throws -> SimulatorCommand.Status {
    let parsed = try CommandLineOptions(
      arguments, options: ["workload:", "bound:", "profile:", "faults:", "executions:"])
    var (workload, bound, profile) = (Workload?.none, 0, SimulatedProfile.libVLC3)
    var faults: Set<SimulatedFault> = []
    var executions = 100_000
    for (name, value) in parsed.options {
      switch name {
      case "workload": workload = try SoakOptions.workload(value)
      case "bound": bound = try SoakOptions.count(name, value)
      case "profile": profile = try SoakOptions.profile(value)
      case "faults": faults = try SoakOptions.faults(value)
      default: executions = try SoakOptions.count(name, value)
      }
    }
    guard let workload else { throw UsageError(reason: "explore takes a --workload") }
    let body = SoakBody(workload, profile, faults)
    var options = ExplorationOptions(executions: executions)
    options.strategy = .depthFirst(bound: bound)
    options.world = body.options
    options.parameters = body.parameters
    let done = await Interleaving.explore(body.name, options, body: body.body(countsProcess: true))
    print("\(done.executions) executions, \(done.completeness ?? "not complete")")
    guard let finding = done.finding else { return .clean }
    print("\(Violation(finding).checker.rawValue): \(finding)")
    if let line = done.artefact { print("replay: \(Schedules.replayCommand("\(line)"))") }
    return [.nondeterminism, .foreignEnqueue].contains(finding.kind) ? .nondeterminism : .finding
  }
}
