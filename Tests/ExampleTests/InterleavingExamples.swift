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

@Sendable private func opposite(_ world: World) {
  let shared = Shared()
  world.spawn("other") { shared.b.withLock { _ in shared.a.withLock { $0 += 1 } } }
  shared.a.withLock { _ in shared.b.withLock { $0 += 1 } }
}

@Test func firstDeadlock() async throws {
  var options = ExplorationOptions()
  options.world.detectsLockOrder = false
  try await findFirst(options)
}

private func findFirst(_ options: ExplorationOptions) async throws {
  let exploration = await explore("opposite", options, body: .threads(opposite))
  if let line = exploration.artefact, let shrunk = await shrink(line, options, body: .threads(opposite)) {
    print(Lanes(shrunk.trace))
    print("INTERLEAVING_REPLAY='\(shrunk.artefact)'")
    print(await replay(shrunk.artefact, options, body: .threads(opposite)) as Any)
  }
  #expect(exploration.finding?.kind == .deadlock)
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
