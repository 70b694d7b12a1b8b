import Foundation
import Interleaving
import TestSupport
import Testing

extension CommandRun {
  fileprivate init(_ arguments: String...) async throws { try await self.init(tool: "vlcsim", arguments) }
}

/// Not under sanitizers, and not in deep mode: children that explore are for fibers.
@Suite(
  .tags(.logic), .timeLimit(.minutes(5)), .enabled(if: World.Substrate.best == .fibers && !World.isDeep))
struct SimulatorCommandTests {
  @Test func `a short soak of everything is clean, and says what it did`() async throws {
    let run = try await CommandRun("soak", "--executions", "400", "--seed", "5", "--json")
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.object["executions"] as? Int == 400)
    #expect((run.object["findings"] as? [Any])?.isEmpty == true)
    #expect(run.object["digestMismatches"] as? Int == 0)
    #expect((run.object["marksReached"] as? [String: Int])?.isEmpty == false)
  }

  @Test func `shards share the executions, and their reports are added up`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shards-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for shard in ["1/2", "2/2"] {
      let run = try await CommandRun(
        "soak", "--executions", "101", "--shard", shard, "--workload", "dismisser", "--json")
      let file = folder.appending(path: "\(files.count).json")
      try Data(run.output.utf8).write(to: file)
      files.append(file.path)
    }
    let merged = try await CommandRun("merge", files[0], files[1])
    #expect(merged.status == 0)
    #expect(try await CommandRun("merge", files[0], files[1], "--require-marks").status == 1)
    #expect(merged.object["executions"] as? Int == 101)
  }

  @Test func `a mark that is missed is a finding where marks are required`() async throws {
    let run = try await CommandRun(
      "soak", "--executions", "1", "--workload", "broadcaster", "--jobs", "1", "--require-marks")
    #expect(run.status == 1)
    #expect(run.output.contains("missed: "))
  }

  /// Where there are more machines than executions of a strategy: all strategies are somebody's.
  @Test func `no shard makes the first strategies alone`() async throws {
    var made: [Int] = []
    for shard in 1...4 {
      let run = try await CommandRun(
        "soak", "--executions", "40", "--shard", "\(shard)/4", "--workload", "broadcaster", "--json")
      #expect(run.status == 0, "\(run.errors)")
      made.append(run.object["executions"] as? Int ?? 0)
    }
    #expect(made == [10, 10, 10, 10])
  }

  @Test
  func `a schedule that another program recorded is told so, and not shrunk; a file may say what it was`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let schedule = root.appending(path: "Fixtures/schedules/parse-retry.txt")
    let replayed = try await CommandRun("replay", schedule.path)
    #expect(replayed.status == 3 && replayed.output.contains("differs"), "\(replayed)")
    let shrunk = try await CommandRun("shrink", schedule.path, "--out", file.path)
    #expect(shrunk.output.contains("stale"), "\(shrunk)")
    #expect(shrunk.status == 0 && !FileManager.default.fileExists(atPath: file.path))
  }

  @Test(arguments: [
    ["soak", "--profile", "libvlc5"], ["soak", "--workload", "nobody"], ["soak", "--shard", "3/2"],
    ["soak", "--seconds", "0"], ["soak", "--seconds", "inf"], ["soak", "--executions", "0"],
    ["soak", "--workload", ","], ["soak", "--report", "/dev/null/report"],
    ["replay", "interleaving/1 nonsense"], ["merge", "/nonexistent"], ["list"],
    ["explore", "--bound", "1"], ["nothing"],
  ])
  func `a mistake is told with what to do, and has a status of its own`(arguments: [String]) async throws {
    let run =
      switch arguments.count {
      case 1: try await CommandRun(arguments[0])
      case 2: try await CommandRun(arguments[0], arguments[1])
      default: try await CommandRun(arguments[0], arguments[1], arguments[2])
      }
    #expect(run.status == 2)
    #expect(run.errors.contains("vlcsim: "))
  }

  @Test(arguments: ["workloads", "faults", "strategies", "checkers", "marks"])
  func `what there is is listed`(what: String) async throws {
    let run = try await CommandRun("list", what)
    #expect(run.status == 0 && run.output.split(separator: "\n").count >= 9)
  }
}
