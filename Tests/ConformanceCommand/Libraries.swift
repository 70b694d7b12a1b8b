import Conformance
import SimulatedVLC

#if LibVLC
import LibVLC
import VLCNative
#endif

/// The libraries that the rules are checked on.
enum Libraries {
  enum Name { case real, simulated }

  /// The libVLC of the system; nil in a build without it.
  static func real() -> Harness? {
    #if LibVLC
    _ = heldInstance
    return Harness(library: library, media: FixtureSource())
    #else
    return nil
    #endif
  }

  /// The simulated libVLC, with a new library each time.
  static func simulated(_ profile: SimulatedProfile = .libVLC3) -> Harness {
    SimulatedSource.harness(profile)
  }

  /// The profile whose rule it is.
  static func profile(of rule: Rule) -> SimulatedProfile { rule.evidence == .checked ? .libVLC3 : .libVLC4 }

  #if LibVLC
  private static let library: any NativeLibrary = LibVLCLibrary()

  /// Keeps libVLC's plug-ins loaded between the rules: to look at each of them takes a tenth of a second.
  private static let heldInstance = library.newInstance(arguments: ["--quiet"])
  #endif
}
