extension Duration {
  /// Whole milliseconds, towards zero, saturating at the ends of `Int64`.
  public var milliseconds: Int64 { scaled(unitsPerSecond: 1_000, attosecondsPerUnit: 1_000_000_000_000_000) }

  /// Whole microseconds, towards zero, saturating at the ends of `Int64`.
  public var microseconds: Int64 { scaled(unitsPerSecond: 1_000_000, attosecondsPerUnit: 1_000_000_000_000) }

  /// Hours (when there are any), minutes and seconds, such as "1:02:03", "2:03" or "-0:05".
  public var formatted: String {
    let total = components.seconds.magnitude
    let isNegative = self < .zero && total > 0
    let (hours, minutes, seconds) = (total / 3_600, total / 60 % 60, total % 60)
    let tail = "\(hours > 0 ? padded(minutes) : "\(minutes)"):\(padded(seconds))"
    return (isNegative ? "-" : "") + (hours > 0 ? "\(hours):" : "") + tail
  }

  /// Seconds as a floating-point number.
  public var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }

  private func padded(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func scaled(unitsPerSecond: Int64, attosecondsPerUnit: Int64) -> Int64 {
    let (whole, overflowed) = components.seconds.multipliedReportingOverflow(by: unitsPerSecond)
    let (sum, overflowedAgain) = whole.addingReportingOverflow(components.attoseconds / attosecondsPerUnit)
    return overflowed || overflowedAgain ? (self < .zero ? .min : .max) : sum
  }
}
