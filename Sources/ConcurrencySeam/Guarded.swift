public import CConcurrencySeam
public import Synchronization

/// A value behind a mutual-exclusion lock, with scheduling points at acquire and release.
///
/// In production it is a `Mutex` plus one relaxed load and a predicted branch on each side. A listener
/// (a controlled-concurrency world, ThreadSanitizer) is told of both. The lock is not recursive: call
/// nothing from inside `withLock` that may come back to it, and nothing that calls out at all.
public struct Guarded<Value: ~Copyable>: ~Copyable {
  @usableFromInline let mutex: Mutex<Value>

  /// Makes the lock around its first value.
  @inlinable
  public init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the value while the lock is held; rethrows what `body` throws.
  @inlinable
  @inline(__always)
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    if concurrency_seam_listens() { announce(concurrency_seam_will_acquire) }
    defer { if concurrency_seam_listens() { announce(concurrency_seam_did_release) } }
    return try mutex.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
      if concurrency_seam_listens() { announce(concurrency_seam_did_acquire) }
      defer { if concurrency_seam_listens() { announce(concurrency_seam_will_release) } }
      return try body(&value)
    }
  }

  /// Tells the listener, naming the lock by the mutex's own address.
  // Specialised for each value, but apart: a world passes here twice a lock, and production never.
  @inlinable
  @inline(never)
  borrowing func announce(_ step: (UnsafeRawPointer?) -> Void) {
    withUnsafePointer(to: mutex) { step(UnsafeRawPointer($0)) }
  }
}

extension Guarded: Sendable where Value: ~Copyable {}
