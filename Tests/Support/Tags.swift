public import Testing

extension Tag {
  /// Pure logic: no libVLC, no thread of another's.
  @Tag public static var logic: Self
  /// On the real libVLC.
  @Tag public static var real: Self
}
