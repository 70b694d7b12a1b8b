import CInterleaving
import Synchronization

/// A lock for a few instructions between a world's thread and one outside, which the scheduler's own code may take: it
/// waits for nobody that waits.
final class ShortLock<Value>: @unchecked Sendable {
  // Its waiters sleep: where threads outnumber processors, spinning kept the holder from ever letting go under ThreadSanitizer.
  private let word: UnsafeMutablePointer<UInt32>
  private var value: Value

  init(_ value: Value) {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
    self.value = value
  }

  deinit { word.deallocate() }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    ci_short_lock(word)
    defer { ci_short_unlock(word) }
    return body(&value)
  }
}

/// The tasks of a world that have not ended, with where each was made.
final class TaskTable: Sendable {
  private struct Live {
    let task: UnsafeMutableRawPointer
    let number: UInt64
    let makers: (UInt, UInt)
  }
  private struct Tasks {
    // In the order of their making; the latest ends first more often than not.
    var live: [Live] = []
    var heldBack = 0
  }
  private let tasks = ShortLock(Tasks())

  var isEmpty: Bool { tasks.withLock { $0.live.isEmpty } }

  func made(_ task: UnsafeMutableRawPointer, makers: (UInt, UInt)) {
    let made = Live(task: task, number: ci_task_number(task), makers: makers)
    tasks.withLock { $0.live.append(made) }
  }

  func ended(_ task: UnsafeMutableRawPointer) {
    tasks.withLock { tasks in
      guard let place = tasks.live.lastIndex(where: { $0.task == task }) else { return }
      tasks.live.remove(at: place)
    }
  }

  /// Whether the task is one of these; it is counted then.
  func holdsBack(_ task: UnsafeMutableRawPointer, number: UInt64) -> Bool {
    tasks.withLock { tasks in
      guard tasks.live.contains(where: { $0.task == task && $0.number == number }) else { return false }
      tasks.heldBack += 1
      return true
    }
  }

  var heldBack: Int { tasks.withLock { $0.heldBack } }

  func removeAll() {
    tasks.withLock { tasks in
      tasks.live.removeAll(keepingCapacity: true)
      tasks.heldBack = 0
    }
  }

  /// Who waits for ever, where each goes on and where it was made.
  func description(isBodyDone: Bool) -> String {
    let live = tasks.withLock { $0.live }
    let sentences = live.prefix(8).map { task in
      let resumes = StackFrames.name(of: UInt(bitPattern: ci_task_resumes_at(task.task)) + 1)
      let maker = StackFrames.name(of: task.makers.0)
      let isLibrarys = maker.hasPrefix("Swift.") || maker.hasPrefix("(extension in Swift)")
      let origin = isLibrarys ? StackFrames.name(of: task.makers.1) : maker
      return "a task made in \(origin) waits in \(resumes)"
    }
    let body = isBodyDone ? [] : ["the body does not return"]
    let more = live.count > 8 ? ["so do \(live.count - 8) tasks more"] : []
    return (body + sentences + more).joined(separator: "; ") + ": nobody is left to resume it"
  }
}

/// All worlds, where a thread of none of them can look whether a task is one's: also one that an execution left behind.
enum Worlds {
  private static let tables = ShortLock<[TaskTable]>([])
  /// Jobs of worlds that threads outside enqueued, in the process's life.
  private static let foreign = Atomic(0)

  static func add(_ tasks: TaskTable) {
    tables.withLock { $0.append(tasks) }
    ci_add_running(1)
  }

  static func remove(_ tasks: TaskTable) {
    tables.withLock { $0.removeAll { $0 === tasks } }
    ci_add_running(-1)
  }

  static func holdsBack(_ task: UnsafeMutableRawPointer) -> Bool {
    let number = ci_task_number(task)
    let isHeld = tables.withLock { $0.contains { $0.holdsBack(task, number: number) } }
    if isHeld { foreign.add(1, ordering: .relaxed) }
    return isHeld
  }

  static var foreignEnqueues: Int { foreign.load(ordering: .relaxed) }
}
