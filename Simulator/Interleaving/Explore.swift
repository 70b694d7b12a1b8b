import CInterleaving

/// What an exploration found, and how much it looked at.
public struct Exploration: Sendable {
  public internal(set) var executions = 0
  public internal(set) var steps = 0
  /// Executions whose repetition was another: something outside the world's reach decides.
  public internal(set) var digestMismatches = 0
  /// Of the digests of all executions, in their order: two explorations that share it made the same executions.
  public internal(set) var digest: UInt64 = 0
  public internal(set) var finding: Finding?
  /// The line that replays the finding.
  public internal(set) var artefact: Artefact?
  public var substrate = World.Substrate.best
  /// How much of what the body can do was seen.
  public internal(set) var statistics = Statistics()
  /// Of a depth-first search that came to its end, how much that was: "complete", or "complete at bound 2".
  public internal(set) var completeness: String?

  init(_ substrate: World.Substrate) { self.substrate = substrate }

  /// A line that was replayed, and what it found.
  public init(replaying artefact: Artefact, _ finding: Finding) {
    self.init(World.Substrate.best)
    executions = 1
    self.finding = finding
    self.artefact = artefact
  }

  /// How far a world's record says that it came.
  init(in record: UnsafeMutablePointer<ci_record>, _ substrate: World.Substrate) {
    executions = Int(record.pointee.executions)
    steps = Int(record.pointee.steps)
    digest = record.pointee.combined
    digestMismatches = Int(record.pointee.mismatches)
    self.substrate = substrate
    statistics = Statistics(in: record)
  }
}

/// How a body is explored.
public struct ExplorationOptions: Sendable {
  /// How many executions at most.
  public var executions = 1_000
  /// From which all schedules follow.
  public var seed: UInt64 = 1
  /// The strategy, of which each execution gets one with a seed of its own.
  public var strategy = StrategyChoice.random
  /// Of how many executions one is run twice, to be the same; a failing one always is. Zero for none.
  public var repeatsOneOf = 64
  /// Contexts of which kind.
  public var substrate = World.Substrate.best
  /// What each world does and looks for.
  public var world = World.Options()
  /// Which execution is the first: a search that goes on where another stopped.
  public var firstExecution = 0
  /// What the body was given, for the line: without blanks.
  public var parameters = "-"
  /// Whether what the first execution finds, which is fair, counts as found: not where a strategy is to be measured.
  public var tellsFair = true
  /// Whether `Exploration.statistics` is counted: a few nanoseconds an execution.
  public var countsSchedules = true

  public init(executions: Int = 1_000) { self.executions = executions }
}

/// A body as a world runs it: threads, or a task.
public enum Body: Sendable {
  case threads(@Sendable (World) -> Void)
  case task(@Sendable (World) async throws -> Void)
}

extension World {
  /// Runs the body once, whichever it is.
  @discardableResult
  public func run(_ strategy: Strategy, body: Body) -> Finding? {
    switch body {
    case .threads(let body): run(strategy, body: body)
    case .task(let body): run(strategy, body: body)
    }
  }

  /// Explores a body on the calling OS thread, until something is found.
  ///
  /// The first execution of each exploration, and of each replay, is fair: what a process does once only (lazy globals,
  /// the runtime's caches) is done then, and no other execution depends on it. Each execution that fails, and a share of
  /// the others, is run again from its choices, and must be the same.
  public func explore(_ name: String, _ options: ExplorationOptions = .init(), body: Body) -> Exploration {
    self.options = options.world
    let record = record
    clearRecord()
    let fingerprints = Fingerprints(record)
    let search = options.strategy.search()
    catchCrashes(Artefact.prefix(body: name, parameters: options.parameters, strategy: "fair"))
    defer { catchCrashes(nil) }
    var found: (Finding, Artefact)?
    for execution in 0..<max(0, options.executions) {
      let seed = options.seed &+ UInt64(execution + options.firstExecution) &* 0x9E37_79B9
      let isFirst = execution == 0
      guard let strategy = isFirst ? .fair : search.strategy(seed: seed) else { break }
      if execution == 1 || search is PortfolioSearch, !isFirst {
        catchCrashes(
          Artefact.prefix(body: name, parameters: options.parameters, strategy: strategy.description))
      }
      let finding = run(strategy, body: body)
      // Where a parent, or a watchdog, finds it however this ends.
      record.pointee.executions += 1
      record.pointee.steps += UInt64(steps)
      record.pointee.combined = Scheduler.mixed(record.pointee.combined, digest)
      record.pointee.longest = max(record.pointee.longest, UInt32(truncatingIfNeeded: steps))
      let isNew = options.countsSchedules && count(fingerprints)
      if case .priorities(_, let depth, _) = strategy.kind, depth <= Statistics.deepestBound {
        ci_record_depths(record)[depth - 1] += 1
      }
      search.learn(scheduler, isNew: isNew, isOwn: !isFirst)
      // And of few one, too.
      let isShare =
        options.repeatsOneOf > 0 && !isFirst && !search.isCut
        && (execution == 1 || execution % options.repeatsOneOf == 0)
      if finding != nil || isShare, !isFirst || options.tellsFair {
        found = conclude(finding, name, options, strategy, body)
        if found != nil { break }
      }
    }
    var exploration = Exploration(in: record, substrate)
    exploration.finding = found?.0
    exploration.artefact = found?.1
    record.pointee.completeness = search.completeness?.code ?? 0
    exploration.completeness = search.completeness?.description
    return exploration
  }

  private func clearRecord() {
    record.pointee.executions = 0
    record.pointee.steps = 0
    record.pointee.combined = 0
    record.pointee.mismatches = 0
    Statistics.clear(record)
  }

  /// Counts what the last execution did; whether it was unlike all before.
  private func count(_ fingerprints: Fingerprints) -> Bool {
    let entities = UInt32(truncatingIfNeeded: scheduler.state.pointee.used.nonzeroBitCount)
    if entities > record.pointee.entities { record.pointee.entities = entities }
    for word in 0..<2 where scheduler.state.pointee.marks[word] != 0 {
      var rest = scheduler.state.pointee.marks[word]
      while rest != 0 {
        Marks(record).add(1, at: word * 64 + rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
    return fingerprints.insert(scheduler.state.pointee.fingerprint)
  }

  /// Runs an execution again, and says what was found.
  private func conclude(
    _ found: Finding?, _ name: String, _ options: ExplorationOptions, _ strategy: Strategy, _ body: Body
  ) -> (Finding, Artefact)? {
    var (recorded, first) = (choices, digest)
    if found != nil, case .fair = strategy.kind {
      // What a process does once only is done now, and what was found is found again without it, if it is there.
      if run(strategy, body: body)?.kind == found?.kind { (recorded, first) = (choices, digest) }
    }
    // What a thread outside does is not the world's to repeat.
    if let found, found.kind == .foreignEnqueue {
      return (found, artefact(name, options, strategy, found.kind, first, recorded))
    }
    // Told once over all executions: its repetition has nothing new to tell.
    let isKept = found?.kind == .lockOrder
    scheduler.state.pointee.collectsStacks = found?.kind.wantsStacks == true
    let again = run(.replay(recorded), body: body)
    scheduler.state.pointee.collectsStacks = false
    let isSame = digest == first && (again?.kind == found?.kind || isKept)
    if !isSame { record.pointee.mismatches += 1 }
    guard var finding = found ?? (isSame ? nil : mismatch(again)) else { return nil }
    if let again, again.kind == finding.kind, !again.stacks.isEmpty { finding.stacks = again.stacks }
    return (finding, artefact(name, options, strategy, finding.kind, first, recorded))
  }

  private func artefact(
    _ name: String, _ options: ExplorationOptions, _ strategy: Strategy, _ kind: Finding.Kind,
    _ digest: UInt64, _ choices: ChoiceSequence
  ) -> Artefact {
    Artefact(
      body: name, parameters: options.parameters, strategy: strategy.description, seed: strategy.seed,
      finding: kind, digest: digest, choices: choices)
  }

  private func mismatch(_ again: Finding?) -> Finding {
    Finding(
      .nondeterminism,
      "the same choices led to another execution (\(again?.message ?? "another digest")): "
        + "something decides that the world does not take over, such as an address or a global's state")
  }

  /// Runs a body from a line's choices, on the calling OS thread.
  ///
  /// - Parameter isStrict: whether a choice that is not possible any more is a finding, or is skipped.
  public func replay(_ artefact: Artefact, isStrict: Bool = true, body: Body) -> Finding? {
    replay(artefact, isStrict: isStrict, isTraced: false, body: body)
  }

  func replay(_ artefact: Artefact, isStrict: Bool = true, isTraced: Bool, body: Body) -> Finding? {
    catchCrashes("")
    defer { catchCrashes(nil) }
    if artefact.strategy != "fair" { run(.fair, body: body) }
    scheduler.state.pointee.collectsStacks = artefact.finding.wantsStacks
    defer { scheduler.state.pointee.collectsStacks = false }
    let found =
      isTraced
      ? trace(ReplayChooser(artefact.choices, isStrict: isStrict), wantsEvents: true, body)?.finding
      : run(.replay(artefact.choices, isStrict: isStrict), body: body)
    // An inversion that needs an earlier execution is found in this world only after that one.
    if isStrict, found == nil, digest != artefact.digest {
      return Finding(
        .differs,
        "the digest is \(String(digest, radix: 16)), and was \(String(artefact.digest, radix: 16))")
    }
    return found
  }
}

// MARK: On a thread of its own

/// Explores a body of threads on an OS thread of its own, until something is found.
///
/// Suspends the caller until then. What blocks outside every lock that the world knows, and a loop without end, is a
/// finding as well: the OS thread that is stuck in it stays behind.
///
/// - Parameters:
///   - name: the body's, for the line: without blanks.
///   - body: makes its threads by `World.spawn`.
public func explore(
  _ name: String, _ options: ExplorationOptions = .init(), body: @escaping @Sendable (World) -> Void
) async -> Exploration {
  await explore(name, options, body: .threads(body))
}

/// Explores an asynchronous body, which runs as a task of the world's, until something is found.
///
/// The body's task has the task-local values of the caller. What it throws is a finding. Suspends the caller.
public func explore(
  _ name: String, _ options: ExplorationOptions = .init(),
  body: @escaping @Sendable (World) async throws -> Void
) async -> Exploration {
  await explore(name, options, body: .task(body))
}

/// Explores a body on an OS thread of its own.
public func explore(_ name: String, _ options: ExplorationOptions = .init(), body: Body) async -> Exploration
{
  await onOwnThread(options, stuck: { $0 }) { world in
    world.explore(name, options, body: body)
  }
}

/// Replays a line on an OS thread of its own; what was found, if anything.
///
/// - Parameter isStrict: whether a choice that is not possible any more is a finding, or is skipped.
public func replay(
  _ artefact: Artefact, _ options: ExplorationOptions = .init(), isStrict: Bool = true, body: Body
)
  async -> Finding?
{
  await onOwnThread(options, stuck: \.finding) { world in
    world.options = options.world
    return world.replay(artefact, isStrict: isStrict, body: body)
  }
}

/// Runs one job on an OS thread that is made for it.
private final class OwnThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let start = Unmanaged.passRetained(Start(job: job, executor: self)).toOpaque()
    ci_start_thread(
      { raw in
        guard let raw else { return }
        let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
        start.job.runSynchronously(on: start.executor.asUnownedTaskExecutor())
      }, start)
  }

  private final class Start {
    let job: UnownedJob
    let executor: OwnThread
    init(job: UnownedJob, executor: OwnThread) {
      self.job = job
      self.executor = executor
    }
  }
}

/// What comes first: the end of what is done, or the watchdog's verdict on it.
private final class Outcome<Result: Sendable>: Sendable {
  private let waiting: ShortLock<CheckedContinuation<Result, Never>?>

  init(_ continuation: CheckedContinuation<Result, Never>) { waiting = ShortLock(continuation) }

  func finish(_ result: Result) {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: result)
  }
}

/// Does something in a world on an OS thread of its own, which stays behind where it is stuck: `stuck` says what then.
func onOwnThread<Result: Sendable>(
  _ options: ExplorationOptions, stuck: @escaping @Sendable (Exploration) -> Result,
  _ body: @escaping @Sendable (World) -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    let outcome = Outcome(continuation)
    Task(executorPreference: OwnThread()) {
      if options.substrate == .threads { ci_pin_here() }
      let world = World(substrate: options.substrate)
      Watchdog.shared.watch(world) { finding in
        var exploration = Exploration(in: world.record, options.substrate)
        exploration.executions += 1
        exploration.finding = finding
        exploration.artefact = Artefact(interruptedIn: world.record, finding.kind)
        outcome.finish(stuck(exploration))
      }
      let result = body(world)
      Watchdog.shared.leave(world)
      outcome.finish(result)
    }
  }
}
