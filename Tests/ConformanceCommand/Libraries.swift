import Conformance

#if LibVLC
import LibVLC
import VLCNative
#endif

/// The libraries that the rules are checked on.
enum Libraries {
  /// The libVLC of the system; nil in a build without it.
  static func real() -> Harness? {
    #if LibVLC
    _ = heldInstance
    return Harness(library: library, media: FixtureSource())
    #else
    return nil
    #endif
  }

  /// The simulated libVLC; nil until there is one. To plug it in, return a harness with the library, its media, its
  /// scheduler's threads and their numbers.
  static func simulated() -> Harness? { nil }

  #if LibVLC
  private static let library: any NativeLibrary = LibVLCLibrary()

  /// Keeps libVLC's plug-ins loaded between the rules: to look at each of them takes a tenth of a second.
  private static let heldInstance = library.newInstance(arguments: ["--quiet"])
  #endif
}
