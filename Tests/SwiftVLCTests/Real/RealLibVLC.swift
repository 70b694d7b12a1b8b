import Foundation
import MediaFixtures
import SimulatedFixtures
import SimulatedVLC
import TestSupport
import Testing
import VLCNative

@testable import SwiftVLC

/// Which libVLC the bodies below run on: the system's, or a simulated one.
enum Stage {
  /// A library for everything that the running task makes; nil for the system's.
  @TaskLocal static var library: (any NativeLibrary)?

  /// What stands for a pipe that nobody writes to where the library is simulated, and where it is.
  @TaskLocal static var barrier: SimulatedBarrier?
  static let barrierPath = "/stalled.mkv"

  /// Returns when all but so many native objects are released; false where that takes longer than it should.
  static func releasesAll(but kept: Int) async -> Bool {
    await holds {
      NativeObjects.count <= kept
    } simulated: {
      $0.livingObjects <= kept
    }
  }

  /// Returns when every native player is released.
  static func releasesPlayers() async -> Bool {
    await holds {
      NativeObjects.count(of: .player) == 0
    } simulated: { library in
      !library.livingObjectDescriptions.contains { $0.hasPrefix("player") }
    }
  }

  /// The engine's counts are the process's, where other tests play beside a simulated library's.
  private static func holds(
    _ real: @escaping @Sendable () -> Bool,
    simulated: @escaping @Sendable (SimulatedLibrary) -> Bool
  ) async -> Bool {
    let library = library as? SimulatedLibrary
    return await within(.seconds(60)) {
      while !(library.map(simulated) ?? real()) {
        if library == nil { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(10)) }
      }
      return true
    } ?? false
  }

  static var hasRealLibrary: Bool {
    #if LibVLC
    true
    #else
    false
    #endif
  }
}

/// Everything that runs on the real libVLC, one after the other: its threads and the process's counts are shared.
@Suite(.serialized, .tags(.real), .timeLimit(.minutes(10)), .enabled(if: Stage.hasRealLibrary))
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

  /// A copy of a fixture, which libVLC may write.
  struct Copy {
    let path: String

    init(of name: String) throws {
      guard Stage.library == nil else {
        path = SimulatedLibrary.Options.copies + name
        return
      }
      path = NSTemporaryDirectory() + "/swiftvlc-\(UUID().uuidString)-\(name)"
      try FileManager.default.copyItem(atPath: MediaFixtures.path(name), toPath: path)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
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
