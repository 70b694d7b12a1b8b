import VLCNative

/// An instance's log as a lazy producer: installed for the first subscriber, removed after the last.
final class LogSource: Sendable {
  let broadcaster: Broadcaster<LogEntry>

  init(library: any NativeLibrary, instance: NativeInstance, queue: SerialQueue) {
    let receiver = LogReceiver(library: library)
    // The context is allocated once and freed with its installation, which the serial queue alone touches.
    let installation = LogInstallation()
    broadcaster = Broadcaster(
      demand: .init(
        queue: queue,
        attach: {
          installation.install(library: library, instance: instance, receiver: receiver)
          return true
        },
        detach: { installation.remove(library: library, instance: instance) }))
    receiver.broadcaster = broadcaster
  }
}

/// What libVLC's log callback reaches.
final class LogReceiver: Sendable {
  private let library: any NativeLibrary
  // Set once, before anything is installed.
  nonisolated(unsafe) fileprivate(set) weak var broadcaster: Broadcaster<LogEntry>?

  init(library: any NativeLibrary) {
    self.library = library
  }

  /// Called by the C formatter on any thread of libVLC's, the caller's of a native call too.
  static let function:
    @convention(c) @Sendable (
      UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, UnsafePointer<CChar>?
    ) -> Void = { opaque, level, origin, message in
      guard let opaque, let message else { return }
      let receiver = Unmanaged<LogReceiver>.fromOpaque(opaque).takeUnretainedValue()
      receiver.receive(level: level, origin: origin, message: message)
    }

  private func receive(level: Int32, origin: UnsafeRawPointer?, message: UnsafePointer<CChar>) {
    let origin = library.logOrigin(level: level, origin: origin)
    let entry = LogEntry(
      level: LogLevel(origin.level), message: String(cString: message), module: origin.module)
    broadcaster?.broadcast(
      LogEntry(level: LogNoiseFilter.level(of: entry), message: entry.message, module: entry.module))
  }
}

/// The native side of one log installation: the C context, and the receiver that it points at.
private final class LogInstallation: Sendable {
  // Touched by the instance's serial queue alone.
  nonisolated(unsafe) private var context: UnsafeMutablePointer<NativeLogContext>?

  func install(library: any NativeLibrary, instance: NativeInstance, receiver: LogReceiver) {
    precondition(context == nil, "a log is installed once at a time")
    let context = UnsafeMutablePointer<NativeLogContext>.allocate(capacity: 1)
    context.initialize(
      to: NativeLogContext(
        function: LogReceiver.function, opaque: Unmanaged.passRetained(receiver).toOpaque()))
    self.context = context
    library.setLog(instance, context: context)
  }

  func remove(library: any NativeLibrary, instance: NativeInstance) {
    guard let context = context.take() else { preconditionFailure("a log is removed once") }
    // Waits for a running callback; what it reads is freed after.
    library.unsetLog(instance)
    let receiver = Unmanaged<LogReceiver>.fromOpaque(context.pointee.opaque)
    context.deinitialize(count: 1)
    context.deallocate()
    receiver.release()
  }
}
