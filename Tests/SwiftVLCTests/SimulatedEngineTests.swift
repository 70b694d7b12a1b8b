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
    EngineBody("a log stream") {
      try await RealLibVLC.InstanceTests().`a log stream outlives its instance and ends`()
    },
    EngineBody("scenario 9") {
      try await RealLibVLC.ScenarioTests()
        .`9: a log stream that ends while lines come, with its instance dropped at once, is safe`()
    },
  ]
}

extension Trait where Self == InterleavedTrait {
  /// Long executions; in deep mode one, which takes its time.
  fileprivate static func wholePlaybacks(_ executions: Int) -> Self {
    .interleaved(executions: World.isDeep ? 1 : executions) {
      $0.world.steps = 400_000
      $0.world.settling = 400_000
      $0.world.timePassesEarly = false
    }
  }
}

/// The suites for the real libVLC on the simulated one, in worlds: one at a time, since the engine counts its objects in one place.
@Suite(.serialized, .tags(.logic), .timeLimit(.minutes(10)), .enabled(if: World.Substrate.best == .fibers))
struct SimulatedEngineTests {
  @Test(
    .wholePlaybacks(40), arguments: EngineBody.all)
  func `what holds on the real libVLC holds on the simulated one, in each schedule`(body: EngineBody)
    async throws
  {
    let library = SimulatedLibrary(.fixtures)
    try await Stage.$library.withValue(library) { try await body.run() }
  }

  /// None is left out: what the engine needs of 3.0 it finds by the capabilities of 4.0.
  @Test(
    .wholePlaybacks(40), arguments: EngineBody.all)
  func `what holds on the real libVLC holds on a simulated 4.0, in each schedule`(body: EngineBody)
    async throws
  {
    let library = Self.library(.libVLC4)
    try await Stage.$library.withValue(library) { try await body.run() }
  }

  private static func library(_ profile: SimulatedProfile) -> SimulatedLibrary {
    var options = SimulatedLibrary.Options.fixtures
    options.profile = profile
    return SimulatedLibrary(options)
  }

  @Test(
    .wholePlaybacks(100), arguments: SimulatedProfile.allCases)
  func `whatever is asked for in whatever order, each session has one outcome and the player plays on`(
    profile: SimulatedProfile
  ) async throws {
    let library = Self.library(profile)
    try await Stage.$library.withValue(library) { try await Self.playAtRandom() }
    // The engine's own counts are the process's, where other tests play.
    while library.livingObjects > 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  @MainActor private static func playAtRandom() async throws {
    let player = Player(instance: try RealLibVLC.instance())
    let outcomes = player.terminalOutcomes
    let last = try RealLibVLC.media("silence.wav", ":stop-time=0.1")
    for _ in 0..<14 {
      switch World.current?.draw(9) ?? 0 {
      case 0: try player.play(RealLibVLC.media("silence.wav", ":stop-time=0.3"))
      case 1: try player.play(RealLibVLC.media("base.mp4"))
      case 2: try player.load(RealLibVLC.media("tour.mkv"))
      case 3: try? player.play()
      case 4: player.pause()
      case 5: player.togglePlayPause()
      case 6: player.stop()
      case 7: try? player.seek(to: .seconds(1))
      default: try await Task.sleep(for: .milliseconds(40 * (World.current?.draw(10) ?? 0)))
      }
    }
    player.stop()
    await until { [.idle, .stopped, .error].contains(player.state) && !player.isPlaying }
    let later = player.terminalOutcomes
    try player.play(last)
    let end = await later.first { $0.cause == .naturalEnd }
    await until { player.state == .stopped && player.didReachEnd }
    #expect(end?.playback == player.generation)
    var seen: Set<PlaybackGeneration> = []
    for await outcome in outcomes {
      #expect(seen.insert(outcome.playback).inserted, "a second outcome: \(outcome)")
      if outcome == end { break }
    }
    #expect(player.currentMedia === last)
  }
}
