import Foundation
import Interleaving
import SimulatedVLC
import SwiftVLC
import VLCNative

/// What an execution stands on: the library, who watches it, and where chances and verdicts go.
final class Stage: Sendable {
  private struct Watch {
    var ledger = LedgerChecker()
    var calls = SeamCalls()
    /// Whose player a native one is.
    var probes: [NativeIdentifier: Probe] = [:]
    /// The player that is being made, on the main actor.
    var making: Probe?
  }
  let chooser: Chooser
  let library: SimulatedLibrary
  /// What may come in this execution.
  private let faults: Set<SimulatedFault>
  /// Whether no other host is in the process, so that the process's counts are this one's.
  let countsProcess: Bool
  private let watch: CheckerState<Watch>

  init(_ profile: SimulatedProfile, _ faults: Set<SimulatedFault>, seed: UInt64 = 1, countsProcess: Bool) {
    let chooser = Chooser(seed: seed)
    let watch = CheckerState(Watch())
    var options = SimulatedLibrary.Options()
    options.profile = profile
    options.faults = faults
    options.seed = seed
    options.sources = SoakMedium.source.medium
    for medium in SoakMedium.all { options.media[medium.location] = medium.medium }
    options.observer = { Self.observe($0, watch, chooser) }
    self.chooser = chooser
    self.watch = watch
    self.countsProcess = countsProcess
    library = SimulatedLibrary(options)
    self.faults = library.activeFaults
  }

  /// Whether one of these faults may have come.
  func may(_ faults: SimulatedFault...) -> Bool { !self.faults.isDisjoint(with: faults) }

  /// Whether faults may make any media fail.
  var mayFail: Bool {
    may(.openingFails, .readingFails, .endsEarly, .playIsRefused, .playerIsNil, .mediaIsNil, .attachFails)
  }

  static var isOnMainActor: Bool { World.current == nil ? Thread.isMainThread : World.isOnMainThread }

  func check(_ violation: Violation?) { if let violation { chooser.fail(violation) } }

  /// Makes a player whose native side is the probe's.
  func making<Made>(_ probe: Probe, _ make: () -> Made) -> Made {
    watch.withValue { $0.making = probe }
    defer { watch.withValue { $0.making = nil } }
    return make()
  }

  /// How many contexts live that callbacks were given.
  var contextsLeft: Int { watch.withValue { $0.ledger.left } }

  /// Everything native is gone.
  func ended() { check(watch.withValue { $0.ledger.ended() }) }

  private static func observe(
    _ observation: SimulatedObservation, _ watch: CheckerState<Watch>, _ chooser: Chooser
  ) {
    let violation: Violation?
    switch observation {
    case .called(let name, let identifier):
      let call = watch.withValue { $0.calls.call(name) }
      if !call.isGetter { chooser.say("calls \(name) \(identifier)") }
      if call.isLoad { watch.withValue { $0.probes[identifier] }?.loadReached() }
      if call.isPause { watch.withValue { $0.probes[identifier] }?.pauseReached() }
      violation =
        MainActorChecker().called(call, onMainActor: isOnMainActor) ?? PreconditionsChecker().called(call)
    case .attached(let identifier, _, let context), .given(let identifier, let context):
      let isOnMainActor = isOnMainActor
      watch.withValue { watch in
        watch.ledger.given(context, to: identifier)
        if isOnMainActor, let probe = watch.making { watch.probes[identifier] = probe }
      }
      violation = nil
    case .detached: violation = nil
    case .delivering(let event, let identifier, let context):
      chooser.say("delivers \(event) \(identifier)")
      let (found, probe) = watch.withValue { ($0.ledger.reaching(context), $0.probes[identifier]) }
      violation = found
      probe?.delivering(event)
    case .reading(let context): violation = watch.withValue { $0.ledger.reaching(context) }
    }
    if let violation { chooser.fail(violation) }
  }
}
