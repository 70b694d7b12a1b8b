import Foundation
import SwiftVLC

extension Workload {
  /// What every stream stands on, without a player: what the public API cannot reach at will, such as who comes after the end.
  static let broadcaster = Workload("broadcaster", "subscribes, broadcasts and ends, all at once") { host in
    let audience = Audience(host.stage)
    let producer = Task.detached {
      for number in 1...Audience.last { audience.broadcaster.broadcast(number) }
    }
    var listeners: [Task<Void, Never>] = []
    for _ in 0..<(1 + host.draw(4)) { listeners.append(audience.come(host.draw(3))) }
    // Two share a stream; the one who stays is given what comes after the other has gone.
    if host.draw(2) == 1 { await audience.share().value }
    if host.draw(2) == 1 {
      await producer.value
      audience.allWasTold()
    }
    audience.end()
    listeners.append(audience.come(0))
    for task in listeners + [producer] { await task.value }
  }
}

/// Those who listen to a broadcaster of numbers.
private final class Audience: Sendable {
  /// Of what is told; what would be told after the end is greater.
  static let last = 6
  let broadcaster = Broadcaster<Int>(replays: true)
  private let isComplete = Flag()
  private let stage: Stage
  private let lock = NSLock()

  init(_ stage: Stage) { self.stage = stage }

  func come(_ way: Int) -> Task<Void, Never> {
    Task.detached { [self] in
      var told: [Int] = []
      switch way {
      case 0: for await number in broadcaster.subscribe(policy: .unbounded) { told.append(number) }
      case 1:
        // A filter takes a lock that its owner also subscribes under.
        let stream = subscribe()
        for await number in stream { told.append(number) }
      default:
        for await number in broadcaster.subscribe(policy: .newest(2)) { told.append(number) }
      }
      // Whoever was told anything was told the last, where that came before the end, and nothing after it.
      let isWhole =
        told.isEmpty || (isComplete.isRaised ? told.last == Self.last : told.allSatisfy { $0 <= Self.last })
      let isInOrder = zip(told, told.dropFirst()).allSatisfy { way == 2 ? $0 < $1 : $0 + 1 == $1 }
      stage.check(isInOrder && isWhole ? nil : Violation(.streams, "one who listened was told \(told)"))
    }
  }

  private func subscribe() -> EventStream<Int> {
    lock.withLock {
      broadcaster.subscribe(policy: .unbounded) { [lock] _ in lock.withLock { true } }
    }
  }

  func share() -> Task<Void, Never> {
    Task.detached { [self] in
      let numbers = Broadcaster<Int>()
      let stream = numbers.subscribe(policy: .unbounded)
      let stayer = Task.detached { await Self.isTold(stream) }
      await yield(4)
      let leaver = Task.detached { await Self.isTold(stream) }
      await yield(4)
      leaver.cancel()
      await yield(3)
      numbers.broadcast(1)
      // Where the leaver has not taken it, nobody else is there: a wake that went to the leaver is not lost.
      if await leaver.value { numbers.broadcast(2) }
      let isTold = await stayer.value
      stage.check(isTold ? nil : Violation(.streams, "one who stays is not told"))
      numbers.terminate()
    }
  }

  private static func isTold(_ stream: EventStream<Int>) async -> Bool {
    for await _ in stream { return true }
    return false
  }
  private func yield(_ most: Int) async { for _ in 0..<stage.chooser.draw(most) { await Task.yield() } }

  /// Everything was told before the end.
  func allWasTold() { isComplete.raise() }

  /// After it nobody is told anything, and every stream is over.
  func end() {
    broadcaster.terminate()
    broadcaster.broadcast(Self.last + 1)
    stage.chooser.mark(.subscribedAfterEnd)
  }
}
