import Foundation
import VLCNative

/// A media player of libVLC 4.0.
///
/// 4.lock: one recursive lock, which calls take and which is held while an event is told, so that a call waits for a callback that
/// runs elsewhere, and none for its own. Inside of it the event manager's. Nothing waits for a playback with it held but the
/// player's own thread, and that for one whose thread takes it no more.
final class AsynchronousPlayer: SimulatedPlayer, @unchecked Sendable {
  private struct Work {
    var isWanted = false
    var isEnding = false
    var isOver = false
  }

  private let lock = NSRecursiveLock()
  // Under the lock.
  private var machine = PlayerMachine()
  private var playbacks: [PlayerMachine.Playback: Input] = [:]
  /// What plays, or would, and what follows it; each counted.
  private var media: SimulatedMediaObject?
  private var next: SimulatedMediaObject?
  private var isListening = true
  private var depth = 0

  private let work = Monitor(Work())
  private let clock = PlayerTimer()
  /// Of the player's own thread: 4.threads, one a player for its whole life.
  private let ownThread = Monitor<UInt64?>(nil)

  override var timer: PlayerTimer? { clock }

  override init(_ library: SimulatedLibrary, _ instance: SimulatedInstance, _ chance: Chance) {
    super.init(library, instance, chance)
    NativeThread.start(.playerEnd) { self.run() }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.withLock {
      depth += 1
      defer { depth -= 1 }
      return body()
    }
  }

  // MARK: What calls read; each waits for an event that is being told elsewhere

  override var current: Input? { locked { machine.current.flatMap { playbacks[$0] } } }
  override var nativeState: NativeState { locked { machine.state } }
  override var shownMedia: SimulatedMediaObject? { locked { state.read { $0.media } } }

  // MARK: Transport

  override func play() -> Bool {
    locked {
      guard let actions = machine.playAsked() else { return false }
      perform(actions)
      if case .send(let playback) = machine.resumeAsked() { playbacks[playback]?.send(.resume) }
      return true
    }
  }

  override func stopAsynchronously() -> Bool {
    locked {
      let isStopping = machine.stopAsked()
      dropNext()
      if isStopping { wake() }
      return isStopping
    }
  }

  override func setPause(_ isPaused: Bool) {
    locked {
      let canPause = machine.current.flatMap { playbacks[$0] }?.canPause ?? false
      switch isPaused ? machine.pauseAsked(canPause: canPause) : machine.resumeAsked() {
      case .nothing: break
      case .send(let playback): playbacks[playback]?.send(isPaused ? .pause : .resume)
      case .stop: _ = stopAsynchronously()
      }
    }
  }

  override func setMedia(_ new: SimulatedMediaObject?) -> SimulatedMediaObject? {
    locked {
      let old = state.read { state -> SimulatedMediaObject? in
        defer { state.media = new }
        return state.media
      }
      dropNext()
      if let new {
        library.objects.retain(new)
        next = new
      }
      perform(machine.mediaSet(new != nil))
      wake()
      return old
    }
  }

  /// 4.release: nothing is told from here on, and it waits for the player's thread, which waits for what plays; from inside an
  /// event of a playback for ever. On the player's own thread, and inside an event on the caller, it is an error.
  override func destroy() {
    if ownThread.read({ $0 }) == NativeThread.key {
      misuse("the last release of \(description) inside Stopping, MediaStopping or Stopped")
    }
    guard clock.isEmpty else { misuse("the last release of \(description), whose time is still watched") }
    locked {
      if depth > 1, NativeThread.role == nil {
        misuse("the last release of \(description) while a call of its own runs")
      }
      isListening = false
      dropNext()
      perform(machine.released())
    }
    work.change { work in
      work.isWanted = true
      work.isEnding = true
    }
    work.wait { $0.isOver ? () : nil }
    _ = outputs.terminate()
    let media = locked {
      defer { self.media = nil }
      return self.media
    }
    if let media { library.release(media) }
  }

  private func dropNext() {
    guard let dropped = next else { return }
    next = nil
    library.release(dropped)
  }

  private func perform(_ actions: [PlayerMachine.Action]) {
    for action in actions {
      switch action {
      case .tell(let event): tell(event)
      case .changeMedia:
        let old = media
        media = next
        next = nil
        if let old { library.release(old) }
      case .tellMedia: tell(.mediaChanged(media?.reference()))
      case .make(let playback):
        guard let media else { preconditionFailure("a playback of no media") }
        playbacks[playback] = Input(self, media, chance, number: playback)
      case .start(let playback): playbacks[playback]?.start()
      case .halt(let playback): playbacks[playback]?.halt()
      case .drop(let playback): playbacks[playback] = nil
      }
    }
  }

  private func tell(_ event: NativeEvent) { if isListening { events.send(event) } }

  // MARK: From playbacks

  override func deliver(from input: Input, _ channel: Input.Channel, _ body: () -> Void) {
    locked { if isListening { body() } }
  }

  override func enter(_ new: NativeState, _ event: NativeEvent, from input: Input) {
    locked { perform(machine.entered(new, input.number)) }
  }

  override func ended(_ input: Input) {
    locked { machine.died(input.number) }
    wake()
  }

  private func wake() { work.change { $0.isWanted = true } }

  // MARK: The player's own thread

  private func run() {
    ownThread.read { $0 = NativeThread.key }
    var isEnding = false
    while !(isEnding && locked { machine.phases.isEmpty }) {
      isEnding = work.wait { work in
        guard work.isWanted else { return nil }
        work.isWanted = false
        return work.isEnding
      }
      let leftovers = locked { takeTurns() }
      // Without the lock: what cleans up may take its time.
      leftovers?.close()
    }
    work.change { $0.isOver = true }
  }

  /// What is left of the outputs where nothing plays any more.
  private func takeTurns() -> Outputs.Remains? {
    var remains: Outputs.Remains?
    while let turn = machine.turn {
      switch turn {
      case .stop(let playback): perform(machine.stopBegan(playback))
      case .bury(let playback):
        playbacks[playback]?.waitUntilOver()
        playbacks[playback] = nil
        let actions = machine.buried(playback)
        if !machine.isStarted { remains = outputs.remove() }
        perform(actions)
      }
    }
    return remains
  }
}
