import Dispatch

/// The one kind of background work: a serial queue that can also be an actor's executor.
///
/// What joins a thread of libVLC (stop, set_media, release, the release of a media being parsed) runs on one of
/// these and never on the main actor.
final class SerialQueue: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Runs `work` after everything that was enqueued before it.
  func async(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
