import TestSupport
import Testing
import VLCNative

@testable import SwiftVLC

@Suite(.tags(.logic)) struct SessionMachineTests {
  private static func machine() -> SessionMachine {
    SessionMachine(nativePlayer: .next(), playback: .next())
  }

  /// A machine whose media was loaded and whose play was accepted.
  private static func started() -> SessionMachine {
    var machine = machine()
    _ = machine.joinBegan(.setMedia, cause: .replacement)
    _ = machine.joinReturned(next: .next(), beginning: .loaded)
    _ = machine.startBegan()
    return machine
  }

  private func events(_ signals: [PlayerSignal]) -> [PlayerEvent] {
    signals.compactMap { if case .event(let envelope) = $0 { envelope.event } else { nil } }
  }

  private func outcomes(_ signals: [PlayerSignal]) -> [PlaybackTerminalOutcome] {
    signals.compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } }
  }

  /// Feeds events as libVLC's input thread would.
  private func feed(_ machine: inout SessionMachine, _ natives: NativeEvent...) -> [PlayerSignal] {
    natives.flatMap { machine.received($0, isOnJoiningThread: false) }
  }

  @Test func `S1: a media that plays to its end tells stopped, then endReached, then one outcome`() {
    var machine = Self.started()
    _ = feed(
      &machine, .opening, .buffering(0), .elementaryStreamSelected(.audio, number: nil),
      .elementaryStreamAdded(.video, number: 0), .lengthChanged(3_011), .playing, .buffering(100),
      .positionChanged(0.88), .timeChanged(2_653))
    let ending = feed(
      &machine, .endReached, .videoOutputs(0), .elementaryStreamSelected(.video, number: nil),
      .elementaryStreamDeleted(.video, number: 0), .stopped)
    #expect(
      events(ending) == [
        .stateChanged(.stopping), .mediaStopping, .voutChanged(0), .tracksChanged, .tracksChanged,
        .stateChanged(.stopped), .endReached,
      ])
    let outcome = outcomes(ending).first
    #expect(outcomes(ending).count == 1)
    #expect(outcome?.cause == .naturalEnd)
    #expect(outcome?.finalTimeline.time == .milliseconds(2_653))
    #expect(outcome?.finalTimeline.duration == .milliseconds(3_011))
    #expect(machine.isInputDead)
  }

  @Test func `S2: the stop before a replay is silent, and its second Stopped belongs to nothing`() {
    var machine = Self.started()
    _ = feed(
      &machine, .opening, .elementaryStreamAdded(.video, number: 0), .playing, .timeChanged(5), .endReached,
      .stopped)
    var signals = machine.joinBegan(.stop, cause: .unknownNativeStop)
    signals += machine.received(.stopped, isOnJoiningThread: true)
    signals += machine.received(.audioVolume(-1), isOnJoiningThread: true)
    signals += machine.joinReturned(next: .next(), beginning: .stopped)
    #expect(events(signals) == [] && outcomes(signals).isEmpty)
    #expect(!machine.isInputDead)
  }

  @Test func `what ended by itself tells its end also where another media comes before Stopped`() {
    var machine = Self.started()
    _ = feed(
      &machine, .opening, .elementaryStreamAdded(.video, number: 0), .playing, .timeChanged(5), .endReached)
    _ = machine.joinBegan(.setMedia, cause: .replacement)
    let ending = machine.joinReturned(next: .next(), beginning: .loaded)
    #expect(outcomes(ending).map(\.cause) == [.naturalEnd])
    #expect(events(ending).contains(.endReached))
  }

  @Test func `what a play comes to depends on what was told until then`() {
    var machine = Self.machine()
    #expect(machine.start == .begins)
    _ = machine.startBegan()
    #expect(machine.start == .goesOn)
    _ = feed(&machine, .opening, .encounteredError)
    #expect(machine.start == .followsStop)
    _ = feed(&machine, .stopped)
    #expect(machine.start == .followsStop)
    _ = machine.joinBegan(.stop, cause: .unknownNativeStop)
    _ = machine.joinReturned(next: .next(), beginning: .stopped)
    #expect(machine.start == .begins)
    _ = machine.tornDown()
    #expect(machine.start == .nothing)
  }

  @Test func `a buffer that is told to be empty, and no more, ends its wait when time moves`() {
    var machine = Self.started()
    _ = feed(
      &machine, .opening, .elementaryStreamAdded(.video, number: 0), .playing, .buffering(100),
      .timeChanged(5))
    #expect(events(feed(&machine, .buffering(0))).contains(.stateChanged(.buffering)))
    #expect(events(feed(&machine, .timeChanged(5))) == [.timeChanged(.milliseconds(5))])
    #expect(events(feed(&machine, .timeChanged(255))).contains(.stateChanged(.playing)))
  }

  @Test func `S3: a stop ends its session with its reason, stamped with the old session`() {
    var machine = Self.started()
    let old = machine.session.generation
    _ = feed(&machine, .opening, .playing)
    var signals = machine.joinBegan(.stop, cause: .requestedStop)
    signals += machine.received(.stopped, isOnJoiningThread: true)
    let next = PlaybackGeneration.next()
    signals += machine.joinReturned(next: next, beginning: .stopped)
    #expect(events(signals) == [.stateChanged(.stopping), .mediaStopping, .stateChanged(.stopped)])
    #expect(outcomes(signals).map(\.cause) == [.requestedStop])
    #expect(outcomes(signals).first?.playback == old)
    #expect(machine.session.generation == next && machine.session.state == .stopped)
  }

  @Test func `S6: a set_media while playing sends no Stopped, and the outcome is replacement`() {
    var machine = Self.started()
    let old = machine.session.generation
    _ = feed(&machine, .opening, .playing, .timeChanged(900))
    var signals = machine.joinBegan(.setMedia, cause: .replacement)
    // What other threads deliver during the call is of the old session.
    let late = machine.received(.timeChanged(950), isOnJoiningThread: false)
    #expect(machine.received(.mediaChanged(nil), isOnJoiningThread: true).isEmpty)
    let next = PlaybackGeneration.next()
    signals += machine.joinReturned(next: next, beginning: .loaded)
    guard case .event(let envelope)? = late.first else {
      Issue.record("an event during the call is delivered")
      return
    }
    #expect(envelope.playback == old)
    #expect(outcomes(signals).map(\.cause) == [.replacement])
    #expect(outcomes(signals).first?.finalTimeline.time == .milliseconds(950))
    #expect(events(signals).suffix(2) == [.stateChanged(.idle), .mediaChanged])
    guard case .event(let last)? = signals.last else { return }
    #expect(last.playback == next)
  }

  @Test func `S7: an error is told before the stop, and is never an end`() {
    var machine = Self.started()
    let signals = feed(&machine, .opening, .buffering(0), .encounteredError, .stopped)
    #expect(
      events(signals) == [
        .stateChanged(.opening), .bufferingProgress(0), .stateChanged(.buffering), .stateChanged(.error),
        .encounteredError, .stateChanged(.stopped),
      ])
    #expect(outcomes(signals).map(\.cause) == [.failure(.cannotOpen)])
  }

  @Test func `S7: what had nothing to play has failed, though libVLC calls it an end`() {
    var junk = Self.started()
    let signals = feed(
      &junk, .opening, .seekableChanged(true), .lengthChanged(0), .playing, .endReached, .stopped)
    #expect(outcomes(signals).map(\.cause) == [.failure(.nothingToPlay)])
    #expect(!events(signals).contains(.endReached))
    var phantom = Self.started()
    let more = feed(
      &phantom, .opening, .lengthChanged(0), .playing, .elementaryStreamAdded(.audio, number: 0), .endReached,
      .stopped)
    #expect(outcomes(more).map(\.cause) == [.failure(.nothingToPlay)])
  }

  @Test func `an error in the middle is an interruption`() {
    var machine = Self.started()
    let signals = feed(&machine, .opening, .playing, .encounteredError, .stopped)
    #expect(outcomes(signals).map(\.cause) == [.failure(.interrupted)])
  }

  @Test func `the end of media and a stop race: one outcome, the first reason`() {
    var machine = Self.started()
    _ = feed(
      &machine, .opening, .elementaryStreamAdded(.audio, number: 1), .playing, .timeChanged(1), .endReached)
    var signals = machine.joinBegan(.stop, cause: .requestedStop)
    signals += machine.received(.stopped, isOnJoiningThread: true)
    signals += machine.joinReturned(next: .next(), beginning: .stopped)
    #expect(outcomes(signals).map(\.cause) == [.naturalEnd])
  }

  @Test func `a stop without a known reason is unknown, never an end`() {
    var machine = Self.started()
    let signals = feed(&machine, .opening, .playing, .stopped)
    #expect(outcomes(signals).map(\.cause) == [.unknownNativeStop])
    #expect(!events(signals).contains(.endReached))
  }

  @Test func `a reason noted for one session does not classify its successor`() {
    var machine = Self.started()
    _ = feed(
      &machine, .opening, .elementaryStreamAdded(.audio, number: 1), .playing, .timeChanged(1), .endReached)
    _ = machine.joinBegan(.setMedia, cause: .replacement)
    _ = machine.joinReturned(next: .next(), beginning: .loaded)
    _ = machine.startBegan()
    let signals = feed(&machine, .opening, .playing, .stopped)
    #expect(outcomes(signals).map(\.cause) == [.unknownNativeStop])
  }

  @Test func `a rejected start fails its session and leaves the media`() {
    var machine = Self.started()
    let signals = machine.startRejected()
    #expect(events(signals) == [.stateChanged(.error), .encounteredError])
    #expect(outcomes(signals).map(\.cause) == [.failure(.startRejected)])
    // The next play is of another session, which has an outcome of its own.
    #expect(machine.isInputDead)
    _ = machine.joinBegan(.stop, cause: .unknownNativeStop)
    _ = machine.joinReturned(next: .next(), beginning: .stopped)
    _ = machine.startBegan()
    let next = feed(&machine, .opening, .playing, .stopped)
    #expect(outcomes(next).count == 1)
  }

  @Test func `the resume before a stop is nobody's Playing`() {
    var machine = Self.started()
    _ = feed(&machine, .opening, .playing, .paused)
    var signals = machine.joinBegan(.stop, cause: .requestedStop)
    signals += machine.received(.playing, isOnJoiningThread: false)
    signals += machine.received(.stopped, isOnJoiningThread: true)
    #expect(events(signals).compactMap(\.stateChanged) == [.stopping, .stopped])
  }

  @Test func `teardown ends a session as cancelled, and nothing is sent after it`() {
    var machine = Self.started()
    _ = feed(&machine, .opening, .playing)
    #expect(outcomes(machine.tornDown()).map(\.cause) == [.cancellation])
    #expect(machine.tornDown().isEmpty)
    #expect(machine.received(.timeChanged(1), isOnJoiningThread: false).isEmpty)
    #expect(machine.joinBegan(.stop, cause: .cancellation).isEmpty)
    #expect(machine.joinReturned(next: .next(), beginning: .stopped).isEmpty)
    #expect(machine.startBegan().isEmpty)
    #expect(machine.startRejected().isEmpty)
    #expect(machine.soundCommanded().isEmpty)
    #expect(machine.tracksRead([], of: machine.session.generation).isEmpty)
  }

  @Test func `sequence numbers follow each other through both lanes and all sessions`() {
    var machine = Self.started()
    var signals = feed(&machine, .opening, .buffering(0), .playing, .timeChanged(1), .muted, .stopped)
    signals += machine.joinBegan(.setMedia, cause: .replacement)
    signals += machine.joinReturned(next: .next(), beginning: .loaded)
    let numbers = signals.compactMap { if case .event(let envelope) = $0 { envelope.sequence } else { nil } }
    #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + UInt64(numbers.count)))
  }

  @Test func `a rebuffer in the middle is told, the first fill is not a second wait`() {
    var machine = Self.started()
    let first = feed(
      &machine, .opening, .buffering(0), .playing, .buffering(0), .buffering(50), .buffering(100))
    #expect(
      events(first).compactMap(\.stateChanged) == [.opening, .buffering, .playing])
    let again = feed(&machine, .buffering(20), .buffering(60), .buffering(100))
    #expect(events(again).compactMap(\.stateChanged) == [.buffering, .playing])
  }

  @Test func `hostile numbers neither trap nor leave their range`() {
    var machine = Self.started()
    let signals = feed(
      &machine, .timeChanged(.min), .timeChanged(.max), .positionChanged(.nan), .positionChanged(.infinity),
      .buffering(.nan), .buffering(-.infinity), .lengthChanged(.min), .lengthChanged(.max),
      .chapterChanged(.min),
      .videoOutputs(.max), .audioVolume(.nan))
    for event in events(signals) {
      if let position = event.positionChanged { #expect((0...1).contains(position)) }
      if let fill = event.bufferingProgress { #expect((0...1).contains(fill)) }
      if let time = event.timeChanged { #expect(time >= .zero) }
    }
  }

  @Test func `14: a command's own echo is silent, a change by somebody else on the same pointer is told`() {
    var machine = Self.started()
    let media = NativeMedia(address: OpaquePointer(bitPattern: 16)!)
    #expect(events(feed(&machine, .mediaChanged(media))) == [.mediaChanged], "a list player changed it")
    _ = machine.joinBegan(.setMedia, cause: .replacement)
    #expect(machine.received(.mediaChanged(media), isOnJoiningThread: true).isEmpty)
    let foreign = machine.received(.mediaChanged(media), isOnJoiningThread: false)
    #expect(events(foreign) == [.mediaChanged], "another thread's, during our own call")
    let signals = machine.joinReturned(next: .next(), beginning: .loaded)
    #expect(
      events(signals).filter { $0 == .mediaChanged }.count == 1, "our own, told once, in the new session")
  }

  @Test(arguments: [NativeEvent.encounteredError, .endReached])
  func `what a read that was made to return provokes does not hide the end that was asked for`(
    provoked: NativeEvent
  ) {
    var machine = Self.started()
    _ = feed(&machine, .opening, .elementaryStreamAdded(.audio, number: 1), .playing, .timeChanged(1))
    machine.endAsked(.requestedStop)
    machine.endAsked(.replacement)
    var signals = feed(&machine, provoked, .stopped)
    signals += machine.joinBegan(.stop, cause: nil)
    signals += machine.joinReturned(next: .next(), beginning: .stopped)
    #expect(outcomes(signals).map(\.cause) == [.requestedStop])
    _ = machine.startBegan()
    _ = feed(&machine, .opening, .playing)
    var second = machine.joinBegan(.setMedia, cause: nil)
    second += machine.joinReturned(next: .next(), beginning: .loaded)
    #expect(outcomes(second).map(\.cause) == [.replacement])
  }

  // MARK: Every pair of state and fact

  /// A way into a state, by name.
  private static let ways: [(name: String, prepare: @Sendable (inout SessionMachine) -> Void)] = [
    ("new", { _ in }),
    ("started", { _ = $0.startBegan() }),
    (
      "playing",
      { machine in
        _ = machine.startBegan()
        for event in [
          NativeEvent.opening, .elementaryStreamAdded(.video, number: 0), .lengthChanged(9), .playing,
          .timeChanged(1),
        ] {
          _ = machine.received(event, isOnJoiningThread: false)
        }
      }
    ),
    (
      "ending",
      { machine in
        _ = machine.startBegan()
        for event in [
          NativeEvent.elementaryStreamAdded(.video, number: 0), .playing, .timeChanged(1), .endReached,
        ] {
          _ = machine.received(event, isOnJoiningThread: false)
        }
      }
    ),
    (
      "over",
      { machine in
        _ = machine.startBegan()
        for event in [NativeEvent.opening, .encounteredError, .stopped] {
          _ = machine.received(event, isOnJoiningThread: false)
        }
      }
    ),
    (
      "rejected",
      { machine in
        _ = machine.startBegan()
        _ = machine.startRejected()
      }
    ),
    (
      "torn down",
      { machine in
        _ = machine.startBegan()
        _ = machine.tornDown()
      }
    ),
  ]

  @Test func `every pair of state and fact keeps the invariants`() {
    let joins: [SessionMachine.Joining] = [.none, .stop, .setMedia]
    for way in Self.ways {
      for joining in joins {
        for onThread in [false, true] {
          for kind in NativeEventKind.ofPlayers {
            var machine = Self.machine()
            way.prepare(&machine)
            if joining != .none { _ = machine.joinBegan(joining, cause: .requestedStop) }
            let before = machine
            var signals = machine.received(Self.sample(of: kind), isOnJoiningThread: onThread)
            let name = "\(way.name), joining \(joining), on the thread \(onThread), \(kind)"
            #expect(
              machine.session.generation == before.session.generation, "no event ends a session: \(name)")
            if before.isTornDown { #expect(signals.isEmpty, "\(name)") }
            if joining != .none {
              // What is given up does not come to life again.
              let states = events(signals).compactMap(\.stateChanged)
              #expect(
                states.allSatisfy { [.stopping, .stopped, .error, .buffering].contains($0) }, "\(name)")
              signals += machine.joinReturned(next: .next(), beginning: joining == .stop ? .stopped : .loaded)
              #expect(machine.session.generation > before.session.generation || before.isTornDown, "\(name)")
              #expect(
                !machine.session.isStarted && machine.session.cause == nil || before.isTornDown, "\(name)")
              #expect(!machine.isInputDead, "\(name)")
            }
            signals += machine.tornDown()
            let already = before.session.isOver || !before.session.isStarted
            #expect(outcomes(signals).count == (already ? 0 : 1), "\(name)")
            #expect(machine.received(Self.sample(of: kind), isOnJoiningThread: onThread).isEmpty, "\(name)")
          }
        }
      }
    }
  }

  // What a libVLC tells that has no event for an end (contract 1.2 and 5).

  /// What 4.0 tells from Opening to a time.
  private func begin(_ machine: inout SessionMachine) {
    _ = feed(
      &machine, .opening, .buffering(0), .programAdded(0), .elementaryStreamAdded(.audio, number: 1),
      .seekableChanged(true), .lengthChanged(3_011), .playing, .buffering(100), .timeChanged(2_653))
  }

  @Test func `4.end: what stops unasked and without a reason has ended, and says so once it has stopped`() {
    var machine = Self.started()
    begin(&machine)
    let stopping = feed(&machine, .seekableChanged(false), .pausableChanged(false), .stopping)
    #expect(
      events(stopping).suffix(2) == [.stateChanged(.stopping), .mediaStopping] && outcomes(stopping).isEmpty)
    #expect(machine.awaitsStopped && machine.isInputDead, "a play waits")
    let stopped = feed(&machine, .programDeleted(0), .stopped)
    #expect(events(stopped).suffix(2) == [.stateChanged(.stopped), .endReached])
    #expect(outcomes(stopped).map(\.cause) == [.naturalEnd])
    #expect(outcomes(stopped).first?.finalTimeline.isSeekable == true, "as it was before the end")
    #expect(!machine.awaitsStopped)
  }

  @Test func `4.end: what had nothing to play has failed`() {
    var machine = Self.started()
    let signals = feed(&machine, .opening, .lengthChanged(0), .playing, .stopping, .stopped)
    #expect(events(signals).compactMap(\.stateChanged) == [.opening, .playing, .stopping, .error, .stopped])
    #expect(outcomes(signals).map(\.cause) == [.failure(.nothingToPlay)])
  }

  @Test func `4.missing: an error is not taken back by the Stopping that follows it`() {
    var machine = Self.started()
    let signals = feed(&machine, .opening, .buffering(0), .encounteredError, .stopping, .stopped)
    #expect(events(signals).compactMap(\.stateChanged).suffix(2) == [.error, .stopped])
    #expect(outcomes(signals).map(\.cause) == [.failure(.cannotOpen)])
  }

  @Test func `4.stop: a stop is told once, and its session ends with its reason when libVLC tells Stopped`() {
    var machine = Self.started()
    begin(&machine)
    var signals = machine.joinBegan(.stop, cause: .requestedStop)
    #expect(machine.awaitsStopped)
    signals += feed(
      &machine, .stopping, .mediaStopping(.user), .seekableChanged(false), .programDeleted(0), .stopped)
    #expect(!machine.awaitsStopped)
    signals += machine.joinReturned(next: .next(), beginning: .stopped)
    #expect(
      events(signals) == [
        .stateChanged(.stopping), .mediaStopping, .seekableChanged(false), .programDeleted(0),
        .stateChanged(.stopped),
      ])
    #expect(outcomes(signals).map(\.cause) == [.requestedStop])
    #expect(outcomes(signals).first?.finalTimeline.isSeekable == true, "as it was before the stop")
    #expect(!machine.awaitsStopped, "a session that was not begun stops no more")
  }

  @Test func `4.stop: a stop that nobody of ours asked for is no end`() {
    var machine = Self.started()
    begin(&machine)
    let signals = feed(&machine, .stopping, .mediaStopping(.user), .stopped)
    #expect(outcomes(signals).map(\.cause) == [.unknownNativeStop])
    #expect(events(signals).filter { $0 == .mediaStopping }.count == 1)
    #expect(!events(signals).contains(.endReached))
  }

  @Test func `4.end: an end and a stop race: one outcome, the first reason`() {
    var ended = Self.started()
    begin(&ended)
    var signals = feed(&ended, .stopping)
    signals += ended.joinBegan(.stop, cause: .requestedStop)
    signals += feed(&ended, .stopped)
    signals += ended.joinReturned(next: .next(), beginning: .stopped)
    #expect(outcomes(signals).map(\.cause) == [.naturalEnd])
    var asked = Self.started()
    begin(&asked)
    asked.endAsked(.requestedStop)
    signals = feed(&asked, .stopping)
    signals += asked.joinBegan(.stop, cause: nil)
    signals += feed(&asked, .stopped)
    signals += asked.joinReturned(next: .next(), beginning: .stopped)
    #expect(outcomes(signals).map(\.cause) == [.requestedStop])
  }

  @Test func `4.setMedia: what is stopped for another media is told as replaced, not as stopped`() {
    var machine = Self.started()
    begin(&machine)
    var signals = machine.joinBegan(.setMedia, cause: .replacement)
    signals += feed(&machine, .stopping, .mediaStopping(.user), .stopped)
    #expect(!machine.awaitsStopped, "the media can be set")
    #expect(machine.received(.mediaChanged(nil), isOnJoiningThread: true).isEmpty)
    signals += machine.joinReturned(next: .next(), beginning: .loaded)
    #expect(events(signals).compactMap(\.stateChanged) == [.stopping, .idle])
    #expect(outcomes(signals).map(\.cause) == [.replacement])
  }

  @Test func `what cannot be sought in any more, and plays on, ends as that`() {
    var machine = Self.started()
    begin(&machine)
    let signals = feed(&machine, .seekableChanged(false), .timeChanged(2_700), .stopping, .stopped)
    #expect(outcomes(signals).first?.finalTimeline.isSeekable == false)
  }

  @Test func `what libVLC refused to start is not waited for`() {
    var machine = Self.started()
    _ = machine.startRejected()
    #expect(!machine.awaitsStopped)
    // Refused while the player goes away: a stop that was submitted before comes after, and has nothing to wait for.
    var dropped = Self.started()
    _ = dropped.tornDown()
    #expect(dropped.startRejected().isEmpty)
    #expect(!dropped.awaitsStopped)
  }

  @Test func `impossible facts trap`() async {
    await #expect(processExitsWith: .failure) {
      var machine = SessionMachineTests.machine()
      _ = machine.joinBegan(.stop, cause: .requestedStop)
      _ = machine.joinBegan(.stop, cause: .requestedStop)
    }
    await #expect(processExitsWith: .failure) {
      var machine = SessionMachineTests.machine()
      _ = machine.joinReturned(next: .next(), beginning: .stopped)
    }
    await #expect(processExitsWith: .failure) {
      var machine = SessionMachineTests.machine()
      _ = machine.joinBegan(.stop, cause: nil)
    }
  }

  @Test(arguments: NativeEventKind.ofPlayers)
  func `every native event of a player is mapped in its lane or left out for a reason`(kind: NativeEventKind)
  {
    var machine = Self.started()
    _ = feed(&machine, .opening, .playing)
    let sample = Self.sample(of: kind)
    let signals = machine.received(sample, isOnJoiningThread: false)
    // libVLC never sends the first; the second has no word in the public events.
    let silent: Set<NativeEventKind> = [.nothingSpecial, .scrambledChanged]
    #expect(events(signals).isEmpty == silent.contains(kind), "\(kind)")
  }

  private static func sample(of kind: NativeEventKind) -> NativeEvent {
    switch kind {
    case .mediaChanged: .mediaChanged(nil)
    case .opening: .opening
    case .buffering: .buffering(10)
    case .playing: .playing
    case .paused: .paused
    case .stopped: .stopped
    case .stopping: .stopping
    case .mediaStopping: .mediaStopping(.user)
    case .endReached: .endReached
    case .encounteredError: .encounteredError
    case .timeChanged: .timeChanged(1)
    case .positionChanged: .positionChanged(0.1)
    case .lengthChanged: .lengthChanged(1)
    case .seekableChanged: .seekableChanged(true)
    case .pausableChanged: .pausableChanged(true)
    case .titleChanged: .titleChanged(0)
    case .titleListChanged: .titleListChanged
    case .titleSelectionChanged: .titleSelectionChanged(0)
    case .chapterChanged: .chapterChanged(0)
    case .snapshotTaken: .snapshotTaken("/tmp/a.png")
    case .videoOutputs: .videoOutputs(1)
    case .scrambledChanged: .scrambledChanged(true)
    case .elementaryStreamAdded: .elementaryStreamAdded(.audio, number: 1)
    case .elementaryStreamDeleted: .elementaryStreamDeleted(.audio, number: 1)
    case .elementaryStreamSelected: .elementaryStreamSelected(.audio, number: 1)
    case .elementaryStreamUpdated: .elementaryStreamUpdated(.audio, number: 1)
    case .corked: .corked
    case .uncorked: .uncorked
    case .muted: .muted
    case .unmuted: .unmuted
    case .audioVolume: .audioVolume(0.5)
    case .audioDevice: .audioDevice("default")
    case .recordingChanged: .recordingChanged(isRecording: true, path: nil)
    case .programAdded: .programAdded(1)
    case .programDeleted: .programDeleted(1)
    case .programSelected: .programSelected(unselected: 1, selected: 2)
    case .programUpdated: .programUpdated(1)
    default: .nothingSpecial
    }
  }
}
