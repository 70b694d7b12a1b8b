import CConcurrencySeam
import ConcurrencySeam
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.logic)) struct GuardedTests {
  @Test func `a lock keeps increments of many threads apart`() async {
    final class Sum: Sendable { let lock = Guarded(0) }
    let sum = Sum()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<10_000 { sum.lock.withLock { $0 += 1 } } }
      }
    }
    #expect(sum.lock.withLock { $0 } == 80_000)
  }

  @Test func `what the body throws and returns comes through`() throws {
    struct Failure: Error {}
    let value = Guarded("a")
    #expect(value.withLock { $0.count } == 1)
    #expect(throws: Failure.self) { try value.withLock { _ throws(Failure) in throw Failure() } }
    #expect(value.withLock { $0 } == "a", "the lock is free after a throw")
  }

  @Test func `a listener hears acquire and release of the lock by its own address, and points by label`() {
    final class Boxed: Sendable { let lock = Guarded(1) }
    let boxed = Boxed()
    let other = Boxed()
    Heard.recording.store(Heard.thread(), ordering: .sequentiallyConsistent)
    _ = listener
    boxed.lock.withLock { _ in SchedulingPoint.pass("inside") }
    other.lock.withLock { _ in }
    Heard.recording.store(0, ordering: .sequentiallyConsistent)
    let mine = Heard.steps
    #expect(
      mine.map(\.name) == [
        "will acquire", "did acquire", "inside", "will release", "did release", "will acquire", "did acquire",
        "will release", "did release",
      ])
    let first = mine.prefix(5).filter { $0.name != "inside" }.map(\.object)
    #expect(Set(first).count == 1, "one lock has one address")
    #expect(mine.last?.object != first.first, "two locks have two")
  }
}

/// What the listener heard on one thread; a C listener has no context, and other tests take locks meanwhile.
private enum Heard {
  struct Step: Sendable {
    let name: String
    let object: UInt
  }
  static let recording = Atomic<UInt>(0)
  // Touched by the recording thread alone.
  nonisolated(unsafe) static var steps: [Step] = []

  static func thread() -> UInt { UInt(pthread_self()) }

  static func hear(_ name: String, _ object: UnsafeRawPointer?) {
    guard recording.load(ordering: .sequentiallyConsistent) == thread() else { return }
    steps.append(Step(name: name, object: UInt(bitPattern: object)))
  }
}

// A listener is never freed: it is the process's, and lives where the leak detector sees it.
private let listener = {
  let listener = UnsafeMutablePointer<concurrency_seam_listener>.allocate(capacity: 1)
  listener.initialize(
    to: concurrency_seam_listener(
      will_acquire: { Heard.hear("will acquire", $0) }, did_acquire: { Heard.hear("did acquire", $0) },
      will_release: { Heard.hear("will release", $0) }, did_release: { Heard.hear("did release", $0) },
      pass: { label, object in Heard.hear(label.map { String(cString: $0) } ?? "", object) },
      next: nil))
  concurrency_seam_add_listener(listener)
  return UInt(bitPattern: listener)
}()
