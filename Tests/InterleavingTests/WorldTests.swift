import ConcurrencySeam
import Interleaving
import Synchronization
import TestSupport
import Testing

/// Two locks and a counter, as bodies share them.
private final class Shared: @unchecked Sendable {
  let a = Guarded(0)
  let b = Guarded(0)
}

/// Numbers that several entities note, without a scheduling point.
private final class Notes: Sendable {
  private let numbers = Mutex<[Int]>([])
  var all: [Int] { numbers.withLock { $0 } }
  func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

@Sendable private func opposite(_ world: World) {
  let shared = Shared()
  world.spawn("other") { shared.b.withLock { _ in shared.a.withLock { $0 += 1 } } }
  shared.a.withLock { _ in shared.b.withLock { $0 += 1 } }
}

@Sendable private func sameOrder(_ world: World) {
  let shared = Shared()
  world.spawn("other") { shared.a.withLock { _ in shared.b.withLock { $0 += 1 } } }
  shared.a.withLock { _ in shared.b.withLock { $0 += 1 } }
}

@Sendable private func counter(_ world: World) {
  let shared = Shared()
  for number in 0..<3 {
    world.spawn("thread \(number)") { for _ in 0..<10 { shared.a.withLock { $0 += 1 } } }
  }
}

@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct WorldTests {
  private static let substrates: [World.Substrate] =
    World.Substrate.best == .fibers ? [.fibers, .threads] : [.threads]

  @Test(arguments: substrates)
  func `the same seed gives the same execution, other seeds others`(substrate: World.Substrate) {
    let world = World(substrate: substrate)
    var digests: Set<UInt64> = []
    for seed in UInt64(0)..<100 {
      #expect(world.run(.random(seed: seed), body: counter) == nil)
      let (digest, choices, steps) = (world.digest, world.choices, world.steps)
      world.run(.random(seed: seed), body: counter)
      #expect(world.digest == digest && world.choices == choices && world.steps == steps)
      digests.insert(digest)
    }
    #expect(digests.count > 90)
  }

  @Test(arguments: substrates)
  func `both substrates make the same choices of the same seed`(substrate: World.Substrate) {
    let world = World(substrate: substrate)
    world.run(.random(seed: 11), body: counter)
    let reference = World(substrate: .threads)
    reference.run(.random(seed: 11), body: counter)
    #expect(world.digest == reference.digest && world.choices == reference.choices)
  }

  @Test(arguments: substrates)
  func `locks taken in opposite orders are found by one clean execution or as a deadlock`(
    substrate: World.Substrate
  ) throws {
    let exploration = World(substrate: substrate).explore(
      "opposite", ExplorationOptions(executions: 10), body: .threads(opposite))
    let finding = try #require(exploration.finding)
    #expect([.lockOrder, .deadlock].contains(finding.kind))
    #expect(exploration.executions <= 2)
    #expect(
      World(substrate: substrate).explore(
        "same", ExplorationOptions(executions: 2_000), body: .threads(sameOrder)
      ).finding == nil)
  }

  @Test(arguments: substrates)
  func `a deadlock is told with who waits for whom, and replays from its line in another world`(
    substrate: World.Substrate
  ) throws {
    var options = ExplorationOptions(executions: 200)
    options.world.detectsLockOrder = false
    let exploration = World(substrate: substrate).explore("opposite", options, body: .threads(opposite))
    let finding = try #require(exploration.finding)
    #expect(finding.kind == .deadlock && exploration.digestMismatches == 0)
    #expect(
      finding.message.contains("body waits for lock") && finding.message.contains("which other holds")
        && finding.message.contains("other waits for lock") && finding.message.contains("which body holds"))
    #expect(
      finding.stacks.count == 2
        && finding.stacks.allSatisfy { $0.frames.contains { $0.contains("opposite") } }, "\(finding)")
    let artefact = try #require(exploration.artefact)
    let line = artefact.description
    let read = try #require(Artefact(line))
    #expect(read == artefact)
    let world = World(substrate: substrate)
    world.options = options.world
    #expect(world.replay(read, body: .threads(opposite))?.kind == .deadlock)
    #expect(world.digest == read.digest)
    #expect(world.replay(read, isStrict: false, body: .threads(opposite))?.kind == .deadlock)
  }

  @Test func `a strict replay of another program says where it differs`() throws {
    let exploration = World().explore(
      "opposite", ExplorationOptions(executions: 10), body: .threads(opposite))
    let artefact = try #require(exploration.artefact)
    let finding = World().replay(
      artefact,
      body: .threads { world in
        for _ in 0..<5 { world.spawn("more") { for _ in 0..<9 { world.point() } } }
      })
    #expect(finding?.kind == .differs)
  }

  @Test func `re-entrancy, an endless body, a failure and a lock that is never given back are findings`() {
    let world = World()
    #expect(
      world.run(.random(seed: 1)) { _ in
        let shared = Shared()
        shared.a.withLock { _ in shared.a.withLock { _ in } }
      }?.kind == .reentrancy)
    #expect(
      world.run(.random(seed: 1)) { world in while true { world.point() } }?.kind == .livelock)
    #expect(
      world.run(.random(seed: 1)) { $0.fail("two is not three") }?.message == "two is not three"
    )
    // The world is of use after each of them.
    #expect(world.run(.random(seed: 1), body: counter) == nil)
  }

  @Test func `a check then act that is not one is found by random and by priorities, and its twin is not`() {
    func body(isFixed: Bool) -> @Sendable (World) -> Void {
      { world in
        let shared = Shared()
        let withdrawn = Tally()
        for number in 0..<2 {
          world.spawn("thread \(number)") {
            if isFixed {
              shared.a.withLock { taken in if taken == 0 { taken = 1; withdrawn.add() } }
            } else {
              let isFree = shared.a.withLock { $0 == 0 }
              if isFree { shared.a.withLock { $0 = 1 }; withdrawn.add() }
            }
            if withdrawn.count > 1 { world.fail("both took it") }
          }
        }
      }
    }
    for strategy in [StrategyChoice.random, .priorities(depth: 2)] {
      var options = ExplorationOptions(executions: 200)
      options.strategy = strategy
      let found = World().explore("check-then-act", options, body: .threads(body(isFixed: false)))
      #expect(found.finding?.message == "both took it" && found.digestMismatches == 0)
      options.executions = 2_000
      #expect(World().explore("fixed", options, body: .threads(body(isFixed: true))).finding == nil)
    }
  }

  @Test func `a fair schedule lets each entity run, and settles what waits`() {
    let world = World()
    let turns = Notes()
    world.run(.fair) { world in
      for number in 0..<3 {
        world.spawn("thread \(number)") { for _ in 0..<3 { turns.add(number); world.point() } }
      }
    }
    #expect(Array(turns.all.prefix(6)) == [0, 1, 2, 0, 1, 2])
    #expect(turns.all.count == 9)
  }

  @Test func `drawn values are choices that replay`() {
    let world = World()
    let drawn = Notes()
    world.run(.random(seed: 5)) { world in for _ in 0..<20 { drawn.add(world.draw(10)) } }
    let first = drawn.all
    world.run(.replay(world.choices)) { world in
      for _ in 0..<20 { drawn.add(world.draw(10)) }
    }
    #expect(drawn.all == first + first && Set(first).count > 3)
  }

  @Test func `a body that draws without end is ended where its choices have no room`() {
    // No point is passed, so no limit of steps is.
    let finding = World().run(.random(seed: 1)) { world in while true { _ = world.draw(2) } }
    #expect(finding?.kind == .stepLimit && finding?.message.contains("choices") == true)
  }

  @Test func `worlds on several threads and ordinary code run side by side`() async {
    let shared = Shared()
    await withTaskGroup { group in
      for seed in UInt64(0)..<4 {
        group.addTask {
          await onOwnThread {
            let world = World()
            world.run(.random(seed: seed), body: counter)
            let digest = world.digest
            for _ in 0..<50 {
              world.run(.random(seed: seed), body: counter)
              #expect(world.digest == digest)
            }
          }
        }
      }
      for _ in 0..<4 { group.addTask { for _ in 0..<10_000 { shared.a.withLock { $0 += 1 } } } }
    }
    #expect(shared.a.withLock { $0 } == 40_000)
  }

  @Test func `each context has thread-locals of its own`() {
    // `ci_fibers_work` is the kernel's own test of it; here a lock's owner would be wrong without.
    for substrate in Self.substrates {
      #expect(World(substrate: substrate).run(.random(seed: 3), body: counter) == nil)
    }
  }
}

@Suite(.tags(.logic)) struct ChoiceTests {
  @Test(arguments: ["", "0/2", "3/4,1/2", "0/2*3,1/3,0/2*2", "7/8*1000000"])
  func `choices are written as runs and read back`(text: String) throws {
    #expect(try #require(ChoiceSequence(text)).description == text)
  }

  @Test(arguments: [
    "x", "1", "1/2*", "*2", "1/2*0", "-1/2", "1/2*2*3", "1/2*99999999", "2/2", "0/99999999", "0/2,,0/2",
  ])
  func `what is no sequence of choices is refused`(text: String) {
    #expect(ChoiceSequence(text) == nil)
  }

  @Test(arguments: [
    "", "interleaving/1",
    "interleaving/2 body=a parameters=- of=8ec4a8d4 strategy=fair seed=1 finding=deadlock digest=ff choices=0/2",
    "interleaving/1 body=a parameters=- of=0 strategy=fair seed=1 finding=deadlock digest=ff choices=0/2",
  ])
  func `what is no artefact is refused`(line: String) {
    #expect(Artefact(line) == nil)
  }

  @Test func `draws below a bound are even, and follow from the seed`() {
    var random = SeededRandom(seed: 9)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { counts[random.below(7)] += 1 }
    #expect(counts.allSatisfy { (9_500...10_500).contains($0) }, "\(counts)")
    var first = SeededRandom(seed: 1)
    var second = SeededRandom(seed: 1)
    #expect((0..<10).map { _ in first.next() } == (0..<10).map { _ in second.next() })
  }
}
