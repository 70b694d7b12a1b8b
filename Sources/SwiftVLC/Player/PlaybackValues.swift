/// A number that stays in its range: finite input is clamped, NaN becomes a named default.
public protocol BoundedPlaybackValue: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, CustomStringConvertible
{
  associatedtype Number: BinaryFloatingPoint & Sendable
  /// What is allowed.
  static var range: ClosedRange<Number> { get }
  /// What NaN becomes.
  static var fallback: Number { get }
  /// The number, always in range.
  var value: Number { get }
  /// Takes a number that is in range.
  init(inRange value: Number)
}

extension BoundedPlaybackValue {
  /// Clamps a finite or infinite number, and takes the default for NaN.
  public init(_ number: Number) {
    let clamped = Swift.min(Swift.max(number, Self.range.lowerBound), Self.range.upperBound)
    self.init(inRange: number.isNaN ? Self.fallback : clamped)
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
  public let value: Double
  public init(inRange value: Double) { self.value = value }
  public static let range = 0.0...1.0
  public static let fallback = 0.0
  /// 0.
  public static let start = PlaybackPosition(inRange: 0)
  /// 1.
  public static let end = PlaybackPosition(inRange: 1)
}

/// A volume, 0…2, where 1 is nominal; NaN becomes nominal.
public struct Volume: BoundedPlaybackValue {
  public let value: Float
  public init(inRange value: Float) { self.value = value }
  public static let range: ClosedRange<Float> = 0...2
  public static let fallback = Float(1)
  /// 0.
  public static let silent = Volume(inRange: 0)
  /// 1.
  public static let nominal = Volume(inRange: 1)
}

/// A speed, 0.25…4, where 1 is normal; NaN becomes normal.
public struct PlaybackRate: BoundedPlaybackValue {
  public let value: Float
  public init(inRange value: Float) { self.value = value }
  public static let range: ClosedRange<Float> = 0.25...4
  public static let fallback = Float(1)
  /// 1.
  public static let normal = PlaybackRate(inRange: 1)
}

/// The scale of subtitle text, 0.1…5, where 1 is normal; NaN becomes normal.
public struct SubtitleScale: BoundedPlaybackValue {
  public let value: Float
  public init(inRange value: Float) { self.value = value }
  public static let range: ClosedRange<Float> = 0.1...5
  public static let fallback = Float(1)
  /// 1.
  public static let normal = SubtitleScale(inRange: 1)
}

/// The gain of an equalizer's band, -20…20 decibels; NaN becomes flat.
public struct EqualizerGain: BoundedPlaybackValue {
  public let value: Float
  public init(inRange value: Float) { self.value = value }
  public static let range: ClosedRange<Float> = -20...20
  public static let fallback = Float(0)
  /// 0 dB.
  public static let flat = EqualizerGain(inRange: 0)
}
