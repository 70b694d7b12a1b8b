import ConcurrencySeam
import Synchronization

/// What a lock with scheduling points costs against the standard library's, nobody listening and nobody waiting.
enum LockRow {
  private final class Guards: Sendable { let lock = Guarded(0) }
  private final class Mutexes: Sendable { let lock = Mutex(0) }

  static func row() async -> Row {
    let count = 5_000_000
    let guarded = Guards()
    let mutex = Mutexes()
    return await compare("guarded", goal: 1.05) {
      cost(of: count) { for _ in 0..<count { guarded.lock.withLock { $0 &+= 1 } } }
    } reference: {
      cost(of: count) { for _ in 0..<count { mutex.lock.withLock { $0 &+= 1 } } }
    }
  }
}
