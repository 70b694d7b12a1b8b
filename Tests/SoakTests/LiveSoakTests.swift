import Foundation
import SimulatedVLC
import TestSupport
import Testing

@testable import Soak

/// The soak's workloads on real threads: what sanitizers watch. A violation ends the process.
@Suite(.tags(.logic), .timeLimit(.minutes(60))) struct LiveSoakTests {
  /// For how long, where somebody wants more than three rounds.
  private static let seconds = ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap { Double($0) }

  // What takes seconds only is left out, and so is what judges by a time that passes when nobody can run.
  @Test(arguments: SimulatedProfile.allCases)
  func `workloads are well on real threads too`(profile: SimulatedProfile) async {
    let slow: Set<SimulatedFault> = [.openingIsSlow, .stopIsSlow, .parsingIsSlow, .stalls]
    let faults = Set(SimulatedFault.allCases).subtracting(slow)
    let workloads = Workload.all.filter { !$0.needsQuiet }
    let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
    var rounds: UInt64 = 0
    while end.map({ ContinuousClock.now < $0 }) ?? (rounds < 3) {
      let seed = rounds &* 977 &+ 5
      await withTaskGroup { group in
        for workload in workloads { group.addTask { await workload.play(profile, faults, seed: seed) } }
      }
      rounds += 1
    }
    if Self.seconds != nil { print("\(rounds) rounds of \(workloads.count) workloads on \(profile.name)") }
  }
}
