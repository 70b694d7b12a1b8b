import Foundation
import Interleaving
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

  @Test(
    .tags(.logic),
    arguments: [
      ("README.md", "ReadmeExamples.swift", 3), ("docs/interleaving.md", "InterleavingExamples.swift", 3),
      ("docs/testing-applications.md", "SimulatedExamples.swift", 5),
    ])
  func `every Swift example of a page is compiled in this test`(page: String, file: String, count: Int) throws
  {
    let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
    let compiled = lines(
      try String(contentsOf: Self.root.appendingPathComponent("Tests/ExampleTests/\(file)"), encoding: .utf8))
    let examples = text.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(examples.count == count)
    for example in examples {
      let wanted = lines(example).filter { !$0.hasPrefix("import ") }
      let isCompiled = compiled.indices.contains { compiled[$0...].starts(with: wanted) }
      #expect(isCompiled, "\(example)")
    }
  }

  @Test(.tags(.logic)) func `the kernel's example finds what it says`() async {
    let finding = await exploreOppositeOrders()
    #expect([.deadlock, .lockOrder].contains(finding?.kind))
  }

  #if LibVLC
  @Test(.tags(.real), .timeLimit(.minutes(5))) func `the examples run`() async throws {
    let path = MediaFixtures.path("silence.wav")
    try await play(path)
    try await describe(path)
  }
  #endif
}
