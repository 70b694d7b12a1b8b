/// Buffers keep their limits, and nothing of a host's outlives it.
struct MemoryChecker: Sendable {
  /// How many native objects a host may have at once: an instance, and of each player the player, the media that it has, the one
  /// that it is given and those whose release is under way.
  func living(_ count: Int, players: Int, media: Int) -> Violation? {
    let limit = 1 + players + media
    return count <= limit
      ? nil : Violation(.memory, "\(count) native objects live, of \(players) players and \(media) media")
  }

  /// What the host dropped and is not gone.
  func kept(_ names: [String]) -> Violation? {
    names.isEmpty ? nil : Violation(.memory, "kept by somebody: \(names.joined(separator: ", "))")
  }
}
