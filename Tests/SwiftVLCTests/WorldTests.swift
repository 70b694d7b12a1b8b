import ConcurrencySeam
import Interleaving
import Synchronization
import TestSupport
import Testing

@testable import SwiftVLC

/// The engine's own code, unchanged, under thousands of schedules of its threads.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct EngineWorldTests {
  /// Explores with each strategy, and says how to replay what was found.
  private func explore(_ name: String, executions: Int = 1_500, _ body: @escaping @Sendable (World) -> Void) {
    for strategy in [StrategyChoice.random, .priorities(depth: 3)] {
      var options = ExplorationOptions(executions: executions)
      options.strategy = strategy
      let exploration = World().explore(name, options, body: .threads(body))
      if let finding = exploration.finding {
        Issue.record("\(finding)\n\(exploration.artefact.map(String.init(describing:)) ?? "")")
      }
      #expect(exploration.digestMismatches == 0)
      #expect(exploration.steps > exploration.executions, "the engine's locks are scheduling points")
    }
  }

  @Test func `what producers, subscribers and an end do to a broadcaster keeps each subscriber's promise`() {
    explore("broadcaster") { world in
      let broadcaster = Broadcaster<Int>(replays: true)
      let early = StreamProbe(broadcaster.subscribe(policy: .unbounded))
      let late = StreamProbe<Int>()
      let remaining = Remaining(3) {
        // In the order of broadcasts from one producer, each once, and over.
        let all = early.drain()
        for first in [0, 100] {
          let ofOne = all.filter { $0 / 100 == first / 100 }
          if ofOne != Array(first..<first + ofOne.count) { world.fail("out of order: \(all)") }
        }
        if !early.isFinished { world.fail("a stream did not end") }
        let replayed = late.drain()
        if !late.isFinished || Set(replayed).count != replayed.count {
          world.fail("a late stream: \(replayed)")
        }
      }
      world.spawn("first") {
        for number in 0..<3 { broadcaster.broadcast(number) }
        remaining.oneLess()
      }
      world.spawn("second") {
        for number in 100..<103 { broadcaster.broadcast(number) }
        broadcaster.terminate()
        remaining.oneLess()
      }
      world.spawn("late subscriber") {
        late.stream = broadcaster.subscribe(policy: .unbounded)
        remaining.oneLess()
      }
    }
  }

  #if LibVLC
  @Test
  func `facts from the handle's queue and a drop are told in the order of their numbers, each outcome once`()
  {
    explore("event-context") { world in
      // Nothing of the library is reached: no native event comes here.
      let context = PlayerEventContext(library: defaultNativeLibrary()!)
      let envelopes = StreamProbe(context.eventEnvelopes(of: .control))
      let outcomes = StreamProbe(context.outcomes())
      let statuses = StreamProbe(context.statuses.subscribe(policy: .unbounded))
      let started = Guarded(0)
      let remaining = Remaining(3) {
        let sequence = envelopes.drain().map(\.sequence)
        if sequence != sequence.sorted() { world.fail("events out of order: \(sequence)") }
        let ended = outcomes.drain().map(\.playback)
        let count = started.withLock { $0 }
        if Set(ended).count != ended.count || ended.count != count {
          world.fail("\(count) sessions, outcomes \(ended)")
        }
        let generations = statuses.drain().map(\.playback)
        if generations != generations.sorted() { world.fail("statuses out of order: \(generations)") }
        if !envelopes.isFinished || !outcomes.isFinished || !statuses.isFinished {
          world.fail("a stream did not end")
        }
      }
      world.spawn("handle") {
        for _ in 0..<2 {
          // A start that comes before the drop is of a session that has an outcome.
          if context.startBegan() == .begins { started.withLock { $0 += 1 } }
          context.startRejected()
          context.joinBegan(.stop, cause: .requestedStop)
          context.onJoiningThread { world.point() }
          context.joinReturned(.stopped)
        }
        remaining.oneLess()
      }
      world.spawn("another caller") {
        for _ in 0..<3 { context.soundCommanded() }
        context.pauseRefused()
        remaining.oneLess()
      }
      world.spawn("drop") {
        context.tornDown()
        remaining.oneLess()
      }
    }
  }
  #endif
}

/// Runs what is to hold when all of a body's entities are done, in the last of them.
private final class Remaining: @unchecked Sendable {
  // Not a `Guarded`: no scheduling point, but the order of memory that the check at the end relies on.
  private let count: Mutex<Int>
  private let atEnd: () -> Void

  init(_ count: Int, atEnd: @escaping () -> Void) {
    self.count = Mutex(count)
    self.atEnd = atEnd
  }

  func oneLess() {
    let isLast = count.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { atEnd() }
  }
}

/// A stream that is read without waiting.
private final class StreamProbe<Element: Sendable>: @unchecked Sendable {
  var stream: EventStream<Element>?
  private(set) var isFinished = false

  init(_ stream: EventStream<Element>? = nil) {
    self.stream = stream
  }

  /// What is buffered, in order.
  func drain() -> [Element] {
    var elements: [Element] = []
    while let poll = stream?.poll() {
      switch poll {
      case .element(let element): elements.append(element)
      case .finished:
        isFinished = true
        return elements
      case .empty: return elements
      }
    }
    return elements
  }
}
