import Conformance
import Interleaving
import TestSupport
import Testing

@testable import ConformanceCommand

/// Every rule on the simulated libVLC, in worlds: under each of several schedules.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct SimulatedConformanceTests {
  private static func explored(_ rule: Rule, _ executions: Int) async -> Exploration {
    var options = ExplorationOptions(executions: executions)
    options.world.detectsLockOrder = false
    options.world.timePassesEarly = false
    options.world.steps = 400_000
    options.world.settling = 400_000
    return await explore(rule.name.filter { $0 != " " }, options) { world in
      let harness = Libraries.simulated().onThreads {
        world.spawn("check's thread", $0)
      } current: {
        World.currentThread ?? 0
      }
      do { try rule.run(on: harness) } catch { world.fail("\(error)") }
    }
  }

  @Test(arguments: Rule.all)
  func `a rule is the same on the simulated library, in each schedule`(rule: Rule) async {
    let done = await Self.explored(rule, 10)
    switch rule.expectation {
    case .holds: #expect(done.finding == nil, "\(done.finding as Any)")
    case .deadlocks:
      #expect([.deadlock, .reentrancy].contains(done.finding?.kind), "\(done.finding as Any)")
    case .aborts, .undefined:
      #expect(done.finding?.message.hasPrefix("misuse of libVLC") == true, "\(done.finding as Any)")
    }
  }
}
