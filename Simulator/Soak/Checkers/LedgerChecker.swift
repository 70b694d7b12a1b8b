import VLCNative

/// Contexts that callbacks are given live as long as a callback may come, and not longer than their native object.
///
/// That native objects are not used after their release, nor released twice, the library itself says; that none is left, the stage
/// asks at the end.
struct LedgerChecker {
  private struct Watched {
    weak var object: AnyObject?
    let owner: NativeIdentifier
  }
  private var contexts: [UnsafeMutableRawPointer: Watched] = [:]

  /// From now on the context may be reached.
  mutating func given(_ context: UnsafeMutableRawPointer?, to owner: NativeIdentifier) {
    guard let context else { return }
    if let known = contexts[context], known.owner == owner, known.object != nil { return }
    contexts[context] = Watched(
      object: Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue(), owner: owner)
  }

  /// A callback is about to be called with the context.
  func reaching(_ context: UnsafeMutableRawPointer?) -> Violation? {
    guard let context, let watched = contexts[context], watched.object == nil else { return nil }
    return Violation(.ledger, "a callback of an object's is called with a context that is freed")
  }

  /// How many contexts live.
  var left: Int { contexts.values.count { $0.object != nil } }

  /// Everything native is gone.
  func ended() -> Violation? {
    return left == 0 ? nil : Violation(.ledger, "\(left) contexts are left when everything native is gone")
  }
}
