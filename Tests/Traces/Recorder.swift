import Conformance
import Foundation
public import VLCNative

/// Runs scripts on a library and writes down what happens.
public struct Recorder: Sendable {
  private let library: any NativeLibrary
  private let path: @Sendable (String) -> String

  /// - Parameters:
  ///   - library: on whose threads the events come.
  ///   - path: of a fixture by its name.
  public init(_ library: any NativeLibrary, path: @escaping @Sendable (String) -> String) {
    self.library = library
    self.path = path
  }

  /// What a script led to. Waits for as long as the script does.
  public func record(_ script: TraceScript) -> RecordedTrace? {
    let log = Log()
    log.note(thread: Harness.threadNumber(), nil)
    guard
      let rig = Rig(
        library, paths: script.media.map(path), told: { log.note(thread: Harness.threadNumber(), $0) })
    else { return nil }
    let group = DispatchGroup()
    for steps in script.threads.dropFirst() {
      group.enter()
      Thread.detachNewThread {
        for step in steps { log.perform(step, on: rig) }
        group.leave()
      }
    }
    for step in script.threads.first ?? [] { log.perform(step, on: rig) }
    group.wait()
    for call in [TraceCall.stop, .detach] { log.perform(TraceScript.Step(delay: 0, call: call), on: rig) }
    rig.close()
    return RecordedTrace(media: script.media, lines: log.lines)
  }

  private final class Log: @unchecked Sendable {
    // Unchecked: the variables are touched under the lock alone.
    private let lock = NSLock()
    private var numbers: [UInt64: Int] = [:]
    private var filter = RunFilter()
    private var stored: [TraceLine] = []
    private let start = ContinuousClock.now

    var lines: [TraceLine] { lock.withLock { stored } }

    /// Notes a line of a thread's; nil only gives the thread its number.
    func note(thread: UInt64, _ text: String?) {
      lock.withLock {
        let number = numbers[thread] ?? numbers.count
        numbers[thread] = number
        guard let text else { return }
        var line = TraceLine(thread: number, text: text)
        if line.isBegin { line.moment = Int((ContinuousClock.now - start) / .milliseconds(1)) }
        if filter.keeps(line) { stored.append(line) }
      }
    }

    func perform(_ step: TraceScript.Step, on rig: Rig) {
      if step.delay > 0 { usleep(step.delay) }
      let thread = Harness.threadNumber()
      note(thread: thread, "> \(step.call)")
      let result = rig.perform(step.call)
      note(thread: thread, result.isEmpty ? "<" : "< \(result)")
    }
  }
}
