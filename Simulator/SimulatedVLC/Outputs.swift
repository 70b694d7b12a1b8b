import Foundation
import VLCNative

/// A player's outputs, which outlive a playback: libVLC's input resource.
final class Outputs: @unchecked Sendable {
  struct Video: @unchecked Sendable {
    var callbacks: NativeVideoCallbacks?
    var opaque: UnsafeMutableRawPointer?
    var setup: NativeVideoCallbacks.Setup?
    var cleanup: NativeVideoCallbacks.Cleanup?
  }
  struct Audio: @unchecked Sendable {
    var callbacks: NativeAudioCallbacks?
    var opaque: UnsafeMutableRawPointer?
    var setVolume: NativeAudioCallbacks.SetVolume?
    var setup: NativeAudioCallbacks.Setup?
    var cleanup: NativeAudioCallbacks.Cleanup?
    var format: (name: String, rate: UInt32, channels: UInt32)?
  }
  private struct State {
    var video = Video()
    var audio = Audio()
    var hasAudio = false
    /// S11: a player is made with an output, whose volume is not known before it sounds.
    var hasModule = true
    var videoOutput: VideoOutput?
    var audioOutput: AudioOutput?
    var isPaused = false
    /// Whether somebody watches the clock of what is shown.
    var isWatched = false
  }
  private let state = Monitor(State())

  // MARK: What the host sets; an output copies it when it opens

  func changeVideo(_ body: (inout Video) -> Void) { state.read { body(&$0.video) } }
  func changeAudio(_ body: (inout Audio) -> Void) { state.read { body(&$0.audio) } }

  var hasAudio: Bool { state.read { $0.hasAudio } }
  var videoCount: Int { state.read { $0.videoOutput == nil ? 0 : 1 } }

  // MARK: From the playback

  func openAudio() {
    let (settings, open) = state.read { state in
      defer { (state.hasAudio, state.hasModule) = (true, true) }
      return (state.audio, state.audioOutput)
    }
    open?.goOn()
    guard open == nil, let callbacks = settings.callbacks else { return }
    let output = AudioOutput(settings, callbacks)
    guard output.open() else { return }
    state.read { $0.audioOutput = output }
    output.start()
  }

  /// S14: an output for the pictures; the callbacks are copied now. Nil where the host refuses the format.
  func openVideo(_ medium: SimulatedMedium) -> VideoOutput? {
    closeVideo()
    let (settings, isPaused) = state.read { ($0.video, $0.isPaused) }
    let output = VideoOutput(settings, medium, isPaused: isPaused)
    guard output.open() else { return nil }
    let isWatched = state.read { state in
      state.videoOutput = output
      return state.isWatched
    }
    output.watch(isWatched)
    return output
  }

  func closeVideo() {
    let output = state.read { state -> VideoOutput? in
      defer { state.videoOutput = nil }
      return state.videoOutput
    }
    output?.close()
  }

  func watch(_ isWatched: Bool) {
    let output = state.read { state in
      state.isWatched = isWatched
      return state.videoOutput
    }
    output?.watch(isWatched)
  }

  func pause(_ isPaused: Bool) {
    let (video, audio) = state.read { state in
      state.isPaused = isPaused
      return (state.videoOutput, state.audioOutput)
    }
    video?.pause(isPaused)
    audio?.pause(isPaused)
  }

  func flush() { state.read { $0.audioOutput }?.flush() }
  func drain() { state.read { $0.audioOutput }?.drain() }

  /// A volume that is set on an idle player opens the output (S11).
  func openForVolume() { state.read { ($0.hasAudio, $0.hasModule) = (true, true) } }

  func setVolume(_ volume: Float, isMuted: Bool) {
    state.read { $0.audioOutput }?.setVolume(volume, isMuted: isMuted)
  }

  /// A playback has ended: the picture stays, nothing more is shown.
  func idle() { state.read { $0.isPaused = false } }

  /// S3: at the end of a stop the outputs go. Whether there was one for sound.
  func terminate() -> Bool {
    let remains = remove()
    remains.close()
    return remains.hadModule
  }

  /// Outputs that are the player's no more, and not closed yet.
  struct Remains {
    fileprivate let video: VideoOutput?
    fileprivate let audio: AudioOutput?
    fileprivate let hadModule: Bool

    func close() {
      video?.close()
      audio?.close()
    }
  }

  func remove() -> Remains {
    state.read { state in
      defer {
        state.videoOutput = nil
        state.audioOutput = nil
        (state.hasAudio, state.hasModule) = (false, false)
      }
      return Remains(video: state.videoOutput, audio: state.audioOutput, hadModule: state.hasModule)
    }
  }
}

/// R2: a video decoder tells of outputs on its own thread.
final class VideoDecoder: @unchecked Sendable {
  private struct State {
    var isStopping = false
    var isOver = false
  }
  private unowned let input: Input
  private let medium: SimulatedMedium
  private let state = Monitor(State())

  init(_ input: Input, _ medium: SimulatedMedium) {
    self.input = input
    self.medium = medium
  }

  func start() { NativeThread.start(.videoDecoder) { self.run() } }

  func stop() {
    state.change { $0.isStopping = true }
    state.wait { $0.isOver ? () : nil }
  }

  private func run() {
    let opening = input.chance.duration(in: .zero...(.milliseconds(16)))
    if opening > .zero { _ = state.wait(for: opening) { $0.isStopping ? true : nil } }
    if let output = open() {
      // S1: once for each attempt; 4.play: once.
      for _ in 0...(input.profile == .libVLC3 ? medium.failedOutputs : 0) { input.tell(.videoOutputs(1)) }
      if let timer = input.player.timer {
        output.start { [input] in timer.update { input.timePoint } }
      } else {
        output.start(nil)
      }
      state.wait { $0.isStopping ? () : nil }
    }
    state.change { $0.isOver = true }
  }

  /// S14: a refused format is tried again for each picture. Nil when it is to stop before one is taken.
  private func open() -> VideoOutput? {
    while !state.read({ $0.isStopping }) {
      if let output = input.player.outputs.openVideo(medium) { return output }
      input.tell(.videoOutputs(0))
      _ = state.wait(for: .milliseconds(40)) { $0.isStopping ? true : nil }
    }
    return nil
  }
}

/// S14: an open picture output, with the callbacks that were set when it opened, and a thread that shows.
final class VideoOutput: @unchecked Sendable {
  private struct State {
    var isPaused: Bool
    var isWatched = false
    var isClosing = false
    var isOver = false
    var hasThread = false
  }
  private let settings: Outputs.Video
  private let state: Monitor<State>
  private let medium: SimulatedMedium
  private var opaque: UnsafeMutableRawPointer?
  private var width: UInt32 = 0
  private var height: UInt32 = 0

  init(_ settings: Outputs.Video, _ medium: SimulatedMedium, isPaused: Bool) {
    self.settings = settings
    self.medium = medium
    opaque = settings.opaque
    state = Monitor(State(isPaused: isPaused))
    let video = medium.tracks.first { $0.type == .video }?.video
    width = video?.width ?? 0
    height = video?.height ?? 0
  }

  /// Asks the host for a format, once for each way of decoding that is tried. False when the last one is refused.
  func open() -> Bool {
    guard settings.callbacks != nil, let setup = settings.setup else { return true }
    for attempt in 0...medium.failedOutputs {
      let isLast = attempt == medium.failedOutputs
      opaque = settings.opaque
      let count = ask(setup, isLast ? "I420" : attempt == 0 ? "VAOP" : "VDV0")
      if isLast { return count > 0 }
      if count > 0 { settings.cleanup?(opaque) }
    }
    return true
  }

  private func ask(_ setup: NativeVideoCallbacks.Setup, _ chroma: String) -> UInt32 {
    var characters = chroma.utf8.map { CChar(bitPattern: $0) } + [0]
    // S14: the height is padded, and no pitch is given.
    var (width, height) = (width, (height + 15) / 16 * 16 + 16)
    var pitches = [UInt32](repeating: 0, count: 4)
    var lines = [UInt32](repeating: 0, count: 4)
    return setup(&opaque, &characters, &width, &height, &pitches, &lines)
  }

  /// - Parameter shown: told of each picture; where there is one, the output has a thread without callbacks, too.
  func start(_ shown: (@Sendable () -> Void)?) {
    guard settings.callbacks != nil || shown != nil else { return }
    state.read { $0.hasThread = true }
    NativeThread.start(.videoOutput) {
      if let callbacks = self.settings.callbacks {
        self.run(callbacks, shown)
      } else if let shown {
        self.run(shown)
      }
    }
  }

  func pause(_ isPaused: Bool) { state.change { $0.isPaused = isPaused } }
  func watch(_ isWatched: Bool) { state.change { $0.isWatched = isWatched } }

  /// Waits for a picture that is being shown, then cleans up.
  func close() {
    let hasThread = state.change { state in
      state.isClosing = true
      return state.hasThread
    }
    if hasThread {
      state.wait { $0.isOver ? () : nil }
    } else if settings.callbacks != nil {
      settings.cleanup?(opaque)
    }
  }

  /// Shows nothing to nobody: only the clock is told.
  private func run(_ shown: @Sendable () -> Void) {
    while !state.wait({ $0.isClosing ? true : $0.isWatched && !$0.isPaused ? false : nil }) {
      shown()
      _ = state.wait(for: .seconds(1)) { $0.isClosing ? true : nil }
    }
    state.change { $0.isOver = true }
  }

  private func run(_ callbacks: NativeVideoCallbacks, _ shown: (@Sendable () -> Void)?) {
    let rate = medium.tracks.first { $0.type == .video }?.video?.frameRate
    let period =
      rate.map { .seconds(1) * Double($0.denominator) / Double(max($0.numerator, 1)) } ?? .milliseconds(40)
    while !state.read({ $0.isClosing }) {
      var planes = [UnsafeMutableRawPointer?](repeating: nil, count: 5)
      let picture = callbacks.lock(opaque, &planes)
      callbacks.unlock?(opaque, picture, planes)
      callbacks.display?(opaque, picture)
      let isPaused = state.read { $0.isPaused }
      if !isPaused { shown?() }
      // S8: a paused picture is shown again some fifteen times a second.
      _ = state.wait(for: isPaused ? .milliseconds(66) : period) { $0.isClosing ? true : nil }
    }
    settings.cleanup?(opaque)
    state.change { $0.isOver = true }
  }
}

/// An open sample output, with the callbacks that were set when it opened.
final class AudioOutput: @unchecked Sendable {
  private struct State {
    var isPaused = false
    var isClosing = false
    var isOver = false
    var notes: [Note] = []
  }
  private enum Note { case pause, resume, flush, drain }
  private let settings: Outputs.Audio
  private let callbacks: NativeAudioCallbacks
  private let state = Monitor(State())
  private var opaque: UnsafeMutableRawPointer?
  private var rate: UInt32
  private var channels: UInt32

  init(_ settings: Outputs.Audio, _ callbacks: NativeAudioCallbacks) {
    self.settings = settings
    self.callbacks = callbacks
    opaque = settings.opaque
    (rate, channels) = settings.format.map { ($0.rate, $0.channels) } ?? (48_000, 2)
  }

  func open() -> Bool {
    if let setup = settings.setup {
      var format = "S16N".utf8.map { CChar(bitPattern: $0) } + [0]
      guard setup(&opaque, &format, &rate, &channels) == 0 else { return false }
    }
    // S11: a volume that was set before is not applied.
    settings.setVolume?(opaque, 1, false)
    return true
  }

  func start() { NativeThread.start(.audioOutput) { self.run() } }
  func pause(_ isPaused: Bool) {
    state.change { state in
      state.isPaused = isPaused
      state.notes.append(isPaused ? .pause : .resume)
    }
  }
  func flush() { state.change { $0.notes.append(.flush) } }
  /// The last samples are played, and no more come.
  func drain() {
    state.change { state in
      state.notes.append(.drain)
      state.isPaused = true
    }
  }
  /// Another playback has samples.
  func goOn() { state.change { $0.isPaused = false } }
  func setVolume(_ volume: Float, isMuted: Bool) { settings.setVolume?(opaque, volume, isMuted) }

  func close() {
    state.change { $0.isClosing = true }
    state.wait { $0.isOver ? () : nil }
  }

  private func run() {
    let count: UInt32 = 1_024
    let samples = [Int16](repeating: 0, count: Int(count * max(channels, 1)))
    let period = Duration.seconds(1) * Double(count) / Double(max(rate, 1))
    var time = SimulatedLibrary.now
    while !state.read({ $0.isClosing }) {
      let notes = state.change { state -> [Note] in
        defer { state.notes.removeAll() }
        return state.notes
      }
      for note in notes {
        switch note {
        case .pause: callbacks.pause?(opaque, SimulatedLibrary.now)
        case .resume: callbacks.resume?(opaque, SimulatedLibrary.now)
        case .flush: callbacks.flush?(opaque, SimulatedLibrary.now)
        case .drain: callbacks.drain?(opaque)
        }
      }
      if state.read({ $0.isPaused }) {
        state.wait { $0.isClosing || !$0.notes.isEmpty ? () : nil }
        continue
      }
      samples.withUnsafeBytes { callbacks.play(opaque, $0.baseAddress, count, time) }
      time += period.wholeMilliseconds * 1_000
      _ = state.wait(for: period) { $0.isClosing || !$0.notes.isEmpty ? true : nil }
    }
    callbacks.flush?(opaque, SimulatedLibrary.now)
    settings.cleanup?(opaque)
    state.change { $0.isOver = true }
  }
}
