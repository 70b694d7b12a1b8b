import VLCNative

extension Input {
  /// How a playback that goes on can be disturbed.
  enum Disturbance {
    case none, breaks, ends
  }

  private var faults: Faults { player.library.faults }

  /// What comes between two times; told on the input's thread.
  func meetFaults() -> Disturbance {
    let faults = faults
    if faults.fires(.readingFails) { return .breaks }
    if faults.fires(.endsEarly) { return .ends }
    if faults.fires(.stalls) {
      tell(.buffering(0))
      _ = wait(chance.duration(in: .milliseconds(100)...(.seconds(3))))
      fill(steps: 4)
    }
    if faults.fires(.bufferingStorm) {
      for step in 1...24 { tell(.buffering(Float(step * 4))) }
      tell(.buffering(100))
    }
    if faults.fires(.timeStorm) {
      for _ in 0..<32 where !isStopping {
        _ = wait(.microseconds(1_230))
        tell(.timeChanged(state.read { $0.time.wholeMilliseconds }))
      }
    }
    if faults.fires(.logStorm) { for line in 0..<32 { player.instance.log(3, "line \(line)") } }
    if faults.fires(.tracksChange) {
      tell(.elementaryStreamAdded(.text, number: 77))
      tell(.elementaryStreamDeleted(.text, number: 77))
    }
    if faults.fires(.chaptersChange) { tell(.chapterChanged(chance.draw(4))) }
    if faults.fires(.outputsFlap) { for count in [0, 1] { tell(.videoOutputs(count)) } }
    if faults.fires(.seekabilityFlaps) {
      tell(.seekableChanged(false))
      tell(.seekableChanged(medium.isSeekable))
    }
    if faults.fires(.lengthGrows), let duration = medium.duration {
      tell(.lengthChanged((duration + .seconds(1)).wholeMilliseconds))
      tell(.lengthChanged(medium.milliseconds))
    }
    if faults.fires(.volumeChanges) {
      tell([.audioVolume(0.3), .audioVolume(1), .muted, .unmuted][chance.draw(4)])
    }
    if faults.fires(.deviceChanges) { tell(.audioDevice("another")) }
    return .none
  }
}
