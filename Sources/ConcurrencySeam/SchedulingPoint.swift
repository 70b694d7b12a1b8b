public import CConcurrencySeam

/// A place where a controlled-concurrency scheduler may switch to another thread of the program.
public enum SchedulingPoint {
  /// Passes the point: nothing in production, a choice of the scheduler inside a world.
  ///
  /// - Parameters:
  ///   - label: what happens here, in a few words, for reports.
  ///   - object: the identity of what the point touches, or nil.
  @inlinable
  public static func pass(_ label: StaticString, _ object: UnsafeRawPointer? = nil) {
    guard concurrency_seam_listens() else { return }
    concurrency_seam_pass(UnsafeRawPointer(label.utf8Start).assumingMemoryBound(to: CChar.self), object)
  }
}
