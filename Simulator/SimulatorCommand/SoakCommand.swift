import CommandOptions
import Foundation
import Glibc
import Interleaving
import InterleavingReports
import Soak
import Synchronization

/// `vlcsim soak`: each workload on each profile under each strategy, in children or in this process, until the executions are made.
struct SoakCommand {
  private let options: SoakOptions
  private let bodies: [SoakBody]

  init(_ arguments: [String]) throws(UsageError) {
    options = try SoakOptions(arguments)
    let (workloads, profiles, faults) = (options.workloads, options.profiles, options.faults)
    bodies = workloads.flatMap { workload in profiles.map { SoakBody(workload, $0, faults) } }
  }

  /// A share of the executions: of one body, under one strategy.
  private struct Portion: Sendable {
    let body: SoakBody
    let strategy: StrategyChoice
    let seed: UInt64
    let executions: Int

    /// After so many executions a process has what it needs, and grows no more.
    static let most = 10_000
    /// What a soak by time makes before it looks at the clock.
    static let ofTime = 200

    /// The same in parts of at most that many.
    var parts: [Portion] {
      stride(from: 0, to: executions, by: Self.most).enumerated().map { number, made in
        Portion(
          body: body, strategy: strategy, seed: seed &+ UInt64(number) << 20,
          executions: min(Self.most, executions - made))
      }
    }
  }

  /// Portions in rounds, so that a soak that is ended has made some of everything.
  private func portions() -> [Portion] {
    let strategies = options.strategy.map { [$0] } ?? SoakOptions.rotation
    let pairs = strategies.flatMap { strategy in bodies.map { ($0, strategy) } }
    // Each of a machine's executions is one in as many as there are machines: none makes only the first pairs.
    let (shard, shards) = (options.shard.number - 1, options.shard.count)
    let seed = options.seed &+ UInt64(shard) &* 0x1_0000_0001
    return pairs.enumerated().compactMap { place, pair in
      let (first, end) = (
        options.executions * place / pairs.count, options.executions * (place + 1) / pairs.count
      )
      // A soak by time makes some of each, again and again.
      let count =
        options.seconds == nil
        ? (end + shards - 1 - shard) / shards - (first + shards - 1 - shard) / shards : Portion.ofTime
      return count == 0
        ? nil : Portion(body: pair.0, strategy: pair.1, seed: seed &+ UInt64(place) << 40, executions: count)
    }
  }

  func run() async throws -> SimulatorCommand.Status {
    let start = ContinuousClock.now
    let cpu = Usage.processorSeconds
    let directory = try options.report.map(Self.directory)
    let progress = ProgressLine()
    var (report, failure) = options.jobs == 1 ? (await inProcess(progress), nil) : await inChildren(progress)
    progress.remove()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    report.cpuSeconds = Usage.processorSeconds - cpu
    report.foreignEnqueues += World.foreignEnqueues
    report.missMarks(of: bodies)
    if options.shrinks {
      // Each try of what gives up takes as long as that did.
      for place in report.findings.indices where report.findings[place].isVerdict {
        do { try shrink(&report.findings[place]) } catch { failure = error }
      }
    }
    report.peakResidentBytes = max(report.peakResidentBytes, Usage.peakResidentBytes)
    // Whatever failed: what was found is told.
    if options.isJSON { print(try report.json()) } else { show(report) }
    if let directory { try write(report, to: directory) }
    if let failure { throw failure }
    if report.isNondeterministic { return .nondeterminism }
    let isMissing = options.requiresMarks && !report.marksMissed.isEmpty
    return report.findings.isEmpty && !isMissing ? .clean : .finding
  }

  private func exploration(_ portion: Portion) -> ExplorationOptions {
    var exploration = ExplorationOptions(executions: portion.executions)
    exploration.seed = portion.seed
    exploration.strategy = portion.strategy
    exploration.world = portion.body.options
    exploration.parameters = portion.body.parameters
    return exploration
  }

  // MARK: In this process

  private func inProcess(_ progress: ProgressLine) async -> SoakReport {
    var report = SoakReport()
    let deadline = options.seconds.map { ContinuousClock.now + .seconds($0) }
    var resident: Int?
    let portions = portions().flatMap(\.parts)
    for round in 0... {
      for var portion in portions {
        // A soak by time makes its portions again and again, each time with other seeds.
        portion = again(portion, round)
        let done = await explore(
          portion.body.name, exploration(portion), body: portion.body.body(countsProcess: true))
        add(done, portion, to: &report)
        progress.show(report)
        if resident == nil, report.executions >= Portion.most { resident = Usage.residentBytes }
        // What was found is left where it is, with its counts: nothing else is to be found in this process.
        if !report.findings.isEmpty { break }
        if let deadline, ContinuousClock.now >= deadline { break }
      }
      let isOver = deadline.map { ContinuousClock.now >= $0 } ?? true
      if isOver || !report.findings.isEmpty { break }
    }
    if let resident { report.residentGrowthBytes = Usage.residentBytes - resident }
    return report
  }

  private func again(_ portion: Portion, _ round: Int) -> Portion {
    Portion(
      body: portion.body, strategy: portion.strategy, seed: portion.seed &+ UInt64(round) << 20,
      executions: portion.executions)
  }

  // MARK: In children

  /// What the threads that start children share.
  private final class Shared: Sendable {
    struct State {
      var report = SoakReport()
      var next = 0
      var error: (any Error)?
    }
    let state = Mutex(State())
  }

  /// What was found, and what failed: no other child is begun then.
  private func inChildren(_ progress: ProgressLine) async -> (SoakReport, (any Error)?) {
    let portions = portions()
    let deadline = options.seconds.map { ContinuousClock.now + .seconds($0) }
    let shared = Shared()
    await withTaskGroup { group in
      for _ in 0..<options.jobs {
        group.addTask { @Sendable in
          await onOwnThread {
            while let portion = self.next(portions, deadline, shared) {
              do {
                let done = try self.child(portion)
                shared.state.withLock { shared in
                  self.add(done, portion, to: &shared.report)
                  progress.show(shared.report)
                }
              } catch {
                shared.state.withLock { $0.error = error }
              }
            }
          }
        }
      }
    }
    return shared.state.withLock { ($0.report, $0.error) }
  }

  private func next(
    _ portions: [Portion], _ deadline: ContinuousClock.Instant?, _ shared: Shared
  ) -> Portion? {
    shared.state.withLock { shared in
      guard shared.error == nil, !portions.isEmpty,
        !(options.stopsAtFirst && shared.report.findings.contains(where: \.isVerdict))
      else {
        return nil
      }
      let (place, round) = (shared.next % portions.count, shared.next / portions.count)
      if let deadline {
        guard ContinuousClock.now < deadline else { return nil }
      } else if round > 0 {
        return nil
      }
      shared.next += 1
      return again(portions[place], round)
    }
  }

  private func child(_ portion: Portion) throws -> Exploration {
    let exploration = exploration(portion)
    return try exploreInChildren(portion.body.name, exploration) { first, executions in
      .itself([
        "vlcsim", "child", portion.body.name, portion.body.parameters, "\(portion.strategy)",
        "\(portion.seed)", "\(first)", "\(executions)",
      ])
    }
  }

  /// `vlcsim child`, which a soak starts.
  static func child(_ arguments: [String]) throws -> Never {
    guard arguments.count == 6, let body = SoakBody(name: arguments[0], parameters: arguments[1]),
      let strategy = StrategyChoice(arguments[2]), let seed = UInt64(arguments[3]),
      let first = Int(arguments[4]), let executions = Int(arguments[5])
    else { throw UsageError(reason: "child is what a soak starts") }
    var exploration = ExplorationOptions(executions: executions)
    exploration.seed = seed
    exploration.strategy = strategy
    exploration.firstExecution = first
    exploration.world = body.options
    exploration.parameters = body.parameters
    World.exploreAsChild(body.name, exploration, body: body.body(countsProcess: true))
  }

  // MARK: Adding up

  private func add(_ done: Exploration, _ portion: Portion, to report: inout SoakReport) {
    report.executions += done.executions
    report.steps += done.steps
    report.distinctInterleavings += done.statistics.distinctSchedules
    report.unseenEstimate +=
      (done.statistics.unseen - report.unseenEstimate) * Double(done.executions)
      / Double(max(1, report.executions))
    report.marksReached.merge(done.statistics.marks, uniquingKeysWith: +)
    report.digestMismatches += done.digestMismatches
    guard let finding = done.finding else { return }
    if finding.kind == .foreignEnqueue { report.foreignEnqueues += 1 }
    let violation = Violation(finding)
    let message = "\(finding.kind.rawValue): \(finding.message)"
    let place = Finding(.failure, message).place
    // What ends the process says the same of every mistake: there each workload has one of its own.
    let saysNothing = [.trap, .crash].contains(finding.kind)
    let isKnown = report.findings.contains {
      $0.checker == violation.checker.rawValue && Finding(.failure, $0.message).place == place
        && (!saysNothing || $0.workload == portion.body.name && $0.profile == portion.body.profile.name)
    }
    guard !isKnown else { return }
    report.findings.append(
      SoakReport.Found(
        checker: violation.checker.rawValue, kind: finding.kind.rawValue, message: message,
        workload: portion.body.name, profile: portion.body.profile.name, strategy: "\(portion.strategy)",
        executionsToFind: report.executions, schedule: done.artefact.map { "\($0)" } ?? ""))
  }

  private func shrink(_ found: inout SoakReport.Found) throws {
    guard let line = Artefact(found.schedule), let shrunk = try Schedules.shrink(line) else { return }
    found.shrunk = "\(shrunk.artefact)"
    found.choicesBefore = shrunk.choicesBefore
    found.choicesAfter = shrunk.choicesAfter
  }

  private func show(_ report: SoakReport) {
    let rate = report.cpuSeconds > 0 ? Double(report.executions) / report.cpuSeconds : 0
    print(
      "\(report.executions) executions of \(bodies.count) bodies, \(report.steps) steps, "
        + String(format: "%.1f s, %.0f a CPU second", report.seconds, rate) + ", on \(report.substrate)")
    print(
      "\(report.distinctInterleavings) distinct interleavings; one more is new with a chance of "
        + String(format: "%.2g", report.unseenEstimate))
    print(
      "\(report.marksReached.count) marks reached"
        + (report.marksMissed.isEmpty ? "" : ", missed: " + report.marksMissed.joined(separator: ", ")))
    if report.isNondeterministic {
      print("\(report.digestMismatches) digest mismatches, \(report.foreignEnqueues) foreign enqueues")
    }
    for found in report.findings {
      print("\(found.checker): \(found.message)")
      print(
        "  \(found.workload) on \(found.profile), by \(found.strategy), after \(found.executionsToFind) executions"
      )
      if let before = found.choicesBefore, let after = found.choicesAfter {
        print("  made small: \(before) choices became \(after)")
      }
      print("  replay: \(Schedules.replayCommand(found.shrunk ?? found.schedule))")
    }
    if report.findings.isEmpty { print("nothing was found") }
  }

  /// Made before the soak: what cannot be written afterwards is lost.
  private static func directory(_ path: String) throws(UsageError) -> URL {
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appending(path: "soak.json"))
    } catch {
      throw UsageError(reason: "\"\(path)\" cannot be written: name a directory that can be made")
    }
    return folder
  }

  private func write(_ report: SoakReport, to folder: URL) throws {
    try Data(report.json().utf8).write(to: folder.appending(path: "soak.json"))
    for (place, found) in report.findings.enumerated() {
      guard let line = Artefact(found.shrunk ?? found.schedule) else { continue }
      let replayed = try Schedules.report(line)
      let file = folder.appending(path: "finding-\(place + 1).html")
      try HTMLReport(replayed.report).html().write(to: file)
      try Data((found.shrunk ?? found.schedule).utf8).write(
        to: folder.appending(path: "finding-\(place + 1).txt"))
    }
  }
}

/// Runs what blocks on a thread of its own.
private func onOwnThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread {
      body()
      continuation.resume()
    }.start()
  }
}

/// What the process and its children use.
enum Usage {
  static var processorSeconds: Double { seconds(RUSAGE_SELF) + seconds(RUSAGE_CHILDREN) }

  private static func usage(_ who: __rusage_who) -> rusage {
    var usage = rusage()
    getrusage(__rusage_who_t(who.rawValue), &usage)
    return usage
  }
  private static func seconds(_ who: __rusage_who) -> Double {
    let usage = usage(who)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
  }
  static var peakResidentBytes: Int {
    max(usage(RUSAGE_SELF).ru_maxrss, usage(RUSAGE_CHILDREN).ru_maxrss) * 1_024
  }
  static var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
  }
}

/// How far a soak is, on a terminal; nothing where standard error is none.
private struct ProgressLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1

  func show(_ report: SoakReport) {
    guard isTerminal else { return }
    write(
      "\r\u{1B}[K\(report.executions) executions, \(report.distinctInterleavings) distinct, "
        + "\(report.findings.count) findings")
  }
  func remove() { if isTerminal { write("\r\u{1B}[K") } }
  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
