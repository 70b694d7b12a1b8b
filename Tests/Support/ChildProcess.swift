public import Foundation

/// A process that a test starts, by the system's own call: what Foundation starts is not free of leaks.
public struct ChildProcess: Sendable {
  public struct Failure: Error { public let code: Int32 }

  public let identifier: pid_t
  public let output: PipeEnd
  public let errors: PipeEnd

  /// Starts a program, with nothing on its standard input.
  public init(_ path: String, _ arguments: [String]) throws {
    let (outputRead, outputWrite) = try PipeEnd.pair()
    let (errorRead, errorWrite) = try PipeEnd.pair()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputWrite.descriptor, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errorWrite.descriptor, STDERR_FILENO)
    var vector = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for text in vector { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, nil, &vector, environ)
    guard code == 0 else { throw Failure(code: code) }
    identifier = child
    output = outputRead
    errors = errorRead
  }

  /// The exit status, or 128 and the number of the signal that ended it.
  public func status() async -> Int32 {
    await onOwnThread { [identifier] in
      var raw: Int32 = 0
      while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
      let signal = raw & 0x7F
      return signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
    }
  }
}

/// Runs what blocks on a thread of its own: the tasks' threads are as few as the processors.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// One end of a pipe, closed with its last reference and not inherited by other children.
public final class PipeEnd: Sendable {
  let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  static func pair() throws -> (read: PipeEnd, write: PipeEnd) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ChildProcess.Failure(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (PipeEnd(ends[0]), PipeEnd(ends[1]))
  }

  /// What the pipe brings until its end; `onText` sees it grow until it answers true.
  public func everything(onText: @escaping @Sendable (String) -> Bool) async -> String {
    await onOwnThread { [self] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var isSettled = false
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
        if !isSettled { isSettled = onText(String(decoding: bytes, as: UTF8.self)) }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
