import ConcurrencySeam
import Foundation
import Interleaving
import InterleavingTesting
import Synchronization
import TestSupport
import Testing

private enum Locals {
  @TaskLocal static var word = "nobody's"
}

/// Sets a task-local around a test, as a trait of a user's does.
private struct Word: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Locals.$word.withValue("the test's") { try await function() }
  }
}

/// How often something was done, by name; no scheduling point.
private final class Tally: Sendable {
  private let counts = Mutex<[String: Int]>([:])
  subscript(_ name: String) -> Int { counts.withLock { $0[name, default: 0] } }
  @discardableResult func add(_ name: String = "") -> Int {
    counts.withLock { counts in
      counts[name, default: 0] += 1
      return counts[name, default: 0]
    }
  }
}

/// A count that one thread watches while another counts.
private final class Count: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}

private final class Issues: Sendable {
  private let issues = Mutex<[Issue]>([])
  var all: [Issue] { issues.withLock { $0 } }
  func add(_ issue: Issue) { issues.withLock { $0.append(issue) } }
}

private final class Seat: Sendable {
  private let isTaken = Guarded(false)
  var isFree: Bool { isTaken.withLock { !$0 } }
  func take() { isTaken.withLock { $0 = true } }
}

/// Two tasks look whether something is free and then take it: both do under some schedules, not under the
/// first.
@Sendable private func checkThenAct() async -> Int {
  let seat = Seat()
  let takers = Tally()
  await withTaskGroup { group in
    for number in 0..<2 {
      group.addTask {
        // In a fair schedule the one is through before the other looks.
        for _ in 0..<(number * 3) { World.current?.point() }
        if seat.isFree {
          seat.take()
          takers.add()
        }
      }
    }
  }
  return takers[""]
}

/// Two locks that are taken in opposite orders.
private final class TwoLocks: Sendable {
  private let a = Guarded(0)
  private let b = Guarded(0)
  @inline(never) func aThenB() { a.withLock { _ in b.withLock { $0 += 1 } } }
  @inline(never) func bThenA() { b.withLock { _ in a.withLock { $0 += 1 } } }
}

@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct InterleavedTraitTests {
  // MARK: What passes

  @Test(Word(), .interleaved(executions: 20))
  func `a body runs in a world, with what the test has`() async {
    #expect(World.current != nil)
    #expect(Test.current?.name.contains("a body runs in a world") == true && Test.Case.current != nil)
    #expect(Locals.word == "the test's")
    #expect(await Task { Locals.word }.value == "the test's")
  }

  @Test func `each of the executions runs the body, and a share of them twice`() async throws {
    let runs = Tally()
    let issues = try await issues(.interleaved(executions: 100) { $0.repeatsOneOf = 0 }) { runs.add("once") }
    #expect(runs["once"] == 100 && issues.isEmpty)
    let more = try await self.issues(.interleaved(executions: 100) { $0.repeatsOneOf = 10 }) {
      runs.add("share")
    }
    #expect((105...115).contains(runs["share"]) && more.isEmpty, "\(runs["share"])")
    #expect(World.current == nil)
  }

  @Test(.interleaved(executions: 20))
  func `an hour is over at once, and no limit of real time`() async throws {
    try await Task.sleep(for: .seconds(3_600))
    #expect(World.current.map { $0.elapsed >= .seconds(3_600) } == true)
  }

  @MainActor @Test(.interleaved(executions: 20))
  func `the main actor is the world's`() async {
    MainActor.assertIsolated()
    await Task.yield()
    #expect(World.current != nil)
  }

  @Suite(.interleaved(executions: 7)) struct OfASuite {
    @Test func `a suite's trait is its tests'`() { #expect(World.current != nil) }
    @Test(.interleaved(executions: 3)) func `a test's own trait stands instead of its suite's`() {
      #expect(World.current != nil && Self.own.add() <= 3 * 2)
    }
    private static let own = Tally()
  }

  @Test func `known issues and warnings are recorded once, and fail nothing`() async throws {
    let issues = try await issues(.interleaved(executions: 50)) {
      withKnownIssue { #expect(Bool(false), "known") }
      Issue.record("careful", severity: .warning)
    }
    #expect(issues.map(\.isFailure) == [false, false] && issues.count == 2, "\(issues)")
  }

  // MARK: What is found

  @Test func `an issue under some schedule is recorded once at its own place, then what was found`()
    async throws
  {
    let line = #line + 2
    let issues = try await issues(.interleaved(executions: 500)) {
      #expect(await checkThenAct() == 1, "both took it")
    }
    try #require(issues.count == 2, "\(issues)")
    #expect(issues[0].sourceLocation?.line == line)
    guard case .expectationFailed = issues[0].kind else {
      Issue.record("the first is the expectation's own: \(issues[0])")
      return
    }
    let told = try #require(issues[1].comments.first?.rawValue)
    #expect(
      told.hasPrefix("failure: ") && told.contains("both took it") && told.contains(" swift test --filter "))
    #expect(issues[1].sourceLocation == Test.current?.sourceLocation)
    let artefact = try #require(Artefact(replayLine(in: told)))
    #expect(artefact.body.hasPrefix("InterleavingTestingTests/InterleavedTraitTests/an%20issue%20under"))
    #expect(artefact.finding == .failure && artefact.strategy == "random")
  }

  @Test func `what is thrown is a finding, and an issue with the error`() async throws {
    struct Lost: Error {}
    let issues = try await issues(.interleaved(executions: 5)) { throw Lost() }
    try #require(issues.count == 1, "\(issues)")
    #expect(
      issues[0].error is Lost && issues[0].comments.first?.rawValue.contains("the body threw: Lost") == true)
  }

  @Test func `what a requirement throws is told as the issue that it recorded`() async throws {
    let issues = try await issues(.interleaved(executions: 5)) {
      try #require(Bool(false), "needed")
    }
    try #require(issues.count == 2, "\(issues)")
    #expect(issues[0].comments == ["needed"] && issues[0].error == nil && issues[1].error == nil)
    #expect(issues[1].comments.first?.rawValue.contains("needed") == true)
  }

  @Test func `an issue of a task that outlives the function is found`() async throws {
    let issues = try await issues(.interleaved(executions: 50)) {
      Task {
        try await Task.sleep(for: .seconds(1))
        Issue.record("late")
      }
    }
    #expect(issues.count == 2 && issues.first?.comments == ["late"], "\(issues)")
  }

  @Test func `a deadlock is told with its stacks`() async throws {
    let issues = try await issues(.interleaved(executions: 500) { $0.world.detectsLockOrder = false }) {
      let locks = TwoLocks()
      async let other: Void = locks.bThenA()
      locks.aThenB()
      await other
    }
    let told = try #require(issues.first?.comments.first?.rawValue)
    #expect(issues.count == 1 && told.hasPrefix("deadlock: "), "\(issues)")
    #expect(told.contains(".aThenB()") && told.contains(".bThenA()"), "\(told)")
  }

  @Test func `an issue before another kind of finding is recorded as well`() async throws {
    let issues = try await issues(.interleaved(executions: 5)) {
      Issue.record("before")
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    try #require(issues.count == 2, "\(issues)")
    #expect(issues[0].comments == ["before"])
    #expect(issues[1].comments.first?.rawValue.hasPrefix("neverReturns: ") == true, "\(issues)")
  }

  @Test(arguments: [1, 2]) func `arguments are the line's parameters`(number: Int) async throws {
    let issues = try await issues(.interleaved(executions: 5)) { #expect(number == 0) }
    let told = try #require(issues.last?.comments.first?.rawValue)
    #expect(Artefact(replayLine(in: told))?.parameters == "\(number)")
  }

  @Test func `a search ends when its test is cancelled`() async throws {
    let runs = Count()
    // Many more than are made before it hears of it.
    let executions = 2_000_000
    let search = Task {
      try await issues(.interleaved(executions: executions)) { runs.add() }
    }
    // A thread of its own: a task may wait for a processor for as long as other tests have them all.
    Thread.detachNewThread {
      while runs.value == 0 { usleep(1_000) }
      search.cancel()
    }
    #expect(try await search.value.isEmpty)
    #expect(runs.value < executions)
  }

  // MARK: Recorded schedules

  @Test func `a recorded schedule is replayed first, and one of another test is an issue`() async throws {
    let found = try await issues(.interleaved(executions: 500)) { #expect(await checkThenAct() == 1) }
    let line = replayLine(in: try #require(found.last?.comments.first?.rawValue))
    // The one execution of the search is the first, which finds nothing.
    let without = try await issues(.interleaved(executions: 1)) { #expect(await checkThenAct() == 1) }
    #expect(without.isEmpty, "\(without)")
    let again = try await issues(.interleaved(executions: 1, schedules: [line])) {
      #expect(await checkThenAct() == 1)
    }
    #expect(again.count == 2 && again.last?.comments.first?.rawValue.contains(line) == true, "\(again)")
    let others = Artefact(
      body: "another", strategy: "random", seed: 1, finding: .failure, digest: 0, choices: .init([]))
    for wrong in ["nonsense", "\(others)"] {
      let issues = try await issues(.interleaved(executions: 1, schedules: [wrong])) {}
      #expect(issues.count == 1 && issues[0].comments.first?.rawValue.contains(wrong) == true, "\(issues)")
    }
  }

  // MARK: In another process

  @Test func `a failing test says the line that replays it, and the line finds the same`() async throws {
    let first = try await run("plantedFailure")
    #expect(first.status == 1)
    let recorded = first.output.split(separator: "\n").filter { $0.contains("recorded an issue at") }
    let told = recorded.filter { $0.hasSuffix("Expectation failed: await checkThenAct() == 1") }
    #expect(recorded.count == 2 && told.count == 1, "\(first.output)")
    #expect(first.output.count(of: "INTERLEAVING_REPLAY=") == 1)
    #expect(first.output.count(of: "swift test --filter plantedFailure") == 1)
    let line = replayLine(in: first.output)
    let second = try await run("plantedFailure", replay: line)
    #expect(second.status == 1 && second.output.contains("found by replaying:"), "\(second.output)")
    #expect(replayLine(in: second.output) == line)
    // The planted test that passes when it is repaired, under the same schedule: the line is stale.
    let third = try await run("plantedFailure", replay: line, ["INTERLEAVING_REPAIRED=1"])
    #expect(third.status == 1 && third.output.contains("the line is stale"), "\(third.output)")
    // Another test runs as always.
    let fourth = try await run("plantedSuccess", replay: line)
    #expect(
      fourth.status == 0 && fourth.output.count(of: "ran ") == 1 && fourth.output.contains("ran 10 times"),
      "\(fourth.output)")
  }

  @Test func `a malformed line is told`() async throws {
    let child = try await run("plantedSuccess", replay: "interleaving/1 body=half")
    #expect(child.status == 1)
    #expect(child.output.count(of: "INTERLEAVING_REPLAY is not a whole line") == 1, "\(child.output)")
    #expect(!child.output.contains("ran "))
  }

  /// What the trait reports of a function, as the calling test's.
  private func issues(
    _ trait: InterleavedTrait, _ function: @escaping @Sendable () async throws -> Void
  ) async throws -> [Issue] {
    let test = try #require(Test.current)
    let testCase = try #require(Test.Case.current)
    let issues = Issues()
    let collect: IssueHandlingTrait = .compactMapIssues { issue in
      issues.add(issue)
      return nil
    }
    try await collect.provideScope(for: test, testCase: testCase) {
      try await trait.provideScope(for: test, testCase: testCase, performing: function)
    }
    return issues.all
  }

  private func run(_ filter: String, replay: String? = nil, _ more: [String] = []) async throws
    -> (status: Int32, output: String)
  {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let asked = replay.map { ["INTERLEAVING_REPLAY=\($0)"] } ?? []
    // `env` sets for the child alone what this process, with its other tests, must not have.
    let child = try ChildProcess(
      "/usr/bin/env",
      ["-u", "INTERLEAVING_REPLAY", "INTERLEAVING_PLANTED=1", "SWIFT_BACKTRACE=enable=no"] + asked + more
        + [bundle, "--testing-library", "swift-testing", "--filter", filter])
    async let errors = child.errors.everything { _ in true }
    let output = await child.output.everything { _ in true }
    return (await child.status(), output + (await errors))
  }
}

/// The text between the quotes after the variable's name; empty where there is none.
private func replayLine(in text: String) -> String {
  guard let start = text.range(of: "INTERLEAVING_REPLAY='")?.upperBound else { return "" }
  return String(text[start...].prefix { $0 != "'" })
}

extension String {
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}

// MARK: What is planted

private func isSet(_ variable: String) -> Bool { ProcessInfo.processInfo.environment[variable] != nil }
private let isRepaired = isSet("INTERLEAVING_REPAIRED")

/// Run in a child only.
@Suite(.enabled(if: isSet("INTERLEAVING_PLANTED"))) struct Planted {
  @Test(.interleaved(executions: 500)) func plantedFailure() async {
    if isRepaired {
      _ = await checkThenAct()
    } else {
      #expect(await checkThenAct() == 1)
    }
  }

  @Test(.interleaved(executions: 10) { $0.repeatsOneOf = 0 }) func plantedSuccess() {
    let runs = Self.runs.add()
    if runs >= 10 { print("ran \(runs) times") }
  }

  private static let runs = Tally()
}
