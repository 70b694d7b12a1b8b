import CConcurrencySeam
import CInterleaving

/// Makes `Guarded` and `SchedulingPoint` part of the world of the thread that passes them; nothing for any other thread.
enum WorldListener {
  // Never freed: a listener is the process's.
  private static let listener: UInt = {
    let listener = UnsafeMutablePointer<concurrency_seam_listener>.allocate(capacity: 1)
    listener.initialize(
      to: concurrency_seam_listener(
        will_acquire: { lock in world()?.acquire(UInt(bitPattern: lock)) }, did_acquire: { _ in },
        will_release: { _ in }, did_release: { lock in world()?.release(UInt(bitPattern: lock)) },
        pass: { _, _ in world()?.point() }))
    return UInt(bitPattern: listener)
  }()

  static func install() { concurrency_seam_set_listener(UnsafePointer(bitPattern: listener)) }

  private static func world() -> World? {
    guard let entity = ci_simulated() else { return nil }
    ci_enter_kernel()
    defer { ci_leave_kernel() }
    return Unmanaged<World.Entity>.fromOpaque(entity).takeUnretainedValue().world
  }
}
