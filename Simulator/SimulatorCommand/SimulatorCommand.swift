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
    case internalFailure = 4
  }

  private static let usage = """
    vlcsim bench [--json] [--only ROW,...]    lives of simulated players per CPU second, and a day of playback
    Exit status: 0 clean, 1 finding, 2 usage, 4 internal failure.

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
    case "bench": return try await Bench.run(Array(arguments.dropFirst()))
    case let other?: throw UsageError(reason: "\"\(other)\" is no command")
    case nil: throw UsageError(reason: "a command is missing")
    }
  }
}
