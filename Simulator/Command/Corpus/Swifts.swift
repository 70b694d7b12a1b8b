import Interleaving

/// Swift's own, with tasks, actors, streams and continuations.
extension CorpusProgram {
  static let swifts: [CorpusProgram] = []
}
