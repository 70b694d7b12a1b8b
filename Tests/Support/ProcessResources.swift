import Foundation

/// What a process holds of the system, to find out whether something was left behind.
public struct ProcessResources: Equatable, Sendable {
  /// Threads but for Dispatch's workers, which stay idle for a while.
  public let threads: Int
  public let descriptors: Int

  /// What this process holds now.
  public static func now() -> ProcessResources {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let names = tasks.map {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) ?? ""
    }
    let threads = names.filter { !$0.contains("-qos") }.count
    return ProcessResources(threads: threads, descriptors: entries("/proc/self/fd"))
  }

  private static func entries(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
  }
}
