import Foundation

/// The sources of this package, as files.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  struct File {
    /// Relative to the root.
    let path: String
    let text: String

    /// The modules that a Swift file imports.
    var imports: Set<String> {
      let lines = text.split(separator: "\n")
      let modules = lines.compactMap { line -> String? in
        var words = line.split(separator: " ")[...]
        while let word = words.first, word.hasPrefix("@") || ["public", "internal"].contains(word) {
          words.removeFirst()
        }
        guard words.popFirst() == "import", let module = words.first else { return nil }
        return String(module.split(separator: ".")[0])
      }
      return Set(modules)
    }
  }

  /// The files below a folder with an ending, in order.
  static func files(in folder: String, ending: String) -> [File] {
    let base = root.appendingPathComponent(folder)
    guard let enumerator = FileManager.default.enumerator(atPath: base.path) else { return [] }
    let names = enumerator.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
    return names.compactMap { name in
      (try? String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)).map {
        File(path: "\(folder)/\(name)", text: $0)
      }
    }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
