import Foundation
import VLCNative

/// What a playback is asked to do, which its thread does in its turn.
extension Input {
  enum Command {
    case pause, resume
    /// The time is set already, or stays where nothing is at the wanted one: the buffer fills again.
    case refill(to: Duration?)
    case seekPosition(Double)
    case chapter(Int)
    /// Another rate may want another buffer.
    case rate
    /// The next chapter or the one before; of one that has played for three seconds its own beginning.
    case nextChapter, previousChapter
    /// The tracks of a type that are to be selected, and no others of it.
    case select(NativeTrackType, [Int])
    case addText(Int, select: Bool)
    // 4.0's alone.
    case seekTime(Duration)
    case jump(Duration)
    case program(Int)
    case record(Bool, directory: String?)
  }

  /// What was done of what was asked for.
  private struct Done {
    var seeks = false
    var moves = false
    var hasSelected = false
    var isVideoOver = false
  }

  /// Does what was asked for; whether the place changed. S9: of several seeks the last one is done.
  @discardableResult
  func obey() -> Bool {
    var done = Done()
    repeat {
      let commands = state.change { state -> [Command] in
        defer {
          state.commands.removeAll()
          state.leftBehind = nil
        }
        return state.commands
      }
      carryOut(commands, &done)
      // What is asked for before the buffer of a seek begins to fill may be done first.
    } while profile == .libVLC3 && done.seeks
      && state.read({ !$0.commands.isEmpty }) && chance.draw(2) == 0
    if done.isVideoOver { tellSelection(.video, [], after: []) }
    // What has nothing fills no buffer, though it may begin to.
    if done.seeks, !medium.hasNothing || profile == .libVLC4 || chance.draw(2) == 0 {
      player.outputs.flush()
      beginFilling(at: state.read { $0.time }, elsewhere: done.moves)
      if profile == .libVLC3 {
        if done.hasSelected, chance.draw(4) == 0 { tell(.buffering(0)) }
        startOutputs(shows: true)
      }
      fill(from: 1, steps: medium.bufferingSteps * 3 / 2 - 1)
    }
    return done.seeks
  }

  private func carryOut(_ commands: [Command], _ done: inout Done) {
    for (place, command) in commands.enumerated() {
      // Of pauses and resumes in a row the last one is done, but where one was taken before the next came.
      if profile == .libVLC3, command.isPause || command.isResume, let next = commands[(place + 1)...].first,
        next.isPause || next.isResume, chance.draw(8) > 0
      {
        continue
      }
      switch command {
      case .pause:
        guard
          state.change({ state -> Bool in
            defer { state.isPaused = true }
            return !state.isPaused
          })
        else { continue }
        player.outputs.pause(true)
        player.timer?.interrupt(SimulatedLibrary.now)
        // What decodes by then may keep it waiting meanwhile: a time comes first.
        if let playingSince, playingSince < .now, chance.draw(8) == 1, !state.read({ $0.isRead }) {
          tellTime()
        }
        enter(.paused, .paused)
      case .resume:
        guard
          state.change({ state -> Bool in
            defer { state.isPaused = false }
            return state.isPaused
          })
        else { continue }
        player.outputs.pause(false)
        // The time may be told at once, before or after.
        let told = profile == .libVLC3 ? chance.draw(8) : 0
        if told == 1 { tellTime() }
        enter(.playing, .playing)
        if told == 2 { tellTime() }
      case .refill(let target):
        if state.read({ $0.isRead }) { continue }
        if let next = commands[(place + 1)...].first {
          if case .refill = next { continue }
          emptyBuffer(before: next)
        }
        done.seeks = true
        if let target { state.change { $0.time = target } }
        done.moves = target != nil
      case .seekTime(let target): if seek(to: target) { done.seeks = true }
      case .jump(let offset): if seek(to: state.read { $0.time } + offset) { done.seeks = true }
      case .seekPosition(let position) where profile == .libVLC4:
        if seek(to: (medium.duration ?? .zero) * max(position, 0)) { done.seeks = true }
      case .program(let number): select(program: number)
      case .record(let isRecording, let directory): record(isRecording, in: directory)
      case .seekPosition(let position):
        done.seeks = true
        if let next = commands[(place + 1)...].first { emptyBuffer(before: next) }
        guard medium.isSeekable, let duration = medium.duration, position < 1 else { continue }
        state.change { state in
          state.time = duration * max(position, 0)
          state.chapter = chapter(at: state.time) ?? 0
        }
        done.moves = true
      case .chapter(let chapter):
        go(to: chapter)
        done.seeks = true
        done.moves = true
      case .rate: if profile == .libVLC3, chance.draw(4) == 0 { tell(.buffering(0)) }
      case .nextChapter, .previousChapter:
        // Right after a seek it is not known where it came to.
        guard let chapter = done.seeks ? 0 : chapterBeside(isNext: command.isNext) else { continue }
        go(to: chapter)
        done.seeks = true
        done.moves = true
      case .select(let type, let numbers):
        done.hasSelected = true
        // The picture's end may be told after what was asked for after it.
        if profile == .libVLC3, type == .video, numbers.isEmpty, place + 1 < commands.count,
          chance.draw(4) == 0
        {
          done.isVideoOver = exchange(type, numbers) != nil
        } else {
          select(type, numbers)
        }
      case .addText(let number, let isSelected):
        tell(.elementaryStreamAdded(.text, number: number))
        tell(.seekableChanged(medium.isSeekable))
        tell(.pausableChanged(medium.isPausable))
        if isSelected { select(.text, [number]) }
      }
    }
  }

  /// Whether every stream that was selected was deselected.
  var isDeselected: Bool {
    state.read { !$0.selected.isEmpty && $0.selected.values.allSatisfy(\.isEmpty) }
  }

  /// A seek may empty the buffer before what else was asked for is done.
  private func emptyBuffer(before next: Command) {
    if !next.isSeek, chance.draw(2) == 0 { tell(.buffering(0)) }
  }

  /// Whether all of it may have been read: a seek empties what waits to be shown then, and nothing comes after.
  func endsWhenSought() -> Bool {
    let (place, seeks) = state.read { ($0.leftBehind ?? $0.time, $0.commands.contains(where: \.isSeek)) }
    return seeks && (medium.isReadAhead || isNearEnd(place))
  }

  /// Where all of it may have been read.
  func isNearEnd(_ time: Duration) -> Bool { range.upperBound - time < .seconds(2) }

  private func chapterBeside(isNext: Bool) -> Int? {
    let (time, current) = state.read { (max($0.askedTime ?? .zero, $0.time), $0.chapter) }
    let played = time - medium.chapters[current].start
    let isFar = played >= .seconds(3) || played >= .seconds(2) && chance.draw(2) == 0
    let chapter = isNext ? current + 1 : isFar ? current : current - 1
    return medium.chapters.indices.contains(chapter) ? chapter : nil
  }

  private func go(to chapter: Int) {
    tell(.buffering(0))
    state.change { $0.time = medium.chapters[chapter].start }
    enter(chapter)
  }

  func select(_ type: NativeTrackType, _ numbers: [Int]) {
    if let old = exchange(type, numbers) { tellSelection(type, numbers, after: old) }
  }

  /// What was selected before; nil where nothing changes.
  private func exchange(_ type: NativeTrackType, _ numbers: [Int]) -> [Int]? {
    let old = state.change { state -> [Int] in
      defer { state.selected[type] = numbers }
      return state.selected[type] ?? []
    }
    guard old != numbers else { return nil }
    guard type == .video else { return old }
    stopDecoder()
    if numbers.isEmpty, player.outputs.videoCount > 0 || profile == .libVLC4 {
      tell(.videoOutputs(0))
      player.outputs.closeVideo()
    }
    return old
  }

  private func tellSelection(_ type: NativeTrackType, _ numbers: [Int], after old: [Int]) {
    switch profile {
    case .libVLC3:
      tell(.elementaryStreamSelected(type, number: numbers.first))
      // Another stream may want another buffer.
      if chance.draw(4) == 0 { tell(.buffering(0)) }
    // 4.tracks: those that go, then those that come.
    case .libVLC4:
      for number in old where !numbers.contains(number) {
        tell(.elementaryStreamSelected(type, number: nil))
      }
      for number in numbers where !old.contains(number) {
        tell(.elementaryStreamSelected(type, number: number))
      }
    }
  }
}

extension Input.Command {
  var isResume: Bool { if case .resume = self { true } else { false } }
  var isSeek: Bool {
    switch self {
    case .refill, .seekPosition, .chapter, .nextChapter, .previousChapter: true
    default: false
    }
  }
  fileprivate var isNext: Bool { if case .nextChapter = self { true } else { false } }
  var isPause: Bool { if case .pause = self { true } else { false } }
}

extension [Input.Command] {
  /// Of pauses and resumes the last one counts.
  var wantsToGoOn: Bool { last { $0.isPause || $0.isResume }?.isResume == true }
}
