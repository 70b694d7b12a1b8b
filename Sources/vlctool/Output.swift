import Glibc
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stream of lines, with one line at its end that is overwritten on a terminal.
final class Output: Sendable {
  static let standard = Output(STDOUT_FILENO)

  private let descriptor: Int32
  let isTerminal: Bool
  private let isClosed = Atomic(false)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Whether the reader went away.
  var isOver: Bool { isClosed.load(ordering: .relaxed) }

  func line(_ text: String) {
    write((isTerminal ? "\r\u{1B}[K" : "") + text + "\n")
  }

  /// One JSON object on a line of its own.
  func json(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let data = try? encoder.encode(value) else { return }
    write(String(decoding: data, as: UTF8.self) + "\n")
  }

  /// The line that the next one overwrites; nothing when nobody looks.
  func progress(_ text: String) {
    if isTerminal { write("\r\u{1B}[K" + text) }
  }

  private func write(_ text: String) {
    guard !isOver else { return }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        isClosed.store(true, ordering: .relaxed)
        return
      }
    }
  }

  /// A sentence for the person at the terminal.
  static func complain(_ text: String) {
    Output(STDERR_FILENO).line("vlctool: \(text)")
  }
}
