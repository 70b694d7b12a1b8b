import Synchronization

/// A number that names one native object for the whole life of the process and is never used again.
///
/// libVLC reuses addresses often, at once for media; an address is good for a call, never for identity.
public struct NativeIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number itself, from 1.
  public let number: UInt64

  /// Names an object by a number that a conformer kept in the object itself.
  public init(number: UInt64) {
    self.number = number
  }

  private static let last = Atomic<UInt64>(0)

  /// The next identifier of this process, greater than each before it.
  public static func next() -> NativeIdentifier {
    NativeIdentifier(number: last.add(1, ordering: .relaxed).newValue)
  }

  public static func < (left: NativeIdentifier, right: NativeIdentifier) -> Bool {
    left.number < right.number
  }

  public var description: String { "#\(number)" }
}

/// A native object: its address for the call, its identifier for everything else.
///
/// A reference owns nothing. Who holds a count on the object is the engine's own business; equality and
/// hash are the identifier's.
public struct NativeReference<Object>: Hashable, @unchecked Sendable, CustomStringConvertible {
  // Sendable without a check: a reference is a name. It is dereferenced by a conformer alone, and when
  // the object may be reached is what the engine guards.
  /// Where the object lives now; meaningful to the conformer that made it, and to nobody else.
  public let address: OpaquePointer
  /// Which object it is.
  public let identifier: NativeIdentifier

  /// Names the object at an address; a conformer's business.
  public init(address: OpaquePointer, identifier: NativeIdentifier = .next()) {
    self.address = address
    self.identifier = identifier
  }

  public static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  public var description: String { "\(Object.self)\(identifier)" }
}

// The kinds of native objects: never made, they tell the references apart.

/// Marks references to a libVLC instance.
public enum InstanceObject {}
/// Marks references to a media.
public enum MediaObject {}
/// Marks references to a media player.
public enum PlayerObject {}
/// Marks references to a media list.
public enum MediaListObject {}
/// Marks references to a media list player.
public enum ListPlayerObject {}
/// Marks references to an equalizer.
public enum EqualizerObject {}
/// Marks references to a dialog that waits for an answer.
public enum DialogObject {}
/// Marks references to a media discoverer.
public enum MediaDiscovererObject {}
/// Marks references to a renderer discoverer.
public enum RendererDiscovererObject {}
/// Marks references to a discovered renderer.
public enum RendererItemObject {}
/// Marks references to a thumbnail request in flight.
public enum ThumbnailRequestObject {}

/// A libVLC instance.
public typealias NativeInstance = NativeReference<InstanceObject>
/// A media.
public typealias NativeMedia = NativeReference<MediaObject>
/// A media player.
public typealias NativePlayer = NativeReference<PlayerObject>
/// A media list.
public typealias NativeMediaList = NativeReference<MediaListObject>
/// A media list player.
public typealias NativeListPlayer = NativeReference<ListPlayerObject>
/// An equalizer.
public typealias NativeEqualizer = NativeReference<EqualizerObject>
/// A dialog that waits for an answer.
public typealias NativeDialog = NativeReference<DialogObject>
/// A media discoverer.
public typealias NativeMediaDiscoverer = NativeReference<MediaDiscovererObject>
/// A renderer discoverer.
public typealias NativeRendererDiscoverer = NativeReference<RendererDiscovererObject>
/// A discovered renderer.
public typealias NativeRendererItem = NativeReference<RendererItemObject>
/// A thumbnail request in flight.
public typealias NativeThumbnailRequest = NativeReference<ThumbnailRequestObject>
