import Conformance
import TestSupport
import Testing

@testable import ConformanceCommand

/// Whether the checks can fail: each on simulated libraries that deviate from the contract.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct DeviationTests {
  private static let rules = Rule.all + Rule.libVLC4

  @Test func `each rule has a deviation, and no deviation is for a rule that is not there`() {
    #expect(Self.rules.filter { $0.deviations.isEmpty }.map(\.name) == [])
    let names = Set(Self.rules.map(\.nameInTable))
    #expect(Deviation.named.subtracting(names) == [])
  }

  @Test(.enabled(if: Deviants.isFast), arguments: rules)
  func `a rule's check is red on each library that deviates from it`(rule: Rule) async {
    for deviation in rule.deviations {
      let found = await Deviants.finding(rule, deviation, executions: 60)
      #expect(Deviants.isRed(rule, found), "\(deviation): \(found as Any)")
    }
  }

  @Test(.enabled(if: Deviants.isFast), arguments: rules)
  func `a rule's check is not red on a library that stands between and deviates in nothing`(rule: Rule) async
  {
    let found = await Deviants.finding(rule, nil, executions: 2)
    #expect(!Deviants.isRed(rule, found), "\(found as Any)")
  }
}
