import Foundation

/// What a process holds of the system, to find out whether something was left behind.
public struct ProcessResources: Equatable, Sendable {
  public let threads: Int
  public let descriptors: Int

  /// What this process holds now.
  public static func now() -> ProcessResources {
    ProcessResources(threads: entries("/proc/self/task"), descriptors: entries("/proc/self/fd"))
  }

  private static func entries(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
  }
}
