import MediaFixtures
import Synchronization
import TestSupport
import Testing

@testable import SwiftVLC

extension RealLibVLC {
  /// Situations from reports, by number; `docs/scenarios.md` maps them.
  @MainActor @Suite struct ScenarioTests {
    @Test
    func `5: a consumer that stalls for two seconds loses no control event, and has the newest of each kind`()
      async throws
    {
      let player = Player(instance: try instance())
      let all = player.eventEnvelopes(policy: .unbounded)
      let control = player.controlEventEnvelopes
      let timing = player.timingEvents
      let status = player.playbackStatus
      let outcomes = player.terminalOutcomes
      try player.setPlaybackRate(4)
      try player.play(media("tour.mkv", ":stop-time=12"))
      _ = await status.first { $0.state == .playing }
      // The stall, after a first read: nobody reads the streams while some four hundred time events a second come (R6 of the numbers).
      var iterator = timing.makeAsyncIterator()
      let first = await iterator.next()
      try await Task.sleep(for: .seconds(2))
      #expect(timing.bufferedCount <= PlayerEvent.timingKinds, "memory is bounded by the kinds")
      #expect(control.bufferedCount < 200, "and by the control events: \(control.bufferedCount)")
      #expect(await outcomes.first { _ in true }?.cause == .naturalEnd)
      var everything: [PlayerEventEnvelope] = []
      for await envelope in all {
        everything.append(envelope)
        if envelope.event == .endReached { break }
      }
      let times = everything.filter { $0.event.timeChanged != nil }
      #expect(times.count > 400, "the file with chapters sends a storm: \(times.count)")
      #expect(zip(everything, everything.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
      var controls: [PlayerEventEnvelope] = []
      for await envelope in control {
        controls.append(envelope)
        if envelope.event == .endReached { break }
      }
      #expect(controls == everything.filter { $0.event.lane == .control }, "no control event is lost")
      // What was read first may have been the last of its kind.
      let last = (0..<PlayerEvent.timingKinds).compactMap { kind in
        everything.last { $0.event.timingKind == kind }?.event
      }.filter { $0 != first }
      var newest: [PlayerEvent] = []
      while newest.count < last.count, let event = await iterator.next() { newest.append(event) }
      #expect(Set(newest) == Set(last), "the newest of each kind, no more")
    }

    @Test func `9: a log stream that ends while lines come, with its instance dropped at once, is safe`()
      async throws
    {
      for _ in 0..<20 {
        var instance: VLCInstance? = try RealLibVLC.instance()
        var player: Player? = instance.map { Player(instance: $0) }
        let stream = try #require(instance).logStream(minimumLevel: .debug)
        try player?.play(media("base.mp4"))
        let reader = Task { await stream.first { _ in true } }
        #expect(await reader.value != nil)
        instance = nil
        player = nil
      }
    }

    @Test func `10: a hundred consumers come and go during playback, and a slow one slows no other`()
      async throws
    {
      let player = Player(instance: try instance())
      let slow = player.controlEvents
      let outcomes = player.terminalOutcomes
      try player.setPlaybackRate(4)
      try player.play(media("tour.mkv", ":stop-time=8"))
      let counts = await withTaskGroup(of: Int.self, returning: [Int].self) { group in
        for number in 0..<100 {
          let stream = player.events(policy: number.isMultiple(of: 2) ? .newest(8) : .newestOfEachTimingKind)
          group.addTask {
            var count = 0
            for await _ in stream {
              count += 1
              if count >= number { break }
            }
            return count
          }
        }
        var counts: [Int] = []
        for await count in group { counts.append(count) }
        return counts
      }
      #expect(counts.count == 100 && counts.reduce(0, +) > 1_000)
      #expect(await outcomes.first { _ in true }?.cause == .naturalEnd)
      #expect(await slow.upTo(.endReached).last == .endReached)
    }

    @Test func `11: no event of one player reaches another`() async throws {
      let instance = try instance()
      let players = (0..<4).map { _ in Player(instance: instance) }
      let streams = players.map(\.controlEventEnvelopes)
      for player in players { try player.play(media("base.mp4", ":stop-time=0.3")) }
      for (player, stream) in zip(players, streams) {
        for await envelope in stream {
          #expect(envelope.nativePlayer == player.nativeEventGeneration)
          if envelope.event == .endReached { break }
        }
      }
    }

    @Test func `15: a wait for playing is not satisfied by the outgoing session`() async throws {
      let player = Player(instance: try instance())
      let first = player.playbackStatus
      try player.play(media("tour.mkv"))
      let outgoing = try #require(await first.first { $0.state == .playing })
      try player.play(media("base.mp4"))
      let second = player.playbackStatus
      let incoming = try #require(
        await second.first { $0.state == .playing && $0.playback > outgoing.playback })
      await until { player.state == .playing }
      #expect(player.generation == incoming.playback)
      #expect(abs(try #require(player.duration).seconds - 2) < 0.2)
    }

    @Test func `16: duration and seekability of the old media never appear beside the new`() async throws {
      let player = Player(instance: try instance())
      let names = ["tour.mkv", "base.mp4", "silence.wav", "h264_aac.ts"]
      let lengths = Dictionary(
        uniqueKeysWithValues: names.map { ($0, MediaFixtures.file($0).duration ?? 0) })
      for round in 0..<24 {
        let name = names[round % names.count]
        try player.play(media(name))
        #expect(player.duration == nil && !player.isSeekable && player.audioTracks.isEmpty)
        // Some are replaced while they open, some while they play.
        if round.isMultiple(of: 3) {
          await until { player.duration != nil }
        } else {
          for _ in 0..<round { await Task.yield() }
        }
        if let duration = player.duration {
          #expect(abs(duration.seconds - (lengths[name] ?? 0)) < 0.2, "\(name)")
          #expect(player.isSeekable, "each of the four can be sought in, and is told before its length")
        }
      }
    }

    @Test func `22: thirty-two players dropped at once, and made anew faster than they drain`() async throws {
      let instance = try instance()
      for _ in 0..<3 {
        var players = (0..<32).map { _ in Player(instance: instance) }
        for player in players { try player.play(media("silence.wav")) }
        players = []
      }
      #expect(await Stage.releasesPlayers())
    }
  }

  @Suite struct ParseScenarioTests {
    @Test
    func `58: a hundred parses at once, a third cancelled at random, each complete once with the truth`()
      async throws
    {
      let instance = try instance()
      enum Kind: CaseIterable { case whole, missing, junk, empty }
      struct Case: Sendable {
        let kind: Kind
        let isCancelled: Bool
        let result: Result<Metadata, VLCError>
      }
      var generator = SeededGenerator(seed: 58)
      let plans = (0..<100).map { number in
        (
          kind: Kind.allCases[number % Kind.allCases.count], isCancelled: number.isMultiple(of: 3),
          yields: Int.random(in: 0..<200, using: &generator)
        )
      }
      let cases = try await withThrowingTaskGroup(of: Case.self) { group in
        for plan in plans {
          let media =
            switch plan.kind {
            case .whole: try RealLibVLC.media("tour.mkv")
            case .missing: try Media(path: "/nonexistent.mkv")
            case .junk: try RealLibVLC.media("broken/junk.mkv")
            case .empty: try RealLibVLC.media("broken/empty.mkv")
            }
          group.addTask {
            let parse = Task { () async -> Result<Metadata, VLCError> in
              do throws(VLCError) {
                return .success(try await media.parse(timeout: .seconds(60), instance: instance))
              } catch {
                return .failure(error)
              }
            }
            if plan.isCancelled {
              for _ in 0..<plan.yields { await Task.yield() }
              parse.cancel()
            }
            return Case(kind: plan.kind, isCancelled: plan.isCancelled, result: await parse.value)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(cases.count == 100)
      for one in cases {
        if one.isCancelled, one.result == .failure(.cancelled) { continue }
        switch one.kind {
        // libVLC parses junk without complaint, and finds nothing in it.
        case .whole, .junk: #expect((try? one.result.get()) != nil, "\(one.kind): \(one.result)")
        case .missing, .empty:
          guard case .failure(let error) = one.result else {
            Issue.record("\(one.kind) was parsed")
            continue
          }
          #expect(error.parseFailed != nil)
        }
      }
      #expect(cases.contains { $0.result == .failure(.cancelled) })
    }

    @Test func `58: what was cancelled or ran out of time is parsed by the next call`() async throws {
      let instance = try instance()
      let fifo = try RealLibVLC.Fifo()
      defer { fifo.remove() }
      let blocking = try Media(path: fifo.path)
      let blocked = Task { try await blocking.parse(timeout: .seconds(60), instance: instance) }
      await fifo.opened()
      let media = try RealLibVLC.media("tour.mkv")
      // Queued behind the one that blocks: its own time is up before libVLC comes to it.
      await #expect(throws: VLCError.parseTimeout) {
        try await media.parse(timeout: .milliseconds(100), instance: instance)
      }
      blocked.cancel()
      _ = await blocked.result
      #expect(
        try await media.parse(instance: instance).title == MediaFixtures.file("tour.mkv").metadata["title"])
      #expect(media.tracks().count == 9)
    }
  }
}

/// A small generator whose numbers are the same in each run.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
