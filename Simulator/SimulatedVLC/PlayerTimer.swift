import Foundation
import VLCNative

/// The timer of an output's clock (libVLC 4.0's watch_time).
///
/// 4.watch: one watcher at a time; updates come on the output's thread, discontinuities on the input's, one of either at once; and
/// a callback may call nothing of the player.
final class PlayerTimer: @unchecked Sendable {
  private struct Watcher {
    let callbacks: NativeTimerCallbacks
    let context: UnsafeMutableRawPointer?
    let period: Duration
    var last: ContinuousClock.Instant?
  }
  /// How often the clock of an output is told anew where nothing changes: seen once a second.
  private static let period = Duration.seconds(1)

  // Held while a callback runs.
  private let lock = NSLock()
  private var watcher: Watcher?
  private static let inside = ThreadSlot()

  /// Whether the calling thread is inside a callback of a timer's.
  static var isInside: Bool { inside.value == 1 }

  var isEmpty: Bool { lock.withLock { watcher == nil } }

  /// False where there is a watcher.
  func watch(
    _ callbacks: NativeTimerCallbacks, _ context: UnsafeMutableRawPointer?, period: Duration
  ) -> Bool {
    lock.withLock {
      guard watcher == nil else { return false }
      watcher = Watcher(callbacks: callbacks, context: context, period: max(period, Self.period))
      return true
    }
  }

  /// Waits for a callback that runs: none comes after it.
  func unwatch() -> Bool {
    lock.withLock {
      defer { watcher = nil }
      return watcher != nil
    }
  }

  /// The output shows what the point says.
  func update(_ point: () -> NativeTimePoint) {
    call { watcher in
      let now = ContinuousClock.now
      guard watcher.last.map({ now - $0 >= watcher.period }) ?? true else { return }
      watcher.last = now
      withUnsafePointer(to: point()) { watcher.callbacks.update($0, watcher.context) }
    }
  }

  /// The clock stands from a date on, or, for 0, is gone.
  func interrupt(_ date: Int64) {
    call { watcher in
      watcher.last = nil
      watcher.callbacks.discontinuity?(date, watcher.context)
    }
  }

  private func call(_ body: (inout Watcher) -> Void) {
    lock.withLock {
      guard watcher != nil else { return }
      Self.inside.value = 1
      defer { Self.inside.value = nil }
      body(&watcher!)
    }
  }
}
