import TestSupport
import Testing
import VLCNative

@testable import SwiftVLC

@Suite(.tags(.logic)) struct ParseMachineTests {
  /// A machine in a phase.
  private func machine(_ phase: ParseMachine.Phase) -> ParseMachine {
    var machine = ParseMachine()
    switch phase {
    case .idle: break
    case .requested(let waiters): for _ in 0..<waiters { _ = machine.asked() }
    case .stopping:
      _ = machine.asked()
      _ = machine.waiterLeft()
    case .done:
      _ = machine.asked()
      _ = machine.statusTold(.done)
    }
    #expect(machine.phase == phase)
    return machine
  }

  @Test func `asking requests once, then shares, then answers`() {
    var idle = machine(.idle)
    #expect(idle.asked() == .request && idle.phase == .requested(waiters: 1))
    var requested = machine(.requested(waiters: 2))
    #expect(requested.asked() == .nothing && requested.phase == .requested(waiters: 3))
    var done = machine(.done)
    #expect(done.asked() == .complete(.done) && done.phase == .done)
  }

  @Test func `one who leaves ends only its own wait, the last one the request`() {
    var two = machine(.requested(waiters: 2))
    #expect(two.waiterLeft() == .nothing && two.phase == .requested(waiters: 1))
    #expect(two.waiterLeft() == .stop && two.phase == .stopping)
  }

  @Test(arguments: NativeParsedStatus.allCases)
  func `each status of a request`(status: NativeParsedStatus) {
    var requested = machine(.requested(waiters: 2))
    let action = requested.statusTold(status)
    switch status {
    case .none, .pending: #expect(action == .nothing && requested.phase == .requested(waiters: 2))
    case .done: #expect(action == .complete(.done) && requested.phase == .done)
    case .failed: #expect(action == .complete(.failed) && requested.phase == .idle)
    case .skipped: #expect(action == .complete(.skipped) && requested.phase == .idle)
    case .timeout: #expect(action == .complete(.timeout) && requested.phase == .idle)
    case .cancelled: #expect(action == .complete(.cancelled) && requested.phase == .idle)
    }
  }

  @Test(arguments: NativeParsedStatus.allCases)
  func `a stop that returned tells the truth of what it stopped`(status: NativeParsedStatus) {
    var stopping = machine(.stopping)
    let action = stopping.stopReturned(status: status, reason: .timeout)
    #expect(action == .complete(status == .done ? .done : .timeout))
    #expect(stopping.phase == (status == .done ? .done : .idle))
  }

  @Test func `impossible pairs trap`() async {
    await #expect(processExitsWith: .failure) {
      var machine = ParseMachine()
      _ = machine.waiterLeft()
    }
    await #expect(processExitsWith: .failure) {
      var machine = ParseMachine()
      _ = machine.statusTold(.done)
    }
    await #expect(processExitsWith: .failure) {
      var machine = ParseMachine()
      _ = machine.stopReturned(status: .none, reason: .cancelled)
    }
    await #expect(processExitsWith: .failure) {
      var machine = ParseMachine()
      _ = machine.asked()
      _ = machine.stopReturned(status: .none, reason: .cancelled)
    }
    await #expect(processExitsWith: .failure) {
      var machine = ParseMachine()
      _ = machine.asked()
      _ = machine.waiterLeft()
      _ = machine.asked()
    }
    await #expect(processExitsWith: .failure) {
      var machine = ParseMachine()
      _ = machine.asked()
      _ = machine.waiterLeft()
      _ = machine.statusTold(.done)
    }
    await #expect(processExitsWith: .failure) {
      var machine = ParseMachine()
      _ = machine.asked()
      _ = machine.statusTold(.done)
      _ = machine.waiterLeft()
    }
  }
}
