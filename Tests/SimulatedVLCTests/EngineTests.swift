import Foundation
import Interleaving
import SimulatedVLC
import SwiftVLC
import TestSupport
import Testing
import VLCNative

@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct EngineTests {
  @Test func `a player plays a clip to its natural end in a world`() async throws {
    var options = ExplorationOptions(executions: 200)
    options.world.steps = 200_000
    options.world.settling = 100_000
    let done = await explore("engine", options) { world in
      let library = SimulatedLibrary()
      try await Self.playToTheEnd(library)
      var rounds = 0
      while library.livingObjects > 0, rounds < 10_000 {
        await Task.yield()
        rounds += 1
      }
      if library.livingObjects > 0 { world.fail("left: \(library.livingObjectDescriptions)") }
    }
    #expect(done.finding == nil, "\(done.finding as Any) \(done.artefact as Any)")
    print(done.executions, done.statistics.distinctSchedules)
  }

  @MainActor static func playToTheEnd(_ library: SimulatedLibrary) async throws {
    let instance = try VLCInstance(library: library)
    let player = Player(instance: instance)
    let outcomes = player.terminalOutcomes
    try player.play(Media(url: URL(string: "fake://clip")!))
    for await outcome in outcomes {
      if outcome.cause != .naturalEnd { throw Wrong(cause: "\(outcome)") }
      break
    }
  }
  struct Wrong: Error { let cause: String }
}
