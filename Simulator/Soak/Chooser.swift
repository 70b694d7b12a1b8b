import Foundation
import Interleaving
import Synchronization

/// Where a run's chances, verdicts and marks go: to its world, or outside one to a seed and the process.
final class Chooser: Sendable {
  private let state: Atomic<UInt64>

  init(seed: UInt64) { state = Atomic(seed) }

  func draw(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    if let world = World.current { return world.draw(count) }
    var mixed = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(count))
  }

  /// For whoever reads a finding's trace.
  func say(_ text: @autoclosure () -> String) { World.current?.say(text()) }
  func mark(_ mark: Mark) { World.current?.mark(mark.rawValue) }
  func mark(_ fault: HostFault) { World.current?.mark("fault \(fault.rawValue)") }

  /// Ends the execution, or the process.
  func fail(_ violation: Violation) {
    if let world = World.current { return world.fail("\(violation)") }
    fatalError("\(violation)")
  }
}
