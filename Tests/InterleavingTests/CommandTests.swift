import Foundation
import Interleaving
import TestSupport
import Testing

extension CommandRun {
  fileprivate init(_ arguments: String...) async throws { try await self.init(arguments) }
  fileprivate init(_ arguments: [String]) async throws { try await self.init(tool: "interleave", arguments) }
}

/// Not under sanitizers: there a crash is the sanitizer's to tell, and a figure says nothing.
@Suite(
  .tags(.logic), .timeLimit(.minutes(5)),
  .enabled(if: dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil))
struct CommandTests {
  @Test(arguments: [
    ("crash", "crash"), ("trap", "trap"), ("hang", "hang"), ("step-limit", "stepLimit"),
    ("livelock", "livelock"), ("block", "unmodelled"), ("abba", "deadlock"), ("abba-order", "lockOrder"),
    ("yield-under-lock", "deadlock"), ("depth-2", "failure"), ("depth-3", "failure"),
  ])
  func `what is found in children replays from its line in a fresh process`(body: String, finding: String)
    async throws
  {
    let explored = try await CommandRun("explore", body, "--json")
    #expect(explored.status == 1, "\(explored.errors)")
    let found = explored.object["finding"] as? [String: Any]
    #expect(found?["kind"] as? String == finding, "\(explored.output)")
    #expect(explored.object["digestMismatches"] as? Int == 0)
    let line = try #require(found?["line"] as? String)
    let replayed = try await CommandRun("replay", line)
    #expect(replayed.status == 1 && replayed.output.hasPrefix("\(finding): "), "\(replayed.output)")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("line-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data((line + "\n").utf8).write(to: file)
    #expect(try await CommandRun("replay", file.path).output.hasPrefix("\(finding): "))
  }

  @Test func `the deadlock of yielding under a lock is told with both stacks, and its twin is clean`()
    async throws
  {
    let explored = try await CommandRun("explore", "yield-under-lock")
    #expect(explored.output.contains(", which producer holds; producer waits for lock"), "\(explored.output)")
    #expect(explored.output.contains("MutexHandle") && explored.output.contains("swift_task_cancel"))
    let twin = try await CommandRun("explore", "yield-after-lock", "--executions", "3000", "--repeat", "1")
    #expect(twin.status == 0 && twin.output.contains("3000 executions"), "\(twin.output)")
  }

  @Test func `batches of children count every execution, on both substrates, with each strategy`()
    async throws
  {
    for strategy in StrategyChoice.all {
      let run = try await CommandRun(
        "explore", "counter", "--executions", "300", "--strategy", "\(strategy)", "--substrate", "threads",
        "--json")
      // A search that has seen everything ends.
      let isComplete = run.object["completeness"] is String
      let executions = try #require(run.object["executions"] as? Int)
      #expect(
        run.status == 0 && (isComplete ? executions < 300 : executions == 300), "\(strategy): \(run.output)")
      #expect(run.object["substrate"] as? String == "threads")
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `children that explore nothing are an error, not a search without end`() {
    // It ends well, and leaves no record.
    #expect(throws: ContainmentError.self) {
      try exploreInChildren("nothing", .init(executions: 10)) { _, _ in
        ContainedProgram(path: "/bin/true", arguments: ["true"])
      }
    }
  }

  @Test func `everything at once is deterministic, within a process and over two`() async throws {
    let run = try await CommandRun("bench", "--determinism", "100", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.object["executions"] as? Int == 100 && run.object["digestMismatches"] as? Int == 0)
    #expect(run.object["foreignEnqueues"] as? Int == 0 && run.object["positiveControl"] as? Int == 1)
  }

  @Test func `a row of the bench has its figure, its unit and its goal`() async throws {
    let run = try await CommandRun("bench", "--only", "abba.lock-order", "--json")
    let row = try #require((run.object["rows"] as? [[String: Any]])?.first)
    #expect(run.status == 0 && run.object["substrate"] as? String == World.Substrate.best.rawValue)
    #expect(row["name"] as? String == "abba.lock-order" && row["figure"] as? Double == 1)
    #expect(
      row["goal"] as? Double == 1 && row["met"] as? Bool == true && row["unit"] as? String == "executions")
  }

  @Test func `bodies and strategies are listed`() async throws {
    let bodies = try await CommandRun("list", "bodies")
    #expect(bodies.status == 0 && bodies.output.contains("yield-under-lock\tdeadlock\t"))
    let strategies = try await CommandRun("list", "strategies")
    #expect(
      strategies.output.split(separator: "\n").map { StrategyChoice($0)?.description }
        == StrategyChoice.all.map(\.description))
  }

  @Test func `every program of the corpus is found, and no twin`() async throws {
    let run = try await CommandRun("corpus", "--json", "--strategy", "portfolio", "--twins", "300")
    #expect(run.status == 0)
    let programs = try #require(run.object["programs"] as? [[String: Any]])
    #expect(programs.count >= 40)
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/corpus.md"), encoding: .utf8)
    for program in programs {
      let name = try #require(program["name"] as? String)
      #expect(
        (program["foundBy"] as? [String: Int])?.isEmpty == false && program["twinClean"] as? Bool == true,
        "\(name)")
      #expect(page.contains("| \(name) |"), "docs/corpus.md is made by interleave corpus --markdown")
    }
  }

  @Test func `a finding is written as a page, a trace and JUnit's XML`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let run = try await CommandRun(
      "explore", "abba", "--html", directory + "/a.html", "--trace", directory + "/a.json", "--junit",
      directory + "/a.xml")
    #expect(run.status == 1 && run.output.contains("made small: "))
    for name in ["a.html", "a.json", "a.xml"] {
      #expect(
        try String(contentsOfFile: directory + "/" + name, encoding: .utf8).contains("takes lock 0")
          || name == "a.xml")
    }
    let nowhere = try await CommandRun("explore", "abba", "--html", "/nowhere/a.html")
    #expect(nowhere.status == 2 && nowhere.errors.contains("cannot be written"))
  }

  @Test(arguments: [
    ([], "what is to be done?"), (["dance"], "\"dance\" is no command"),
    (["explore"], "takes the name of one body"), (["explore", "none"], "is no body"),
    (["explore", "abba", "--strategy", "hope"], "is no strategy"),
    (["explore", "abba", "--executions", "-1"], "is a whole number"),
    (["bench", "--only", "speed"], "is no row"), (["list", "planets"], "bodies or strategies"),
    (["replay", "interleaving/1 body=abba"], "is no line of this version"),
    (["replay", "/nowhere"], "neither a line nor a file"),
  ])
  func `a mistake on the command line is told with what would do`(arguments: [String], reason: String)
    async throws
  {
    let run = try await CommandRun(arguments)
    #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
  }
}
