import Interleaving
import Synchronization

/// What the library leaves to chance: in a world the strategy's to choose, else a seed's.
final class Chance: Sendable {
  private let state: Atomic<UInt64>

  init(seed: UInt64) { state = Atomic(seed) }

  /// A number below the count.
  func draw(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    if let world = World.current { return world.draw(min(count, 65_536)) }
    var mixed = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(count))
  }

  /// A duration from a range, in steps of a sixteenth of it.
  func duration(in range: ClosedRange<Duration>) -> Duration {
    guard range.lowerBound < range.upperBound else { return range.lowerBound }
    return range.lowerBound + (range.upperBound - range.lowerBound) / 16 * draw(17)
  }
}
