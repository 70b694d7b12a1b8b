/// What libVLC demands of its callers and survives by chance alone. What it does not survive, the library itself says.
struct PreconditionsChecker {
  /// A call that the library has words of its own for.
  func called(_ call: SeamCall) -> Violation? {
    call.isMistakenPause
      ? Violation(.preconditions, "a pause of what cannot be paused, which libVLC 3 ends then") : nil
  }
}
