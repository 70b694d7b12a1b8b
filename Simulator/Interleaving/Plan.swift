/// A schedule by who runs, and for how many steps: it can be cut and merged, and still says something.
struct Plan: Hashable, Sendable, CustomStringConvertible {
  /// One entity's steps in a row, by the name that it has over executions.
  struct Block: Hashable, Sendable {
    let key: UInt64
    var steps: Int
  }
  /// An answer of another kind.
  struct Other: Hashable, Sendable {
    let kind: ChoiceKind
    var answer: Int
  }

  var blocks: [Block] = []
  /// In the order of their coming.
  var others: [Other] = []

  mutating func append(_ key: UInt64) {
    if blocks.last?.key == key {
      blocks[blocks.count - 1].steps += 1
    } else {
      blocks.append(Block(key: key, steps: 1))
    }
  }

  /// In one word, for a child's arguments.
  var description: String {
    blocks.map { "\(String($0.key, radix: 36)):\($0.steps)" }.joined(separator: ",") + ";"
      + others.map { "\($0.kind.rawValue):\($0.answer)" }.joined(separator: ",")
  }

  init() {}

  init?(_ text: some StringProtocol) {
    let halves = text.split(separator: ";", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    for word in halves[0].split(separator: ",") {
      let parts = word.split(separator: ":")
      guard parts.count == 2, let key = UInt64(parts[0], radix: 36), let steps = Int(parts[1]) else {
        return nil
      }
      blocks.append(Block(key: key, steps: steps))
    }
    for word in halves[1].split(separator: ",") {
      let parts = word.split(separator: ":")
      guard parts.count == 2, let raw = UInt8(parts[0]), let kind = ChoiceKind(rawValue: raw),
        let answer = Int(parts[1])
      else { return nil }
      others.append(Other(kind: kind, answer: answer))
    }
  }
}

/// Follows a plan as far as that is possible: a block whose entity cannot go on is over, and what the plan does not say goes
/// on as it does by default.
final class PlanChooser: Chooser, @unchecked Sendable {
  private let plan: Plan
  private var scheduler: Scheduler?
  private var block = 0
  private var used = 0
  /// By kind, the places of its answers, the next one first.
  private var others: [ChoiceKind: ArraySlice<Int>] = [:]

  init(_ plan: Plan) {
    self.plan = plan
  }

  override var observes: Bool { true }
  override func begin(_ scheduler: Scheduler) {
    self.scheduler = scheduler
    block = 0
    used = 0
    others = [:]
    for other in plan.others { others[other.kind, default: []].append(other.answer) }
  }

  override func answer(_ point: ChoicePoint) -> Int {
    guard point.kind == .entity, let scheduler else {
      let answer = others[point.kind]?.popFirst() ?? point.defaultAnswer
      return answer < point.count ? answer : point.defaultAnswer
    }
    while block < plan.blocks.count {
      for place in 0..<point.count
      where scheduler.state.pointee.entities[point.candidates.setBit(at: place)].key == plan.blocks[block].key
      {
        return place
      }
      block += 1
      used = 0
    }
    return point.defaultAnswer
  }

  override func began(_ entity: Int, enabled: UInt64) -> Bool {
    guard block < plan.blocks.count, let scheduler else { return true }
    let key = scheduler.state.pointee.entities[entity].key
    if plan.blocks[block].key != key, block + 1 < plan.blocks.count, plan.blocks[block + 1].key == key {
      block += 1
      used = 0
    }
    guard plan.blocks[block].key == key else { return true }
    used += 1
    if used >= plan.blocks[block].steps {
      block += 1
      used = 0
    }
    return true
  }
}
