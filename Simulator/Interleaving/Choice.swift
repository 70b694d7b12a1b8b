import CInterleaving

/// What a choice decides.
public enum ChoiceKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Which entity runs next.
  case entity
  /// Which job a carrier runs.
  case job
  /// Who of those that wait is woken.
  case waiter
  /// Whether time passes although something could run.
  case time
  /// A value that the body drew.
  case value
}

/// How an object is touched.
enum AccessKind: UInt8 {
  /// A lock is taken, which nobody can while it is held.
  case acquires
  /// A lock is given back.
  case releases
  case writes
  case reads
}

/// One decision that is to be made: everything that is not determined goes through one of these.
struct ChoicePoint {
  let kind: ChoiceKind
  /// How many answers there are, 0 ..< count; above one, at most 65,536.
  let count: Int
  /// The entity that runs, where it can go on.
  let current: Int?
  /// The entity that ran, whether it can go on or not; -1 for the host.
  let last: Int
  /// The entities that the answers stand for, as bits; each answer is a place among the set bits.
  let candidates: UInt64
  /// How many steps the execution has made.
  let step: Int

  /// What goes without saying: the entity that runs goes on, the first is taken, time does not pass early.
  var defaultAnswer: Int { current.map { candidates.place(of: $0) } ?? 0 }
}

extension UInt64 {
  /// The number of the set bit at a place.
  @inline(__always)
  func setBit(at place: Int) -> Int {
    var rest = self
    for _ in 0..<place { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }

  /// How many bits are set below a number.
  @inline(__always)
  func place(of bit: Int) -> Int { (self & ((1 << UInt64(bit)) &- 1)).nonzeroBitCount }
}

/// The choices of an execution, in order, as they are recorded and replayed.
public struct ChoiceSequence: Hashable, Sendable, CustomStringConvertible {
  /// One answer, and of how many it was one.
  public struct Choice: Hashable, Sendable {
    public let answer: Int
    /// Zero where the answer is what goes without saying.
    public let count: Int

    /// The running entity goes on, or the first is taken: whatever there is to choose from.
    public static let byDefault = Choice(answer: 0, count: 0)
    public var isByDefault: Bool { count == 0 }

    public init(answer: Int, count: Int) {
      self.answer = answer
      self.count = count
    }
  }

  public private(set) var choices: [Choice] = []

  /// What a record has room for.
  static let most = Int(CI_CHOICES_ROOM)

  public init(_ choices: [Choice] = []) { self.choices = choices }

  init(recorded: UnsafePointer<UInt32>, count: Int) {
    choices = (0..<count).map {
      recorded[$0] == 0
        ? .byDefault : Choice(answer: Int(recorded[$0] & 0xffff), count: Int(recorded[$0] >> 16) + 1)
    }
  }

  /// Reads what `description` wrote; nil for anything else.
  public init?(_ text: some StringProtocol) {
    for run in text.split(separator: ",", omittingEmptySubsequences: !text.contains(",")) {
      let parts = run.split(separator: "*", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), let choice = Self.choice(parts[0]),
        let times = parts.count == 2 ? Int(parts[1]) : 1, (1...Self.most).contains(times),
        choices.count + times <= Self.most
      else { return nil }
      choices.append(contentsOf: repeatElement(choice, count: times))
    }
  }

  private static func choice(_ text: some StringProtocol) -> Choice? {
    if text == "." { return .byDefault }
    let pair = text.split(separator: "/", omittingEmptySubsequences: false)
    guard pair.count == 2, let answer = UInt16(pair[0]), let count = Int(pair[1]),
      (Int(answer) + 1...65_536).contains(count)
    else { return nil }
    return Choice(answer: Int(answer), count: count)
  }

  /// The first of them.
  public func prefix(_ count: Int) -> ChoiceSequence { ChoiceSequence(Array(choices.prefix(count))) }

  /// How many say something: the rest goes without saying.
  public var explicitCount: Int { choices.count { !$0.isByDefault } }

  /// Run-length encoded: "0/2*3,1/3,.*5" for three times the first of two answers, the second of three, then five that go
  /// without saying.
  public var description: String {
    var runs: [String] = []
    var index = 0
    while index < choices.count {
      let choice = choices[index]
      var end = index + 1
      while end < choices.count, choices[end] == choice { end += 1 }
      let one = choice.isByDefault ? "." : "\(choice.answer)/\(choice.count)"
      runs.append(end - index == 1 ? one : "\(one)*\(end - index)")
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
