import CInterleaving

/// A program that explores one of its bodies when it is started with arguments: children of it can crash, trap and hang,
/// and what they found is not lost.
///
/// The parent gives each child a file in memory, in which the child writes each choice before it acts on it. However the
/// child ends, the file says how far it came, and the choices of the execution that it was in.
public struct ContainedProgram: Sendable {
  /// The program's file.
  public var path: String
  /// What it is given, from its name on.
  public var arguments: [String]

  public init(path: String, arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  /// The running program.
  public static func itself(_ arguments: [String]) -> ContainedProgram {
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { path in
      path.baseAddress.map { ci_executable($0, path.count) ? String(cString: $0) : "" } ?? ""
    }
    return ContainedProgram(path: path, arguments: arguments)
  }
}

/// What ended a child, where no finding of its own says it.
public enum ContainmentError: Error, CustomStringConvertible {
  case doesNotStart(path: String)
  case ended(status: Int)

  public var description: String {
    switch self {
    case .doesNotStart(let path): "\(path) does not start: is it a program that may be run?"
    case .ended(let status):
      "a child ended with status \(status) before it explored: start it by hand with the same arguments to see why"
    }
  }
}

/// Explores a body in children of a program, batch after batch, until something is found.
///
/// - Parameters:
///   - name: the body's, for the line.
///   - options: what each child is to do; its `executions` are those of all children.
///   - batch: how many executions one child makes.
///   - hasStableHashing: whether hashing is the same in every process. Without, code that depends on the order of a `Set` makes
///     executions that do not replay.
///   - progress: is called after each batch, with all that was explored until then.
///   - program: for a batch's first execution and its count, what to start. It calls `exploreAsChild`.
public func exploreInChildren(
  _ name: String, _ options: ExplorationOptions, batch: Int = 20_000, hasStableHashing: Bool = true,
  progress: (Exploration) -> Void = { _ in },
  program: (_ first: Int, _ executions: Int) -> ContainedProgram
) throws(ContainmentError) -> Exploration {
  var exploration = Exploration(options.substrate)
  // What the children saw, together: memory of this process's own.
  guard let all = ci_record_make(-1) else { throw .doesNotStart(path: "a child's record") }
  defer { ci_record_free(all) }
  while exploration.executions < options.executions, exploration.finding == nil {
    let first = options.firstExecution + exploration.executions
    let count = min(batch, options.executions - exploration.executions)
    try withChild(of: program(first, count), hasStableHashing) { record, finding in
      // One that did not end counts as well.
      let isInterrupted =
        record.pointee.phase == CI_RUNNING.rawValue || record.pointee.phase == CI_CRASHED.rawValue
      exploration.executions += Int(record.pointee.executions) + (isInterrupted ? 1 : 0)
      exploration.steps += Int(record.pointee.steps)
      exploration.digest = Scheduler.mixed(exploration.digest, record.pointee.combined)
      exploration.digestMismatches += Int(record.pointee.mismatches)
      exploration.finding = finding?.0
      exploration.artefact = finding?.1
      exploration.completeness = Completeness(code: record.pointee.completeness)?.description
      Statistics.add(record, to: all)
    }
    exploration.statistics = Statistics(in: all)
    progress(exploration)
    // The rest would be the same again.
    if exploration.completeness != nil { break }
  }
  return exploration
}

/// What a line did when it was replayed.
public struct Replayed: Sendable {
  /// What was found, if anything.
  public let finding: Finding?
  /// Event by event.
  public let trace: Trace
}

/// Replays a line in a child of a program, which calls `replayAsChild`.
public func replayInChild(_ artefact: Artefact, _ options: ExplorationOptions, program: ContainedProgram)
  throws(ContainmentError) -> Replayed
{
  var replayed = Replayed(finding: nil, trace: Trace())
  try withChild(of: program, true) { record, finding in
    replayed = Replayed(finding: finding?.0, trace: Trace(in: record))
  }
  return replayed
}

/// What a child found that traced one execution; nil for nothing.
func step(of program: ContainedProgram) throws(ContainmentError) -> ShrinkingStep? {
  var step: ShrinkingStep?
  try withChild(of: program, true) { record, finding in
    step = finding.map { ShrinkingStep(in: record, $0.0) }
  }
  return step
}

private typealias Found = (Finding, Artefact?)

private func withChild(
  of program: ContainedProgram, _ hasStableHashing: Bool,
  _ body: (UnsafeMutablePointer<ci_record>, Found?) -> Void
) throws(ContainmentError) {
  let file = ci_shared_file()
  defer { ci_close(file) }
  guard file >= 0, let record = ci_record_make(file) else { throw .doesNotStart(path: "a child's record") }
  defer { ci_record_free(record) }
  guard let status = start(program, file, hasStableHashing) else { throw .doesNotStart(path: program.path) }
  switch record.pointee.phase {
  case CI_DONE.rawValue: body(record, nil)
  case CI_FOUND.rawValue: body(record, found(in: record))
  case CI_RUNNING.rawValue, CI_CRASHED.rawValue:
    body(record, crash(in: record, signal: status < 0 ? -status : Int(record.pointee.signal)))
  default: throw .ended(status: status)
  }
}

private func start(_ program: ContainedProgram, _ file: Int32, _ hasStableHashing: Bool) -> Int? {
  var arguments = program.arguments.map { text in
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
    for (place, byte) in (Array(text.utf8) + [0]).enumerated() { copy[place] = CChar(bitPattern: byte) }
    return Optional(copy)
  }
  defer { for argument in arguments { argument?.deallocate() } }
  arguments.append(nil)
  let assignment = hasStableHashing ? "INTERLEAVING_HASHING=stable" : "INTERLEAVING_HASHING=random"
  let child = ci_spawn(program.path, &arguments, file, assignment)
  return child < 0 ? nil : Int(ci_wait(child))
}

private func found(in record: UnsafeMutablePointer<ci_record>) -> Found? {
  let bytes = UnsafeRawBufferPointer(
    start: ci_record_finding(record), count: Int(record.pointee.finding_length))
  let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  guard lines.count >= 3, let kind = Finding.Kind(rawValue: String(lines[1])) else { return nil }
  var found = Finding(kind, String(lines[2]))
  for line in lines.dropFirst(3) {
    if line.hasPrefix("\t"), let last = found.stacks.indices.last {
      found.stacks[last] = Finding.Stack(
        entity: found.stacks[last].entity, frames: found.stacks[last].frames + [String(line.dropFirst())])
    } else if !line.isEmpty {
      found.stacks.append(Finding.Stack(entity: String(line), frames: []))
    }
  }
  return (found, Artefact(lines[0]))
}

private func crash(in record: UnsafeMutablePointer<ci_record>, signal: Int) -> Found {
  // The signals by which Swift's own checks stop a program, on the processors that it knows.
  let isTrap = signal == 4 || signal == 5
  let sentence =
    isTrap
    ? "the program stopped itself (signal \(signal)): a failed precondition, an overflow, an index"
    : signal == 0 ? "the process ended in the middle of an execution" : "signal \(signal) ended the process"
  let finding = Finding(isTrap ? .trap : .crash, sentence)
  return (finding, Artefact(interruptedIn: record, finding.kind))
}

extension Artefact {
  /// The line of the execution that a world was in, from the choices that were written ahead.
  init?(interruptedIn record: UnsafeMutablePointer<ci_record>, _ kind: Finding.Kind) {
    let choices = ChoiceSequence(recorded: ci_record_choices(record), count: Int(record.pointee.count))
    self.init(
      String(cString: ci_record_prefix(record))
        + " seed=\(record.pointee.seed) finding=\(kind.rawValue) digest=0 choices=\(choices)")
  }
}

extension World {
  /// Explores a body as a child of `exploreInChildren`, in whose file it leaves what it finds; does not return.
  public static func exploreAsChild(_ name: String, _ options: ExplorationOptions, body: Body) -> Never {
    asChild(options) { world in
      let done = world.explore(name, options, body: body)
      return done.finding.map { ($0, done.artefact) }
    }
  }

  /// Replays a line as a child of `replayInChild`; does not return.
  public static func replayAsChild(_ artefact: Artefact, _ options: ExplorationOptions, body: Body) -> Never {
    asChild(options) { world in
      world.options = options.world
      return world.replay(artefact, isTraced: true, body: body).map { ($0, artefact) }
    }
  }

  /// Tries a plan as a child of `shrinkInChildren`; does not return.
  public static func tryAsChild(
    _ plan: String, of artefact: Artefact, _ options: ExplorationOptions, body: Body
  ) -> Never {
    asChild(options) { world in
      world.options = options.world
      if artefact.strategy != "fair" { world.run(.fair, body: body) }
      guard let plan = Plan(plan) else { return nil }
      world.catchCrashes("")
      return world.trace(PlanChooser(plan), wantsEvents: true, body).map { ($0.finding, nil) }
    }
  }

  private static func asChild(_ options: ExplorationOptions, _ body: (World) -> Found?) -> Never {
    WarmUp.once()
    ci_no_core()
    if options.substrate == .threads { ci_pin_here() }
    let world = World(substrate: options.substrate, recordFile: Int32(CI_RECORD_FILE))
    Watchdog.shared.watch(world) { finding in
      world.record.pointee.executions += 1
      world.leaveBehind((finding, Artefact(interruptedIn: world.record, finding.kind)))
      ci_end_now(0)
    }
    if let found = body(world) {
      world.leaveBehind(found)
    } else {
      world.record.pointee.phase = CI_DONE.rawValue
    }
    ci_end_now(0)
    preconditionFailure("a process that ended goes on")
  }

  private func leaveBehind(_ found: Found) {
    let (finding, artefact) = found
    var lines = [artefact?.description ?? "", finding.kind.rawValue, finding.message]
    for stack in finding.stacks { lines += [stack.entity] + stack.frames.map { "\t" + $0 } }
    let text = Array(lines.joined(separator: "\n").utf8.prefix(Int(CI_FINDING_ROOM)))
    UnsafeMutableRawPointer(ci_record_finding(record)).copyMemory(from: text, byteCount: text.count)
    record.pointee.finding_length = UInt32(text.count)
    record.pointee.phase = CI_FOUND.rawValue
  }
}
