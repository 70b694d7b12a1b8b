import CInterleaving
import ConcurrencySeam

/// Looks after worlds from a thread of its own: names what blocks outside every lock that a world knows, and loops that
/// pass no scheduling point.
///
/// It never judges by time alone. A block is a thread that the system says sleeps, in the same call with the same
/// arguments, and that used no processor time, over several looks. A loop is processor time that the thread used since
/// its last step.
final class Watchdog: Sendable {
  static let shared = Watchdog()

  struct Patient {
    unowned(unsafe) let world: World
    let verdict: @Sendable (Finding) -> Void
    var progress: UInt64 = .max
    var thread: Int32 = 0
    var call = ""
    var processorTime: UInt64 = 0
    var processTime: UInt64 = 0
    /// How sure it is that nothing will end the call.
    var suspicion = 0
  }

  private static let lookMicroseconds: UInt32 = 100_000
  // Three looks, where the process is idle but for this. While others of its threads use the processor, one of them may
  // hold what is waited for (the loader's lock, an allocator's), and it takes five seconds.
  private static let certain = 48
  private static let suspicionWhenIdle = 16
  private static let suspicionWhenBusy = 1
  private static let busyNanoseconds: UInt64 = 20_000_000

  // Held while a stack is asked for; nobody who takes it is a world's thread.
  private let patients = Guarded<[ObjectIdentifier: Patient]>([:])
  private let isRunning = ShortLock(false)

  func watch(_ world: World, verdict: @escaping @Sendable (Finding) -> Void) {
    patients.withLock { $0[ObjectIdentifier(world)] = Patient(world: world, verdict: verdict) }
    let starts = isRunning.withLock { isRunning in
      defer { isRunning = true }
      return !isRunning
    }
    guard starts else { return }
    ci_start_thread(
      { _ in
        ci_enter_kernel()
        while true {
          ci_pause(Watchdog.lookMicroseconds)
          Watchdog.shared.look()
        }
      }, nil)
  }

  func leave(_ world: World) {
    patients.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(world)) }
  }

  private func look() {
    // A verdict may come back to this table, so it is given outside.
    let verdicts = patients.withLock { patients in
      var verdicts: [(@Sendable (Finding) -> Void, Finding)] = []
      for (key, patient) in patients {
        var patient = patient
        if let finding = examine(&patient) {
          verdicts.append((patient.verdict, finding))
          patients[key] = nil
        } else {
          patients[key] = patient
        }
      }
      return verdicts
    }
    for (tell, finding) in verdicts { tell(finding) }
  }

  private func examine(_ patient: inout Patient) -> Finding? {
    let world = patient.world
    let state = world.scheduler.state
    guard world.record.pointee.phase == CI_RUNNING.rawValue, world.record.pointee.waits_outside == 0 else {
      patient.progress = .max
      return nil
    }
    let running = state.pointee.running
    let context =
      world.substrate == .fibers || running < 0 ? state.pointee.host : world.scheduler.context(of: running)
    let thread = context.map { ci_context_thread($0) } ?? 0
    let progress = Scheduler.mixed(state.pointee.execution, UInt64(state.pointee.steps))
    let processorTime = ci_processor_time(thread)
    guard progress == patient.progress, thread == patient.thread else {
      patient.progress = progress
      patient.thread = thread
      patient.processorTime = processorTime
      patient.suspicion = 0
      patient.call = ""
      return nil
    }
    let name = running < 0 ? "the world" : state.pointee.entities[running].name
    // Nought for a thread that is gone.
    let used = max(processorTime, patient.processorTime) - patient.processorTime
    if used > UInt64(state.pointee.options.hangSeconds * 1e9) {
      let stack = Finding.Stack(entity: name, frames: StackFrames.of(thread: thread))
      var finding = Finding(
        .hang,
        "\(name) used \(state.pointee.options.hangSeconds) s of processor time without a scheduling point: "
          + "a loop without end, or one that wants a point")
      finding.stacks = [stack]
      return finding
    }
    let call = systemCall(of: thread)
    guard !call.isEmpty, call == patient.call else {
      patient.call = call
      patient.processTime = ci_process_time()
      patient.suspicion = 0
      return nil
    }
    let processTime = ci_process_time()
    let isBusy = processTime &- patient.processTime > Self.busyNanoseconds
    patient.processTime = processTime
    patient.suspicion += isBusy ? Self.suspicionWhenBusy : Self.suspicionWhenIdle
    guard patient.suspicion >= Self.certain else { return nil }
    let words = call.split(separator: " ")
    var finding = Finding(
      .unmodelled,
      "\(name) sleeps in system call \(callName(words)) on \(words.count > 1 ? words[1] : "nothing"), "
        + "which the world does not know: nothing in it can end that")
    finding.stacks = [Finding.Stack(entity: name, frames: StackFrames.of(thread: thread))]
    return finding
  }

  /// The system's words for the call that a thread sleeps in; empty where it runs.
  private func systemCall(of thread: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      guard let start = text.baseAddress, ci_system_call(thread, start, text.count) else { return "" }
      return String(cString: start)
    }
  }

  private func callName(_ words: [Substring]) -> String {
    let names = [
      "0": "read", "1": "write", "7": "poll", "23": "select", "61": "wait4", "202": "futex",
      "232": "epoll_wait", "281": "epoll_pwait",
    ]
    return words.first.map { names[String($0)].map { "'\($0)'" } ?? String($0) } ?? ""
  }
}
