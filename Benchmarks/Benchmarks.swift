import Foundation

/// Ratios that were measured within one run, against their goals and the committed baseline.
///
///     benchmarks [--json] [--baseline FILE] [--playback PLAYER C-PROGRAM MEDIA PAIRS]
@main
enum Benchmarks {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    var rows: [Row] = []
    var baseline: [Row] = []
    var json = false
    var playback: (player: String, program: String, media: String, pairs: Int)?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--json": json = true
      case "--baseline":
        let file = arguments.popFirst() ?? ""
        baseline = try JSONDecoder().decode([Row].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
      case "--playback":
        playback = (
          arguments.popFirst() ?? "", arguments.popFirst() ?? "", arguments.popFirst() ?? "",
          arguments.popFirst().flatMap { Int($0) } ?? 15
        )
      default:
        print("there is no option \"\(argument)\"")
        exit(2)
      }
    }
    #if LibVLC
    for subscribers in [1, 10, 100] { rows.append(await StreamRows.broadcast(subscribers: subscribers)) }
    rows.append(await StreamRows.consume())
    #endif
    rows.append(await LockRow.row())
    #if LibVLC
    if let playback {
      rows += try PlaybackRow.rows(
        player: playback.player, reference: playback.program, media: playback.media, pairs: playback.pairs)
    }
    #endif
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(rows), as: UTF8.self))
    } else {
      for row in rows { print(line(row, baseline: baseline.first { $0.name == row.name })) }
    }
  }

  private static func line(_ row: Row, baseline: Row?) -> String {
    let figures = String(
      format: "%-22@ %7.4f  goal %5.2f %@  (%.1f against %.1f ns)", row.name as NSString, row.figure,
      row.goal,
      (row.met ? "met" : "MISSED") as NSString, row.subject, row.reference)
    return figures + (baseline.map { String(format: "  baseline %.4f", $0.figure) } ?? "")
  }
}
