import CommandOptions
import Foundation
import Glibc
import Interleaving

/// `interleave bench`: the kernel's figures, each beside its goal.
enum Bench {
  struct Row: Encodable {
    let name: String
    let figure: Double
    let unit: String
    let goal: Double
    let met: Bool
  }
  private struct Report: Encodable {
    let substrate: String
    let rows: [Row]
  }
  private struct Determinism: Encodable {
    let executions: Int
    let digestMismatches: Int
    let foreignEnqueues: Int
    let positiveControl: Int
  }

  static func run(_ arguments: [String]) async throws -> Interleave.Status {
    let parsed = try CommandLineOptions(arguments, options: ["json", "only:", "determinism:"])
    if let operand = parsed.operands.first { throw UsageError(reason: "bench takes no \"\(operand)\"") }
    var isJSON = false
    var only: Set<String> = []
    var determinism: Int?
    for (name, value) in parsed.options {
      switch name {
      case "json": isJSON = true
      case "only": only = Set(value.split(separator: ",").map(String.init))
      default: determinism = try ExploreCommand.count(name, value)
      }
    }
    if let determinism { return try await measureDeterminism(determinism, isJSON) }
    let known = Set(all.flatMap(\.names))
    if let unknown = only.first(where: { !known.contains($0) }) {
      throw UsageError(
        reason: "\"\(unknown)\" is no row: there are \(known.sorted().joined(separator: ", "))")
    }
    var rows: [Row] = []
    for group in all where only.isEmpty || !only.isDisjoint(with: group.names) {
      for row in try await group.measure() where only.isEmpty || only.contains(row.name) {
        rows.append(row)
        if !isJSON { print(line(row)) }
      }
    }
    if isJSON { try write(Report(substrate: World.Substrate.best.rawValue, rows: rows)) }
    return .clean
  }

  private static func line(_ row: Row) -> String {
    let figure = String(format: row.figure < 100 ? "%.3f" : "%.0f", row.figure)
    return "\(row.name)\t\(figure) \(row.unit)\tgoal \(row.goal)\t\(row.met ? "met" : "missed")"
  }

  private static func write(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  // MARK: Rows

  private struct Group {
    let names: [String]
    let measure: @Sendable () async throws -> [Row]
  }

  private static let all: [Group] = [
    speed("fibers.same-order", .fibers, executions: 1_000_000, goal: 1_000_000),
    speed("fibers.counter", .fibers, executions: 200_000, goal: 200_000),
    speed("threads.same-order", .threads, executions: 40_000, goal: 40_000),
    speed("threads.counter", .threads, executions: 5_000, goal: 5_000),
    Group(names: ["jobs"]) { [try await jobs()] },
    Group(names: ["abba.random"]) { [mean("abba.random", of: "abba", .random, goal: 3.3)] },
    Group(names: ["abba.urw"]) { [mean("abba.urw", of: "abba", .uniformWalk, goal: 2.6)] },
    Group(names: ["abba.lock-order"]) { [mean("abba.lock-order", of: "abba-order", .random, goal: 1)] },
    depthFirst("dpor.same-order", bound: nil, goal: 4),
    depthFirst("dpor.same-order.bound2", bound: 2, goal: 4),
    depthFirst("dpor.counter.bound2", bound: 2, goal: 4_574),
    depthFirst("dpor.counter.bound3", bound: 3, goal: 93_280),
    Group(names: ["pct.depth1", "pct.depth2", "pct.depth3"]) { (1...3).map(pct) },
    Group(names: ["shrink.choices", "shrink.preemptions", "shrink.seconds"]) { try await shrinking() },
    Group(names: ["watchdog.seconds"]) { [try await watchdogSeconds()] },
    Group(names: ["watchdog.falseDeadlocks"]) { [try await falseDeadlocks()] },
  ]

  /// The processor time of the whole process, in seconds: a substrate may have many threads.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func named(_ name: String) -> NamedBody {
    guard let body = NamedBody.named(name) else { preconditionFailure("\(name) is a body") }
    return body
  }

  private static func options(_ body: NamedBody, _ executions: Int, _ substrate: World.Substrate = .best)
    -> ExplorationOptions
  {
    var options = ExplorationOptions(executions: executions)
    options.world = body.world
    options.substrate = substrate
    return options
  }

  private static func speed(_ name: String, _ substrate: World.Substrate, executions: Int, goal: Double)
    -> Group
  {
    Group(names: [name]) {
      guard substrate == .threads || World.Substrate.best == .fibers else { return [] }
      let body = named(String(name.split(separator: ".")[1]))
      let options = options(body, executions, substrate)
      // Once to fill the pools, once to measure.
      _ = await explore(body.name, Self.options(body, 1_000, substrate), body: body.body)
      let start = processorTime()
      let done = await explore(body.name, options, body: body.body)
      let rate = Double(done.executions) / (processorTime() - start)
      return [
        Row(
          name: name, figure: rate, unit: "executions/CPU-second", goal: goal,
          met: rate >= goal && done.finding == nil)
      ]
    }
  }

  private static func jobs() async throws -> Row {
    let body = named("jobs")
    let executions = 3_000
    let start = processorTime()
    let done = await explore(body.name, options(body, executions), body: body.body)
    // Each of four tasks has a thousand and one jobs, and their parent at least one.
    let jobs = Double(done.executions) * Double(4 * (jobsOfATask + 1) + 1)
    let rate = jobs / (processorTime() - start)
    return Row(
      name: "jobs", figure: rate, unit: "jobs/CPU-second", goal: 2_000_000,
      met: rate >= 2_000_000 && done.finding == nil)
  }

  static let jobsOfATask = 250

  /// In how many executions something is found, in the mean of a thousand searches: without the fair one that comes first,
  /// which finds nothing here.
  private static func mean(_ name: String, of bodyName: String, _ strategy: StrategyChoice, goal: Double)
    -> Row
  {
    let body = named(bodyName)
    let searches = 1_000
    var executions = 0
    for search in 0..<UInt64(searches) {
      let world = World()
      var options = options(body, 1_000)
      options.strategy = strategy
      options.seed = search &* 1_000_003
      let done = world.explore(body.name, options, body: body.body)
      // Where the fair one finds it already, as an order of locks is, that is the one.
      executions += max(1, done.executions - 1)
    }
    let mean = Double(executions) / Double(searches)
    return Row(name: name, figure: mean, unit: "executions", goal: goal, met: mean <= goal)
  }

  /// In how many executions a depth-first search has seen all that there is.
  private static func depthFirst(_ name: String, bound: Int?, goal: Double) -> Group {
    Group(names: [name]) {
      let body = named(String(name.split(separator: ".")[1]))
      var options = options(body, 1_000_000)
      options.strategy = .depthFirst(bound: bound)
      options.repeatsOneOf = 0
      let done = await explore(body.name, options, body: body.body)
      let executions = Double(done.executions)
      return [
        Row(
          name: name, figure: executions, unit: "executions, \(done.completeness ?? "incomplete")",
          goal: goal,
          met: executions <= goal && done.completeness != nil && done.finding == nil)
      ]
    }
  }

  /// How often probabilistic concurrency testing finds a bug of a depth, over the bound that it promises: the lower 99 %
  /// limit of that.
  @Sendable private static func pct(_ depth: Int) -> Row {
    let body = named("depth-\(depth)")
    let world = World()
    world.options = body.world
    var longest = 1
    for seed in UInt64(0)..<200 {
      world.run(.random(seed: seed), body: body.body)
      longest = max(longest, world.steps)
    }
    let trials = 40_000
    var found = 0
    for seed in UInt64(0)..<UInt64(trials) {
      let strategy = Strategy.priorities(seed: seed &* 7_919, depth: depth, steps: longest)
      if world.run(strategy, body: body.body) != nil { found += 1 }
    }
    let entities = depth == 1 ? 3.0 : 2.0
    let bound = 1 / (entities * pow(Double(longest), Double(depth - 1)))
    let ratio = lowerLimit(found, of: trials) / bound
    return Row(
      name: "pct.depth\(depth)", figure: ratio, unit: "rate/bound, lower 99 % limit", goal: 1, met: ratio >= 1
    )
  }

  /// Medians over the corpus: how much of a line is left out, how many preemptions more than the bug's depth are left, and how
  /// long that takes.
  private static func shrinking() async throws -> [Row] {
    let all = try await CorpusCommand.shrinkAll()
    func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }
    let removed = median(
      all.filter { $0.shrunk.choicesBefore > 0 }
        .map { 1 - Double($0.shrunk.choicesAfter) / Double($0.shrunk.choicesBefore) })
    let preemptions = median(all.map { Double($0.shrunk.preemptionsAfter - $0.program.depth) })
    let seconds = median(all.map(\.seconds))
    return [
      Row(name: "shrink.choices", figure: removed, unit: "of the choices", goal: 0.8, met: removed >= 0.8),
      Row(
        name: "shrink.preemptions", figure: preemptions, unit: "more than the depth", goal: 1,
        met: preemptions <= 1),
      Row(name: "shrink.seconds", figure: seconds, unit: "seconds", goal: 10, met: seconds <= 10),
    ]
  }

  /// Wilson's lower limit of a rate, one-sided at 99 %.
  private static func lowerLimit(_ hits: Int, of trials: Int) -> Double {
    let z = 2.326
    let (n, p) = (Double(trials), Double(hits) / Double(trials))
    let centre = p + z * z / (2 * n)
    let spread = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return (centre - spread) / (1 + z * z / n)
  }

  private static func watchdogSeconds() async throws -> Row {
    let body = named("block")
    let start = ContinuousClock.now
    let done = await explore(body.name, options(body, 10), body: body.body)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return Row(
      name: "watchdog.seconds", figure: seconds, unit: "seconds", goal: 1,
      met: seconds <= 1 && done.finding?.kind == .unmodelled)
  }

  private static func falseDeadlocks() async throws -> Row {
    let body = named("yield-after-lock")
    let done = await explore(body.name, options(body, 1_000_000), body: body.body)
    let count = done.finding == nil ? 0.0 : 1
    return Row(
      name: "watchdog.falseDeadlocks", figure: count, unit: "of \(done.executions) executions", goal: 0,
      met: count == 0 && done.executions == 1_000_000)
  }

  // MARK: Determinism

  private static func measureDeterminism(_ executions: Int, _ isJSON: Bool) async throws -> Interleave.Status
  {
    let body = named("everything")
    var options = options(body, executions)
    options.repeatsOneOf = 1
    let before = World.foreignEnqueues
    let here = await explore(body.name, options, body: body.body)
    // Two processes with hash seeds of their own, which hash as every process does that is left alone.
    let processes = try (0..<2).map { _ in
      try exploreInChildren(body.name, options, batch: executions, hasStableHashing: false) { first, count in
        .itself([
          "interleave", "explore", body.name, "--child", "--first", "\(first)", "--executions", "\(count)",
        ])
      }
    }
    let isSame = processes[0].digest == processes[1].digest
    let mismatches =
      here.digestMismatches + processes.map(\.digestMismatches).reduce(0, +) + (isSame ? 0 : 1)
    let foreign = World.foreignEnqueues - before
    let control = named("foreign")
    control.prepare()
    let controlled = await explore(control.name, self.options(control, 1), body: control.body)
    let positive = World.foreignEnqueues - before - foreign
    let report = Determinism(
      executions: here.executions, digestMismatches: mismatches, foreignEnqueues: foreign,
      positiveControl: positive)
    if isJSON {
      try write(report)
    } else {
      print(
        "\(report.executions) executions, \(mismatches) digest mismatches, \(foreign) foreign enqueues, "
          + "positive control \(positive)")
    }
    for finding in ([here] + processes).compactMap(\.finding) {
      FileHandle.standardError.write(Data("interleave: \(finding)\n".utf8))
    }
    guard here.finding == nil, processes.allSatisfy({ $0.finding == nil }), mismatches == 0 else {
      return .nondeterminism
    }
    guard foreign == 0, positive == 1, controlled.finding?.kind == .foreignEnqueue else { return .failure }
    return .clean
  }
}
