import Foundation
import MediaFixtures
import SimulatedFixtures
import SimulatedVLC
import Synchronization
import Traces

#if LibVLC
import LibVLC
#endif

/// `traces record SEED…` prints what random calls of the real library led to; `traces accept FILE…` asks whether the simulated
/// one can do that; `traces check [COUNT]` does both, and asks of changed ones, too.
@main enum TracesCommand {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "record": record(arguments.dropFirst().compactMap { UInt64($0) })
    case "accept": accept(Array(arguments.dropFirst()))
    case "check": exit(Check.run(count: arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000))
    default: fail("usage: traces record SEED... | traces accept FILE... | traces check [COUNT]")
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }

  static func record(_ seeds: [UInt64]) {
    #if LibVLC
    let recorder = Recorder(LibVLCLibrary(), path: Check.path)
    for seed in seeds {
      guard let trace = recorder.record(TraceScript(seed: seed)) else { continue }
      print(trace)
    }
    #else
    fail("there is no real library in this build: it was built without the trait LibVLC")
    #endif
  }

  static func accept(_ files: [String]) {
    Thread.detachNewThread {
      var isEachAccepted = true
      for file in files {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
          fail(
            "\(file) cannot be read: give the name of a file that `traces record` wrote, or of a recording")
        }
        let recorded = RecordedTrace.several(in: text)
        let traces = recorded.isEmpty ? [Recordings.trace(text, file)].compactMap(\.self) : recorded
        guard !traces.isEmpty else {
          fail(
            "\(file) has no trace, which begins with the word media, and is no recording that begins with a call"
          )
        }
        for (number, trace) in traces.enumerated() {
          let verdict = Check.acceptance().verdict(on: trace)
          if !verdict.isAccepted { isEachAccepted = false }
          print("\(file), \(number + 1): \(Check.describe(verdict, of: trace))")
        }
      }
      exit(isEachAccepted ? 0 : 1)
    }
    dispatchMain()
  }
}
