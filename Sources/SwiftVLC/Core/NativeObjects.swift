import ConcurrencySeam
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The native players and media that this library holds in the process, counted from their making to the return of their
/// release.
///
/// A command that is about to end awaits `allReleased()`, so that nothing native is cut off in the middle.
public enum NativeObjects {
  private struct State {
    var counts: [Kind: Int] = [:]
    var waiters: [CheckedContinuation<Void, Never>] = []
    var players: [ObjectIdentifier: WeakHandle] = [:]
    var hasExitHandler = false
    /// Instances are not among them: `VLCInstance.shared` is for good.
    var total: Int { counts[.player, default: 0] + counts[.media, default: 0] }
  }

  /// What is counted.
  enum Kind: Hashable, Sendable, CaseIterable {
    case instance, media, player
  }

  private struct WeakHandle {
    weak var handle: NativeHandle?
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

  /// Lets the end of the process stop what the handle plays: libVLC may crash when it is cut off.
  static func stopAtExit(_ handle: NativeHandle) {
    let installs = state.withLock { state in
      state.players[ObjectIdentifier(handle)] = WeakHandle(handle: handle)
      defer { state.hasExitHandler = true }
      return !state.hasExitHandler
    }
    if installs { atexit { NativeObjects.stopAllPlayers() } }
  }

  /// Bounded, because a stop may wait for ever and the process must end: a failed wait proves nothing and frees nothing.
  private static let exitLimit = DispatchTimeInterval.seconds(2)

  /// Entered while a player is being stopped at the exit, and while a dropped one is on its way to its release.
  private static let ending = DispatchGroup()

  /// A player was dropped, and its release is queued.
  static func releaseBegan(_ handle: ObjectIdentifier) {
    ending.enter()
    state.withLock { $0.players[handle] = nil }
  }

  /// The release of a dropped player returned.
  static func releaseReturned() { ending.leave() }

  private static func stopAllPlayers() {
    for handle in state.withLock({ state in state.players.values.compactMap(\.handle) }) {
      ending.enter()
      handle.submit { handle in
        handle.stop(cause: .cancellation)
        ending.leave()
      }
    }
    _ = ending.wait(timeout: .now() + exitLimit)
  }
}
