import Conformance
import TestSupport
import Testing

/// Whether there is a rule for everything.
@Suite(.tags(.logic)) struct CoverageTests {
  @Test func `every name of the contract has a rule`() {
    #expect(Contract.missing() == [])
  }

  @Test func `the contract has eight rules of delivery, eighteen sequences and a matrix of 138 cells`() {
    #expect(Contract.delivery.count == 8)
    #expect(Contract.sequences.count == 18)
    #expect(Contract.matrix.count == 138)
  }

  @Test func `no two rules have one name, and each says what holds in a sentence`() {
    let names = Rule.all.map(\.name)
    #expect(Set(names).count == names.count)
    for rule in Rule.all { #expect(rule.statement.hasSuffix("."), "\(rule.name)") }
  }

  @Test func `a name that no rule is called after is missed`() {
    let rules = Rule.all.filter { !$0.name.hasPrefix("S3") && $0.name != "matrix stop/Playing" }
    #expect(Contract.missing(from: rules) == ["S3", "matrix stop/Playing"])
  }
}
