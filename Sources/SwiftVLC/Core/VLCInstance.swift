import ConcurrencySeam
public import VLCNative

/// A running libVLC: everything else is made from one. One a process is the rule; `shared` is that one.
///
/// An instance may be used from any isolation. It lives as long as any player or media made from it, and its
/// native side is released off the main actor.
public final class VLCInstance: Sendable {
  /// The arguments of `shared`: no title over the video, no preview of snapshots. Statistics stay on.
  public static let defaultArguments = ["--no-video-title-show", "--no-snapshot-preview"]

  let library: any NativeLibrary
  let native: NativeInstance
  /// Where what may wait for a thread of libVLC runs: logs, parses, releases.
  let queue: SerialQueue
  private let logs: LogSource
  // The shared instance is never released, and nobody waits for that.
  private let isCounted: Bool

  /// Starts libVLC. Takes some milliseconds, the first in a process some tens: not for a scrolling main actor.
  ///
  /// - Parameters:
  ///   - arguments: libVLC's own options, such as "--no-audio".
  ///   - applicationName: the name that servers and audio outputs are told, or nil for libVLC's.
  ///   - httpUserAgent: the user agent of HTTP requests, or nil for the application's name.
  ///   - library: the libVLC to use; the system's unless a test chooses another.
  /// - Throws: `VLCError.instanceCreationFailed` with the package to install, or the argument to look at.
  public convenience init(
    arguments: [String] = VLCInstance.defaultArguments, applicationName: String? = nil,
    httpUserAgent: String? = nil, library: (any NativeLibrary)? = nil
  ) throws(VLCError) {
    try self.init(
      arguments, applicationName: applicationName, httpUserAgent: httpUserAgent, library: library,
      isCounted: true)
  }

  /// - Parameter isCounted: whether `NativeObjects` counts it; false for one that is for good.
  package init(
    _ arguments: [String], applicationName: String? = nil, httpUserAgent: String? = nil,
    library: (any NativeLibrary)? = nil, isCounted: Bool
  ) throws(VLCError) {
    guard let library = library ?? defaultNativeLibrary() else {
      throw .instanceCreationFailed(
        reason: "this build has no libVLC: build with the package trait LibVLC, or pass a library.")
    }
    for argument in arguments where argument.contains("\0") {
      throw .invalidInput("A libVLC argument contains a zero byte: remove it.")
    }
    guard let native = library.newInstance(arguments: arguments) else {
      throw .instanceCreationFailed(reason: Self.advice(arguments, message: library.errorMessage()))
    }
    if isCounted { NativeObjects.enter(.instance) }
    self.isCounted = isCounted
    self.library = library
    self.native = native
    queue = SerialQueue(label: "org.swiftvlc.instance.\(native.identifier.number)")
    logs = LogSource(library: library, instance: native, queue: queue)
    if applicationName != nil || httpUserAgent != nil {
      let name = applicationName ?? "SwiftVLC"
      library.setUserAgent(native, name: name, http: httpUserAgent ?? name)
    }
  }

  deinit {
    logs.broadcaster.terminate()
    queue.async { [library, native, logs, isCounted] in
      // The log goes before the instance does.
      logs.broadcaster.settleDemand()
      library.releaseInstance(native)
      if isCounted { NativeObjects.leave(.instance) }
    }
  }

  private static func advice(_ arguments: [String], message: String?) -> String {
    let libVLCSays = message.map { " libVLC says: \($0)." } ?? ""
    return "its plug-ins were not found, or one of the arguments \(arguments) is unknown to it."
      + " Install the package vlc-plugin-base (Debian: apt-get install vlc-plugin-base) and check the arguments."
      + libVLCSays
  }

  // MARK: What it is

  /// Such as "3.0.24 Vetinari".
  public var version: String { library.version }
  /// The version of libVLC's binary interface; nil before 4.0.
  public var abiVersion: Int? { library.abiVersion }
  /// The compiler that built libVLC.
  public var compiler: String { library.compiler }
  /// What this libVLC can do; what it cannot throws `VLCError.unsupported`.
  public var capabilities: NativeCapabilities { library.capabilities }

  /// The names that servers and audio outputs are told.
  ///
  /// - Parameters:
  ///   - name: a readable name, such as "Sound Box 1.2".
  ///   - http: the user agent of HTTP requests, such as "SoundBox/1.2".
  public func setUserAgent(name: String, http: String) {
    library.setUserAgent(native, name: name, http: http)
  }

  /// What the application is to the desktop.
  ///
  /// - Parameters:
  ///   - id: a reverse domain name, such as "com.example.soundbox".
  ///   - version: such as "1.2".
  ///   - icon: the name of an icon, such as "soundbox".
  public func setAppID(_ id: String, version: String, icon: String) {
    library.setAppID(native, id: id, version: version, icon: icon)
  }

  /// libVLC's log from now on, the newest 128 lines a subscriber.
  ///
  /// The log is installed with the first subscriber of an instance and removed after the last.
  ///
  /// - Parameter minimumLevel: what is less grave is left out.
  public func logStream(minimumLevel: LogLevel = .warning) -> EventStream<LogEntry> {
    logs.broadcaster.subscribe(policy: .newest(Limits.logLines)) { $0.level >= minimumLevel }
  }
}

extension VLCInstance {
  // A guarded state machine rather than a `static let`: its maker reaches the native seam.
  private static let sharedState = Guarded<VLCInstance?>(nil)

  /// The instance that players and media use unless told otherwise, made at the first use.
  ///
  /// Traps with the package to install when libVLC cannot be started; `init` throws that instead. Making it blocks
  /// the caller: `prewarmShared` or `prepareShared` does that earlier and elsewhere.
  public static var shared: VLCInstance {
    // The lock is held over the making, so that a second caller waits for the first instead of starting another
    // libVLC. The making calls nothing of ours back: a new instance has no log, no events, no dialogs.
    sharedState.withLock { state in
      if let instance = state { return instance }
      do {
        let instance = try VLCInstance(
          defaultArguments, applicationName: nil, httpUserAgent: nil, library: nil, isCounted: false)
        state = instance
        return instance
      } catch {
        fatalError("VLCInstance.shared: \(error)")
      }
    }
  }

  /// Makes `shared` in the background; the task ends when it is there.
  @discardableResult
  public static func prewarmShared(priority: TaskPriority = .utility) -> Task<Void, Never> {
    Task.detached(priority: priority) { _ = shared }
  }

  /// Returns when `shared` is there; suspends the caller, blocks nobody's actor.
  public static func prepareShared(priority: TaskPriority = .userInitiated) async {
    await prewarmShared(priority: priority).value
  }
}

/// How much is kept where, each with its reason.
enum Limits {
  /// A screen or two of log lines: a reader that lags more wants the newest.
  static let logLines = 128
  /// Some seconds of the events of a busy player.
  static let convenientEvents = 64
}
