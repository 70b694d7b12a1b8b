import Synchronization

/// One task that waits for a stream's next element, woken once: by a producer, an end, or its cancellation.
///
/// A cancellation handler runs under the runtime's task status lock, and another thread's resume waits for that
/// lock. So waking takes no lock of ours: one atomic word decides who resumes.
@usableFromInline
final class StreamWaiter: Sendable {
  private enum Phase: UInt8, AtomicRepresentable {
    case unarmed, armed, woken
  }

  private let phase = Atomic(Phase.unarmed)
  // Written before the phase becomes armed, read by the one who takes it from armed to woken.
  nonisolated(unsafe) private var continuation: UnsafeContinuation<Void, Never>?

  @usableFromInline
  init() {}

  /// Gives the waiter the continuation of its suspended task; resumes it at once if it was woken before.
  @usableFromInline
  func arm(_ continuation: UnsafeContinuation<Void, Never>) {
    self.continuation = continuation
    let armed = phase.compareExchange(
      expected: .unarmed, desired: .armed, ordering: .acquiringAndReleasing)
    if !armed.exchanged {
      self.continuation = nil
      continuation.resume()
    }
  }

  /// Wakes the task; false when it was woken before.
  @discardableResult
  @usableFromInline
  func wake() -> Bool {
    switch phase.exchange(.woken, ordering: .acquiringAndReleasing) {
    case .unarmed: return true
    case .armed:
      continuation.take()?.resume()
      return true
    case .woken: return false
    }
  }
}
