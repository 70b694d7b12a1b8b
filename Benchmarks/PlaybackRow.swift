#if LibVLC
import Foundation

/// The processor time of a whole playback through the engine, against a minimal C program on libVLC that does the same.
///
/// Each playback is a process of its own, measured from the start of `main` to the last native release.
enum PlaybackRow {
  /// Runs the three programs in rotation; the C program twice, to show how far equal programs differ.
  static func rows(player: String, reference: String, media: String, pairs: Int) throws -> [Row] {
    var engine: [Double] = []
    var c: [Double] = []
    var again: [Double] = []
    for pair in 0..<pairs {
      let turns: [() throws -> Void] = [
        { engine.append(try run(player, [media])) },
        { c.append(try run(reference, [media])) },
        { again.append(try run(reference, [media])) },
      ]
      for turn in 0..<turns.count { try turns[(turn + pair) % turns.count]() }
      FileHandle.standardError.write(
        Data("playback \(pair + 1)/\(pairs): \(engine[pair]) \(c[pair]) \(again[pair])\n".utf8))
    }
    let mean = { (numbers: [Double]) in numbers.reduce(0, +) / Double(numbers.count) }
    let both = (mean(c) + mean(again)) / 2
    return [
      Row(
        name: "playback", figure: mean(engine) / both, unit: "ratio", goal: 1.05, subject: mean(engine) * 1e9,
        reference: both * 1e9),
      Row(
        name: "playback.c-against-c", figure: mean(c) / mean(again), unit: "ratio", goal: 1.05,
        subject: mean(c) * 1e9, reference: mean(again) * 1e9),
    ]
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let figure = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw BenchmarkError(description: "\(program) failed with status \(process.terminationStatus)") }
    return figure
  }
}

struct BenchmarkError: Error, CustomStringConvertible { let description: String }
#endif
