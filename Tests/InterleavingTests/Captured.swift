import Interleaving
import Synchronization
import Testing

/// Runs an asynchronous body under many seeds, each twice: the same each time, and not the same for all.
///
/// What a world does not take over would run on threads of the system's own, outside the world and in an order of its
/// own: neither would hold.
func expectCaptured(
  _ seeds: Int = 60, distinct: Int = 3, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable (World) async throws -> Void
) {
  let world = World()
  world.run(.fair, body: .task(body))
  var digests: Set<UInt64> = []
  for seed in UInt64(0)..<UInt64(seeds) {
    let first = world.run(.random(seed: seed), body: .task(body))
    let digest = world.digest
    #expect(first == nil, sourceLocation: sourceLocation)
    world.run(.random(seed: seed), body: .task(body))
    #expect(world.digest == digest, "seed \(seed)", sourceLocation: sourceLocation)
    guard first == nil, world.digest == digest else { return }
    digests.insert(digest)
  }
  #expect(digests.count >= distinct, "of \(seeds) seeds", sourceLocation: sourceLocation)
}

/// What is found when a body runs under some seeds.
func found(
  _ seeds: Int = 200, _ configure: (inout World.Options) -> Void = { _ in },
  _ body: @escaping @Sendable (World) async throws -> Void
) -> Finding? {
  let world = World()
  configure(&world.options)
  for seed in UInt64(0)..<UInt64(seeds) {
    if let finding = world.run(.random(seed: seed), body: .task(body)) { return finding }
  }
  return nil
}

/// Expects that a call is refused by its name.
func expectRefused(
  _ name: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable (World) async -> Void
) {
  let finding = World().run(.fair, body: .task { await body($0) })
  #expect(finding?.kind == .unmodelled, sourceLocation: sourceLocation)
  #expect(finding?.message.contains(" \(name),") == true, "\(finding as Any)", sourceLocation: sourceLocation)
}

/// What several threads and tasks of a world note in its digest; where one is outside the world, the test fails.
func note(_ value: Int, sourceLocation: SourceLocation = #_sourceLocation) {
  guard let world = World.current else {
    Issue.record("this ran outside the world", sourceLocation: sourceLocation)
    return
  }
  world.note(UInt64(value))
}

/// A count that no scheduling point guards.
final class Tally: Sendable {
  private let value = Atomic(0)
  var count: Int { value.load(ordering: .relaxed) }
  func add(_ number: Int = 1) { value.add(number, ordering: .relaxed) }
}

extension World.Substrate {
  /// Those that work here: under a sanitizer fibers do not.
  static var here: [World.Substrate] { best == .fibers ? allCases : [.threads] }
}
