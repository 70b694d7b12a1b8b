import CommandOptions
import SwiftVLC

/// What `play` was asked.
struct PlayOptions {
  enum OutputChoice: String { case auto, none }

  var sources: [String] = []
  var json = false
  var audio = OutputChoice.auto
  var video = OutputChoice.auto
  var start: Duration?
  var stopAfter: Duration?
  var rate: PlaybackRate?
  var volume: Volume?
  var loop = 1

  init(_ arguments: [String]) throws(UsageError) {
    let names = ["json", "audio:", "video:", "start:", "stop-after:", "rate:", "volume:", "loop:"]
    let parsed = try CommandLineOptions(arguments, options: names)
    for (name, value) in parsed.options {
      switch name {
      case "json": json = true
      case "audio": audio = try Self.choice(name, value)
      case "video": video = try Self.choice(name, value)
      case "start": start = try Self.time(name, value)
      case "stop-after": stopAfter = try Self.time(name, value)
      case "rate": rate = PlaybackRate(try Self.number(name, value, in: 0.25...4))
      case "volume": volume = Volume(try Self.number(name, value, in: 0...2))
      default: loop = Int(try Self.number(name, value, in: 1...1_000_000))
      }
    }
    sources = parsed.operands
    if sources.isEmpty { throw UsageError(reason: "play needs a file or a location") }
  }

  private static func choice(_ name: String, _ value: String) throws(UsageError) -> OutputChoice {
    guard let choice = OutputChoice(rawValue: value) else {
      throw UsageError(reason: "--\(name) is auto or none, not \"\(value)\"")
    }
    return choice
  }

  private static func number(_ name: String, _ value: String, in range: ClosedRange<Float>) throws(UsageError)
    -> Float
  {
    guard let number = Float(value), range.contains(number) else {
      throw UsageError(
        reason: "--\(name) is a number from \(range.lowerBound) to \(range.upperBound), not \"\(value)\"")
    }
    return number
  }

  /// Seconds, minutes and seconds, or hours, minutes and seconds.
  static func time(_ name: String, _ value: String) throws(UsageError) -> Duration {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    let seconds = parts.reduce(0.0) { $0 * 60 + $1 }
    guard (1...3).contains(parts.count), parts.allSatisfy({ $0 >= 0 }), seconds < 1e9 else {
      throw UsageError(reason: "--\(name) is a time such as 90, 1:30 or 1:02:03, not \"\(value)\"")
    }
    return .seconds(seconds)
  }
}

/// What `probe` was asked.
struct ProbeOptions {
  let sources: [String]
  let json: Bool

  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try CommandLineOptions(arguments, options: ["json"])
    json = !parsed.options.isEmpty
    sources = parsed.operands
    if sources.isEmpty { throw UsageError(reason: "probe needs a file or a location") }
  }
}
