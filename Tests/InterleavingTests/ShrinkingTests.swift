import ConcurrencySeam
import Foundation
import Interleaving
import InterleavingReports
import TestSupport
import Testing

/// Small schedules, and what is shown of them.
@Suite(.tags(.logic), .timeLimit(.minutes(5)), .enabled(if: World.Substrate.best == .fibers))
struct ShrinkingTests {
  /// Three threads lock around a counter; two that read the same count lose one.
  private static let losing = Body.threads { world in
    let cell = Cell()
    let done = Cell()
    @Sendable func add() {
      for _ in 0..<3 {
        let seen = cell.count.withLock { $0 }
        cell.count.withLock { $0 = seen + 1 }
      }
      let isLast = done.count.withLock { count in
        count += 1
        return count == 3
      }
      if isLast, cell.count.withLock({ $0 != 9 }) {
        world.fail("\(cell.count.withLock { $0 }) of 9 were counted")
      }
    }
    world.spawn("second", add)
    world.spawn("third", add)
    add()
  }

  private final class Cell: Sendable { let count = Guarded(0) }

  private static func found(_ seed: UInt64 = 5) async throws -> Artefact {
    var options = ExplorationOptions()
    options.seed = seed
    options.tellsFair = false
    return try #require(await explore("losing", options, body: losing).artefact)
  }

  @Test(arguments: UInt64(0)..<8)
  func `a lost update is one preemption, whatever schedule it is found in`(seed: UInt64) async throws {
    let line = try await Self.found(seed)
    let shrunk = try #require(await shrink(line, body: Self.losing))
    #expect(shrunk.finding.kind == .failure && shrunk.preemptionsAfter == 1, "\(Lanes(shrunk.trace))")
    #expect(shrunk.choicesAfter <= 2 && shrunk.choicesBefore == line.choices.choices.count)
    #expect(shrunk.artefact.choices.explicitCount == shrunk.choicesAfter)
    // The small line is a line like others: it replays to the digest.
    let text = try #require(Artefact(shrunk.artefact.description))
    #expect(await replay(text, body: Self.losing)?.place == shrunk.finding.place)
  }

  @Test func `values that a body draws become noughts where they may`() async throws {
    let body = Body.threads { world in
      let numbers = (0..<6).map { _ in world.draw(10) }
      if numbers[2] >= 5, numbers.reduce(0, +) > 10 { world.fail("the numbers are large") }
    }
    var options = ExplorationOptions()
    options.tellsFair = false
    let line = try #require(await explore("numbers", options, body: body).artefact)
    let shrunk = try #require(await shrink(line, body: body))
    #expect(shrunk.choicesAfter <= 3, "\(shrunk.artefact)")
  }

  @Test func `what a schedule alone does not make again is not made small`() async {
    let line = Artefact(
      body: "losing", strategy: "random", seed: 1, finding: .lockOrder, digest: 0, choices: ChoiceSequence())
    #expect(await shrink(line, body: Self.losing) == nil)
    let stale = Artefact(
      body: "losing", strategy: "random", seed: 1, finding: .deadlock, digest: 0, choices: ChoiceSequence())
    #expect(await shrink(stale, body: Self.losing) == nil)
  }

  @Test func `lanes fit one screen, with the end where it is found`() async throws {
    let shrunk = try #require(await shrink(try await Self.found(), body: Self.losing))
    let lines = "\(Lanes(shrunk.trace))".split(separator: "\n")
    #expect(lines.count <= 50 && lines.allSatisfy { $0.count <= 110 })
    #expect(lines.first?.contains("second") == true && lines.last?.contains("failure!") == true)
    let few = "\(Lanes(shrunk.trace, mostRows: 10))".split(separator: "\n")
    #expect(few.count <= 12 && few.last?.contains("failure!") == true && few.contains { $0.contains("… ") })
  }

  @Test func `reports are what their formats say`() async throws {
    let line = try await Self.found()
    let shrunk = try #require(await shrink(line, body: Self.losing))
    var exploration = Exploration(replaying: line, shrunk.finding)
    exploration.substrate = .fibers
    let report = Report(
      body: "losing", summary: "loses </script> one & \"all\"", strategy: "random", seconds: 1, exploration,
      shrunk: shrunk
    ) { "replay '\($0)'" }
    let object = try #require(try JSONSerialization.jsonObject(with: report.json()) as? [String: Any])
    let finding = try #require(object["finding"] as? [String: Any])
    #expect(finding["line"] as? String == shrunk.artefact.description)
    #expect((finding["events"] as? [Any])?.count == shrunk.trace.events.count)

    let trace = try #require(
      try JSONSerialization.jsonObject(with: PerfettoTrace(report).json()) as? [String: Any])
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    #expect(events.count { $0["ph"] as? String == "M" } == shrunk.trace.lanes.count + 1)
    #expect(events.allSatisfy { $0["name"] is String && $0["pid"] is Int && $0["tid"] is Int })

    let page = String(decoding: try HTMLReport(report).html(), as: UTF8.self)
    // The data cannot end its element, and nothing is fetched.
    #expect(page.components(separatedBy: "</script>").count == 3 && page.contains("<\\/script>"))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("src="))

    let junit = String(decoding: JUnitReport([report]).xml(), as: UTF8.self)
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).xml")
    try Data(junit.utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    #expect(junit.contains(#"failures="1""#) && junit.contains(#"type="failure""#))
    #expect(try isXML(path))
  }

  /// Whether another program reads the file as XML.
  private func isXML(_ path: URL) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])", path.path,
    ]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
