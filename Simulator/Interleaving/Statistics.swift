import CInterleaving

/// How much of what a body can do was seen.
public struct Statistics: Hashable, Sendable {
  /// How many executions differed in which accesses of an object come before which; an estimate above 32,768.
  public internal(set) var distinctSchedules = 0
  /// The chance that one execution more is unlike all before, by Good and Turing's estimate: the share of the executions
  /// whose order of accesses was met once.
  public internal(set) var unseen = 1.0
  /// By name, in how many executions a mark was reached.
  public internal(set) var marks: [String: Int] = [:]
  /// The most entities that an execution had, and the most steps.
  public internal(set) var entities = 0
  public internal(set) var longest = 0
  /// By depth, from 1: the chance at most that a bug of that depth was missed by the executions of probabilistic
  /// concurrency testing for it. 1 where there were none.
  public internal(set) var missBounds: [Double] = [1, 1, 1]

  static let deepestBound = Int(CI_DEPTHS)

  init() {}

  init(in record: UnsafeMutablePointer<ci_record>) {
    let executions = Int(record.pointee.executions)
    let fingerprints = Fingerprints(record)
    distinctSchedules = fingerprints.distinct
    unseen = executions == 0 ? 1 : min(1, Double(fingerprints.metOnce) / Double(executions))
    marks = Marks(record).all
    entities = Int(record.pointee.entities)
    longest = Int(record.pointee.longest)
    guard entities > 0, longest > 0 else { return }
    missBounds = (0..<Self.deepestBound).map { place in
      let chance = 1 / (Double(entities) * Self.power(Double(longest), place))
      return Self.power(1 - chance, Int(ci_record_depths(record)[place]))
    }
  }

  /// Makes a record's statistics those of no execution.
  static func clear(_ record: UnsafeMutablePointer<ci_record>) {
    record.pointee.longest = 0
    record.pointee.entities = 0
    ci_record_depths(record).update(repeating: 0, count: deepestBound)
    Fingerprints(record).removeAll()
    Marks(record).removeAll()
  }

  /// Adds what another process's record says to this one's.
  static func add(_ other: UnsafeMutablePointer<ci_record>, to record: UnsafeMutablePointer<ci_record>) {
    record.pointee.executions += other.pointee.executions
    record.pointee.longest = max(record.pointee.longest, other.pointee.longest)
    record.pointee.entities = max(record.pointee.entities, other.pointee.entities)
    for place in 0..<deepestBound { ci_record_depths(record)[place] += ci_record_depths(other)[place] }
    Fingerprints(record).add(Fingerprints(other))
    let marks = Marks(record)
    for (name, executions) in Marks(other).all {
      if let place = marks.place(of: name) { marks.add(executions, at: place) }
    }
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }
}

/// Which happens-before fingerprints were met, once or more often, in memory of a fixed size that outlives a crash.
///
/// Beyond half its room it keeps a sample: of every second fingerprint, then of every fourth.
struct Fingerprints {
  private let record: UnsafeMutablePointer<ci_record>
  private let table: UnsafeMutablePointer<UInt64>
  private static let room = Int(CI_FINGERPRINTS_ROOM)

  init(_ record: UnsafeMutablePointer<ci_record>) {
    self.record = record
    table = ci_record_fingerprints(record)
  }

  func removeAll() {
    table.update(repeating: 0, count: Self.room)
    record.pointee.fingerprints_taken = 0
    record.pointee.fingerprints_thinned = 0
  }

  // Bit 0 says that it was met more than once; the rest is never zero.
  private static func key(_ fingerprint: UInt64) -> UInt64 { Scheduler.mixed(fingerprint, 2) | 2 }
  private func isKept(_ key: UInt64) -> Bool {
    key & (((1 << UInt64(record.pointee.fingerprints_thinned)) - 1) << 2) == 0
  }

  /// Whether it is new; where only a sample is kept, whether it is of the sample and new.
  @discardableResult
  func insert(_ fingerprint: UInt64) -> Bool { insert(key: Self.key(fingerprint) & ~1, isMore: false) }

  private func insert(key: UInt64, isMore: Bool) -> Bool {
    guard isKept(key) else { return false }
    var place = Int(truncatingIfNeeded: key >> 40) & (Self.room - 1)
    while table[place] != 0 {
      if table[place] & ~1 == key {
        table[place] |= 1
        return false
      }
      place = (place + 1) & (Self.room - 1)
    }
    table[place] = key | (isMore ? 1 : 0)
    record.pointee.fingerprints_taken += 1
    if record.pointee.fingerprints_taken > UInt32(Self.room / 2) { thin() }
    return true
  }

  private func thin() {
    record.pointee.fingerprints_thinned += 1
    let all = (0..<Self.room).map { table[$0] }
    table.update(repeating: 0, count: Self.room)
    record.pointee.fingerprints_taken = 0
    for key in all where key != 0 { _ = insert(key: key & ~1, isMore: key & 1 == 1) }
  }

  /// Adds what another process met.
  func add(_ other: Fingerprints) {
    while record.pointee.fingerprints_thinned < other.record.pointee.fingerprints_thinned { thin() }
    for place in 0..<Self.room where other.table[place] != 0 {
      let key = other.table[place]
      _ = insert(key: key & ~1, isMore: key & 1 == 1)
    }
  }

  var distinct: Int { Int(record.pointee.fingerprints_taken) << Int(record.pointee.fingerprints_thinned) }

  var metOnce: Int {
    var count = 0
    for place in 0..<Self.room where table[place] != 0 && table[place] & 1 == 0 { count += 1 }
    return count << Int(record.pointee.fingerprints_thinned)
  }
}

/// Named windows that an exploration should pass, and how often it did.
struct Marks {
  private let record: UnsafeMutablePointer<ci_record>
  private let marks: UnsafeMutablePointer<ci_mark>

  init(_ record: UnsafeMutablePointer<ci_record>) {
    self.record = record
    marks = ci_record_marks(record)
  }

  private static let room = MemoryLayout.size(ofValue: ci_mark().name)

  func removeAll() { record.pointee.marks_taken = 0 }

  /// The place of a name, which is added where it is new.
  func place(of name: String) -> Int? {
    let bytes = Array(name.utf8.prefix(Self.room - 1))
    let taken = Int(record.pointee.marks_taken)
    for place in 0..<taken where self.name(at: place) == String(decoding: bytes, as: UTF8.self) {
      return place
    }
    guard taken < Int(CI_MARKS_ROOM) else { return nil }
    (marks + taken).initialize(to: ci_mark())
    guard let start = ci_mark_name(marks + taken) else { return nil }
    for (offset, byte) in bytes.enumerated() { start[offset] = CChar(bitPattern: byte) }
    record.pointee.marks_taken += 1
    return taken
  }

  private func name(at place: Int) -> String { String(cString: ci_mark_name(marks + place)) }

  func add(_ executions: Int, at place: Int) { marks[place].executions += UInt64(executions) }

  var all: [String: Int] {
    var all: [String: Int] = [:]
    for place in 0..<Int(record.pointee.marks_taken) {
      all[name(at: place), default: 0] += Int(marks[place].executions)
    }
    return all
  }
}
