import CInterleaving

/// A finding's schedule made small: what is left has a reason to be there.
public struct Shrunk: Sendable {
  /// The line of the small schedule. Choices that go without saying are dots in it.
  public let artefact: Artefact
  public let finding: Finding
  /// What the small schedule does.
  public let trace: Trace
  /// How many choices the line that was found records, and how many the small one has to say: the others go without saying.
  public let choicesBefore: Int
  public let choicesAfter: Int
  /// How many of the choices that were found do not go without saying.
  public let deviationsBefore: Int
  public let preemptionsBefore: Int
  public let preemptionsAfter: Int
  /// How many schedules were tried.
  public let attempts: Int
}

/// One schedule that was tried, and that finds what is to be found.
struct ShrinkingStep {
  let plan: Plan
  let trace: Trace
  let choices: ChoiceSequence
  let digest: UInt64
  let finding: Finding

  /// What the record of a traced execution says.
  init(in record: UnsafeMutablePointer<ci_record>, _ finding: Finding) {
    plan = Plan(in: record)
    trace = Trace(in: record)
    choices = ChoiceSequence(recorded: ci_record_choices(record), count: Int(record.pointee.count))
    // One that did not come to its end has none.
    let isWhole = record.pointee.phase == CI_IDLE.rawValue || record.pointee.phase == CI_FOUND.rawValue
    digest = isWhole ? record.pointee.digest : 0
    self.finding = finding
  }

  func isSame(as other: ShrinkingStep) -> Bool {
    finding.kind == other.finding.kind && finding.place == other.finding.place
  }

  /// What is to become small, the most important first.
  private var cost: [Int] {
    let values = plan.others.count { $0.kind == .value && $0.answer != 0 }
    return [
      values, trace.preemptions, trace.choices, plan.blocks.count, plan.blocks.reduce(0) { $0 + $1.steps },
    ]
  }

  func isSmaller(than other: ShrinkingStep) -> Bool { cost.lexicographicallyPrecedes(other.cost) }
}

/// Tries smaller schedules, and keeps one where the same is found: fewer values that the body drew, fewer entities that are
/// interfered with, fewer preemptions, fewer choices.
struct Shrinker {
  private(set) var best: ShrinkingStep
  private(set) var attempts = 0
  private let mostAttempts: Int
  /// How many steps more are tried: a body of many steps gets few attempts.
  private var stepsLeft = 1_000_000
  private let attempt: (Plan) -> ShrinkingStep?
  private var tried: Set<Plan> = []

  init(_ first: ShrinkingStep, mostAttempts: Int, attempt: @escaping (Plan) -> ShrinkingStep?) {
    best = first
    self.mostAttempts = mostAttempts
    self.attempt = attempt
  }

  mutating func run() {
    var isBetter = true
    while isBetter, attempts < mostAttempts, stepsLeft > 0 {
      isBetter = false
      if lower([.value]) { isBetter = true }
      if leaveAlone() { isBetter = true }
      if removeBlocks() { isBetter = true }
      if mergeBlocks() { isBetter = true }
      if lower([.job, .waiter, .time]) { isBetter = true }
    }
  }

  /// Whether a plan does it with less, and is kept.
  private mutating func keeps(_ plan: Plan) -> Bool {
    guard attempts < mostAttempts, stepsLeft > 0, plan != best.plan, tried.insert(plan).inserted else {
      return false
    }
    attempts += 1
    stepsLeft -= best.plan.blocks.reduce(0) { $0 + min($1.steps, 10_000) }
    guard let step = attempt(plan), step.isSame(as: best), step.isSmaller(than: best) else { return false }
    best = step
    return true
  }

  /// Makes answers of some kinds those that go without saying, many at a time, then one by one.
  private mutating func lower(_ kinds: [ChoiceKind]) -> Bool {
    var isBetter = false
    var size = max(1, best.plan.others.count / 2)
    while size >= 1 {
      var start = 0
      while start < best.plan.others.count {
        var plan = best.plan
        for place in start..<min(start + size, plan.others.count)
        where kinds.contains(plan.others[place].kind) {
          plan.others[place].answer = 0
        }
        if keeps(plan) { isBetter = true }
        start += size
      }
      if size == 1 { break }
      size /= 2
    }
    return isBetter
  }

  /// Lets an entity run whenever the others leave it, and not when the plan says.
  private mutating func leaveAlone() -> Bool {
    var isBetter = false
    for key in Set(best.plan.blocks.map(\.key)).sorted() {
      var plan = best.plan
      plan.blocks.removeAll { $0.key == key }
      if keeps(plan) { isBetter = true }
    }
    return isBetter
  }

  private mutating func removeBlocks() -> Bool {
    var isBetter = false
    var size = max(1, best.plan.blocks.count / 2)
    while size >= 1 {
      // From the end: what comes last matters least, for it goes on without being told.
      var end = best.plan.blocks.count
      while end > 0 {
        var plan = best.plan
        plan.blocks.removeSubrange(max(0, end - size)..<end)
        if keeps(plan) { isBetter = true }
        end = min(end - size, best.plan.blocks.count)
      }
      if size == 1 { break }
      size /= 2
    }
    return isBetter
  }

  /// Lets an entity do at once what it does in two pieces, earlier or later, or all that it can.
  private mutating func mergeBlocks() -> Bool {
    var isBetter = false
    var place = 0
    while place < best.plan.blocks.count {
      let block = best.plan.blocks[place]
      if let next = best.plan.blocks[(place + 1)...].firstIndex(where: { $0.key == block.key }) {
        var earlier = best.plan
        earlier.blocks[place].steps += earlier.blocks[next].steps
        earlier.blocks.remove(at: next)
        var later = best.plan
        later.blocks[next].steps += block.steps
        later.blocks.remove(at: place)
        if keeps(earlier) || keeps(later) {
          isBetter = true
          continue
        }
      }
      var all = best.plan
      all.blocks[place].steps = 1_000_000
      if keeps(all) { isBetter = true }
      place += 1
    }
    return isBetter
  }
}

extension Finding.Kind {
  /// Whether making it again ends the process, or an OS thread of it.
  var endsTheProcess: Bool {
    switch self {
    case .crash, .trap, .hang, .unmodelled: true
    default: false
    }
  }

  /// Whether its repetition collects where each was.
  var wantsStacks: Bool { self == .deadlock || self == .race }

  /// Whether a schedule alone makes it again.
  var isOfTheSchedule: Bool {
    switch self {
    // Told once over all executions, or not the world's to decide.
    case .lockOrder, .foreignEnqueue, .nondeterminism, .differs: false
    default: true
    }
  }
}

extension Shrunk {
  init(_ artefact: Artefact, first: ShrinkingStep, best: ShrinkingStep, last: ShrinkingStep, attempts: Int) {
    self.init(
      artefact: Artefact(
        body: artefact.body, parameters: artefact.parameters, strategy: artefact.strategy,
        seed: artefact.seed,
        finding: artefact.finding, digest: best.digest, choices: best.choices),
      finding: last.finding, trace: last.trace, choicesBefore: artefact.choices.choices.count,
      choicesAfter: best.trace.choices, deviationsBefore: first.trace.choices,
      preemptionsBefore: first.trace.preemptions,
      preemptionsAfter: best.trace.preemptions, attempts: attempts)
  }
}

extension World {
  /// Makes the schedule of a finding small, on the calling OS thread.
  ///
  /// - Parameter mostAttempts: how many schedules are tried at most; on threads 50, for each leaves threads behind.
  /// - Returns: nil where the line does not find it here, or where making it again would end the process (`shrinkInChildren`
  ///   does that), or where it is not the schedule's alone: an order of locks needs an earlier execution.
  public func shrink(_ artefact: Artefact, mostAttempts: Int = 5_000, body: Body) -> Shrunk? {
    guard !artefact.finding.endsTheProcess, artefact.finding.isOfTheSchedule else { return nil }
    if artefact.strategy != "fair" { run(.fair, body: body) }
    guard let first = trace(ReplayChooser(artefact.choices, isStrict: true), wantsEvents: false, body),
      first.finding.kind == artefact.finding
    else { return nil }
    // An OS thread that is stuck stays behind, and each attempt that finds something leaves some.
    let most = substrate == .threads ? min(mostAttempts, 50) : mostAttempts
    var shrinker = Shrinker(first, mostAttempts: most) {
      self.trace(PlanChooser($0), wantsEvents: false, body)
    }
    shrinker.run()
    // Again from its choices, with all that people want to read.
    scheduler.state.pointee.collectsStacks = artefact.finding.wantsStacks
    defer { scheduler.state.pointee.collectsStacks = false }
    guard let last = trace(ReplayChooser(shrinker.best.choices, isStrict: true), wantsEvents: true, body),
      last.isSame(as: first), last.digest == shrinker.best.digest
    else { return nil }
    return Shrunk(artefact, first: first, best: shrinker.best, last: last, attempts: shrinker.attempts)
  }

  /// What a line's execution does, event by event, on the calling OS thread; nil where nothing is found any more.
  public func trace(_ artefact: Artefact, body: Body) -> Trace? {
    if artefact.strategy != "fair" { run(.fair, body: body) }
    return trace(ReplayChooser(artefact.choices, isStrict: false), wantsEvents: true, body)?.trace
  }

  /// One execution under a tracer's eyes; nil when nothing is found.
  func trace(_ chooser: Chooser, wantsEvents: Bool, _ body: Body) -> ShrinkingStep? {
    let tracer = Tracer(chooser, wantsEvents: wantsEvents)
    scheduler.state.pointee.leavesOutDefaults = true
    scheduler.state.pointee.isTraced = wantsEvents
    defer {
      scheduler.state.pointee.leavesOutDefaults = false
      scheduler.state.pointee.isTraced = false
    }
    let finding = run(Strategy(kind: .searched(tracer, name: "traced", seed: 0)), body: body)
    return finding.map { ShrinkingStep(in: record, $0) }
  }
}

/// Makes the schedule of a finding small, on an OS thread of its own; nil where `World.shrink` says so.
public func shrink(
  _ artefact: Artefact, _ options: ExplorationOptions = .init(), mostAttempts: Int = 5_000, body: Body
) async -> Shrunk? {
  await onOwnThread(options, stuck: { _ in nil }) { world in
    world.options = options.world
    return world.shrink(artefact, mostAttempts: mostAttempts, body: body)
  }
}

/// Makes the schedule of a finding small that ends the process, each try in a child of a program.
///
/// - Parameters:
///   - limit: how long is tried: what hangs in some tries takes ten seconds of each.
///   - program: for a plan, what to start: it calls `World.tryAsChild`. For nil, what replays the line: it calls
///     `World.replayAsChild`.
public func shrinkInChildren(
  _ artefact: Artefact, _ options: ExplorationOptions, mostAttempts: Int = 300,
  limit: Duration = .seconds(60),
  program: (_ plan: String?) -> ContainedProgram
) throws(ContainmentError) -> Shrunk? {
  guard artefact.finding.isOfTheSchedule else { return nil }
  // What another program recorded is not found by this one.
  guard let first = try step(of: program(nil)), first.finding.kind != .differs else { return nil }
  var failure: ContainmentError?
  let end = ContinuousClock.now + limit
  let (best, attempts) = withoutActuallyEscaping(program) { program in
    var shrinker = Shrinker(first, mostAttempts: mostAttempts) { plan in
      guard ContinuousClock.now < end else { return nil }
      do throws(ContainmentError) {
        return try step(of: program(plan.description))
      } catch {
        failure = error
        return nil
      }
    }
    shrinker.run()
    return (shrinker.best, shrinker.attempts)
  }
  if let failure { throw failure }
  return Shrunk(artefact, first: first, best: best, last: best, attempts: attempts)
}
