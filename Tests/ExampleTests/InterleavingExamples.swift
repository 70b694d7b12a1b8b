import ConcurrencySeam
import Interleaving
import InterleavingTesting
import Testing

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

private actor Account {
  private(set) var balance = 0
  func deposit(_ amount: Int) { balance += amount }
}

@Test(.interleaved(executions: 500)) func depositsAddUp() async {
  let account = Account()
  async let first: Void = account.deposit(1)
  async let second: Void = account.deposit(2)
  _ = await (first, second)
  #expect(await account.balance == 3)
}
