#if LibVLC
import CLibVLC
public import VLCNative

/// The real libVLC 3.0 of the system.
///
/// It keeps nothing but the names of media: each call converts types and numbers, nothing more.
public struct LibVLCLibrary: NativeLibrary {
  /// Names the system's libVLC; loads and starts nothing.
  public init() {}

  public var capabilities: NativeCapabilities {
    [.joiningTransport, .endEvent, .trackDescriptions, .audioDeviceLists, .cropGeometry]
  }
}
#endif
