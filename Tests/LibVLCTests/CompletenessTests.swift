#if LibVLC
import Foundation
import Testing
import VLCNative

extension RealLibraryTests {
  /// Proves that the tests of this folder call each requirement of the seam that libVLC 3.0 has.
  @Suite struct CompletenessTests {
    @Test func `each requirement is called as often as it has overloads, or more`() throws {
      let required = try Self.required()
      let uses = try Self.count(
        Self.sources(in: Self.tests, where: { _ in true }).flatMap { $0.uses(of: "library") })
      for (requirement, overloads) in required {
        #expect(uses[requirement, default: 0] >= overloads, "\(requirement) is not called in a test")
      }
    }

    @Test func `the scanner finds the requirements, and what 3.0 lacks`() throws {
      let required = try Self.required()
      // Overloads that differ in labels, in types, and a property.
      #expect(required[Requirement(name: "newMedia", labels: ["_", "location"])] == 1)
      #expect(required[Requirement(name: "newMedia", labels: ["_", "callbacks", "opaque"])] == 1)
      #expect(required[Requirement(name: "stop", labels: ["_"])] == 4)
      #expect(required[Requirement(name: "equalizerBandCount", labels: nil)] == 1)
      // What 3.0 has and 4.0 has not, in spite of a default implementation, and the other way round.
      #expect(required[Requirement(name: "selectTrack", labels: ["_", "_", "number"])] == 1)
      #expect(required[Requirement(name: "selectTracks", labels: ["_", "_", "identifiers"])] == nil)
      #expect(required[Requirement(name: "stopAsynchronously", labels: ["_"])] == nil)
      #expect(required.values.reduce(0, +) > 190)
    }

    @Test func `the scanner sees through comments, strings and nested calls`() {
      let scanner = SourceScanner(
        """
        // library.play(player)
        let text = "library.stop(player), \\"}" /// library.state(player)
        library.setTime(stage.player, milliseconds: max(1, 2), fast: isFast ? true : false)
        let status = alibrary.play(player) ?? library.version
        """)
      #expect(
        scanner.uses(of: "library").map(\.description) == ["setTime(_:milliseconds:fast:)", "version"])
    }

    /// The requirements that 3.0 has, each with the number of overloads that its labels do not tell apart.
    private static func required() throws -> [Requirement: Int] {
      let seam = try sources(in: seam) { $0 == "NativeLibrary.swift" || $0.hasSuffix("Calls.swift") }
      let capabilities = try bits()
      var absent: [Requirement: Int] = [:]
      for (requirement, capability) in seam.flatMap(\.absences) {
        let bit = try #require(capabilities[capability], "no capability is named \(capability)")
        if library.capabilities.rawValue & (1 << bit) == 0 { absent[requirement, default: 0] += 1 }
      }
      return Dictionary(
        uniqueKeysWithValues: try count(seam.flatMap(\.requirements)).map { requirement, overloads in
          (requirement, overloads - absent[requirement, default: 0])
        }
      ).filter { $0.value > 0 }
    }

    /// The bit of each capability, by the name it has in the source.
    private static func bits() throws -> [String: UInt64] {
      let file = seam.appendingPathComponent("NativeCapabilities.swift")
      let pattern = /static let (\w+) = NativeCapabilities\(rawValue: 1 << (\d+)\)/
      return Dictionary(
        uniqueKeysWithValues: try String(contentsOf: file, encoding: .utf8).matches(of: pattern).map {
          (String($0.1), UInt64($0.2) ?? 0)
        })
    }

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let seam = tests.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/VLCNative")

    private static func sources(
      in folder: URL, where isWanted: (String) -> Bool
    ) throws -> [SourceScanner] {
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      return try files.compactMap { $0 as? URL }
        .filter { $0.pathExtension == "swift" && isWanted($0.lastPathComponent) }
        .map { SourceScanner(try String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func count(_ requirements: [Requirement]) throws -> [Requirement: Int] {
      try #require(!requirements.isEmpty)
      return Dictionary(requirements.map { ($0, 1) }, uniquingKeysWith: +)
    }
  }
}
#endif
