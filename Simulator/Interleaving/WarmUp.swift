import CInterleaving

/// What a process does once only, done before the first world: the scheduler may be called while the Swift runtime holds
/// its own locks, and must not want them then.
enum WarmUp {
  static func once() { _ = done }

  private static let done: Bool = {
    let world = World(substrate: .best, recordFile: -1)
    for seed in UInt64(0)..<4 {
      world.run(.random(seed: seed)) { world in
        for name in ["one", "other"] {
          world.spawn(name) {
            ci_warm_up_lock()
            world.point()
            ci_warm_up_unlock()
          }
        }
      }
    }
    return true
  }()
}
