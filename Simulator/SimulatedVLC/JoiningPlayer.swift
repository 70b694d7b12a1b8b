import Foundation
import VLCNative

/// A media player of libVLC 3.0.
///
/// Locks, outermost first: the *input lock*, which play, stop, setting a media and the last release hold for their whole duration
/// and most getters take for a moment; a playback's *interface*, held while one of its events is told; the event managers'.
final class JoiningPlayer: SimulatedPlayer, @unchecked Sendable {
  private let inputLock = NSLock()
  private var input: Input?

  /// The playback, for which most calls take the input lock: they wait while a stop does.
  override var current: Input? { inputLock.withLock { input } }

  override func deliver(from input: Input, _ channel: Input.Channel, _ body: () -> Void) {
    input.whileListening(channel, body)
  }

  /// R7: the media's state before the player's event.
  override func enter(_ new: NativeState, _ event: NativeEvent, from input: Input) {
    // S1: the natural Stopped leaves the state Ended.
    let shown = new == .stopped ? .ended : new
    input.whileListening(.playback) {
      state.read { $0.state = shown }
      input.media.setState(shown)
      events.send(event)
    }
  }

  // MARK: Transport

  /// False where there is no media. S2: with an input that is at its end, nothing happens.
  override func play() -> Bool {
    inputLock.withLock {
      if let input {
        input.send(.resume)
        return true
      }
      guard let media = state.read({ $0.media }) else { return false }
      instance.log(0, "creating an input for '\(media.item.mrl ?? "")'")
      // S1: what the first use of a media tells of it.
      if media.item.state.read({ state -> Bool in
        defer { state.isUsed = true }
        return !state.isUsed
      }) {
        for _ in 0..<2 { media.events.send(.mediaMetadataChanged(.nowPlaying)) }
      }
      let input = Input(self, media, chance)
      self.input = input
      input.start()
      return true
    }
  }

  /// S8: nothing before the first play; what was asked for is told on the input's thread.
  override func setPause(_ isPaused: Bool) { current?.send(isPaused ? .pause : .resume) }

  /// S3: joins, tells Stopped and that the sound is gone on the caller, and closes the outputs.
  override func stop() {
    inputLock.withLock {
      joinInput()
      let isNew = state.read { state -> Bool in
        defer { state.state = .stopped }
        return state.state != .stopped
      }
      if isNew {
        state.read { $0.media }?.setState(.stopped)
        events.send(.stopped)
      }
      if outputs.terminate() { events.send(.audioVolume(-1)) }
    }
  }

  /// S6: joins, starts nothing, and tells of the new media on the caller. The one before, whose count is the caller's now.
  override func setMedia(_ media: SimulatedMediaObject?) -> SimulatedMediaObject? {
    let old = inputLock.withLock {
      joinInput()
      let old = state.read { state -> SimulatedMediaObject? in
        defer {
          state.media = media
          state.state = .nothingSpecial
        }
        return state.media
      }
      old?.setState(.nothingSpecial)
      return old
    }
    // Nothing is told of no media.
    if let media { events.send(.mediaChanged(media.reference())) }
    return old
  }

  /// S5: nothing is told from here on. From inside a stop the player would go that the stop still uses.
  override func destroy() {
    guard inputLock.try() else { misuse("the last release of \(description) while a call of its own runs") }
    defer { inputLock.unlock() }
    joinInput()
    _ = outputs.terminate()
  }

  private func joinInput() {
    guard let input else { return }
    input.silence()
    input.join()
    self.input = nil
    outputs.idle()
  }
}
