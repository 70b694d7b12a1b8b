import ConcurrencySeam
import Interleaving

/// The classics of the literature, with threads.
extension CorpusProgram {
  static let classics: [CorpusProgram] = [
    .threads(
      "opposite-locks", .deadlock, depth: 2, finds: .deadlock, "two threads take two locks in opposite orders"
    ) { world, isFixed in
      let (first, second) = (Cell(0), Cell(0))
      world.spawn("other") {
        if isFixed {
          first.value.withLock { _ in second.value.withLock { $0 += 1 } }
        } else {
          second.value.withLock { _ in first.value.withLock { $0 += 1 } }
        }
      }
      first.value.withLock { _ in second.value.withLock { $0 += 1 } }
    }
  ]
}

/// A value behind a lock that several threads hold on to.
final class Cell: Sendable {
  let value: Guarded<Int>
  init(_ value: Int) { self.value = Guarded(value) }
}
