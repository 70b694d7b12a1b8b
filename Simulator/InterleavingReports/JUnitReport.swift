public import Foundation

/// Reports as JUnit XML, which continuous integration reads: one test case a body.
public struct JUnitReport {
  private let reports: [Report]

  public init(_ reports: [Report]) { self.reports = reports }

  public func xml() -> Data {
    let failures = reports.count { $0.finding != nil }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuite name="interleave" tests="\#(reports.count)" failures="\#(failures)" errors="0">"#,
    ]
    for report in reports {
      let seconds = String(format: "%.3f", report.seconds)
      let start =
        #"  <testcase classname="interleave" name="\#(Self.escaped(report.body))" time="\#(seconds)""#
      guard let finding = report.finding else {
        lines.append(start + "/>")
        continue
      }
      lines.append(start + ">")
      lines.append(
        #"    <failure type="\#(finding.kind)" message="\#(Self.escaped(finding.sentence))">"#
          + Self.escaped(([finding.replay] + finding.stacks).joined(separator: "\n")) + "</failure>")
      lines.append("  </testcase>")
    }
    lines.append("</testsuite>")
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t", "\r": escaped += "&#\(scalar.value);"
      // No document may hold the others, escaped or not.
      case _ where scalar.value < 32: escaped += "?"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
