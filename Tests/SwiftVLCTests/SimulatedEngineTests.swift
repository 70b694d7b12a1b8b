import Foundation
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
  /// Where it holds.
  let profiles: [SimulatedProfile]
  /// Too long for deep mode, where each access to memory is a step.
  let isLong: Bool
  let run: @Sendable () async throws -> Void

  init(
    _ name: String, _ profiles: [SimulatedProfile] = SimulatedProfile.allCases, isLong: Bool = false,
    _ run: @escaping @Sendable () async throws -> Void
  ) {
    testDescription = name
    self.profiles = profiles
    self.isLong = isLong
    self.run = run
  }

  static func all(of profile: SimulatedProfile) -> [EngineBody] {
    all.filter { $0.profiles.contains(profile) && !(World.isDeep && $0.isLong) }
  }

  /// What cannot be asked of a simulated library, by the sentence that names the test.
  static let notApplicable = [
    "shared is one, however many ask at once":
      "the shared instance is of the system's library, and the process has one",
    "a process that ends while something plays stops it first": "it ends the process, and a world with it",
    "a read that blocks is made to return before a stop, a load and a drop":
      "in a world beside the same test outside of it the blocked read may never return",
    "headers of one media are asked with it, and cannot smuggle others":
      "a server hears what is asked of it, and the simulated library asks nothing over a network",
  ]

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
    EngineBody("an unknown scheme") {
      try await RealLibVLC.PlaybackTests().`what cannot be opened fails, and is told apart from an end`(
        source: "nosuch://x", kind: .cannotOpen)
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
    EngineBody("an unknown argument") {
      RealLibVLC.InstanceTests().`an unknown argument throws, and the sentence names it`()
    },
    EngineBody("an instance", [.libVLC3]) {
      try RealLibVLC.InstanceTests().`an instance says what it is and what it can`()
    },
    EngineBody("a log by level") {
      try await RealLibVLC.InstanceTests()
        .`the log comes while somebody listens, by level, and lines of any length whole`()
    },
    EngineBody("metadata that is saved") {
      try await RealLibVLC.MediaDescriptionTests()
        .`metadata is changed for this process, then written into the file`()
    },
    EngineBody("metadata that cannot be saved") {
      try await RealLibVLC.MediaDescriptionTests()
        .`metadata that cannot be written throws, and says what to check`()
    },
    EngineBody("slaves") {
      try await RealLibVLC.MediaDescriptionTests().`slaves are added, listed, played and taken back`()
    },
    EngineBody("kinds of media") {
      try await RealLibVLC.MediaDescriptionTests().`the kind of a media is told by where it is`()
    },
    EngineBody("a byte source's parse", [.libVLC3]) {
      try await RealLibVLC.ByteSourceTests().`libVLC 3 does not parse a byte source, and says so`()
    },
    EngineBody("a descriptor") {
      try await RealLibVLC.ByteSourceTests()
        .`a descriptor plays from its beginning each time, and twice at once`()
    },
    EngineBody("a parse that never answers") {
      try await RealLibVLC.MediaTests()
        .`a parse of what never answers times out, and can be cancelled, running or queued`()
    },
    EngineBody("one waiter's cancellation") {
      try await RealLibVLC.MediaTests().`one waiter's cancellation does not end another's parse`()
    },
    EngineBody("scenario 58, again") {
      try await RealLibVLC.ParseScenarioTests()
        .`58: what was cancelled or ran out of time is parsed by the next call`()
    },
    EngineBody("scenario 5", isLong: true) {
      try await RealLibVLC.ScenarioTests()
        .`5: a consumer that stalls for two seconds loses no control event, and has the newest of each kind`()
    },
    EngineBody("scenario 10", isLong: true) {
      try await RealLibVLC.ScenarioTests()
        .`10: a hundred consumers come and go during playback, and a slow one slows no other`()
    },
    // Of 4.0 each player has a thread more: too many for a world.
    EngineBody("scenario 22", [.libVLC3], isLong: true) {
      try await RealLibVLC.ScenarioTests()
        .`22: thirty-two players dropped at once, and made anew faster than they drain`()
    },
    // Fewer, and without the process's threads and descriptors.
    EngineBody("a thousand players dropped, one in ten while playing, leave nothing behind", isLong: true) {
      let instance = try RealLibVLC.instance()
      try await LifetimeBodies.drop(30, instance)
      #expect(await Stage.releasesAll(but: 1))
      withExtendedLifetime(instance) {}
    },
    EngineBody("players dropped from many tasks at once leave nothing behind", isLong: true) {
      await LifetimeBodies.dropFromManyTasks(try RealLibVLC.instance())
      #expect(await Stage.releasesAll(but: 0))
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
  @Test(.wholePlaybacks(20), arguments: EngineBody.all(of: .libVLC3))
  func `what holds on the real libVLC holds on the simulated one, in each schedule`(body: EngineBody)
    async throws
  { try await Self.run(body, .libVLC3) }

  /// What the engine needs of 3.0 it finds by the capabilities of 4.0.
  @Test(.wholePlaybacks(20), arguments: EngineBody.all(of: .libVLC4))
  func `what holds on the real libVLC holds on a simulated 4.0, in each schedule`(body: EngineBody)
    async throws
  { try await Self.run(body, .libVLC4) }

  private static func run(_ body: EngineBody, _ profile: SimulatedProfile) async throws {
    let barrier = SimulatedBarrier()
    try await Stage.$barrier.withValue(barrier) {
      try await Stage.$library.withValue(library(profile, barrier)) { try await body.run() }
    }
  }

  /// - Parameter barrier: what a pipe that nobody writes to waits for.
  private static func library(_ profile: SimulatedProfile, _ barrier: SimulatedBarrier? = nil)
    -> SimulatedLibrary
  {
    var options = SimulatedLibrary.Options.fixtures
    options.profile = profile
    var stalled = SimulatedMedium(duration: .seconds(1))
    stalled.barrier = barrier
    options.media["file://" + Stage.barrierPath] = stalled
    return SimulatedLibrary(options)
  }

  @Test(
    .wholePlaybacks(50), arguments: SimulatedProfile.allCases)
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

/// Whether a test of the real suites was forgotten.
@Suite(.tags(.logic)) struct EngineBodyTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The sentences that name the tests of the suites for the real libVLC.
  private static func tests() throws -> [String] {
    let real = folder.appendingPathComponent("Real")
    return try FileManager.default.contentsOfDirectory(atPath: real.path).flatMap { name in
      let text = try String(contentsOf: real.appendingPathComponent(name), encoding: .utf8)
      return text.matches(of: #/func `([^`]+)`/#).map { String($0.1) }
    }
  }

  @Test func `each test of the real libVLC runs on the simulated one, or cannot be asked of it`() throws {
    let tests = try Self.tests()
    #expect(tests.count > 40)
    let text = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let bodies = Set(EngineBody.all.map(\.testDescription))
    for test in tests {
      let isRun = text.contains(".`\(test)`(") || bodies.contains(test)
      #expect(
        isRun != (EngineBody.notApplicable[test] != nil),
        "\(test): add it to EngineBody.all, or say in EngineBody.notApplicable why it cannot be")
    }
    #expect(Set(EngineBody.notApplicable.keys).subtracting(tests) == [])
  }
}
