#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The patches that `make mutants` breaks the engine with.
@Suite(.tags(.logic), .timeLimit(.minutes(10))) struct MutantTests {
  private let mutants = Repository.files(in: "Tests/Mutants", ending: ".patch")

  @Test func `there are at least thirty mutants, of many kinds, in files all over the engine`() {
    #expect(mutants.count >= 30)
    #expect(Set(mutants.compactMap(\.kind)).count > 12)
    #expect(Set(mutants.flatMap(\.changedFiles)).count > 12)
    let numbers = mutants.map { Int($0.name.prefix(2)) }
    #expect(numbers == Array(1...mutants.count), "they are numbered one after the other")
  }

  @Test func `each says of what kind it is, and what a user would see`() {
    for mutant in mutants {
      let header = mutant.header
      #expect(mutant.kind?.isEmpty == false, "\(mutant.path): its first line is `# kind: ...`")
      #expect(header.count > 1 && header.allSatisfy { $0.hasPrefix("# ") }, "\(mutant.path)")
      #expect(header.dropFirst().joined(separator: " ").count > 80, "\(mutant.path) says what it breaks")
    }
  }

  @Test func `each changes a few lines of the engine, or of what it stands on`() {
    for mutant in mutants {
      #expect((1...24).contains(mutant.changedLines.count), "\(mutant.path)")
      let isOfTheEngine = mutant.changedFiles.allSatisfy {
        $0.hasPrefix("Sources/SwiftVLC/") || $0.hasPrefix("Sources/ConcurrencySeam/")
      }
      #expect(!mutant.changedFiles.isEmpty && isOfTheEngine, "\(mutant.path)")
    }
  }

  @Test func `each applies to the sources of now`() async throws {
    for mutant in mutants {
      let refusal = try await Self.refusal(of: mutant.path, in: Repository.root)
      #expect(refusal == nil, "write it anew for the sources of now: \(refusal ?? "")")
    }
  }

  @Test
  func `a patch applies outside a repository, and not where the sources are others`() async throws {
    let mutant = try #require(mutants.first)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mutants-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var changed: [URL] = []
    for path in mutant.changedFiles + [mutant.path] {
      let copy = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Repository.text(path).write(to: copy, atomically: true, encoding: .utf8)
      if path != mutant.path { changed.append(copy) }
    }
    #expect(try await Self.refusal(of: mutant.path, in: folder) == nil)
    for file in changed { try "let other = 1\n".write(to: file, atomically: true, encoding: .utf8) }
    let refusal = try await Self.refusal(of: mutant.path, in: folder)
    #expect(refusal?.contains("does not apply") == true)
  }

  /// What git says against applying a patch in a folder; nil when it applies.
  private static func refusal(of patch: String, in folder: URL) async throws -> String? {
    // In a folder of a repository git takes a patch's paths for that one's, applies nothing, and says that all is well.
    let ceiling = folder.standardizedFileURL.deletingLastPathComponent().path
    let git = try ChildProcess(
      "/usr/bin/env",
      [
        "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES=\(ceiling)",
        "git", "-C", folder.path, "apply", "--check", folder.appendingPathComponent(patch).path,
      ])
    let complaint = await git.errors.everything { _ in true }
    return await git.status() == 0 ? nil : complaint
  }
}

extension Repository.File {
  fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
  private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  /// The lines before the first empty one.
  fileprivate var header: [Substring] { Array(lines.prefix { !$0.isEmpty }) }
  fileprivate var kind: Substring? {
    guard let first = lines.first, first.hasPrefix("# kind: ") else { return nil }
    return first.dropFirst("# kind: ".count)
  }
  fileprivate var changedFiles: [String] {
    lines.filter { $0.hasPrefix("+++ b/") }.map { String($0.dropFirst("+++ b/".count)) }
  }
  fileprivate var changedLines: [Substring] {
    lines.filter { line in
      (line.hasPrefix("+") || line.hasPrefix("-")) && !line.hasPrefix("+++ ") && !line.hasPrefix("--- ")
    }
  }
}
#endif
