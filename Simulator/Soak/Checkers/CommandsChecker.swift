import SwiftVLC
import VLCNative

/// What was asked for and what is, once all is quiet; and whether a parse tells the truth.
struct CommandsChecker: Sendable {
  /// What the caller's last word was.
  enum Intent: Sendable { case nothing, stop, play, pause }

  /// Everything that was asked for was done, and nothing is told any more.
  ///
  /// - Parameter mayBlock: whether the media's reads may wait for ever, and its end with them.
  func quiet(
    intent: Intent, state: PlayerState, isPlaying: Bool, native: NativeState, mayBlock: Bool
  ) -> Violation? {
    if mayBlock, [.opening, .buffering, .stopping].contains(state) { return nil }
    let agrees =
      switch state {
      case .playing: native == .playing || native == .ended
      case .paused: native == .paused
      case .stopped, .idle: native == .stopped || native == .nothingSpecial || native == .ended
      case .error: native != .playing && native != .paused
      case .opening, .buffering, .stopping: false
      }
    guard agrees else {
      return Violation(.commands, "the player is \(state), and libVLC \(native), when all is quiet")
    }
    let isKept =
      switch intent {
      case .nothing: true
      case .stop: [.stopped, .idle, .error].contains(state) && !isPlaying
      // It may have ended or failed since.
      case .play: isPlaying == state.isActive && state != .paused
      case .pause: [.paused, .stopped, .error, .idle].contains(state)
      }
    return isKept
      ? nil
      : Violation(.commands, "\(intent) was asked for, and the player is \(state), playing: \(isPlaying)")
  }

  /// How a parse came back.
  func parsed(
    _ result: Result<Metadata, VLCError>, of facts: GenerationsChecker.Facts, fails: Bool, faults: Bool,
    isCancelled: Bool, isOutOfTime: Bool
  ) -> Violation? {
    switch result {
    case .success(let metadata):
      if fails { return Violation(.commands, "\(facts.name) was parsed, which cannot be") }
      return facts.allows(length: metadata.duration)
        ? nil : Violation(.commands, "a parse tells a length that \(facts.name) has not")
    case .failure(.parseFailed):
      return fails || faults ? nil : Violation(.commands, "the parse of \(facts.name) failed for no reason")
    case .failure(.cancelled):
      return isCancelled ? nil : Violation(.commands, "a parse was cancelled that nobody cancelled")
    case .failure(.parseTimeout):
      return isOutOfTime ? nil : Violation(.commands, "a parse is out of time before its time is over")
    case .failure(.mediaCreationFailed):
      return faults ? nil : Violation(.commands, "no media could be made of \(facts.name)")
    case .failure(let error): return Violation(.commands, "a parse failed with \(error)")
    }
  }

  /// How a reading of chapters came back.
  func chaptersRead(
    _ result: Result<Int, VLCError>, expected: Int, faults: Bool, isCancelled: Bool, isOutOfTime: Bool
  ) -> Violation? {
    switch result {
    case .success(let count):
      return count == expected ? nil : Violation(.commands, "\(count) chapters are read of \(expected)")
    case .failure(.cancelled):
      return isCancelled ? nil : Violation(.commands, "a reading of chapters was cancelled by nobody")
    case .failure(.parseTimeout):
      return isOutOfTime ? nil : Violation(.commands, "chapters are out of time before their time is over")
    case .failure(let error):
      // What is short may be over before they are read.
      let isPossible = faults || error.playbackFailed != nil
      return isPossible ? nil : Violation(.commands, "a reading of chapters failed with \(error)")
    }
  }
}
