import Foundation
import MediaFixtures
import SimulatedFixtures
import SimulatedVLC
import Synchronization
import Traces

#if LibVLC
import LibVLC
#endif

/// Random traces of the real library against the simulated one, and changed ones.
enum Check {
  static let path: @Sendable (String) -> String = { name in
    let recorded = Recordings.location(name)
    if Recordings.locations[recorded] != nil { return String(recorded.dropFirst("file://".count)) }
    return name == "missing" ? "/nonexistent/missing.mkv" : MediaFixtures.path(name)
  }

  static func acceptance(tries: Int = 1_000) -> Acceptance {
    Acceptance(tries: tries, path: path) {
      var options = SimulatedLibrary.Options.fixtures
      options.media.merge(Recordings.locations) { fixture, _ in fixture }
      return SimulatedLibrary(options)
    }
  }

  static func describe(_ verdict: Acceptance.Verdict, of trace: RecordedTrace) -> String {
    switch verdict {
    case .accepted(let tries): return "accepted, try \(tries)"
    case .refused(let line, let instead):
      let expected = trace.lines.indices.contains(line) ? "\(trace.lines[line])" : "the end"
      return
        "refused at line \(line + 2): \"\(expected)\" is explained by no schedule that was tried; one had \"\(instead)\""
    }
  }

  static func run(count: Int) -> Int32 {
    #if LibVLC
    let held = LibVLCLibrary().newInstance(arguments: ["--quiet"])
    defer { if let held { LibVLCLibrary().releaseInstance(held) } }
    let recorder = Recorder(LibVLCLibrary(), path: path)
    let tally = Mutex(Tally())
    let next = Atomic(0)
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread.detachNewThread {
        while true {
          let seed = next.add(1, ordering: .relaxed).newValue
          guard seed <= count else { break }
          guard let trace = recorder.record(TraceScript(seed: UInt64(seed))) else { continue }
          // What needs many tries has them, and the trace that is made of it has as many.
          var tries = 1_000
          var verdict = acceptance(tries: tries).verdict(on: trace)
          if !verdict.isAccepted {
            tries = 20_000
            verdict = acceptance(tries: tries).verdict(on: trace)
          }
          tally.withLock {
            $0.traces += 1
            if verdict.isAccepted {
              $0.accepted += 1
            } else {
              print("seed \(seed): \(describe(verdict, of: trace))\n\(trace)")
            }
          }
          guard verdict.isAccepted else { continue }
          guard let (mutation, changed) = Mutation.changed(trace, seed: UInt64(seed)) else { continue }
          let isRefused = !acceptance(tries: tries).verdict(on: changed).isAccepted
          tally.withLock {
            $0.changed += 1
            if isRefused { $0.refused += 1 } else { print("seed \(seed), \(mutation): accepted\n\(changed)") }
          }
        }
        group.leave()
      }
    }
    group.wait()
    return tally.withLock { tally in
      print(
        "\(tally.accepted) of \(tally.traces) traces accepted, \(tally.refused) of \(tally.changed) changed ones refused"
      )
      return tally.accepted == tally.traces && tally.refused * 20 >= tally.changed * 19 ? 0 : 1
    }
    #else
    print("there is no real library in this build: it was built without the trait LibVLC")
    return 1
    #endif
  }

  private struct Tally {
    var traces = 0
    var accepted = 0
    var changed = 0
    var refused = 0
  }
}
