import MediaFixtures
import TestSupport
import Testing
import VLCNative

@testable import SwiftVLC

/// Which libVLC the bodies below run on: the system's, or a simulated one.
enum Stage {
  /// A library for everything that the running task makes; nil for the system's.
  @TaskLocal static var library: (any NativeLibrary)?

  static var hasRealLibrary: Bool {
    #if LibVLC
    true
    #else
    false
    #endif
  }
}

/// Everything that runs on the real libVLC, one after the other: its threads and the process's counts are shared.
@Suite(.serialized, .tags(.real), .timeLimit(.minutes(3)), .enabled(if: Stage.hasRealLibrary))
enum RealLibVLC {
  /// An instance that finds nothing but what it is given, and plays to dummy outputs.
  static func instance(_ arguments: [String] = []) throws -> VLCInstance {
    try VLCInstance(
      arguments: VLCInstance.defaultArguments + [
        "--vout=dummy", "--aout=adummy", "--no-sub-autodetect-file", "--quiet",
      ] + arguments, library: Stage.library)
  }

  static func media(_ name: String, _ options: String...) throws -> Media {
    let media = try Media(path: MediaFixtures.path(name))
    for option in options { try media.addOption(option) }
    return media
  }
}

extension EventStream where Element: Equatable {
  /// The elements up to one, or to the end.
  func upTo(_ last: Element) async -> [Element] {
    var elements: [Element] = []
    for await element in self {
      elements.append(element)
      if element == last { break }
    }
    return elements
  }
}

extension EventStream {
  /// The first element that the condition holds for.
  func first(where condition: @Sendable (Element) -> Bool) async -> Element? {
    for await element in self where condition(element) { return element }
    return nil
  }
}
