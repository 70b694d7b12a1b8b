import TestSupport
import Testing

@testable import SwiftVLC

@Suite(.tags(.logic)) struct TransportMachineTests {
  /// A machine that plays a media.
  private func playing() -> TransportMachine {
    var machine = TransportMachine()
    machine.loadRequested()
    machine.loadReturned()
    _ = machine.playRequested()
    _ = machine.startTaken()
    _ = machine.stateChanged(.opening)
    _ = machine.stateChanged(.playing)
    return machine
  }

  @Test func `play without a media is rejected with a sentence`() {
    var machine = TransportMachine()
    guard case .reject(let reason) = machine.playRequested() else {
      Issue.record("play was not rejected")
      return
    }
    #expect(reason.contains("load"))
    #expect(machine.intent == .stopped)
  }

  @Test func `pause, resume and stop of what was never played do nothing`() {
    var machine = TransportMachine()
    #expect(machine.pauseRequested() == .nothing)
    #expect(machine.resumeRequested() == .nothing)
    #expect(machine.stopRequested() == .nothing)
    machine.loadRequested()
    #expect(machine.pauseRequested() == .nothing)
    #expect(machine.stopRequested() == .nothing)
  }

  @Test func `a pause before the first Playing waits for it`() {
    var machine = TransportMachine()
    machine.loadRequested()
    _ = machine.playRequested()
    #expect(machine.pauseRequested() == .nothing)
    #expect(machine.isPauseDeferred && machine.intent == .paused)
    machine.loadReturned()
    _ = machine.startTaken()
    #expect(machine.stateChanged(.opening) == .nothing)
    #expect(machine.stateChanged(.buffering) == .nothing)
    #expect(machine.stateChanged(.playing) == .pause)
    #expect(!machine.isPauseDeferred && machine.intent == .paused)
  }

  @Test func `a pause in a wait for data in the middle is due at once`() {
    var machine = playing()
    #expect(machine.stateChanged(.buffering) == .nothing)
    #expect(machine.pauseRequested() == .pause)
    #expect(!machine.isPauseDeferred)
  }

  @Test func `a resume takes a deferred pause back`() {
    var machine = TransportMachine()
    machine.loadRequested()
    machine.loadReturned()
    _ = machine.playRequested()
    _ = machine.pauseRequested()
    #expect(machine.resumeRequested() == .nothing)
    #expect(machine.stateChanged(.playing) == .nothing)
    #expect(machine.intent == .playing)
  }

  @Test func `a pause after stop and play is of the session to come, not of the one that still plays`() {
    var machine = playing()
    #expect(machine.stopRequested() == .stop)
    #expect(machine.playRequested() == .play)
    #expect(machine.pauseRequested() == .nothing)
    #expect(machine.isPauseDeferred)
    #expect(machine.stateChanged(.playing) == .nothing, "a Playing of the old session")
    _ = machine.stateChanged(.stopped)
    #expect(machine.startTaken() == .nothing)
    _ = machine.stateChanged(.opening)
    #expect(machine.stateChanged(.playing) == .pause)
  }

  @Test func `a pause after a play that goes on with what plays is carried out when the play was`() {
    var machine = playing()
    #expect(machine.playRequested() == .play)
    #expect(machine.pauseRequested() == .nothing)
    #expect(machine.startTaken() == .pause)
  }

  @Test func `a deferred pause is of its session: a later play or load forgets it`() {
    var machine = TransportMachine()
    machine.loadRequested()
    machine.loadReturned()
    _ = machine.playRequested()
    _ = machine.pauseRequested()
    machine.loadRequested()
    machine.loadReturned()
    _ = machine.playRequested()
    #expect(machine.stateChanged(.playing) == .nothing)
  }

  @Test func `an end that is told while a play is pending does not take the play back`() {
    var machine = playing()
    _ = machine.playRequested()
    #expect(machine.stateChanged(.stopping) == .nothing)
    #expect(machine.stateChanged(.stopped) == .nothing)
    #expect(machine.intent == .playing)
    _ = machine.startTaken()
    #expect(machine.stateChanged(.opening) == .nothing)
    #expect(machine.intent == .playing)
  }

  @Test func `pausing and resuming what plays`() {
    var machine = playing()
    #expect(machine.pauseRequested() == .pause)
    #expect(machine.pauseRequested() == .nothing)
    #expect(machine.stateChanged(.paused) == .nothing)
    #expect(machine.resumeRequested() == .resume)
    #expect(machine.resumeRequested() == .nothing)
  }

  @Test func `a pause that libVLC cannot carry out leaves the intent to play, and a stop leaves it alone`() {
    var machine = playing()
    #expect(machine.pauseRequested() == .pause)
    machine.pauseRefused()
    #expect(machine.intent == .playing)
    _ = machine.pauseRequested()
    _ = machine.stopRequested()
    machine.pauseRefused()
    #expect(machine.intent == .stopped)
  }

  @Test(arguments: [PlayerState.error, .stopped])
  func `an end takes the intent back`(end: PlayerState) {
    var machine = playing()
    _ = machine.pauseRequested()
    #expect(machine.stateChanged(end) == .nothing)
    #expect(machine.intent == .stopped)
  }

  /// Each fact that can come in any state, by name.
  private enum Fact: CaseIterable {
    case load, play, pause, resume, stop, loaded, start, pauseRefused
  }

  @Test func `in every reachable state every fact keeps the invariants`() {
    var seen: Set<String> = []
    var frontier = [TransportMachine()]
    while let machine = frontier.popLast() {
      // Counts beyond two change nothing of what is decided.
      guard machine.pendingLoads <= 2, machine.pendingStarts <= 2 else { continue }
      guard seen.insert("\(machine)").inserted else { continue }
      check(machine)
      for fact in Fact.allCases {
        var next = machine
        switch fact {
        case .load: next.loadRequested()
        case .play:
          let action = next.playRequested()
          if machine.hasMedia { #expect(action == .play) }
        case .pause:
          let action = next.pauseRequested()
          #expect(
            action == .nothing || (action == .pause && Self.isInTheMiddle(machine) && machine.isCurrent))
        case .resume:
          let action = next.resumeRequested()
          #expect(action == .nothing || (action == .resume && machine.intent == .paused))
        case .stop:
          let action = next.stopRequested()
          #expect(action == .nothing || action == .stop)
          #expect(next.intent == .stopped)
        case .pauseRefused:
          next.pauseRefused()
          #expect(next.intent != .paused)
        case .loaded:
          if machine.pendingLoads == 0 { continue }
          next.loadReturned()
        case .start:
          if machine.pendingStarts == 0 { continue }
          let action = next.startTaken()
          #expect(
            action == .nothing || (action == .pause && machine.isPauseDeferred && Self.isInTheMiddle(machine))
          )
        }
        frontier.append(next)
      }
      guard machine.isCurrent else { continue }
      for state in PlayerState.allCases {
        var next = machine
        let action = next.stateChanged(state)
        #expect(action == .nothing || (action == .pause && state == .playing && machine.isPauseDeferred))
        frontier.append(next)
      }
    }
    #expect(seen.count > 100, "the walk reached the states of the machine")
  }

  /// Whether there is something to pause: it plays, or waits for data in the middle.
  private static func isInTheMiddle(_ machine: TransportMachine) -> Bool {
    machine.state == .playing || machine.state == .buffering && machine.hasPlayed
  }

  private func check(_ machine: TransportMachine) {
    if machine.isPauseDeferred { #expect(machine.intent == .paused || machine.intent == .playing) }
    if machine.intent != .stopped { #expect(machine.hasMedia) }
    #expect(machine.pendingLoads >= 0 && machine.pendingStarts >= 0)
  }

  @Test func `impossible facts trap`() async {
    await #expect(processExitsWith: .failure) {
      var machine = TransportMachine()
      machine.loadReturned()
    }
    await #expect(processExitsWith: .failure) {
      var machine = TransportMachine()
      _ = machine.startTaken()
    }
    await #expect(processExitsWith: .failure) {
      var machine = TransportMachine()
      machine.loadRequested()
      _ = machine.stateChanged(.playing)
    }
  }
}
