import CommandOptions
import Glibc
import SwiftVLC

/// Plays, probes and diagnoses from a terminal.
@main
enum VLCTool {
  static func main() async {
    // A reader that went away is an ordinary end of output, told by EPIPE.
    signal(SIGPIPE, SIG_IGN)
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    await releaseEverything()
    exit(status.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    guard let command = arguments.first else { return usage("no command was given") }
    do throws(UsageError) {
      switch command {
      case "play": return await PlayCommand(options: try PlayOptions(arguments)).run()
      case "probe": return await ProbeCommand(options: try ProbeOptions(arguments)).run()
      case "doctor":
        try DoctorCommand.check(arguments)
        return DoctorCommand.run()
      case "help", "--help", "-h":
        Output.standard.line(help)
        return .success
      default: return usage("there is no command \"\(command)\"")
      }
    } catch {
      return usage(error.reason)
    }
  }

  private static func usage(_ reason: String) -> ExitStatus {
    Output.complain("\(reason). See `vlctool help`.")
    return .usage
  }

  /// Waits for the last native release; a read that never returns must not keep a command from ending.
  private static func releaseEverything() async {
    await withTaskGroup { group in
      group.addTask {
        for await _ in released() { break }
      }
      group.addTask { try? await Task.sleep(for: .seconds(5)) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Ends when everything native is released, or with its consumer.
  private static func released() -> AsyncStream<Void> {
    AsyncStream { continuation in
      Task {
        await NativeObjects.allReleased()
        continuation.finish()
      }
    }
  }

  static let help = """
    usage: vlctool play MRL… [--json] [--audio auto|none] [--video auto|none] [--start T] [--stop-after T]
                             [--rate R] [--volume V] [--loop N]
           vlctool probe FILE… [--json]
           vlctool doctor

    An MRL is a path or a location such as https://host/file. T is seconds or [h:]m:s; R is 0.25…4;
    V is 0…2, where 1 is nominal. "none" decodes for a dummy output. Keys while playing: space pauses
    and resumes, left and right seek by ten seconds, up and down change the volume, q quits.
    Exit status: 0 played, 1 could not play, 2 usage, 69 libVLC is not usable.
    """
}

/// How a command ends, as its caller sees it.
enum ExitStatus: Int32 {
  case success = 0
  case failure = 1
  case usage = 2
  /// EX_UNAVAILABLE of sysexits.h.
  case unavailable = 69
}
