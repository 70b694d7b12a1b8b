/// What a libVLC can do that another cannot: the seam is the union of 3.0 and 4.0.
///
/// Calling a requirement whose capability is absent is a programmer's error and traps in every conformer.
public struct NativeCapabilities: OptionSet, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// `playerStop`, `playerSetMedia` and `playerRelease` join the input thread before they return, and a
  /// natural end leaves a dead input that needs a stop before the next play. libVLC 3.0.
  public static let joiningTransport = NativeCapabilities(rawValue: 1 << 0)
  /// `playerStopAsynchronously` and `listPlayerStopAsynchronously`. libVLC 4.0.
  public static let asynchronousStop = NativeCapabilities(rawValue: 1 << 1)
  /// `NativeEvent.endReached` tells a natural end from any other stop. libVLC 3.0.
  public static let endEvent = NativeCapabilities(rawValue: 1 << 2)
  /// `NativeEvent.mediaStopping` carries the reason of a stop. libVLC 4.0.
  public static let stopReason = NativeCapabilities(rawValue: 1 << 3)
  /// A seek answers whether it was taken. libVLC 4.0.
  public static let seekAcknowledgement = NativeCapabilities(rawValue: 1 << 4)
  /// `playerJumpTime`. libVLC 4.0.
  public static let relativeSeek = NativeCapabilities(rawValue: 1 << 5)
  /// Tracks of a player by string identifier, several selected at once. libVLC 4.0.
  public static let trackLists = NativeCapabilities(rawValue: 1 << 6)
  /// Tracks of a player by number and description, one selected a type. libVLC 3.0.
  public static let trackDescriptions = NativeCapabilities(rawValue: 1 << 7)
  /// Thumbnails made by the library. libVLC 4.0.
  public static let thumbnails = NativeCapabilities(rawValue: 1 << 8)
  /// Recording that starts and stops during playback. libVLC 4.0.
  public static let recording = NativeCapabilities(rawValue: 1 << 9)
  /// An A-B loop in the library. libVLC 4.0.
  public static let abLoop = NativeCapabilities(rawValue: 1 << 10)
  /// Programs of a transport stream. libVLC 4.0.
  public static let programs = NativeCapabilities(rawValue: 1 << 11)
  /// Channel mix modes. libVLC 4.0.
  public static let mixMode = NativeCapabilities(rawValue: 1 << 12)
  /// A timer of the output clock. libVLC 4.0.
  public static let playerTimer = NativeCapabilities(rawValue: 1 << 13)
  /// The scale of subtitle text. libVLC 4.0.
  public static let subtitleTextScale = NativeCapabilities(rawValue: 1 << 14)
  /// Audio devices of an output without a player. libVLC 3.0.
  public static let audioDeviceLists = NativeCapabilities(rawValue: 1 << 15)
  /// Cropping by a geometry string. libVLC 3.0.
  public static let cropGeometry = NativeCapabilities(rawValue: 1 << 16)
  /// Media from byte-source callbacks can be parsed. libVLC 4.0.
  public static let callbackMediaParsing = NativeCapabilities(rawValue: 1 << 17)
  /// Cocoa views as video outputs.
  public static let cocoaViews = NativeCapabilities(rawValue: 1 << 18)

  /// Every capability with the name that messages and the `doctor` command print.
  public static let named: [(capability: NativeCapabilities, name: String)] = [
    (.joiningTransport, "joining transport"), (.asynchronousStop, "asynchronous stop"),
    (.endEvent, "end event"), (.stopReason, "stop reason"),
    (.seekAcknowledgement, "seek acknowledgement"), (.relativeSeek, "relative seek"),
    (.trackLists, "track lists"), (.trackDescriptions, "track descriptions"),
    (.thumbnails, "thumbnails"), (.recording, "recording"), (.abLoop, "A-B loop"),
    (.programs, "programs"), (.mixMode, "mix mode"), (.playerTimer, "player timer"),
    (.subtitleTextScale, "subtitle text scale"), (.audioDeviceLists, "audio device lists"),
    (.cropGeometry, "crop geometry"), (.callbackMediaParsing, "parsing of byte sources"),
    (.cocoaViews, "Cocoa views"),
  ]

  public var description: String {
    Self.named.filter { contains($0.capability) }.map(\.name).joined(separator: ", ")
  }
}
