import Foundation
import MediaFixtures
import TestSupport
import Testing

@Suite struct ExampleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of a text that say something, without their indentation.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test(.tags(.logic)) func `every Swift example of the README is compiled in this test`() throws {
    let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let compiled = lines(
      try String(
        contentsOf: Self.root.appendingPathComponent("Tests/ExampleTests/ReadmeExamples.swift"),
        encoding: .utf8))
    let examples = readme.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(examples.count == 3)
    for example in examples {
      let wanted = lines(example).filter { !$0.hasPrefix("import ") }
      let isCompiled = compiled.indices.contains { compiled[$0...].starts(with: wanted) }
      #expect(isCompiled, "\(example)")
    }
  }

  #if LibVLC
  @Test(.tags(.real), .timeLimit(.minutes(1))) func `the examples run`() async throws {
    let path = MediaFixtures.path("silence.wav")
    try await play(path)
    try await describe(path)
  }
  #endif
}
