import Interleaving
import InterleavingTesting
import SimulatedFixtures
import SimulatedVLC
import TestSupport
import Testing

@testable import SwiftVLC

/// A body of the suites for the real libVLC.
struct EngineBody: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let run: @Sendable () async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable () async throws -> Void) {
    (testDescription, self.run) = (name, run)
  }

  static let all: [EngineBody] = [
    EngineBody("plays to its natural end") {
      try await RealLibVLC.PlaybackTests().`each format plays to its natural end with picture and sound`(
        name: "base.mp4")
    },
    EngineBody("control events") {
      try await RealLibVLC.PlaybackTests()
        .`the control events of a whole playback come in order and none is lost`()
    },
    EngineBody("what a view observes") {
      try await RealLibVLC.PlaybackTests()
        .`what a view observes follows playback and is cleared for the next media`()
    },
    EngineBody("pause, resume and stop") {
      try await RealLibVLC.PlaybackTests().`pause, resume and stop are carried out and told`()
    },
    EngineBody("seeks") {
      try await RealLibVLC.PlaybackTests().`seeks land, and are refused while nothing plays`()
    },
    EngineBody("tracks") { try await RealLibVLC.PlaybackTests().`tracks are selected by value, and none`() },
    EngineBody("rate and sound") {
      try await RealLibVLC.PlaybackTests().`rate and sound are remembered, and reach libVLC`()
    },
    EngineBody("again after the end") {
      try await RealLibVLC.PlaybackTests().`a media is played again after its natural end`()
    },
    EngineBody("replacement") {
      try await RealLibVLC.PlaybackTests()
        .`a media that replaces another settles its predecessor as replaced`()
    },
    EngineBody("a missing file") {
      try await RealLibVLC.PlaybackTests().`what cannot be opened fails, and is told apart from an end`(
        source: "/nonexistent.mkv", kind: .cannotOpen)
    },
    EngineBody("a directory") {
      try await RealLibVLC.PlaybackTests().`what cannot be opened fails, and is told apart from an end`(
        source: "/proc", kind: .nothingToPlay)
    },
    EngineBody("junk") {
      try await RealLibVLC.PlaybackTests().`broken files fail`(name: "broken/junk.mkv", kind: .nothingToPlay)
    },
    EngineBody("a file that breaks off") {
      try await RealLibVLC.PlaybackTests().`a file that breaks off plays as far as it goes`()
    },
    EngineBody("without a media") {
      try await RealLibVLC.PlaybackTests().`without a media play throws and says what to do`()
    },
    EngineBody("streams end") {
      try await RealLibVLC.PlaybackTests().`streams end with their player, and outlive it harmlessly`()
    },
    EngineBody("a second play during opening") {
      try await RealLibVLC.PlaybackTests().`a second play during opening plays the second media`()
    },
    EngineBody("scenario 11") {
      try await RealLibVLC.ScenarioTests().`11: no event of one player reaches another`()
    },
    EngineBody("scenario 15") {
      try await RealLibVLC.ScenarioTests().`15: a wait for playing is not satisfied by the outgoing session`()
    },
    EngineBody("scenario 16") {
      try await RealLibVLC.ScenarioTests()
        .`16: duration and seekability of the old media never appear beside the new`()
    },
    EngineBody("scenario 58") {
      try await RealLibVLC.ParseScenarioTests()
        .`58: a hundred parses at once, a third cancelled at random, each complete once with the truth`()
    },
    EngineBody("a parse") {
      try await RealLibVLC.MediaTests().`a parse tells what the manifest says`(name: "tour.mkv")
    },
    EngineBody("chapters") {
      try await RealLibVLC.MediaTests().`chapters are read through a private player, and equal the manifest`()
    },
    EngineBody("a missing file's parse") {
      try await RealLibVLC.MediaTests().`a missing file fails to parse, and says so`()
    },
    EngineBody("several waiters") {
      try await RealLibVLC.MediaTests().`several waiters share a parse, and a parsed media answers at once`()
    },
    EngineBody("a byte source") {
      try await RealLibVLC.ByteSourceTests()
        .`a byte source plays, is opened anew for a replay, and each reader is closed once`()
    },
    EngineBody("a byte source that fails") {
      try await RealLibVLC.ByteSourceTests().`a source that does not open, or breaks in the middle, fails`()
    },
  ]
}

/// The suites for the real libVLC on the simulated one, in worlds: one at a time, since the engine counts its objects in one place.
@Suite(.serialized, .tags(.logic), .timeLimit(.minutes(10)), .enabled(if: World.Substrate.best == .fibers))
struct SimulatedEngineTests {
  @Test(
    .interleaved(executions: World.isDeep ? 1 : 40) {
      $0.world.steps = 400_000
      $0.world.settling = 400_000
      $0.world.timePassesEarly = false
    }, arguments: EngineBody.all)
  func `what holds on the real libVLC holds on the simulated one, in each schedule`(body: EngineBody)
    async throws
  {
    let library = SimulatedLibrary(.fixtures)
    try await Stage.$library.withValue(library) { try await body.run() }
  }

  @Test(
    .interleaved(executions: World.isDeep ? 1 : 40) {
      $0.world.steps = 400_000
      $0.world.settling = 400_000
      $0.world.timePassesEarly = false
    }, arguments: EngineBody.all)
  func `and on a simulated libVLC 4.0`(body: EngineBody) async throws {
    var options = SimulatedLibrary.Options.fixtures
    options.profile = .libVLC4
    let library = SimulatedLibrary(options)
    try await Stage.$library.withValue(library) { try await body.run() }
  }
}
