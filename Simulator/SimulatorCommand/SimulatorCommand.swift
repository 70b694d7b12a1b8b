import CommandOptions
import Foundation
import Glibc

/// `vlcsim`: the simulated libVLC at work.
@main
enum SimulatorCommand {
  enum Status: Int32 {
    case clean = 0
    case finding = 1
    case usage = 2
    case nondeterminism = 3
    case internalFailure = 4
  }

  private static let usage = """
    vlcsim soak [options]    plays workloads under many schedules and faults until something does not hold
      --executions N | --seconds S   how much (20,000 executions)
      --seed S  --workload NAME,...  --strategy NAME  --profile libvlc3|libvlc4  --faults NAME,...|all|none
      --jobs N        children at once; 1 runs in the process itself, until the first finding
      --shard I/N     the I-th share of N machines
      --first         ends with the first finding that says what is wrong
      --no-shrink     leaves findings as they were found
      --report DIR    a page for each finding, and the report
      --json          the report as one object
      --require-marks a window that was not passed counts as a finding
    vlcsim replay LINE|FILE [--trace FILE] [--html FILE]    makes a recorded execution again
    vlcsim shrink LINE|FILE [--out FILE]                    makes it as small as it gets
    vlcsim explore --workload NAME [--bound B] [--profile NAME] [--faults NAMES] [--executions N]
                                                            every schedule with so many preemptions
    vlcsim merge FILE... [--require-marks]                  adds up the reports of shards
    vlcsim bench [--json] [--only ROW,...]                  lives of simulated players per CPU second, and more
    vlcsim list workloads|faults|strategies|checkers|marks
    Exit status: 0 clean, 1 finding, 2 usage, 3 nondeterminism, 4 internal failure.

    """

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      exit(try await run(arguments).rawValue)
    } catch let error as UsageError {
      complain("\(error.reason)\n" + usage)
      exit(Status.usage.rawValue)
    } catch {
      complain("\(error)\n")
      exit(Status.internalFailure.rawValue)
    }
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("vlcsim: \(text)".utf8))
  }

  private static func run(_ arguments: [String]) async throws -> Status {
    switch arguments.first {
    case "bench": return try await Bench.run(arguments)
    case "soak": return try await SoakCommand(arguments).run()
    case "replay": return try Schedules.replay(arguments)
    case "shrink": return try Schedules.shrink(arguments)
    case "explore": return try await Listing.explore(arguments)
    case "merge": return try Listing.merge(arguments)
    case "list": return try Listing.list(arguments)
    case "child": try SoakCommand.child(Array(arguments.dropFirst()))
    case "try": try Schedules.child(Array(arguments.dropFirst()))
    case "--help", "help":
      print(usage)
      return .clean
    case let other?: throw UsageError(reason: "\"\(other)\" is no command")
    case nil: throw UsageError(reason: "a command is missing")
    }
  }
}
