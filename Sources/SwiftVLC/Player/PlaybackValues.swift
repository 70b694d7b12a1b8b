/// A number that stays in its range: finite input is clamped, NaN becomes a named default.
public protocol BoundedPlaybackValue: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, CustomStringConvertible
{
  /// The type of the number.
  associatedtype Number: BinaryFloatingPoint & Sendable
  /// What is allowed.
  static var range: ClosedRange<Number> { get }
  /// What NaN becomes.
  static var fallback: Number { get }
  /// The number, always in range.
  var value: Number { get }
  /// Takes a number, which `clamped(_:)` keeps in range.
  init(inRange value: Number)
}

extension BoundedPlaybackValue {
  /// Clamps a finite or infinite number, and takes the default for NaN.
  public init(_ number: Number) { self.init(inRange: number) }

  /// The nearest number in range; the default for NaN.
  public static func clamped(_ number: Number) -> Number {
    number.isNaN ? fallback : min(max(number, range.lowerBound), range.upperBound)
  }

  /// Clamps as `init(_:)` does.
  public init(floatLiteral number: Double) { self.init(Number(number)) }
  /// Clamps as `init(_:)` does.
  public init(integerLiteral number: Int) { self.init(Number(number)) }
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
  public var description: String { "\(value)" }
}

/// A place in a media, 0…1; NaN becomes the start.
public struct PlaybackPosition: BoundedPlaybackValue {
  /// The number, always in `range`.
  public let value: Double
  /// Takes a number, and keeps it in `range`.
  public init(inRange value: Double) { self.value = Self.clamped(value) }
  /// What is allowed.
  public static let range = 0.0...1.0
  /// What NaN becomes.
  public static let fallback = 0.0
  /// 0.
  public static let start = PlaybackPosition(inRange: 0)
  /// 1.
  public static let end = PlaybackPosition(inRange: 1)
}

/// A volume, 0…2, where 1 is nominal; NaN becomes nominal.
public struct Volume: BoundedPlaybackValue {
  /// The number, always in `range`.
  public let value: Float
  /// Takes a number, and keeps it in `range`.
  public init(inRange value: Float) { self.value = Self.clamped(value) }
  /// What is allowed.
  public static let range: ClosedRange<Float> = 0...2
  /// What NaN becomes.
  public static let fallback = Float(1)
  /// 0.
  public static let silent = Volume(inRange: 0)
  /// 1.
  public static let nominal = Volume(inRange: 1)
}

/// A speed, 0.25…4, where 1 is normal; NaN becomes normal.
public struct PlaybackRate: BoundedPlaybackValue {
  /// The number, always in `range`.
  public let value: Float
  /// Takes a number, and keeps it in `range`.
  public init(inRange value: Float) { self.value = Self.clamped(value) }
  /// What is allowed.
  public static let range: ClosedRange<Float> = 0.25...4
  /// What NaN becomes.
  public static let fallback = Float(1)
  /// 1.
  public static let normal = PlaybackRate(inRange: 1)
}

/// The scale of subtitle text, 0.1…5, where 1 is normal; NaN becomes normal.
public struct SubtitleScale: BoundedPlaybackValue {
  /// The number, always in `range`.
  public let value: Float
  /// Takes a number, and keeps it in `range`.
  public init(inRange value: Float) { self.value = Self.clamped(value) }
  /// What is allowed.
  public static let range: ClosedRange<Float> = 0.1...5
  /// What NaN becomes.
  public static let fallback = Float(1)
  /// 1.
  public static let normal = SubtitleScale(inRange: 1)
}

/// The gain of an equalizer's band, -20…20 decibels; NaN becomes flat.
public struct EqualizerGain: BoundedPlaybackValue {
  /// The number, always in `range`.
  public let value: Float
  /// Takes a number, and keeps it in `range`.
  public init(inRange value: Float) { self.value = Self.clamped(value) }
  /// What is allowed.
  public static let range: ClosedRange<Float> = -20...20
  /// What NaN becomes.
  public static let fallback = Float(0)
  /// 0 dB.
  public static let flat = EqualizerGain(inRange: 0)
}
