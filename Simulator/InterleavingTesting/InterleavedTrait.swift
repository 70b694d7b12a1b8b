public import Interleaving
public import Testing

/// Runs a test's function in worlds: once under each of many schedules, until something is found.
///
/// An execution is the whole function, with the making of its suite's instance, as the asynchronous body of a
/// world, on an OS thread of its own; the test is suspended meanwhile. What the function throws, an issue
/// that it records, and whatever else a world finds fails the test. Issues are held back while schedules are
/// tried; those of the execution that failed are recorded once, at their own places, and one issue more says
/// what was found and the command that replays it. Known issues and warnings are recorded as the first
/// execution had them, and fail nothing.
///
/// The function's task has the test's task-local values. Detached tasks, threads and queues have none, so
/// that Swift Testing takes an expectation there for no test's, and reports it at once: use `World.fail` in
/// them. A time limit is in real time, and ends the search after the running execution. A crash ends the
/// process, with its line on standard error. What is stuck where no world can end it is reported, and its OS
/// thread stays behind.
///
/// With a line in the environment's `INTERLEAVING_REPLAY` the test that it is of replays it, strictly, and
/// does nothing else; every other test runs as always.
public struct InterleavedTrait: TestTrait, SuiteTrait, TestScoping {
  /// How the function is explored.
  public let options: ExplorationOptions
  /// Lines of earlier findings, which are replayed first.
  public let schedules: [String]
  private let identity = Identity()

  /// Of a suite, it is each test's: a suite itself has nothing to run.
  public var isRecursive: Bool { true }

  fileprivate init(options: ExplorationOptions, schedules: [String]) {
    precondition(options.executions > 0, "a test that runs no execution tests nothing")
    self.options = options
    self.schedules = schedules
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A test's own trait comes after those of its suites, and instead of them: a world runs in no other.
    let last = test.traits.lazy.compactMap { $0 as? InterleavedTrait }.last
    guard let testCase, last.map({ $0.identity === identity }) ?? true else { return try await function() }
    let recorder = Recorder()
    let session = Session(
      subject: Subject(test, testCase), trait: self, recorder: recorder, function: Lent(function))
    let capture: IssueHandlingTrait = .compactMapIssues { recorder.take($0) }
    try await capture.provideScope(for: test, testCase: testCase) { await session.run() }
  }

  private final class Identity: Sendable {}
}

extension Trait where Self == InterleavedTrait {
  /// Runs the test's function in worlds, under many schedules.
  ///
  /// - Parameters:
  ///   - executions: how many schedules at most, from 1.
  ///   - schedules: lines of earlier findings of this test, which are replayed first, as far as they are
  ///     still possible. Those of other arguments are passed over; one of another test is an issue.
  ///   - configure: changes anything else of how the function is explored.
  public static func interleaved(
    executions: Int = 1_000, schedules: [String] = [],
    _ configure: (inout ExplorationOptions) -> Void = { _ in }
  ) -> Self {
    var options = ExplorationOptions(executions: executions)
    configure(&options)
    return InterleavedTrait(options: options, schedules: schedules)
  }
}

/// A function that is not to escape, where frames hold it that never end.
///
/// An execution that is found wrong is left where it is, with every reference that its frames hold; none of
/// them goes on, so none uses the function later. `withoutActuallyEscaping` counts those references, and
/// stops the process. So the function is kept as its two words, which nobody counts. To take the one or the
/// other is the same for whoever is called: by the Swift calling convention both come in two registers.
struct Lent: Sendable {
  private let code: UInt
  private let context: UInt

  private struct FromWords { let lent: (Lent) -> Lent }
  private struct FromFunction { let lent: (@Sendable () async throws -> Void) -> Lent }
  private struct OfFunction { let call: @Sendable (@Sendable () async throws -> Void) async throws -> Void }
  private struct OfWords { let call: @Sendable (Lent) async throws -> Void }

  init(_ function: @Sendable () async throws -> Void) {
    self = unsafeBitCast(FromWords { $0 }, to: FromFunction.self).lent(function)
  }

  func callAsFunction() async throws {
    try await unsafeBitCast(OfFunction { try await $0() }, to: OfWords.self).call(self)
  }
}
