import Foundation
import Interleaving
import TestSupport
import Testing
import Traces

@testable import TracesCommand

/// What the real library was seen to do, and the simulated one.
@Suite(.tags(.logic), .timeLimit(.minutes(15)), .enabled(if: World.Substrate.best == .fibers))
struct TracesTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")
  private static let recordings = [
    "junk", "missing", "multi", "pause", "play_end", "release_nostop", "release_retained_nostop", "seek",
    "seek_past_end", "seek_paused", "setmedia_playing", "stop_opening", "stop_opening_blocked",
    "stop_playing",
  ]

  private static let tries = 400
  private let acceptance = Check.acceptance(tries: tries)

  /// A hundred, recorded with seeds from 1 on.
  private static func traces() throws -> [RecordedTrace] {
    RecordedTrace.several(
      in: try String(contentsOf: fixtures.appendingPathComponent("traces.txt"), encoding: .utf8))
  }

  @Test(arguments: recordings) func `a recording is accepted`(name: String) async throws {
    let file = Self.fixtures.appendingPathComponent("recordings/\(name).txt")
    let trace = try #require(Recordings.trace(try String(contentsOf: file, encoding: .utf8), file.path))
    #expect(trace.lines.count > 6)
    let verdict = await onOwnThread { [acceptance] in acceptance.verdict(on: trace) }
    #expect(verdict.isAccepted, "\(Check.describe(verdict, of: trace))")
  }

  @Test func `a hundred random traces are accepted`() async throws {
    let traces = try Self.traces()
    #expect(traces.count == 100)
    for (number, trace) in traces.enumerated() {
      let verdict = await onOwnThread { [acceptance] in acceptance.verdict(on: trace) }
      #expect(verdict.isAccepted, "\(number + 1): \(Check.describe(verdict, of: trace))")
    }
  }

  @Test func `of a hundred changed ones no more than five are accepted`() async throws {
    var accepted: [String] = []
    for (number, trace) in try Self.traces().enumerated() {
      let (mutation, changed) = try #require(Mutation.changed(trace, seed: UInt64(number)))
      let verdict = await onOwnThread { [acceptance] in acceptance.verdict(on: changed) }
      if verdict.isAccepted { accepted.append("\(number + 1), \(mutation)") }
    }
    #expect(accepted.count <= 5, "\(accepted)")
  }

  @Test func `what is refused is told with its first line that nothing explains`() async throws {
    let trace = try #require(
      RecordedTrace("media silence.wav\n0 > set media 0\n0 player stopped\n0 <\n"))
    let verdict = await onOwnThread { [acceptance] in acceptance.verdict(on: trace) }
    #expect(
      Check.describe(verdict, of: trace)
        == "refused at line 3: \"0 player stopped\" is explained by no schedule that was tried; one had "
        + "\"0 player media changed 0\"")
  }
}

@Suite(.tags(.logic)) struct TraceFormatTests {
  @Test func `a trace is read as it is written`() throws {
    let text = "media tour.mkv missing\n0@12 > set time 300\n0 <\n1 player opening\n"
    let trace = try #require(RecordedTrace(text))
    #expect(trace.description == text)
    #expect(RecordedTrace.several(in: text + "\n" + text) == [trace, trace])
  }

  @Test(arguments: ["", "stop", "media a\nx > stop", "media a\n0"]) func `other text is no trace`(
    text: String
  ) {
    #expect(RecordedTrace(text) == nil)
  }

  @Test func `each call is read as it is written`() {
    for seed in UInt64(1)...200 {
      for step in TraceScript(seed: seed).threads.joined() {
        #expect(TraceCall(step.call.description) == step.call)
      }
    }
  }

  @Test func `each mutation changes a trace, and the same seed in the same way`() throws {
    let text = """
      media silence.wav
      0 > play
      0 player opening
      0 player playing
      0 <
      1 player times

      """
    let trace = try #require(RecordedTrace(text))
    for mutation in Mutation.allCases {
      let changed = try #require(mutation.applied(to: trace, seed: 0), "\(mutation)")
      #expect(changed != trace && changed == mutation.applied(to: trace, seed: 0))
    }
  }
}
