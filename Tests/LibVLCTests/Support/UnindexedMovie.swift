#if LibVLC
/// An AVI movie of raw pictures whose index is missing, which makes libVLC ask whether to build one.
///
/// It is larger than the ten megabytes above which libVLC shows the progress of building.
enum UnindexedMovie {
  static let frameCount = 64

  /// The whole file.
  static let bytes: [UInt8] = {
    let movie = list("movi", (0..<frameCount).map { chunk("00db", picture($0)) })
    return chunk("RIFF", ascii("AVI ") + headers + movie)
  }()

  private static let side: UInt32 = 256

  private static let headers: [UInt8] = {
    let main: [UInt32] = [
      40_000, 0, 0, 0x10, UInt32(frameCount), 0, 1, 0, side, side, 0, 0, 0, 0,
    ]
    // Type and handler, flags, priority, initial frames, scale, rate, start, length, buffer, quality,
    // sample size and frame.
    let stream =
      ascii("vids") + ascii("DIB ")
      + words([0, 0, 0, 1, 25, 0, UInt32(frameCount), side * side * 3, 0, 0, 0, side << 16 | side])
    let format = words([40, side, side, 24 << 16 | 1, 0, side * side * 3, 0, 0, 0, 0])
    return list(
      "hdrl",
      [chunk("avih", words(main)), list("strl", [chunk("strh", stream), chunk("strf", format)])])
  }()

  private static func picture(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(number), count: Int(side * side * 3))
  }

  private static func list(_ name: String, _ chunks: [[UInt8]]) -> [UInt8] {
    chunk("LIST", ascii(name) + chunks.joined())
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    ascii(name) + words([UInt32(content.count)]) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func words(_ values: [UInt32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
  }
}
#endif
