import SimulatedVLC
import TestSupport
import Testing
import VLCNative

@testable import Soak
@testable import SwiftVLC

/// Each checker catches what is planted, and lets pass what is right.
@Suite(.tags(.logic)) struct CheckerTests {
  // In this order, whoever is asked for first.
  private static let generations = [PlaybackGeneration.next(), .next()]
  private static let first = generations[0]
  private static let second = generations[1]
  private static let player = NativePlayerGeneration.next()

  private func envelope(
    _ event: PlayerEvent, _ sequence: UInt64, _ playback: PlaybackGeneration = first
  ) -> PlayerEventEnvelope {
    PlayerEventEnvelope(
      event: event, nativePlayer: Self.player, playback: playback, sequence: sequence, instant: .now)
  }

  private func outcome(
    _ cause: PlaybackTerminalCause, time: Duration = .zero, _ playback: PlaybackGeneration = first
  ) -> PlaybackTerminalOutcome {
    var timeline = PlaybackTimeline.start
    timeline.time = time
    return PlaybackTerminalOutcome(
      playback: playback, nativePlayer: Self.player, cause: cause, finalTimeline: timeline)
  }

  // MARK: Ledger

  private final class Context {}

  @Test func `ledger: a context that is freed while a callback can come is caught`() {
    var ledger = LedgerChecker()
    var context: Context? = Context()
    let opaque = context.map { Unmanaged.passUnretained($0).toOpaque() }
    ledger.given(opaque, to: NativeIdentifier(number: 1))
    #expect(ledger.reaching(opaque) == nil)
    #expect(ledger.ended()?.checker == .ledger)
    context = nil
    #expect(ledger.reaching(opaque)?.checker == .ledger)
    #expect(ledger.ended() == nil)
  }

  // MARK: Preconditions and the main actor

  @Test func `preconditions: a pause of what cannot be paused is caught, and an ordinary call is not`() {
    #expect(
      PreconditionsChecker().called(SeamCall(named: "setPause of what cannot be paused"))?.checker
        == .preconditions)
    #expect(PreconditionsChecker().called(SeamCall(named: "setPause(_:_:)")) == nil)
  }

  @Test func `main-actor: a stop there is caught, and one elsewhere is not`() {
    #expect(MainActorChecker().called(SeamCall(named: "stop(_:)"), onMainActor: true)?.checker == .mainActor)
    #expect(MainActorChecker().called(SeamCall(named: "stop(_:)"), onMainActor: false) == nil)
    #expect(MainActorChecker().called(SeamCall(named: "newPlayer(_:)"), onMainActor: true) == nil)
  }

  // MARK: Streams

  @Test func `streams: a gap, a wrong order, a wrong lane and a wrong generation are caught`() {
    var streams = StreamsChecker()
    #expect(streams.received(envelope(.muted, 1), by: .all) == nil)
    #expect(streams.received(envelope(.muted, 3), by: .all)?.checker == .streams)
    #expect(streams.received(envelope(.timeChanged(.zero), 4), by: .control)?.checker == .streams)
    #expect(streams.received(envelope(.timeChanged(.zero), 4), by: .timing) == nil)
    #expect(streams.received(envelope(.timeChanged(.zero), 4), by: .timing)?.checker == .streams)
    #expect(streams.received(envelope(.muted, 5, Self.second), by: .filtered) == nil)
    #expect(streams.received(envelope(.muted, 6, Self.first), by: .filtered)?.checker == .streams)
  }

  @Test func `streams: what is missing at the end is caught, and what is whole is not`() {
    var streams = StreamsChecker()
    let events: [PlayerEvent] = [.muted, .timeChanged(.zero), .unmuted]
    for (place, event) in events.enumerated() {
      #expect(streams.received(envelope(event, UInt64(place + 1)), by: .all) == nil)
    }
    #expect(streams.ended(.lanes)?.checker == .streams)
    for envelope in streams.all where envelope.event != .timeChanged(.zero) {
      #expect(streams.received(envelope, by: .control) == nil)
    }
    #expect(streams.ended(.lanes)?.checker == .streams, "the newest time is missing")
    #expect(streams.received(streams.all[1], by: .timing) == nil)
    #expect(streams.ended(.lanes) == nil)
    #expect(streams.ended(.others)?.checker == .streams)
    #expect(streams.received(streams.all[1], by: .filtered) == nil)
    streams.left(events)
    #expect(streams.ended(.others) == nil)
    streams.left([.muted] + events)
    #expect(streams.ended(.others)?.checker == .memory)
  }

  // MARK: Generations

  @Test func `generations: what is of another media is caught`() throws {
    let film = try #require(SoakMedium.all.first { $0.medium.duration == .seconds(7_200) }).facts
    let live = try #require(SoakMedium.all.first { $0.medium.duration == nil && !$0.fails }).facts
    var generations = GenerationsChecker()
    func saw(_ duration: Duration?, time: Duration = .zero, seekable: Bool = false, tracks: [String] = [])
      -> Violation?
    {
      generations.saw(
        duration: duration, time: time, isSeekable: seekable, tracks: tracks, generation: Self.second)
    }
    #expect(saw(.seconds(3))?.checker == .generations)
    generations.loaded(live)
    #expect(saw(nil) == nil)
    #expect(saw(film.duration)?.checker == .generations)
    #expect(saw(nil, seekable: true)?.checker == .generations)
    generations.loaded(film)
    #expect(saw(film.duration, time: .seconds(7_000), seekable: true, tracks: Array(film.tracks)) == nil)
    #expect(saw(film.duration, time: .seconds(8_000))?.checker == .generations)
    #expect(saw(film.duration, tracks: ["audio/7"])?.checker == .generations)
    let known = SoakMedium.all.map(\.facts)
    #expect(generations.told(envelope(.lengthChanged(.seconds(3)), 1), known: known) == nil)
    #expect(
      generations.told(envelope(.lengthChanged(.seconds(7_200)), 2), known: known)?.checker == .generations)
  }

  // MARK: Outcomes

  @Test func `outcomes: a second one, one without a reason, one that is missing and a wrong time are caught`()
  {
    var outcomes = OutcomesChecker()
    var reasons = OutcomesChecker.Reasons()
    #expect(outcomes.received(outcome(.requestedStop), reasons)?.checker == .outcomes)
    reasons.stops = 1
    outcomes = OutcomesChecker()
    #expect(outcomes.received(outcome(.requestedStop, time: .seconds(1)), reasons) == nil)
    let events = [
      envelope(.stateChanged(.playing), 1), envelope(.timeChanged(.seconds(1)), 2),
      envelope(.stateChanged(.stopped), 3),
    ]
    #expect(outcomes.ended(events, reasons) == nil)
    #expect(outcomes.ended(events + [envelope(.endReached, 4)], reasons)?.checker == .outcomes)
    #expect(
      outcomes.ended([events[0], envelope(.timeChanged(.seconds(2)), 2)], reasons)?.checker == .outcomes)
    #expect(
      outcomes.ended(events + [envelope(.stateChanged(.opening), 4, Self.second)], reasons)?.checker
        == .outcomes)
    #expect(outcomes.received(outcome(.requestedStop), reasons)?.checker == .outcomes)
  }

  @Test func `outcomes: a failure of what does not fail is caught`() {
    var outcomes = OutcomesChecker()
    var reasons = OutcomesChecker.Reasons()
    reasons.media = [("well", false), ("broken", true)]
    let events = [envelope(.mediaChanged, 1), envelope(.mediaChanged, 2, Self.second)]
    #expect(outcomes.received(outcome(.failure(.cannotOpen), Self.second), reasons) == nil)
    #expect(outcomes.ended(events, reasons) == nil)
    outcomes = OutcomesChecker()
    #expect(outcomes.received(outcome(.failure(.cannotOpen)), reasons) == nil)
    #expect(outcomes.ended(events, reasons)?.checker == .outcomes)
  }

  // MARK: Commands, settling, memory

  @Test
  func `commands: an intent that is not kept, a state that is not native's and an untrue parse are caught`() {
    let commands = CommandsChecker()
    func quiet(_ intent: CommandsChecker.Intent, _ state: PlayerState, _ native: NativeState, playing: Bool)
      -> Violation?
    {
      commands.quiet(intent: intent, state: state, isPlaying: playing, native: native, mayBlock: false)
    }
    #expect(quiet(.play, .playing, .playing, playing: true) == nil)
    #expect(quiet(.pause, .playing, .playing, playing: true)?.checker == .commands)
    #expect(quiet(.play, .playing, .paused, playing: true)?.checker == .commands)
    #expect(quiet(.stop, .playing, .playing, playing: false)?.checker == .commands)
    for state in [PlayerState.opening, .buffering, .stopping] {
      #expect(quiet(.play, state, .playing, playing: true)?.checker == .commands, "\(state) does not end")
    }
    let facts = SoakMedium.all[0].facts
    func parsed(_ error: VLCError, cancelled: Bool = false, late: Bool = false) -> Violation? {
      commands.parsed(
        .failure(error), of: facts, fails: false, faults: false, isCancelled: cancelled, isOutOfTime: late)
    }
    #expect(parsed(.parseFailed(reason: ""))?.checker == .commands)
    #expect(parsed(.parseTimeout)?.checker == .commands)
    #expect(parsed(.parseTimeout, late: true) == nil)
    #expect(parsed(.cancelled)?.checker == .commands)
    #expect(parsed(.cancelled, cancelled: true) == nil)
    func chapters(_ result: Result<Int, VLCError>, cancelled: Bool = false, late: Bool = false) -> Violation?
    {
      commands.chaptersRead(
        result, expected: 3, faults: false, isCancelled: cancelled, isOutOfTime: late)
    }
    #expect(chapters(.success(3)) == nil)
    #expect(chapters(.success(0))?.checker == .commands)
    #expect(chapters(.failure(.parseTimeout))?.checker == .commands)
    #expect(chapters(.failure(.parseTimeout), late: true) == nil)
    #expect(chapters(.failure(.cancelled))?.checker == .commands)
    #expect(chapters(.failure(.cancelled), cancelled: true) == nil)
    #expect(chapters(.failure(.mediaCreationFailed(source: "")))?.checker == .commands)
  }

  @Test func `settling and memory: what is left and what is kept are caught`() {
    #expect(SettlingChecker().left(["player #1"]).checker == .settling)
    #expect(MemoryChecker().kept([]) == nil)
    #expect(MemoryChecker().kept(["a player"])?.checker == .memory)
    #expect(MemoryChecker().living(4, players: 1, media: 2) == nil)
    #expect(MemoryChecker().living(5, players: 1, media: 2)?.checker == .memory)
  }
}
