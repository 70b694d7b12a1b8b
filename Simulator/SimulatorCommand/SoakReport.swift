import Foundation
import Interleaving
import Soak

/// What a soak found and how much it looked at, as `--json` prints it and `merge` adds it up.
struct SoakReport: Codable {
  struct Found: Codable {
    let checker: String
    /// The kernel's kind.
    let kind: String
    let message: String
    let workload: String
    let profile: String
    let strategy: String
    let executionsToFind: Int
    /// The line that replays it.
    let schedule: String
    /// The line of the smallest schedule that was made of it.
    var shrunk: String?
    var choicesBefore: Int?
    var choicesAfter: Int?

    /// Whether somebody says what is wrong; a world that gives up does not.
    var isVerdict: Bool {
      let givesUp: [Finding.Kind] = [
        .hang, .stepLimit, .unmodelled, .foreignEnqueue, .nondeterminism, .differs,
      ]
      return !givesUp.map(\.rawValue).contains(kind)
    }
  }
  var executions = 0
  var steps = 0
  var seconds = 0.0
  var cpuSeconds = 0.0
  var findings: [Found] = []
  var distinctInterleavings = 0
  /// The chance that one more execution is unlike all before.
  var unseenEstimate = 0.0
  var marksReached: [String: Int] = [:]
  var marksMissed: [String] = []
  var digestMismatches = 0
  var foreignEnqueues = 0
  var substrate = World.Substrate.best.rawValue
  var peakResidentBytes = 0
  var residentGrowthBytes = 0

  var isNondeterministic: Bool { digestMismatches > 0 || foreignEnqueues > 0 }

  mutating func missMarks(of bodies: [SoakBody]) {
    marksMissed = SoakBody.expectedMarks(of: bodies).filter { marksReached[$0] == nil }
  }

  /// Adds what another machine or child did.
  mutating func add(_ other: SoakReport) {
    // One more of all is as likely new as it is of each, by how many each made.
    let total = Double(executions + other.executions)
    if total > 0 {
      unseenEstimate =
        (unseenEstimate * Double(executions) + other.unseenEstimate * Double(other.executions)) / total
    }
    executions += other.executions
    steps += other.steps
    seconds = max(seconds, other.seconds)
    cpuSeconds += other.cpuSeconds
    findings += other.findings
    distinctInterleavings += other.distinctInterleavings
    marksReached.merge(other.marksReached, uniquingKeysWith: +)
    digestMismatches += other.digestMismatches
    foreignEnqueues += other.foreignEnqueues
    peakResidentBytes = max(peakResidentBytes, other.peakResidentBytes)
    residentGrowthBytes = max(residentGrowthBytes, other.residentGrowthBytes)
    let missed = Set(marksMissed + other.marksMissed)
    marksMissed = missed.filter { marksReached[$0] == nil }.sorted()
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
