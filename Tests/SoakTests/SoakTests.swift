import Foundation
import Interleaving
import SimulatedVLC
import SwiftVLC
import TestSupport
import Testing

@testable import Soak

/// The soak itself: short, in this process, beside other tests.
@Suite(.tags(.logic), .timeLimit(.minutes(5)))
struct SoakTests {
  private static let bodies = Workload.all.flatMap { workload in
    SimulatedProfile.allCases.map { SoakBody(workload, $0, Set(SimulatedFault.allCases)) }
  }

  private static func schedules() throws -> [URL] {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "Fixtures/schedules"), includingPropertiesForKeys: nil)
  }

  private func explore(_ body: SoakBody, executions: Int, _ strategy: StrategyChoice) async -> Exploration {
    var options = ExplorationOptions(executions: executions)
    options.world = body.options
    options.parameters = body.parameters
    options.strategy = strategy
    return await Interleaving.explore(body.name, options, body: body.body(countsProcess: false))
  }

  @Test(.enabled(if: World.Substrate.best == .fibers && !World.isDeep), arguments: bodies)
  func `nothing is found in some schedules of each workload`(body: SoakBody) async {
    for strategy in [StrategyChoice.random, .priorities(depth: 2)] {
      let done = await explore(body, executions: 30, strategy)
      #expect(done.finding == nil, "\(done.artefact.map(String.init(describing:)) ?? "")")
      #expect(done.digestMismatches == 0)
    }
  }

  /// What a soak found once, made small: whoever brings it back finds it here first.
  @Test(
    .enabled(if: World.Substrate.best == .fibers && !World.isDeep),
    arguments: try schedules())
  func `what was found once is found no more`(file: URL) async throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let line = try #require(Artefact(text.split(separator: "\n").last ?? ""), "\(file.path) is no line")
    let body = try #require(SoakBody(name: line.body, parameters: line.parameters))
    var options = ExplorationOptions()
    options.world = body.options
    let finding = await replay(line, options, isStrict: false, body: body.body(countsProcess: false))
    #expect(finding == nil)
  }

  @Test func `a body is read from a line's words, and from nothing else`() {
    let body = SoakBody(.zapper, .libVLC4, [.stalls, .mediaIsNil])
    #expect(body.parameters == "libvlc4:media-nil,stalls")
    let read = SoakBody(name: body.name, parameters: body.parameters)
    #expect(read?.profile == .libVLC4 && read?.faults == body.faults)
    #expect(SoakBody(name: "zapper", parameters: "libvlc5:all") == nil)
    #expect(SoakBody(name: "zapper", parameters: "libvlc3:nothing") == nil)
    #expect(SoakBody(name: "nobody", parameters: "libvlc3:all") == nil)
  }
}
