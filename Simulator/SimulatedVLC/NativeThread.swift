import Foundation
import Interleaving

/// A thread of the library's own: one of the world's inside a world, else one of the system's.
enum NativeThread {
  /// What a thread is there for; named as libVLC 4.0 names its threads, where that was seen.
  enum Role: Int, CaseIterable {
    case input, videoDecoder, videoOutput, audioOutput, playerEnd, preparser, parser, thumbnailer, listPlayer,
      prefetch
    case mediaDiscoverer, rendererDiscoverer

    var name: String {
      switch self {
      case .input: "vlc-input"
      case .videoDecoder: "vlc-dec-video"
      case .videoOutput: "vlc-vout"
      case .audioOutput: "audio output"
      case .playerEnd: "vlc-player-end"
      case .preparser: "vlc-run-prepars"
      case .parser: "parser"
      case .thumbnailer: "thumbnailer"
      case .listPlayer: "list player"
      case .prefetch: "prefetch"
      case .mediaDiscoverer: "media discoverer"
      case .rendererDiscoverer: "renderer discoverer"
      }
    }
  }

  private static let slot = ThreadSlot()

  /// What the calling thread is there for; nil for one that is not the library's.
  static var role: Role? { slot.value.flatMap(Role.init) }
  /// A number of the calling thread's, while it runs.
  static var key: UInt64 { World.currentThread ?? UInt64(pthread_self()) }

  static func start(_ role: Role, _ body: @escaping @Sendable () -> Void) {
    let run = { @Sendable in
      slot.value = role.rawValue
      body()
      slot.value = nil
    }
    if let world = World.current {
      world.spawn(role.name, run)
    } else {
      let thread = Thread(block: run)
      thread.name = role.name
      thread.start()
    }
  }
}

/// A small number that each thread has for itself, in a world each of the world's.
///
/// What a thread of control left when its execution was given up is not the next one's: each value is kept with its thread's key.
final class ThreadSlot: @unchecked Sendable {
  // Unchecked: the key is made once.
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
  }

  var value: Int? {
    get {
      let bits = UInt(bitPattern: pthread_getspecific(key))
      return bits & 0xFF > 0 && bits & ~0xFF == Self.owner ? Int(bits & 0xFF) - 1 : nil
    }
    set {
      let bits = newValue.map { Self.owner | UInt($0 + 1) } ?? 0
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: bits))
    }
  }

  private static var owner: UInt { UInt(truncatingIfNeeded: NativeThread.key) << 8 }
}

/// State that threads wait for changes of.
final class Monitor<State>: @unchecked Sendable {
  private let condition = NSCondition()
  private var state: State

  init(_ state: State) { self.state = state }

  /// Reads or changes the state, and wakes everybody who waits.
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    let result = body(&state)
    condition.broadcast()
    return result
  }

  /// Reads the state, or changes what nobody waits for.
  func read<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }

  /// Waits until the body has a result.
  func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&state) { return result }
      condition.wait()
    }
  }

  /// Waits until the body has a result, or for a time; nil then.
  func wait<Result>(for duration: Duration, _ body: (inout State) -> Result?) -> Result? {
    let (seconds, attoseconds) = duration.components
    let deadline = Date(timeIntervalSinceNow: Double(seconds) + Double(attoseconds) * 1e-18)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&state) { return result }
      guard condition.wait(until: deadline) else { return body(&state) }
    }
  }
}
