#if LibVLC
import Foundation
import MediaFixtures
import SwiftVLC
import TestSupport
import Testing

@testable import Soak

/// The soak's checkers over what was recorded of the engine on the real libVLC: what they hold the simulated one to is no more than
/// libVLC keeps.
@MainActor @Suite(.tags(.real), .timeLimit(.minutes(10))) struct RealLibraryTests {
  private static func instance() throws -> VLCInstance {
    try VLCInstance(
      arguments: VLCInstance.defaultArguments + ["--vout=dummy", "--aout=adummy", "--quiet"])
  }

  /// What libVLC itself says of a file, which the manifest's length confirms, and a parse must.
  private static func facts(of name: String, _ media: Media, _ instance: VLCInstance) async throws
    -> GenerationsChecker.Facts
  {
    let metadata = try await media.parse(timeout: .seconds(60), instance: instance)
    let truth = MediaFixtures.file(name)
    let length = try #require(truth.duration)
    #expect(abs((metadata.duration ?? .zero) / .seconds(1) - length) < 0.2)
    let facts = GenerationsChecker.Facts(
      name: name, duration: metadata.duration, isSeekable: true,
      tracks: Set(truth.tracks.indices.flatMap { ["video/\($0)", "audio/\($0)", "spu/\($0)"] }))
    #expect(
      CommandsChecker().parsed(
        .success(metadata), of: facts, fails: false, faults: false, isCancelled: false, isOutOfTime: false)
        == nil)
    return facts
  }

  @Test func `streams, outcomes and generations of a day on the real library are what the checkers want`()
    async throws
  {
    let instance = try Self.instance()
    let names = ["tour.mkv", "base.mp4", "silence.wav"]
    var facts: [GenerationsChecker.Facts] = []
    for name in names {
      facts.append(try await Self.facts(of: name, Media(path: MediaFixtures.path(name)), instance))
    }
    var generations = GenerationsChecker()
    var reasons = OutcomesChecker.Reasons()
    var player: Player? = Player(instance: instance)
    let readers = try #require(player).readers()
    let states = try #require(player).playbackStatus

    func look() {
      guard let player else { return }
      let tracks = player.audioTracks + player.videoTracks + player.subtitleTracks
      let violation = generations.saw(
        duration: player.duration, time: player.currentTime, isSeekable: player.isSeekable,
        tracks: tracks.map(\.id), generation: player.generation)
      #expect(violation == nil, "\(violation as Any)")
    }
    func load(_ number: Int) throws {
      reasons.loads += 1
      reasons.media.append((names[number], false))
      generations.loaded(facts[number])
      try player?.play(Media(path: MediaFixtures.path(names[number])))
      look()
    }
    func until(_ state: PlayerState) async {
      for await status in states where status.state == state { break }
      look()
    }

    for round in 0..<3 {
      try load(0)
      await until(.playing)
      player?.pause()
      await until(.paused)
      try player?.seek(to: .seconds(20 + round))
      player?.resume()
      await until(.playing)
      // One that is replaced before it opens, and one that plays to its end.
      try load(2)
      try load(1)
      await until(.playing)
      look()
      await until(.stopped)
      try load(2)
      await until(.playing)
      reasons.stops += 1
      player?.stop()
      await until(.stopped)
    }
    try load(0)
    await until(.playing)
    reasons.isDropped = true
    player = nil

    var streams = StreamsChecker()
    var outcomes = OutcomesChecker()
    for envelope in await readers.all.value {
      let violation =
        streams.received(envelope, by: .all) ?? generations.told(envelope, known: facts)
      #expect(violation == nil, "\(violation as Any)")
    }
    for envelope in await readers.control.value {
      #expect(streams.received(envelope, by: .control) == nil)
    }
    for envelope in await readers.timing.value {
      #expect(streams.received(envelope, by: .timing) == nil)
    }
    for outcome in await readers.outcomes.value {
      let violation = outcomes.received(outcome, reasons)
      #expect(violation == nil, "\(violation as Any)")
    }
    #expect(streams.all.count > 100)
    // On a slow machine what is short may end before it is replaced.
    #expect(outcomes.outcomes.count { $0.cause == .naturalEnd } >= 3)
    #expect(outcomes.outcomes.last?.cause == .cancellation)
    let violation = streams.ended(.lanes) ?? outcomes.ended(streams.all, reasons)
    #expect(violation == nil, "\(violation as Any)")
  }
}

/// Who reads a player to its end.
private struct Readers {
  let all: Task<[PlayerEventEnvelope], Never>
  let control: Task<[PlayerEventEnvelope], Never>
  let timing: Task<[PlayerEventEnvelope], Never>
  let outcomes: Task<[PlaybackTerminalOutcome], Never>
}

extension Player {
  fileprivate func readers() -> Readers {
    Readers(
      all: Self.read(eventEnvelopes(policy: .unbounded)), control: Self.read(controlEventEnvelopes),
      timing: Self.read(timingEventEnvelopes), outcomes: Self.read(terminalOutcomes))
  }

  private static func read<Element: Sendable>(_ stream: EventStream<Element>) -> Task<[Element], Never> {
    Task.detached {
      var read: [Element] = []
      for await element in stream { read.append(element) }
      return read
    }
  }
}
#endif
