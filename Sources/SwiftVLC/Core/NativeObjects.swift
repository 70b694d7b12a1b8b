import ConcurrencySeam
import Dispatch
import VLCNative

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The native objects that this library holds in the process, counted from their making to the return of their release.
///
/// A command that is about to end awaits `allReleased()`, so that nothing native is cut off in the middle.
/// `VLCInstance.shared` is for good, and not counted.
public enum NativeObjects {
  private struct State {
    var counts: [Kind: Int] = [:]
    var waiters: [CheckedContinuation<Void, Never>] = []
    // By the native player's identifier, until its release returned.
    var players: [NativeIdentifier: WeakHandle] = [:]
    var hasExitHandler = false
    var total: Int { counts.values.reduce(0, +) }
  }

  /// What is counted.
  enum Kind: Hashable, Sendable, CaseIterable {
    case instance, media, player
  }

  private struct WeakHandle {
    weak var handle: NativeHandle?
    /// Whether the exit stops it, and leaves the group for it.
    var isStoppedAtExit = false
  }

  // Its initialiser reaches nothing native: safe as a lazy global.
  private static let state = Guarded(State())

  /// How many there are now.
  public static var count: Int { state.withLock { $0.total } }

  /// How many of a kind there are now.
  static func count(of kind: Kind) -> Int { state.withLock { $0.counts[kind, default: 0] } }

  /// Returns when there is none: every release has returned. What is still referenced is waited for.
  public static func allReleased() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isEmpty = state.withLock { state in
        if state.total > 0 { state.waiters.append(continuation) }
        return state.total == 0
      }
      if isEmpty { continuation.resume() }
    }
  }

  static func enter(_ kind: Kind) {
    state.withLock { $0.counts[kind, default: 0] += 1 }
  }

  static func leave(_ kind: Kind) {
    let waiters = state.withLock { state in
      let count = state.counts[kind, default: 0]
      precondition(count > 0, "a native \(kind) was released that was never counted")
      state.counts[kind] = count - 1
      return state.total == 0 ? state.waiters.takeAll() : []
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: The end of the process

  /// Lets the end of the process stop what the handle plays, and wait for its release if it is dropped: libVLC may crash
  /// when it is cut off.
  static func stopAtExit(_ handle: NativeHandle, _ player: NativeIdentifier) {
    ending.enter()
    let installs = state.withLock { state in
      state.players[player] = WeakHandle(handle: handle)
      defer { state.hasExitHandler = true }
      return !state.hasExitHandler
    }
    if installs { atexit { NativeObjects.stopAllPlayers() } }
  }

  /// The release of a player returned.
  static func releaseReturned(_ player: NativeIdentifier) {
    guard let known = state.withLock({ $0.players.removeValue(forKey: player) }) else { return }
    if !known.isStoppedAtExit { ending.leave() }
  }

  /// Left by each player once: by its release, or by its stop at the exit.
  private static let ending = DispatchGroup()

  /// Bounded, because a stop may wait for ever and the process must end: a failed wait proves nothing and frees nothing.
  private static let exitLimit = DispatchTimeInterval.seconds(2)

  private static func stopAllPlayers() {
    // Those that are alive are taken charge of; a dropped one is on its way to its release.
    let handles = state.withLock { state in
      let alive = state.players.compactMapValues(\.handle)
      for player in alive.keys { state.players[player]?.isStoppedAtExit = true }
      return Array(alive.values)
    }
    for handle in handles {
      handle.interruptReads()
      handle.submit { handle in
        handle.stop(cause: .cancellation) { _ in ending.leave() }
      }
    }
    _ = ending.wait(timeout: .now() + exitLimit)
  }
}
