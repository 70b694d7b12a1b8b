#if LibVLC
import Foundation
import MediaFixtures
import TestSupport
import Testing

/// One run of the command, as a shell would see it.
struct ToolRun {
  let status: Int32
  let output: String
  let errors: String

  /// The objects of `--json`, one a line.
  var objects: [[String: Any]] {
    output.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  var summary: [String: Any] { objects.last ?? [:] }

  /// Runs the command that was built beside this test.
  static func vlctool(_ arguments: String..., stop: (after: String, with: Int32)? = nil) async throws
    -> ToolRun
  {
    try await run(tool, arguments, stop: stop)
  }

  static func with(_ arguments: [String]) async throws -> ToolRun { try await run(tool, arguments) }

  /// Runs the command where libVLC's plug-ins are hidden, in a mount namespace of its own.
  static func hidingPlugins(_ arguments: String...) async throws -> ToolRun {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("scripts/hide.sh")
    return try await run(script, ["plugins", tool.path] + arguments)
  }

  /// Plays a copy of a fixture that only the superuser may read, as somebody else.
  static func unprivileged(file: String) async throws -> ToolRun {
    // Where somebody else may go: the build folder may be closed to them.
    let folder = URL(fileURLWithPath: "/tmp/vlctool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let media = folder.appendingPathComponent(file)
    let copy = folder.appendingPathComponent("vlctool")
    try FileManager.default.copyItem(atPath: MediaFixtures.path(file), toPath: media.path)
    // Another process copies: a descriptor of ours that writes the copy may be inherited by a child of another test,
    // and what is open for writing cannot be run.
    _ = try await run(URL(fileURLWithPath: "/bin/cp"), [tool.path, copy.path])
    chmod(folder.path, 0o755)
    chmod(copy.path, 0o755)
    chmod(media.path, 0)
    return try await run(
      URL(fileURLWithPath: "/usr/bin/setpriv"),
      ["--reuid=65534", "--regid=65534", "--clear-groups", copy.path, "play", media.path])
  }

  private static func run(
    _ executable: URL, _ arguments: [String], stop: (after: String, with: Int32)? = nil
  ) async throws -> ToolRun {
    let child = try ChildProcess(executable.path, arguments)
    async let output = child.output.everything { text in
      guard let stop, text.contains(stop.after) else { return false }
      kill(child.identifier, stop.with)
      return true
    }
    async let errors = child.errors.everything { _ in true }
    let (text, complaint) = await (output, errors)
    return ToolRun(status: await child.status(), output: text, errors: complaint)
  }

  static var tool: URL {
    // The test bundle lies where SwiftPM puts the products.
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(
      "vlctool")
  }
}
#endif
