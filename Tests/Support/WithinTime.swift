/// The value, or nil when it did not come within the limit; a hang then fails a test instead of the run.
///
/// Not a proof of anything but the hang.
public func within<Value: Sendable>(
  _ limit: Duration = .seconds(30), _ body: @escaping @Sendable () async throws -> Value?
) async rethrows -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try? await Task.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}
