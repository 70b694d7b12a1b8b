import Conformance
import Interleaving
import SimulatedVLC
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
      let harness = Libraries.simulated(Libraries.profile(of: rule)).onThreads {
        world.spawn("check's thread", $0)
      } current: {
        World.currentThread ?? 0
      }
      do { try rule.run(on: harness) } catch { world.fail("\(error)") }
    }
  }

  /// Under a sanitizer worlds are a hundred times slower: there the rules are checked outside every world.
  private static let isFast = World.Substrate.best == .fibers

  @Test(.enabled(if: isFast), arguments: Rule.all.filter { $0.expectation == .holds })
  func `a rule holds on the simulated library, in each schedule`(rule: Rule) async {
    let done = await Self.explored(rule, 20)
    #expect(done.finding == nil, "\(done.finding as Any)")
  }

  @Test(.enabled(if: isFast), arguments: Rule.all.filter { $0.expectation != .holds })
  func `what deadlocks or is an error of the caller's is a finding`(rule: Rule) async {
    let done = await Self.explored(rule, 20)
    if rule.expectation == .deadlocks {
      #expect([.deadlock, .reentrancy].contains(done.finding?.kind), "\(done.finding as Any)")
    } else {
      #expect(done.finding?.message.hasPrefix("misuse of libVLC") == true, "\(done.finding as Any)")
    }
  }

  @Test(.enabled(if: isFast), arguments: Rule.libVLC4.filter { $0.expectation == .holds })
  func `a rule of libVLC 4.0, or a recording of it, holds in each schedule`(rule: Rule) async {
    let done = await Self.explored(rule, 20)
    #expect(done.finding == nil, "\(done.finding as Any)")
  }

  @Test(.enabled(if: isFast), arguments: Rule.libVLC4.filter { $0.expectation != .holds })
  func `what deadlocks in libVLC 4.0, or ends the process, is a finding`(rule: Rule) async {
    let done = await Self.explored(rule, 20)
    if rule.expectation == .deadlocks {
      #expect([.deadlock, .reentrancy].contains(done.finding?.kind), "\(done.finding as Any)")
    } else {
      #expect(done.finding?.message.hasPrefix("misuse of libVLC") == true, "\(done.finding as Any)")
    }
  }

  /// On threads of the system, in real time: recordings, where what comes first depends on the moment, are held in worlds only.
  @Test(
    arguments: Rule.libVLC4.filter { rule in
      rule.expectation == .holds
        && ["4.stop", "4.setMedia", "4.lock"].contains { rule.name.hasPrefix($0) }
    })
  func `a rule of libVLC 4.0 holds outside every world, too`(rule: Rule) async throws {
    let harness = Libraries.simulated(.libVLC4)
    let violation = await onOwnThread { () -> String? in
      do { try rule.run(on: harness) } catch { return "\(error)" }
      return nil
    }
    #expect(violation == nil)
  }

  /// On threads of the system, in real time: a library of its own for each rule.
  @Test(
    arguments: Rule.all.filter { rule in
      rule.expectation == .holds
        && ["R", "S2", "S3", "S6", "S12", "S13", "S15", "S16", "S18"].contains { rule.name.hasPrefix($0) }
    })
  func `a rule holds outside every world, too`(rule: Rule) async throws {
    let harness = Libraries.simulated()
    let violation = await onOwnThread { () -> String? in
      do { try rule.run(on: harness) } catch { return "\(error)" }
      return nil
    }
    #expect(violation == nil)
  }
}
