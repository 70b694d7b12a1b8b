import Conformance
import Foundation
import Interleaving
import Synchronization
import VLCNative

/// Checks rules on simulated libraries that deviate, in worlds.
enum Deviants {
  /// Under a sanitizer worlds are a hundred times slower.
  static let isFast = World.Substrate.best == .fibers

  /// In seconds of a world: longer than whatever a check waits for where nothing deviates, as the longest file lasts three that is
  /// played to its end.
  private static let patience = 5.0

  /// What a check found, in some schedules.
  ///
  /// - Parameter saw: told what the library told and was called, when the check ends.
  static func finding(
    _ rule: Rule, _ deviation: Deviation?, executions: Int,
    saw: @escaping @Sendable (DeviatingLibrary) -> Void = { _ in }
  ) async -> Finding? {
    var options = ExplorationOptions(executions: executions)
    options.world.detectsLockOrder = false
    options.world.timePassesEarly = false
    options.world.steps = 400_000
    options.world.settling = 400_000
    options.repeatsOneOf = 0
    return await explore(rule.name.filter { $0 != " " }, options) { world in
      let (harness, library) = Libraries.simulated(Libraries.profile(of: rule)).onThreads {
        world.spawn("check's thread", $0)
      } current: {
        World.currentThread ?? 0
      }.deviating(by: deviation, patience: patience)
      // What never returns is a deadlock when the stage is put away, which waits for it.
      let isLater = rule.expectation == .deadlocks
      do { try rule.run(on: harness) { if !isLater { world.fail("\($0)") } } } catch {
        world.fail("\(error)")
      }
      saw(library)
    }.finding
  }

  /// Whether a check is red: it sees what it does not expect, or the library notices an error that the deviation led the check to.
  static func isRed(_ rule: Rule, _ finding: Finding?) -> Bool {
    let isMisuse = finding?.message.hasPrefix("misuse of libVLC") == true
    switch rule.expectation {
    case .holds: return isMisuse || finding?.message.hasPrefix("\(rule.name): ") == true
    case .deadlocks: return finding?.kind != .deadlock && finding?.kind != .reentrancy
    case .aborts, .undefined: return !isMisuse
    }
  }

  /// Prints which deviations turn a rule's check red; those of the table come first.
  static func search(_ rule: Rule) async {
    let seen = Seen()
    _ = await finding(rule, nil, executions: 1) { seen.take($0) }
    var tried: Set<Deviation> = []
    for deviation in rule.deviations + Deviation.candidates(seen.kinds, seen.calls) {
      guard tried.insert(deviation).inserted else { continue }
      let found = await finding(rule, deviation, executions: 2)
      guard isRed(rule, found) else {
        if rule.deviations.contains(deviation) {
          say("\(rule.name)\t\(deviation)\tNOT RED: \(told(found))")
        }
        continue
      }
      say("\(rule.name)\t\(deviation)\t\(told(found))")
    }
  }

  /// At once: a search takes minutes.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  private static func told(_ finding: Finding?) -> String {
    finding.map { "\($0.kind): \($0.message.prefix(120))" } ?? "comes to its end"
  }
}

/// What a clean check showed.
private final class Seen: Sendable {
  private let state = Mutex<(kinds: Set<NativeEventKind>, calls: Set<Deviation.Call>)>(([], []))
  var kinds: Set<NativeEventKind> { state.withLock { $0.kinds } }
  var calls: Set<Deviation.Call> { state.withLock { $0.calls } }
  func take(_ library: DeviatingLibrary) {
    let seen = library.seen
    state.withLock { $0 = seen }
  }
}
