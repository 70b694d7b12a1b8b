import Synchronization

/// Which native player an event or value belongs to; a later one is greater.
///
/// A player may replace its native player under a live consumer, and addresses are used again: a generation is not.
public struct NativePlayerGeneration: Hashable, Comparable, Sendable, CustomStringConvertible {
  let number: UInt64

  private static let last = Atomic<UInt64>(0)

  package static func next() -> NativePlayerGeneration {
    NativePlayerGeneration(number: last.add(1, ordering: .relaxed).newValue)
  }

  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
  public var description: String { "h\(number)" }
}

/// Which playback session, one media on one native player, an event or value belongs to; a later one is greater.
public struct PlaybackGeneration: Hashable, Comparable, Sendable, CustomStringConvertible {
  let number: UInt64

  private static let last = Atomic<UInt64>(0)

  package static func next() -> PlaybackGeneration {
    PlaybackGeneration(number: last.add(1, ordering: .relaxed).newValue)
  }

  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
  public var description: String { "s\(number)" }
}
