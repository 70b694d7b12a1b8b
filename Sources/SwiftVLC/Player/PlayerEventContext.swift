import ConcurrencySeam
import VLCNative

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What libVLC's event callback reaches: stamps each event on the thread that delivered it, and hands it on.
///
/// The native attachment holds a count on it, from before the first attach until after the last release of the native
/// player returned. It never refers to the player or the handle.
package final class PlayerEventContext: Sendable {
  private struct State {
    var machine: SessionMachine
    var joiningThread: UInt?
    // What was decided and not broadcast yet, in the order of the decisions.
    var outbox: [PlayerSignal] = []
    // Whether a thread is broadcasting: it takes what others decide meanwhile.
    var isDelivering = false
    var isTerminated = false
    var stopWaiter: (@Sendable () -> Void)?
  }

  let nativePlayer: NativePlayerGeneration
  /// Everything, in order.
  let signals = Broadcaster<PlayerSignal>()
  let statuses = Broadcaster<PlaybackStatus>(replays: true)
  private let library: any NativeLibrary
  private let state: Guarded<State>

  package init(library: any NativeLibrary) {
    self.library = library
    nativePlayer = .next()
    let playback = PlaybackGeneration.next()
    state = Guarded(State(machine: SessionMachine(nativePlayer: nativePlayer, playback: playback)))
    statuses.broadcast(PlaybackStatus(state: .idle, playback: playback))
  }

  /// The session of now.
  var playback: PlaybackGeneration { state.withLock { $0.machine.session.generation } }
  /// Whether the player went away.
  var isTornDown: Bool { state.withLock { $0.machine.isTornDown } }
  /// What the session of now is doing, as the events tell.
  var sessionState: PlayerState { state.withLock { $0.machine.session.state } }
  /// Where playback is, as the events tell.
  var timeline: PlaybackTimeline { state.withLock { $0.machine.session.timeline } }

  // MARK: Facts

  static let callback: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    Unmanaged<PlayerEventContext>.fromOpaque(context).takeUnretainedValue().received(event)
  }

  private func received(_ event: UnsafeRawPointer) {
    let native = library.decode(event)
    let thread = currentThread()
    publish { $0.machine.received(native, isOnJoiningThread: $0.joiningThread == thread) }
    guard native == .stopped else { return }
    let waiter = state.withLock { state -> (@Sendable () -> Void)? in
      defer { state.stopWaiter = nil }
      return state.stopWaiter
    }
    waiter?()
  }

  /// Calls back on libVLC's thread when it tells that the session of now has stopped; false where nothing is to be told.
  func whenStopped(_ body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.machine.awaitsStopped else { return false }
      precondition(state.stopWaiter == nil, "two calls wait for one stop")
      state.stopWaiter = body
      return true
    }
  }

  /// The native side is about to be told to play; what that comes to is decided in one step with what libVLC tells.
  func startBegan() -> SessionMachine.Start {
    var start = SessionMachine.Start.begins
    publish { state in
      start = state.machine.start
      return start == .followsStop ? [] : state.machine.startBegan()
    }
    return start
  }
  func endAsked(_ cause: PlaybackTerminalCause) { state.withLock { $0.machine.endAsked(cause) } }
  func pauseRefused() { publish { $0.machine.pauseRefused() } }
  func startRejected() { publish { $0.machine.startRejected() } }
  func tornDown() { publish { $0.machine.tornDown() } }
  func soundCommanded() { publish { $0.machine.soundCommanded() } }
  func tracksRead(_ tracks: [Track], of playback: PlaybackGeneration) {
    publish { $0.machine.tracksRead(tracks, of: playback) }
  }

  /// A joining call is about to be made.
  func joinBegan(_ call: SessionMachine.Joining, cause: PlaybackTerminalCause?) {
    publish { $0.machine.joinBegan(call, cause: cause) }
  }

  /// Makes native calls of a joining call: what they deliver on this thread, they deliver for it.
  func onJoiningThread(_ body: () -> Void) {
    state.withLock { $0.joiningThread = currentThread() }
    body()
    state.withLock { $0.joiningThread = nil }
  }

  /// The joining call returned, or what it stopped has stopped.
  func joinReturned(_ beginning: SessionBeginning) {
    publish { $0.machine.joinReturned(next: .next(), beginning: beginning) }
  }

  /// Decides under the lock, broadcasts outside it, in the order of the decisions.
  ///
  /// libVLC serialises a player's events, but not with the facts of the handle's queue and of a player that is dropped.
  /// So what is decided goes into one outbox, and one thread at a time empties it; the end of the streams comes last.
  private func publish(_ fact: (inout State) -> [PlayerSignal]) {
    let delivers = state.withLock { state in
      state.machine.now = .now
      state.outbox += fact(&state)
      guard !state.isDelivering, !state.isTerminated else { return false }
      state.isDelivering = true
      return true
    }
    guard delivers else { return }
    while let batch = nextBatch() { for signal in batch { deliver(signal) } }
  }

  /// What is to be broadcast next; nil when that is nothing, and another thread may deliver.
  private func nextBatch() -> [PlayerSignal]? {
    let (batch, terminates): ([PlayerSignal]?, Bool) = state.withLock { state in
      guard state.outbox.isEmpty else { return (state.outbox.takeAll(), false) }
      state.isDelivering = false
      let terminates = state.machine.isTornDown && !state.isTerminated
      if terminates { state.isTerminated = true }
      return (nil, terminates)
    }
    if terminates {
      signals.terminate()
      statuses.terminate()
    }
    return batch
  }

  package func deliver(_ signal: PlayerSignal) {
    signals.broadcast(signal)
    if case .event(let envelope) = signal, case .stateChanged(let state) = envelope.event {
      statuses.broadcast(PlaybackStatus(state: state, playback: envelope.playback))
    } else if case .sessionBegan(let playback, _, let state) = signal {
      statuses.broadcast(PlaybackStatus(state: state, playback: playback))
    }
  }
}

/// The identity of the calling thread, for the length of a call.
private func currentThread() -> UInt {
  #if canImport(Darwin)
  UInt(bitPattern: pthread_self())
  #else
  UInt(pthread_self())
  #endif
}
