import ConcurrencySeam
import Foundation
import Interleaving
import TestSupport
import Testing

/// What ThreadSanitizer says of a program under an explored schedule: the schedule hands a token from thread to thread,
/// and must not hide that the program itself orders nothing.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct SanitizerTests {
  private static let isPlanted = ProcessInfo.processInfo.environment["INTERLEAVING_PLANTED_RACE"] != nil
  private static let underThreadSanitizer = dlsym(nil, "__tsan_acquire") != nil

  private final class Cell: @unchecked Sendable {
    var bare = 0
    let lock = Guarded(0)
  }

  @Test(.enabled(if: isPlanted)) func plantedRace() async {
    await explored { cell, world in
      world.point()
      cell.bare += 1
      world.point()
    }
  }

  @Test func `a locked cell is silent under every explored schedule`() async {
    await explored { cell, world in
      world.point()
      cell.lock.withLock { $0 += 1 }
      world.point()
    }
  }

  @Test(.enabled(if: underThreadSanitizer))
  func `a planted race is reported under an explored schedule`() async throws {
    let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let child = try ChildProcess(
      "/usr/bin/env",
      [
        "INTERLEAVING_PLANTED_RACE=1", "TSAN_OPTIONS=halt_on_error=0:exitcode=66", itself,
        "--testing-library", "swift-testing", "--filter", "plantedRace",
      ])
    async let output = child.output.everything { _ in true }
    let errors = await child.errors.everything { _ in true }
    _ = await output
    #expect(await child.status() == 66)
    // It has a name of its own for two accesses that Swift says modify.
    #expect(errors.contains("WARNING: ThreadSanitizer: Swift access race") || errors.contains("data race"))
    #expect(errors.contains("plantedRace"))
  }

  /// Foundation asks for the thread's number in the last of a thread's destructors, after ThreadSanitizer's own: an
  /// instrumented function there crashes where it meets the end of a page of the thread's trace.
  @Test(.enabled(if: underThreadSanitizer)) func `a thread that ends may call what is interposed`() async {
    for calls in 0..<600 {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          Thread.current.threadDictionary["kept"] = calls
          for _ in 0..<calls { Self.enter() }
          continuation.resume()
        }
      }
    }
  }

  @inline(never) private static func enter() {}

  private func explored(_ access: @escaping @Sendable (Cell, World) -> Void) async {
    var options = ExplorationOptions(executions: 20)
    options.substrate = .threads
    let exploration = await explore("cell", options) { world in
      let cell = Cell()
      world.spawn("other") { access(cell, world) }
      access(cell, world)
    }
    #expect(exploration.finding == nil && exploration.executions == 20)
  }
}
