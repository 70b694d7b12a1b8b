public import Foundation
public import Interleaving

/// What an exploration looked at and found, for files that people and programs read.
public struct Report: Encodable, Sendable {
  /// A finding, with its small schedule where there is one.
  public struct Found: Encodable, Sendable {
    public let kind: String
    public let sentence: String
    public let stacks: [String]
    /// The line that replays it, and the command that does.
    public let line: String
    public let replay: String
    public let strategy: String
    public let choicesBefore: Int?
    public let choicesAfter: Int?
    public let preemptions: Int?
    public let lanes: [String]
    public let events: [Event]
  }

  /// One row of the swim lanes.
  public struct Event: Encodable, Sendable {
    /// The place of its lane; nil where time passes for all.
    public let lane: Int?
    public let step: Int
    public let nanoseconds: Int64
    /// What happens: takes, gives, waits, touches, reads, starts, says or finds.
    public let action: String
    public let object: String
    public let text: String
    public let isPreemption: Bool
  }

  public let body: String
  public let summary: String
  public let strategy: String
  public let substrate: String
  public let executions: Int
  public let steps: Int
  public let seconds: Double
  public let digestMismatches: Int
  public let distinctSchedules: Int
  public let unseen: Double
  public let missBounds: [Double]
  public let marks: [String: Int]
  public let completeness: String?
  public let finding: Found?

  /// - Parameters:
  ///   - summary: what the body does, in a sentence.
  ///   - seconds: how long the exploration took.
  ///   - replay: the command that replays a line.
  public init(
    body: String, summary: String, strategy: String, seconds: Double, _ exploration: Exploration,
    shrunk: Shrunk? = nil, trace: Trace? = nil, replay: (Artefact) -> String
  ) {
    self.body = body
    self.summary = summary
    self.strategy = strategy
    self.seconds = seconds
    substrate = exploration.substrate.rawValue
    executions = exploration.executions
    steps = exploration.steps
    digestMismatches = exploration.digestMismatches
    distinctSchedules = exploration.statistics.distinctSchedules
    unseen = exploration.statistics.unseen
    missBounds = exploration.statistics.missBounds
    marks = exploration.statistics.marks
    completeness = exploration.completeness
    let line = shrunk?.artefact ?? exploration.artefact
    finding = (shrunk?.finding ?? exploration.finding).map { finding in
      let trace = shrunk?.trace ?? trace ?? Trace()
      return Found(
        kind: finding.kind.rawValue, sentence: finding.message, stacks: finding.stacks.map(\.description),
        line: line?.description ?? "", replay: line.map(replay) ?? "", strategy: line?.strategy ?? strategy,
        choicesBefore: shrunk?.choicesBefore, choicesAfter: shrunk?.choicesAfter,
        preemptions: shrunk?.preemptionsAfter, lanes: trace.lanes.map(\.name),
        events: trace.events.map { Event($0) })
    }
  }

  /// The report as one JSON object.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

extension Report.Event {
  init(_ event: Trace.Event) {
    lane = event.lane
    step = event.step
    nanoseconds = Int64(event.time / .nanoseconds(1))
    action = "\(event.action)"
    object = event.object
    text = event.text
    isPreemption = event.isPreemption
  }
}
