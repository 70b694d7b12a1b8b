#if LibVLC
import Conformance
import Foundation
import TestSupport
import Testing

@testable import ConformanceCommand

/// Every rule on the real libVLC.
@Suite(.tags(.real)) struct RealLibraryConformanceTests {
  /// One at a time: two cores that play ten files at once are late for each of them.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct InThisProcess {
    @Test(arguments: Rule.all.filter { $0.expectation == .holds })
    func `a rule holds`(rule: Rule) throws {
      let harness = try #require(Libraries.real())
      try rule.run(on: harness)
    }
  }

  /// What hangs needs no processor, so that several hang at once; what is late is not mistaken for it.
  @Suite(.timeLimit(.minutes(4))) struct InAnother {
    @Test(arguments: Rule.all.filter { $0.expectation == .deadlocks })
    func `a call never returns`(rule: Rule) async {
      let outcome = await outcome(of: rule)
      #expect(outcome == .deadlocks)
    }

    @Test(arguments: Rule.all.filter { $0.expectation == .aborts })
    func `a call ends the process`(rule: Rule) async {
      let outcome = await outcome(of: rule)
      #expect(outcome == .aborts)
    }

    @Test func `a call that returns is not taken for one that does not`() async throws {
      let rule = try #require(Rule.all.first { $0.name == "matrix get_state/Playing" })
      let outcome = await outcome(of: rule)
      #expect(outcome == .holds)
    }

    private func outcome(of rule: Rule) async -> Outcome {
      await onOwnThread {
        Self.places.wait()
        defer { Self.places.signal() }
        return ChildCheck.run(rule, command: Self.command)
      }
    }

    private static let places = DispatchSemaphore(value: 4)

    /// The command that was built beside this test.
    private static let command: String = {
      let test = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      return test.appendingPathComponent("conformance").path
    }()
  }
}
#endif
