public import Foundation

/// A report as one page without anything beside it: the swim lanes of the finding can be stepped through.
public struct HTMLReport {
  private let report: Report

  public init(_ report: Report) { self.report = report }

  public func html() throws -> Data {
    // In a script element only "</" could end the data early.
    let data = String(decoding: try report.json(), as: UTF8.self).replacingOccurrences(of: "</", with: "<\\/")
    return Data(
      HTMLPage.text
        .replacingOccurrences(of: "TITLE", with: report.body.replacingOccurrences(of: "<", with: "&lt;"))
        .replacingOccurrences(of: "DATA", with: data).utf8)
  }
}
