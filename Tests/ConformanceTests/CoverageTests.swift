import Conformance
import TestSupport
import Testing

/// Whether there is a rule for everything.
@Suite(.tags(.logic)) struct CoverageTests {
  @Test func `every name of the contract has a rule`() {
    #expect(Contract.missing() == [])
    #expect(Contract.missingOfLibVLC4() == [])
  }

  @Test func `the contract has eight rules of delivery, eighteen sequences and a matrix of 138 cells`() {
    #expect(Contract.delivery.count == 8)
    #expect(Contract.sequences.count == 18)
    #expect(Contract.matrix.count == 138)
  }

  @Test func `no two rules have one name, and each says what holds in a sentence`() {
    let names = (Rule.all + Rule.libVLC4).map(\.name)
    #expect(Set(names).count == names.count)
    for rule in Rule.all + Rule.libVLC4 { #expect(rule.statement.hasSuffix("."), "\(rule.name)") }
  }

  @Test func `a name that no rule is called after is missed`() {
    let rules = Rule.all.filter { !$0.name.hasPrefix("S3") && $0.name != "matrix stop/Playing" }
    #expect(Contract.missing(from: rules) == ["S3", "matrix stop/Playing"])
    let later = Rule.libVLC4.filter { !$0.name.hasPrefix("4.end") && $0.name != "4.recording seek" }
    #expect(Contract.missingOfLibVLC4(from: later) == ["4.end", "4.recording seek"])
  }
}
