/// When faults have stopped and the last reference is dropped, everything that is pending comes to its end.
///
/// That a task waits for ever, that threads wait for each other and that nothing ever ends, the world says; this says what is left.
struct SettlingChecker: Sendable {
  /// How often is looked, at intervals that grow to seconds and may pass at once.
  static let looks = 2_000

  func left(_ objects: [String]) -> Violation {
    Violation(.settling, "left when everything was dropped: \(objects.joined(separator: ", "))")
  }
}
