import Foundation

/// One run of a command that was built beside this test.
public struct CommandRun: Sendable {
  public let status: Int32
  public let output: String
  public let errors: String

  /// - Parameter tool: the name of the executable product.
  public init(tool: String, _ arguments: [String]) async throws {
    let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let tool = URL(fileURLWithPath: itself).deletingLastPathComponent().appendingPathComponent(tool)
    let child = try ChildProcess(tool.path, arguments)
    async let errors = child.errors.everything { _ in true }
    output = await child.output.everything { _ in true }
    self.errors = await errors
    status = await child.status()
  }

  /// What it printed, where that is an object of JSON.
  public var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]) ?? [:]
  }
}
