import MediaFixtures
import Observation
import TestSupport
import Testing

@testable import SwiftVLC

extension RealLibVLC {
  @MainActor @Suite struct PlaybackTests {
    @Test(arguments: MediaFixtures.playable)
    func `each format plays to its natural end with picture and sound`(name: String) async throws {
      let player = Player(instance: try instance())
      let outcomes = player.terminalOutcomes
      try player.play(media(name))
      #expect(player.isPlaying)
      let outcome = try #require(await outcomes.first { _ in true })
      #expect(outcome.cause == .naturalEnd)
      let statistics = try #require(player.statistics)
      #expect(statistics.decodedVideo > 0 && statistics.decodedAudio > 0)
      let expected = try #require(MediaFixtures.file(name).duration)
      let duration = try #require(outcome.finalTimeline.duration)
      #expect(abs(duration.seconds - expected) < 0.2)
      #expect(outcome.finalTimeline.time > .zero && outcome.finalTimeline.time <= duration)
    }

    @Test func `the control events of a whole playback come in order and none is lost`() async throws {
      let player = Player(instance: try instance())
      let events = player.controlEventEnvelopes
      let transitions = player.stateTransitions
      let outcomes = player.terminalOutcomes
      try player.play(media("base.mp4", ":stop-time=0.5"))
      let outcome = try #require(await outcomes.first { _ in true })
      #expect(outcome.cause == .naturalEnd)
      var received: [PlayerEventEnvelope] = []
      for await envelope in events {
        received.append(envelope)
        if envelope.event == .endReached { break }
      }
      #expect(received.map(\.sequence) == received.map(\.sequence).sorted())
      #expect(
        received.allSatisfy { $0.playback == outcome.playback && $0.nativePlayer == outcome.nativePlayer })
      #expect(received.first?.event == .mediaChanged)
      #expect(received.map(\.event).suffix(2) == [.stateChanged(.stopped), .endReached])
      #expect(
        await transitions.upTo(.stopped) == [.opening, .buffering, .playing, .stopping, .stopped])
    }

    @Test func `what a view observes follows playback and is cleared for the next media`() async throws {
      let player = Player(instance: try instance())
      let status = player.playbackStatus
      try player.play(media("tour.mkv"))
      #expect(player.state == .idle && player.duration == nil && player.audioTracks.isEmpty)
      _ = await status.first { $0.state == .playing }
      await until { player.audioTracks.count == 3 && player.selectedAudioTrack != nil }
      #expect(player.state == .playing && player.isSeekable && player.isPausable)
      #expect(player.videoTracks.count == 3 && player.subtitleTracks.count == 3)
      #expect(player.subtitleTracks.map(\.language) == ["eng", "fra", "ara"])
      #expect(abs(try #require(player.duration).seconds - 60) < 0.1)
      await until { player.currentTime > .zero && player.position > 0 }
      let next = try media("silence.wav")
      try player.load(next)
      #expect(player.currentMedia === next && player.state == .idle && !player.isPlaying)
      #expect(player.duration == nil && player.currentTime == .zero && player.position == 0)
      #expect(player.audioTracks.isEmpty && !player.isSeekable && !player.didReachEnd)
    }

    @Test func `pause, resume and stop are carried out and told`() async throws {
      let player = Player(instance: try instance())
      let transitions = player.stateTransitions
      let outcomes = player.terminalOutcomes
      try player.play(media("tour.mkv"))
      // Before there is anything to pause: deferred to the first Playing.
      player.pause()
      #expect(!player.isPlaying)
      #expect(await transitions.upTo(.paused).suffix(2) == [.playing, .paused])
      player.togglePlayPause()
      #expect(player.isPlaying)
      #expect(await transitions.upTo(.playing) == [.playing])
      player.pause()
      #expect(await transitions.upTo(.paused) == [.paused])
      // A paused player is resumed for its stop, and nobody is told of a Playing that nobody asked for after it.
      player.stop()
      #expect(await transitions.upTo(.stopped).last == .stopped)
      #expect(await outcomes.first { _ in true }?.cause == .requestedStop)
      await until { player.state == .stopped }
      #expect(player.currentTime == .zero)
    }

    @Test func `seeks land, and are refused while nothing plays`() async throws {
      let player = Player(instance: try instance())
      #expect(throws: VLCError.self) { try player.seek(to: .seconds(1)) }
      try player.play(media("tour.mkv"))
      #expect(throws: VLCError.self) { try player.seek(to: .seconds(1)) }
      await until { player.isSeekable && player.state == .playing }
      try player.seek(to: .seconds(30))
      await until { player.currentTime >= .seconds(30) }
      try player.seek(by: .seconds(-20))
      await until { player.currentTime < .seconds(20) && player.currentTime >= .seconds(10) }
      try player.seek(to: PlaybackPosition(0.5))
      await until { player.currentTime >= .seconds(29) }
      try player.seek(to: .seconds(1e9))
      await until { player.didReachEnd || player.currentTime > .seconds(55) }
    }

    @Test func `tracks are selected by value, and none`() async throws {
      let player = Player(instance: try instance())
      try player.play(media("tour.mkv"))
      await until { player.audioTracks.count == 3 && player.selectedAudioTrack != nil }
      let french = try #require(player.audioTracks.first { $0.language == "fra" })
      player.selectedAudioTrack = french
      await until { player.selectedAudioTrack?.id == french.id }
      player.selectedAudioTrack = nil
      await until { player.selectedAudioTrack == nil }
      let arabic = try #require(player.subtitleTracks.last)
      player.selectedSubtitleTrack = arabic
      await until { player.selectedSubtitleTrack?.id == arabic.id }
    }

    @Test func `rate and sound are remembered, and reach libVLC`() async throws {
      let player = Player(instance: try instance())
      let outcomes = player.terminalOutcomes
      try player.setPlaybackRate(4)
      try player.setAudioVolume(0.5)
      player.isMuted = true
      let clock = ContinuousClock()
      let began = clock.now
      try player.play(media("base.mp4"))
      #expect(await outcomes.first { _ in true }?.cause == .naturalEnd)
      #expect(clock.now - began < .seconds(1.8), "two seconds at rate 4 take less")
      #expect(player.rate == 4 && player.volume == 0.5 && player.isMuted)
    }

    @Test func `a media is played again after its natural end`() async throws {
      let player = Player(instance: try instance())
      var outcomes = player.terminalOutcomes.makeAsyncIterator()
      try player.play(media("silence.wav", ":stop-time=0.3"))
      let first = await outcomes.next()
      #expect(first?.cause == .naturalEnd)
      await until { player.didReachEnd }
      try player.play()
      #expect(!player.didReachEnd && player.isPlaying)
      let second = await outcomes.next()
      #expect(second?.cause == .naturalEnd)
      #expect(try #require(second).playback > #require(first).playback)
    }

    @Test func `a media that replaces another settles its predecessor as replaced`() async throws {
      let player = Player(instance: try instance())
      var outcomes = player.terminalOutcomes.makeAsyncIterator()
      try player.play(media("tour.mkv"))
      await until { player.state == .playing }
      try player.play(media("silence.wav", ":stop-time=0.3"))
      #expect(await outcomes.next()?.cause == .replacement)
      #expect(await outcomes.next()?.cause == .naturalEnd)
    }

    @Test(arguments: [
      ("/nonexistent.mkv", PlaybackFailureKind.cannotOpen), ("nosuch://x", .cannotOpen),
      ("/proc", .nothingToPlay),
    ])
    func `what cannot be opened fails, and is told apart from an end`(
      source: String, kind: PlaybackFailureKind
    ) async throws {
      let player = Player(instance: try instance())
      let outcomes = player.terminalOutcomes
      let transitions = player.stateTransitions
      try player.play(source.contains("://") ? Media(mrl: source) : Media(path: source))
      #expect(await outcomes.first { _ in true }?.cause == .failure(kind))
      #expect(await transitions.upTo(.stopped).suffix(2) == [.error, .stopped])
      await until { player.state == .stopped }
      #expect(!player.isPlaying && !player.didReachEnd)
    }

    @Test(arguments: [
      ("broken/empty.mkv", PlaybackFailureKind.cannotOpen), ("broken/junk.mkv", .nothingToPlay),
      ("broken/truncated.mp4", .nothingToPlay),
    ])
    func `broken files fail`(name: String, kind: PlaybackFailureKind) async throws {
      let player = Player(instance: try instance())
      let outcomes = player.terminalOutcomes
      try player.play(media(name))
      #expect(await outcomes.first { _ in true }?.cause == .failure(kind))
    }

    @Test func `a file that breaks off plays as far as it goes`() async throws {
      let player = Player(instance: try instance())
      let outcomes = player.terminalOutcomes
      try player.play(media("broken/truncated.mkv"))
      // libVLC knows of no error here: all it tells is an end, before the length that the file claims.
      let outcome = try #require(await outcomes.first { _ in true })
      #expect(outcome.cause == .naturalEnd)
      #expect(outcome.finalTimeline.time < .seconds(1.9))
    }

    @Test func `without a media play throws and says what to do`() throws {
      let player = Player(instance: try instance())
      #expect(throws: VLCError.self) { try player.play() }
      #expect(player.state == .idle && !player.isPlaying)
    }

    @Test func `streams end with their player, and outlive it harmlessly`() async throws {
      var player: Player? = Player(instance: try instance())
      let control = try #require(player).controlEvents
      let timing = try #require(player).timingEvents
      let status = try #require(player).playbackStatus
      let outcomes = try #require(player).terminalOutcomes
      try player?.play(media("tour.mkv"))
      _ = await status.first { $0.state == .playing }
      player = nil
      #expect(await outcomes.first { _ in true }?.cause == .cancellation)
      for await _ in control {}
      for await _ in timing {}
      for await _ in status {}
    }

    @Test func `a second play during opening plays the second media`() async throws {
      let player = Player(instance: try instance())
      var outcomes = player.terminalOutcomes.makeAsyncIterator()
      try player.play(media("tour.mkv"))
      try player.play(media("base.mp4", ":stop-time=0.3"))
      let first = await outcomes.next()
      #expect(first?.cause == .replacement)
      #expect(await outcomes.next()?.cause == .naturalEnd)
      await until { player.didReachEnd }
      #expect(player.currentMedia?.mrl.hasSuffix("base.mp4") == true)
    }
  }
}

/// Returns when the condition holds, looked at after each change of what it observes; records an issue after a bound.
@MainActor
func until(
  _ condition: @escaping @MainActor () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let isMet = await within {
    while await !holds(condition) {}
    return true
  }
  if isMet == nil { Issue.record("the condition was not met in time", sourceLocation: sourceLocation) }
}

/// Whether the condition holds now; otherwise returns false after something that it read has changed.
@MainActor
private func holds(_ condition: @escaping @MainActor () -> Bool) async -> Bool {
  var isMet = false
  let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
  withObservationTracking {
    isMet = condition()
  } onChange: {
    continuation.finish()
  }
  if isMet { return true }
  for await _ in changes {}
  return Task.isCancelled
}
