import CommandOptions
import Foundation
import Interleaving
import SimulatedVLC
import Soak

/// What `vlcsim soak` is asked to do.
struct SoakOptions {
  var executions = 20_000
  /// Instead of a count of executions: for how long.
  var seconds: Double?
  var seed: UInt64 = 1
  var workloads = Workload.all
  /// Nil for the strategies of `rotation` in turn.
  var strategy: StrategyChoice?
  var profiles = SimulatedProfile.allCases
  var faults = Set(SimulatedFault.allCases)
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var shard = (number: 1, count: 1)
  var report: String?
  var isJSON = false
  var requiresMarks = false
  var stopsAtFirst = false
  var shrinks = true

  /// What is found by one is missed by another.
  static let rotation: [StrategyChoice] = [
    .random, .priorities(depth: 2), .partialOrder, .priorities(depth: 3), .uniformWalk,
  ]

  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try CommandLineOptions(
      arguments,
      options: [
        "executions:", "seconds:", "seed:", "workload:", "strategy:", "profile:", "faults:", "jobs:",
        "shard:",
        "report:", "json", "require-marks", "first", "no-shrink",
      ])
    if let operand = parsed.operands.first { throw UsageError(reason: "soak takes no \"\(operand)\"") }
    for (name, value) in parsed.options {
      switch name {
      case "executions": executions = try Self.count(name, value, from: 1)
      case "seconds":
        guard let given = Double(value), given > 0, given <= 1e9 else {
          throw UsageError(
            reason: "--seconds is a number above 0 and to a thousand million, not \"\(value)\"")
        }
        seconds = given
      case "seed": seed = UInt64(try Self.count(name, value))
      case "workload": workloads = try Self.workloads(value)
      case "strategy": strategy = try Self.strategy(value)
      case "profile": profiles = [try Self.profile(value)]
      case "faults": faults = try Self.faults(value)
      case "jobs": jobs = max(1, try Self.count(name, value))
      case "shard": shard = try Self.shard(value)
      case "report": report = value
      case "json": isJSON = true
      case "first": stopsAtFirst = true
      case "no-shrink": shrinks = false
      default: requiresMarks = true
      }
    }
  }

  static func count(_ name: String, _ value: String, from least: Int = 0) throws(UsageError) -> Int {
    guard let count = Int(value), count >= least, count <= 1_000_000_000_000 else {
      throw UsageError(reason: "--\(name) is a whole number from \(least), not \"\(value)\"")
    }
    return count
  }
  static func workload(_ name: some StringProtocol) throws(UsageError) -> Workload {
    guard let workload = Workload.named(name) else {
      throw UsageError(reason: "\"\(name)\" is no workload: vlcsim list workloads names them")
    }
    return workload
  }
  private static func workloads(_ names: String) throws(UsageError) -> [Workload] {
    var workloads: [Workload] = []
    for name in names.split(separator: ",") { workloads.append(try workload(name)) }
    guard !workloads.isEmpty else {
      throw UsageError(reason: "--workload takes a name, or several with commas")
    }
    return workloads
  }
  static func strategy(_ name: String) throws(UsageError) -> StrategyChoice {
    guard let strategy = StrategyChoice(name) else {
      throw UsageError(reason: "\"\(name)\" is no strategy: vlcsim list strategies names them")
    }
    return strategy
  }
  static func profile(_ name: String) throws(UsageError) -> SimulatedProfile {
    guard let profile = SimulatedProfile(name: name) else {
      throw UsageError(reason: "--profile is libvlc3 or libvlc4, not \"\(name)\"")
    }
    return profile
  }
  static func faults(_ names: String) throws(UsageError) -> Set<SimulatedFault> {
    guard let faults = SimulatedFault.set(names) else {
      throw UsageError(
        reason: "--faults is all, none or names of libVLC's in vlcsim list faults, not \"\(names)\"")
    }
    return faults
  }
  private static func shard(_ text: String) throws(UsageError) -> (Int, Int) {
    let parts = text.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2, parts[0] >= 1, parts[0] <= parts[1] else {
      throw UsageError(reason: "--shard is I/N, the I-th of N, such as 2/8, not \"\(text)\"")
    }
    return (parts[0], parts[1])
  }
}
