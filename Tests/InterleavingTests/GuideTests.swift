import Interleaving
import TestSupport
import Testing

/// Schedules that the body asks for. Its threads share what nothing but the world orders, which ThreadSanitizer rightly reports.
@Suite(.tags(.logic), .enabled(if: World.Substrate.best == .fibers)) struct GuideTests {
  /// Two threads that pass forty points each, in one given order: one of 2⁸⁰ or so.
  private static let order = (0..<80).map { $0 * 7 % 5 < 2 ? "a" : "b" }

  private final class Progress: @unchecked Sendable {
    var place = 0
    var keys: [String: UInt64] = [:]
    var isLost = false
  }

  /// Whether an execution follows the order to its end.
  private static func follows(_ world: World, _ strategy: Strategy, _ guide: Guide) -> Bool {
    let progress = Progress()
    let finding = world.run(strategy) { world in
      let pass: @Sendable (String) -> Void = { name in
        progress.keys[name] = World.currentThread
        for _ in 0..<order.count(where: { $0 == name }) {
          if let next = progress.keys[order[progress.place]] { guide.wish = .thread(next) }
          world.point()
          if order[progress.place] != name { progress.isLost = true }
          progress.place = min(progress.place + 1, order.count - 1)
        }
      }
      world.spawn("a") { pass("a") }
      world.spawn("b") { pass("b") }
    }
    return finding == nil && !progress.isLost
  }

  @Test func `a wish is followed where chance would never get`() {
    let world = World()
    let guided = (UInt64(0)..<40).count { seed in
      let guide = Guide()
      return Self.follows(world, .guided(by: guide, seed: seed, strays: 0), guide)
    }
    let random = (UInt64(0)..<40).count { Self.follows(world, .random(seed: $0), Guide()) }
    #expect(guided > 4 && random == 0, "\(guided), \(random)")
  }

  @Test func `an execution that begins with the choices of another goes the same way as far as they reach`() {
    let world = World()
    var first: [Int] = []
    let body: (World) -> Void = { world in
      first = (0..<20).map { _ in world.draw(100) }
    }
    _ = world.run(.random(seed: 1), body: body)
    let (whole, choices) = (first, world.choices)
    _ = world.run(.guided(by: Guide(), seed: 2, after: choices.prefix(12)), body: body)
    #expect(first.prefix(12) == whole.prefix(12) && first != whole)
  }

  @Test func `whoever is not known yet is found by name`() {
    let world = World()
    for seed in UInt64(0)..<20 {
      let guide = Guide()
      var first: [String] = []
      _ = world.run(.guided(by: guide, seed: seed, strays: 0)) { world in
        guide.wish = .other(than: [World.currentThread ?? 0], named: ["wanted"])
        for name in ["one", "two", "wanted"] {
          world.spawn(name) {
            world.point()
            first.append(name)
          }
        }
        world.point()
      }
      #expect(first.first == "wanted")
    }
  }
}
