import ConcurrencySeam
import Interleaving

// The example of docs/interleaving.md, word for word: `ExampleTests` compares.

private final class Shared: @unchecked Sendable {
  let a = Guarded(0)
  let b = Guarded(0)
}

func exploreOppositeOrders() async -> Finding? {
  let exploration = await explore("opposite") { world in
    let shared = Shared()
    world.spawn("other") { shared.b.withLock { _ in shared.a.withLock { $0 += 1 } } }
    shared.a.withLock { _ in shared.b.withLock { $0 += 1 } }
  }
  print(exploration.finding as Any, exploration.artefact as Any)
  return exploration.finding
}
