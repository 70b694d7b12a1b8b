import Glibc
import Interleaving
import Synchronization
import Testing

/// One test case's run: a replay that was asked for, or the recorded schedules and then the search.
struct Session: Sendable {
  private static let variable = "INTERLEAVING_REPLAY"
  /// Read once: every test of the process is asked the same.
  private static let asked = getenv(variable).map { String(cString: $0) }

  let subject: Subject
  let trait: InterleavedTrait
  let recorder: Recorder
  let function: Lent

  func run() async {
    await withTaskCancellationHandler {
      let asked = Self.asked.map { Artefact($0) }
      if case .some(nil) = asked {
        report(
          "\(Self.variable) is not a whole line that this version wrote, so nothing was run: copy it from "
            + "'interleaving/1' to its last choice, in single quotes, or unset the variable")
      } else if case .some(let line?) = asked, subject.isOf(line) {
        await replayAsked(line)
      } else if await !replaySchedules() {
        await search()
      }
    } onCancel: {
      recorder.stop()
    }
    for issue in recorder.harmless { await subject.record(issue) }
  }

  private func search() async {
    var options = trait.options
    options.parameters = subject.parameters
    let exploration = await explore(subject.name, options, body: body)
    // A search that was stopped between an execution and its repetition compared something with nothing.
    guard let finding = exploration.finding, let line = exploration.artefact,
      !(recorder.isStopped && finding.kind == .nondeterminism)
    else { return }
    let how = "found by execution \(exploration.executions) (\(line.strategy))"
    guard !recorder.isStopped, let shrunk = await shrink(line, options, body: body) else {
      await report(finding, line, how)
      return
    }
    // What the last execution recorded is what the small schedule does.
    await report(
      shrunk.finding, shrunk.artefact,
      "\(Lanes(shrunk.trace))\n\(how), and made small: \(shrunk.choicesBefore) choices became "
        + "\(shrunk.choicesAfter)")
  }

  private func replayAsked(_ line: Artefact) async {
    let finding = await replay(line, trait.options, body: body)
    if let finding, finding.kind != .differs {
      await report(finding, line, "found by replaying")
    } else if finding == nil, line.finding == .lockOrder {
      report(
        "the line alone does not find its lockOrder: an earlier execution took the locks the other way "
          + "round. Let the test run without \(Self.variable)")
    } else {
      report(
        "the line is stale: it no longer finds its \(line.finding.rawValue), because the program is another than "
          + "the one that it was recorded of\(finding.map { " (\($0.message))" } ?? "")")
    }
  }

  /// Replays what was found once; whether something is found again.
  private func replaySchedules() async -> Bool {
    for schedule in trait.schedules {
      guard let line = Artefact(schedule), line.body == subject.name else {
        report("this is not a line of \(subject.name), and was not replayed: \(schedule)")
        continue
      }
      guard subject.isOf(line),
        let finding = await replay(line, trait.options, isStrict: false, body: body)
      else { continue }
      await report(finding, line, "found by a recorded schedule, as far as that is still possible")
      return true
    }
    return false
  }

  private var body: Body {
    .task { world in
      guard recorder.begin(world) else { return }
      do {
        try await function()
      } catch {
        // What `#require` throws has been recorded as an issue, which says more.
        if let message = recorder.end(error) { world.fail(message) }
        throw error
      }
      if let message = recorder.end(nil) { world.fail(message) }
    }
  }

  private func report(_ sentence: String) {
    Issue.record(Comment(rawValue: sentence), sourceLocation: subject.test.sourceLocation)
  }

  private func report(_ finding: Finding, _ line: Artefact, _ how: String) async {
    let (issues, error) = recorder.failed
    for issue in issues { await subject.record(issue) }
    let text = "\(finding)\n\(how):\n\(Self.variable)='\(line)' swift test --filter \(subject.filter)"
    if finding.kind == .failure, issues.isEmpty, let error {
      Issue.record(error, Comment(rawValue: text), sourceLocation: subject.test.sourceLocation)
    } else {
      report(text)
    }
  }
}

/// What the running execution recorded and threw; after a finding, what its last repetition did.
///
/// Its lock is held over no scheduling point, so no execution ever waits for it.
final class Recorder: Sendable {
  private struct State {
    var world: ObjectIdentifier?
    var executions = 0
    var hasReturned = false
    var failed: (issues: [Issue], error: (any Error)?) = ([], nil)
    var harmless: [Issue] = []
  }
  private let state = Mutex(State())
  private let stopped = Atomic(false)

  var isStopped: Bool { stopped.load(ordering: .relaxed) }
  /// Makes every execution from the next one on an empty one: a search cannot be ended from outside.
  func stop() { stopped.store(true, ordering: .relaxed) }

  var failed: (issues: [Issue], error: (any Error)?) { state.withLock { $0.failed } }
  /// The first execution's issues that fail nothing.
  var harmless: [Issue] { state.withLock { $0.harmless } }

  /// Begins an execution; false when there is to be none.
  func begin(_ world: World) -> Bool {
    if isStopped { return false }
    state.withLock { state in
      state.world = ObjectIdentifier(world)
      state.executions += 1
      state.hasReturned = false
      state.failed = ([], nil)
    }
    return true
  }

  /// Notes that the function returned or threw; the first issue's description, if there is one.
  func end(_ error: (any Error)?) -> String? {
    state.withLock { state in
      state.hasReturned = true
      state.failed.error = error
      return state.failed.issues.first.map { "\($0)" }
    }
  }

  /// Holds back an issue of the running execution, nil then; what else is recorded meanwhile goes its way.
  func take(_ issue: Issue) -> Issue? {
    let world = World.current
    let isLate: Bool? = state.withLock { state in
      guard let world, state.world == ObjectIdentifier(world) else { return nil }
      if issue.isFailure {
        state.failed.issues.append(issue)
      } else if state.executions == 1 {
        state.harmless.append(issue)
      }
      return issue.isFailure && state.hasReturned
    }
    // One of no test's comes to every test that runs, and Swift Testing itself reports it.
    guard let isLate else { return Test.current == nil ? nil : issue }
    // A task that the function left behind goes on: nobody asks for issues any more.
    if isLate { world?.fail("\(issue)") }
    return nil
  }
}
