/// Which locks were held while others were taken, kept over all executions of a body: two orders that meet are a
/// deadlock that no execution need have hit.
struct LockOrder: Sendable {
  /// By lock, the locks that were taken while it was held, as bits.
  private var taken: [UInt64] = []

  /// Notes that `wanted` is taken while `held` are; the lock of those that was once taken after it, if any.
  mutating func noted(held: UInt64, wanted: Int) -> Int? {
    while taken.count <= max(wanted, held == 0 ? 0 : 63 - held.leadingZeroBitCount) { taken.append(0) }
    var inverted: Int?
    var rest = held
    while rest != 0 {
      let lock = rest.trailingZeroBitCount
      rest &= rest - 1
      guard taken[lock] & (1 << UInt64(wanted)) == 0 else { continue }
      if reaches(from: wanted, to: lock) { inverted = lock }
      taken[lock] |= 1 << UInt64(wanted)
    }
    return inverted
  }

  private func reaches(from: Int, to: Int) -> Bool {
    var seen: UInt64 = 0
    var frontier: UInt64 = 1 << UInt64(from)
    while frontier != 0 {
      let lock = frontier.trailingZeroBitCount
      frontier &= frontier - 1
      if lock == to { return true }
      guard seen & (1 << UInt64(lock)) == 0 else { continue }
      seen |= 1 << UInt64(lock)
      if lock < taken.count { frontier |= taken[lock] & ~seen }
    }
    return false
  }
}
