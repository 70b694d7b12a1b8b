public import Foundation
import Synchronization
public import VLCNative

/// What a stage is built on: a library, its media and the threads of its world.
public struct Harness: Sendable {
  /// The library under test.
  public let library: any NativeLibrary
  /// Where its media are.
  public let media: any MediaSource
  /// Starts a thread that runs a body once.
  public let spawn: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  /// A number of the running thread that no other thread has, or ever had.
  public let currentThread: @Sendable () -> UInt64
  /// How long a check waits for what does not come, in seconds: only a guard against hanging, on which no rule depends.
  public let patience: TimeInterval
  /// The name that the library gave the running thread; nil where it has none, or is not the library's.
  public let threadName: @Sendable () -> String?
  /// Told before the call that a rule is about ("calls") and after it ("returned").
  public let announce: @Sendable (String) -> Void

  public init(
    library: any NativeLibrary, media: any MediaSource,
    spawn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = Harness.detachThread,
    currentThread: @escaping @Sendable () -> UInt64 = Harness.threadNumber,
    threadName: @escaping @Sendable () -> String? = { nil }, patience: TimeInterval = 20,
    announce: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.library = library
    self.media = media
    self.spawn = spawn
    self.currentThread = currentThread
    self.patience = patience
    self.threadName = threadName
    self.announce = announce
  }

  /// The same harness with another listener for announcements.
  public func announcing(to announce: @escaping @Sendable (String) -> Void) -> Harness {
    Harness(
      library: library, media: media, spawn: spawn, currentThread: currentThread, threadName: threadName,
      patience: patience,
      announce: announce)
  }
}

extension Harness {
  /// The same harness with other threads.
  public func onThreads(
    spawn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    current: @escaping @Sendable () -> UInt64
  ) -> Harness {
    Harness(
      library: library, media: media, spawn: spawn, currentThread: current, threadName: threadName,
      patience: patience,
      announce: announce)
  }

  /// A thread of the system.
  public static let detachThread: @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
    Thread.detachNewThread { body() }
  }

  /// A thread's own number: its address is used again as soon as it ended.
  public static let threadNumber: @Sendable () -> UInt64 = {
    if let number = pthread_getspecific(numberKey) { return UInt64(UInt(bitPattern: number)) }
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    pthread_setspecific(numberKey, UnsafeRawPointer(bitPattern: number))
    return UInt64(number)
  }

  private static let lastNumber = Atomic<UInt>(0)

  private static let numberKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
}

/// Names media that a library can open.
public protocol MediaSource: Sendable {
  /// The path of a fixture by its name: "tour.mkv", "broken/junk.mkv", "captions/lorem.srt".
  func path(_ fixture: String) -> String
  /// The path of a film of a picture and a sound track, as long as the recordings of libVLC 4.0 have them.
  func filmPath(milliseconds: Int) -> String
  /// What was recorded of libVLC 4.0, by the name of its file.
  func recording(_ name: String) throws -> String
  /// A path where nothing is.
  var missingPath: String { get }
  /// A fixture's bytes, for byte sources.
  func bytes(_ fixture: String) -> [UInt8]
  /// A path that a picture can be written to.
  func outputPath(_ name: String) -> String
  /// A file that opens, and whose reading never ends.
  func makeStalledFile() throws -> any StalledFile
  /// A server that plays "silence.wav" to whoever logs in.
  func makeLoginServer() throws -> any LoginServer
}

/// A file whose reading never ends while it is open.
public protocol StalledFile: Sendable {
  var path: String { get }
  /// Returns when the library has opened the file.
  func waitUntilOpened()
  func close()
}

/// A server that asks for the name "Ada" and the password "engine".
public protocol LoginServer: Sendable {
  /// The address of a sound that it serves.
  var location: String { get }
  func close()
}
