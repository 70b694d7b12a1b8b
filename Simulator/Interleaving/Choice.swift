/// What a choice decides.
public enum ChoiceKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Which entity runs next.
  case entity
  /// A value that the body drew.
  case value
}

/// One decision that is to be made: everything that is not determined goes through one of these.
public struct ChoicePoint: Sendable {
  public let kind: ChoiceKind
  /// How many answers there are, 0 ..< count; above one.
  public let count: Int
  /// The answer that lets the running entity go on, where it can.
  public let current: Int?
  /// The entities that the answers stand for, as bits; each answer is a place among the set bits.
  public let candidates: UInt64
  /// How many steps the execution has made.
  public let step: Int
}

/// The choices of an execution, in order, as they are recorded and replayed.
public struct ChoiceSequence: Hashable, Sendable, CustomStringConvertible {
  public private(set) var answers: [UInt32] = []

  public init() {}

  /// Reads what `description` wrote; nil for anything else.
  public init?(_ text: some StringProtocol) {
    for run in text.split(separator: ",") {
      let parts = run.split(separator: "*", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), let answer = UInt32(parts[0]),
        let times = parts.count == 2 ? Int(parts[1]) : 1, (1...10_000_000).contains(times),
        answers.count + times <= 10_000_000
      else { return nil }
      answers.append(contentsOf: repeatElement(answer, count: times))
    }
  }

  public mutating func append(_ answer: Int) { answers.append(UInt32(answer)) }
  public mutating func removeAll() { answers.removeAll(keepingCapacity: true) }

  /// Run-length encoded: "0*3,1,0" for 0, 0, 0, 1, 0.
  public var description: String {
    var runs: [String] = []
    var index = 0
    while index < answers.count {
      var end = index + 1
      while end < answers.count, answers[end] == answers[index] { end += 1 }
      runs.append(end - index == 1 ? "\(answers[index])" : "\(answers[index])*\(end - index)")
      index = end
    }
    return runs.joined(separator: ",")
  }
}

/// A small generator of good quality whose numbers follow from its seed alone (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  @inline(__always)
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0 ..< bound, uniform to one part in 2³².
  @inline(__always)
  public mutating func below(_ bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }
}
