/// Which locks were held while others were taken, in this execution and over all of a body's: two orders that meet are
/// a deadlock that no execution need have hit.
///
/// Inside an execution a lock is a number. Over executions it is a label: what the threads' meetings with it are called,
/// by thread, place and count, because neither its address nor the order of its coming is the same twice. A lock that
/// only carriers met has none, and is compared inside its execution alone.
struct LockOrder {
  /// What is told when the execution ends well: an execution that deadlocks says more.
  var message: String?
  /// The pairs of this execution: the lock that was held, and the one that was taken.
  private var pairs: [(held: Int32, wanted: Int32)] = []
  /// By label, the labels that were taken while it was held.
  private var taken: [UInt64: Set<UInt64>] = [:]
  /// The sets of pairs that are in `taken`, and the one that was met last.
  private var known: Set<UInt64> = []
  private var latest: UInt64 = 0

  mutating func removeExecution() {
    guard !pairs.isEmpty else { return }
    pairs.removeAll(keepingCapacity: true)
    message = nil
  }

  /// Notes that `wanted` is taken while `held` is; whether the other order was met in this execution.
  @inline(__always)
  mutating func note(held: Int, wanted: Int) -> Bool {
    for pair in pairs where Int(pair.held) == held && Int(pair.wanted) == wanted { return false }
    let isInverted = !pairs.isEmpty && reaches(from: wanted, to: held)
    pairs.append((Int32(truncatingIfNeeded: held), Int32(truncatingIfNeeded: wanted)))
    return isInverted
  }

  private func reaches(from: Int, to: Int) -> Bool {
    var seen: Set<Int> = []
    var frontier = [from]
    while let lock = frontier.popLast() {
      if lock == to { return true }
      guard seen.insert(lock).inserted else { continue }
      for pair in pairs where Int(pair.held) == lock { frontier.append(Int(pair.wanted)) }
    }
    return false
  }

  /// Adds a clean execution's pairs to all that are known; the pair that some earlier execution had the other way round.
  mutating func keep(label: (Int) -> UInt64) -> (held: Int, wanted: Int)? {
    guard !pairs.isEmpty else { return nil }
    var fingerprint: UInt64 = 0
    for pair in pairs {
      let (held, wanted) = (label(Int(pair.held)), label(Int(pair.wanted)))
      if held != 0, wanted != 0 {
        fingerprint &+= Scheduler.mixed(held, wanted) ^ Scheduler.mixed(wanted, 7)
      }
    }
    guard fingerprint != latest, !known.contains(fingerprint) else { return nil }
    latest = fingerprint
    if known.count < 100_000 { known.insert(fingerprint) }
    var inverted: (held: Int, wanted: Int)?
    for pair in pairs {
      let (held, wanted) = (label(Int(pair.held)), label(Int(pair.wanted)))
      guard held != 0, wanted != 0, held != wanted, taken[held]?.contains(wanted) != true else { continue }
      if reaches(fromLabel: wanted, to: held) { inverted = (Int(pair.held), Int(pair.wanted)) }
      taken[held, default: []].insert(wanted)
    }
    return inverted
  }

  private func reaches(fromLabel from: UInt64, to: UInt64) -> Bool {
    var seen: Set<UInt64> = []
    var frontier = [from]
    while let label = frontier.popLast() {
      if label == to { return true }
      guard seen.insert(label).inserted else { continue }
      frontier.append(contentsOf: taken[label] ?? [])
    }
    return false
  }
}
