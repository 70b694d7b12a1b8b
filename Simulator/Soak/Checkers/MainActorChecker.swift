/// The main actor never waits for the native side: of a player's calls only those that make it may be made there.
struct MainActorChecker {
  func called(_ call: SeamCall, onMainActor: Bool) -> Violation? {
    guard onMainActor, call.mayWait else { return nil }
    return Violation(
      .mainActor, "\(call.name), which may wait for the native side, is called on the main actor")
  }
}
