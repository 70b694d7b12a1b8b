import CommandOptions
import Foundation
import InterleavingReports

/// A file that a report is written to.
struct ReportFile {
  private let kind: String
  private let path: String

  /// - Parameter kind: html, trace or junit.
  init(_ kind: String, _ path: String) {
    self.kind = kind
    self.path = path
  }

  func write(_ report: Report) throws {
    let data =
      switch kind {
      case "html": try HTMLReport(report).html()
      case "trace": try PerfettoTrace(report).json()
      default: JUnitReport([report]).xml()
      }
    do {
      try data.write(to: URL(filePath: path))
    } catch {
      throw UsageError(reason: "\"\(path)\" cannot be written: name a file in a directory that is there")
    }
  }
}
