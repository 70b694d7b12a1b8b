import Foundation
import VLCNative

/// One playback: a thread of its own, from opening to its end (R2). What 4.0 tells in its own way is in `Input+VLC4.swift`.
///
/// Its states, and who may change them:
/// - *listening*: until the player is told no more of it. Ended by `silence`, which waits for a dispatch that runs.
/// - *stopping*: asked to end; by the player.
/// - *over*: the thread has ended; by the thread, at its very end.
final class Input: @unchecked Sendable {
  enum Command {
    case pause, resume
    /// The time is set already, or stays where nothing is at the wanted one: the buffer fills again.
    case refill
    case seekPosition(Double)
    case chapter(Int)
    /// The tracks of a type that are to be selected, and no others of it.
    case select(NativeTrackType, [Int])
    case addText(Int, select: Bool)
    // 4.0's alone.
    case seekTime(Duration)
    case jump(Duration)
    case program(Int)
    case record(Bool, directory: String?)
  }
  struct State {
    var isStopping = false
    var isOver = false
    var isOpen = false
    var isPaused = false
    var hasEnded = false
    var time = Duration.zero
    var length: Int64 = 0
    var chapter = 0
    var commands: [Command] = []
    var selected: [NativeTrackType: [Int]] = [:]
    var tracks: [NativeTrack] = []
    var pendingSeek: Duration?
    // 4.0's alone.
    var isDescribed = false
    /// What was told of it: before that it cannot be paused (4.pause).
    var canPause = false
    var program: Int?
    var isRecording = false
    var loop: (start: Duration, end: Duration)?
  }

  unowned let player: SimulatedPlayer
  let media: SimulatedMediaObject
  /// Among the playbacks of its player.
  let number: Int
  let state = Monitor(State())
  /// Held while an event of this playback is dispatched: a second one waits for the first.
  private let interface = NSLock()
  private var isListening = true
  let chance: Chance
  var medium: SimulatedMedium { media.item.medium }
  var profile: SimulatedProfile { player.library.profile }
  /// Where it begins and ends: the media's options, and where its data do.
  var range = Duration.zero...Duration.zero
  private var toldChapter = -1
  private(set) var decoder: VideoDecoder?
  private var reader: SourceReader?

  init(_ player: SimulatedPlayer, _ media: SimulatedMediaObject, _ chance: Chance, number: Int = 0) {
    self.player = player
    self.media = media
    self.chance = chance
    self.number = number
  }

  var canPause: Bool {
    switch profile {
    case .libVLC3: medium.isPausable && state.read { $0.isOpen && !$0.hasEnded }
    case .libVLC4: state.read { $0.canPause }
    }
  }

  // MARK: From the player

  func start() { NativeThread.start(.input) { self.run() } }

  /// Runs what tells something, where the player still listens.
  func whileListening(_ body: () -> Void) { interface.withLock { if isListening { body() } } }

  /// The player hears nothing more of it. Waits for an event that is being told; from inside one it waits for ever.
  func silence() { interface.withLock { isListening = false } }

  /// Ends it and waits for its end, without a bound: what it calls may block.
  func join() {
    halt()
    waitUntilOver()
  }
  /// Tells it to end.
  func halt() { state.change { $0.isStopping = true } }
  func waitUntilOver() { state.wait { $0.isOver ? () : nil } }

  func send(_ command: Command) { state.change { $0.commands.append(command) } }

  /// S9: where the time changes while it plays, the pair is told on the caller, before this returns.
  func seek(to milliseconds: Int64) {
    let target = Duration.milliseconds(max(milliseconds, 0))
    let isBeyond = medium.duration.map { target >= $0 } ?? true
    let hasEnded = state.read { $0.hasEnded && !$0.isOver }
    // What ends takes no seek, and is waited for: from inside an event of the end for ever.
    if hasEnded { interface.withLock {} }
    let tells = state.change { state -> Bool in
      guard !state.hasEnded, !state.isOver else { return false }
      guard state.isOpen else {
        if !isBeyond { state.pendingSeek = target }
        return false
      }
      guard medium.isSeekable, state.time != target else { return false }
      state.commands.append(.refill)
      if isBeyond { return false }
      state.time = target
      return !state.isPaused
    }
    if tells { tellTime() }
  }

  // MARK: Telling

  /// Tells an event where the player still listens.
  func tell(_ event: NativeEvent) { player.deliver(from: self) { player.events.send(event) } }

  /// Comes to a state, and tells it.
  func enter(_ new: NativeState, _ event: NativeEvent) { player.enter(new, event, from: self) }

  private func tellTime() {
    let (time, length) = state.read { ($0.time, $0.length) }
    player.deliver(from: self) {
      let milliseconds = time.wholeMilliseconds
      player.events.send(.positionChanged(length > 0 ? Double(Float(milliseconds) / Float(length)) : 0))
      player.events.send(.timeChanged(milliseconds))
    }
  }

  func fill(from first: Int = 0, to last: Int = 100, steps: Int) {
    for step in 0...max(steps, 1) {
      tell(.buffering(Float(first + (last - first) * step / max(steps, 1))))
      if state.read({ $0.isStopping }) { return }
    }
  }

  // MARK: The thread

  private func run() {
    player.instance.log(0, "the input begins")
    switch profile {
    case .libVLC3: play()
    case .libVLC4: playThenDrain()
    }
    decoder?.stop()
    reader?.join()
    player.ended(self)
    state.change { $0.isOver = true }
  }

  private func play() {
    guard !state.read({ $0.isStopping }) else { return }
    enter(.opening, .opening)
    tell(.buffering(0))
    guard open() else {
      if !state.read({ $0.isStopping }) { fail() }
      return
    }
    describe()
    guard !state.read({ $0.isStopping }) else { return }
    enter(.playing, .playing)
    tell(.buffering(0))
    obey()
    fill(from: 1, steps: medium.bufferingSteps - 2)
    goOn()
  }

  /// From a full buffer to the end.
  func goOn() {
    guard !medium.tracks.isEmpty || medium.duration != nil else {
      // S7: what has no tracks plays for two milliseconds.
      if wait(.milliseconds(2)) { end() }
      return
    }
    advance()
  }

  /// Whether the time passed without an order to stop.
  func wait(_ duration: Duration) -> Bool {
    state.wait(for: duration) { $0.isStopping ? true : nil } == nil
  }

  func open() -> Bool {
    if let source = media.item.source {
      let reader = SourceReader(source)
      guard reader.open() else { return false }
      self.reader = reader
      reader.start()
      // S7: what cannot be read at all fails as what is missing does.
      guard reader.waitForData() else { return false }
    }
    guard wait(chance.duration(in: medium.opening)), passBarrier(), logIn() else { return false }
    if case .open = medium.failure { return false }
    let options = media.item.state.read { $0.options }
    let start = options.seconds(":start-time=") ?? .zero
    let ends = [options.seconds(":stop-time="), medium.breaksOff, medium.duration].compactMap(\.self)
    range = start...max(ends.min() ?? .seconds(Int64.max / 2), start)
    state.change { state in
      state.isOpen = true
      state.tracks = medium.tracks
      state.length = medium.milliseconds
      state.time = state.pendingSeek ?? range.lowerBound
    }
    return true
  }

  /// What blocks is looked at now and then, until it blocks no more or the playback is to end.
  private func passBarrier() -> Bool {
    guard let barrier = medium.barrier else { return true }
    while !barrier.reached() {
      guard wait(.milliseconds(10)) else { return false }
    }
    return true
  }

  /// S18: each access asks, until one answer is right or none is left.
  private func logIn() -> Bool {
    guard let login = medium.login else { return true }
    for _ in 0..<login.accesses {
      let answer = player.library.ask(player.instance, self) { opaque, dialog, callbacks in
        callbacks.displayLogin(opaque, dialog, "Access", "A name and a password, please.", nil, false)
      }
      switch answer {
      case .login(login.userName, login.password): return true
      case .dismissed, .login, .action: continue
      case .interrupted, nil: return false
      }
    }
    return false
  }

  var isStopping: Bool { state.read { $0.isStopping } }

  /// S1: the streams that are none, then those that are.
  private func describe() {
    let medium = medium
    if medium.failure != .junk {
      tell(.elementaryStreamDeleted(.audio, number: nil))
      for type in [NativeTrackType.audio, .video, .text] {
        tell(.elementaryStreamSelected(type, number: nil))
      }
      for type in [NativeTrackType.video, .text] { tell(.elementaryStreamDeleted(type, number: nil)) }
      tell(.scrambledChanged(false))
      for track in medium.tracks { tell(.elementaryStreamAdded(track.type, number: track.number)) }
    }
    tell(.seekableChanged(medium.isSeekable))
    tell(.pausableChanged(medium.isPausable))
    if !medium.chapters.isEmpty { tell(.titleChanged(0)) }
    player.outputs.open(self)
    let isNew = media.parsed.read { status -> Bool in
      defer { status = .done }
      return status != .done
    }
    media.learn()
    tell(.lengthChanged(medium.milliseconds))
    for type in [NativeTrackType.video, .audio] {
      guard let first = medium.tracks.first(where: { $0.type == type }) else { continue }
      state.change { $0.selected[type] = [first.number] }
      tell(.elementaryStreamSelected(type, number: first.number))
    }
    if isNew { media.events.send(.mediaParsedChanged(.done)) }
  }

  /// Time passes until the end.
  private func advance() {
    let period = medium.tellsEachBlock ? Duration.milliseconds(10) : .milliseconds(250)
    var sinceTold = Duration.zero
    while true {
      let rate = player.rate
      let (isPaused, time, isShown) = state.read {
        ($0.isPaused, $0.time, $0.selected[.video]?.isEmpty == false)
      }
      // S8: what is paused at its start has no output before it goes on.
      if !isPaused, decoder == nil, isShown { startDecoder() }
      let left = (range.upperBound - time) / Double(rate)
      // S1: the last time that is told lies before the end.
      let next = isPaused ? nil : min(period - sinceTold, left)
      let began = ContinuousClock.now
      let isDisturbed = sleep(next)
      let passed = ContinuousClock.now - began
      if state.read({ $0.isStopping }) { return }
      if !isPaused {
        state.change { $0.time = $0.time + passed * Double(rate) }
        sinceTold += passed
      }
      if isDisturbed {
        if obey() { sinceTold = .zero }
        continue
      }
      guard !isPaused else { continue }
      let now = state.read { $0.time }
      if case .read(let after) = medium.failure, now >= after {
        fail()
        return
      }
      if reader?.hasFailed == true {
        fail()
        return
      }
      // The clock's smallest step is longer than what may be left of a duration.
      if now + .microseconds(1) >= range.upperBound {
        state.change { $0.time = range.upperBound }
        end()
        return
      }
      cross(now)
      sinceTold = .zero
      tellTime()
      loopBack(now)
    }
  }

  /// Sleeps until a command or an order to stop comes; whether one did.
  private func sleep(_ duration: Duration?) -> Bool {
    let isWanted = { (state: inout State) -> Bool? in
      state.isStopping || !state.commands.isEmpty ? true : nil
    }
    guard let duration else { return state.wait(isWanted) }
    return state.wait(for: duration, isWanted) ?? false
  }

  private func cross(_ time: Duration) {
    guard let chapter = medium.chapters.lastIndex(where: { $0.start <= time }) else { return }
    state.change { $0.chapter = chapter }
    guard toldChapter != chapter else { return }
    toldChapter = chapter
    tell(.chapterChanged(chapter))
  }

  /// Does what was asked for; whether the place changed. S9: of several seeks the last one is done.
  @discardableResult
  func obey() -> Bool {
    let commands = state.change { state -> [Command] in
      defer { state.commands.removeAll() }
      return state.commands
    }
    var seeks = false
    for command in commands {
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
        enter(.paused, .paused)
      case .resume:
        guard
          state.change({ state -> Bool in
            defer { state.isPaused = false }
            return state.isPaused
          })
        else { continue }
        player.outputs.pause(false)
        enter(.playing, .playing)
      case .refill: seeks = true
      case .seekTime(let target): if seek(to: target) { seeks = true }
      case .jump(let offset): if seek(to: state.read { $0.time } + offset) { seeks = true }
      case .seekPosition(let position) where profile == .libVLC4:
        if seek(to: (medium.duration ?? .zero) * max(position, 0)) { seeks = true }
      case .program(let number): select(program: number)
      case .record(let isRecording, let directory): record(isRecording, in: directory)
      case .seekPosition(let position):
        guard medium.isSeekable, let duration = medium.duration, position < 1 else {
          seeks = true
          continue
        }
        state.change { $0.time = duration * max(position, 0) }
        seeks = true
      case .chapter(let chapter):
        tell(.buffering(0))
        state.change { state in
          state.chapter = chapter
          state.time = medium.chapters[chapter].start
        }
        toldChapter = chapter
        tell(.chapterChanged(chapter))
        tell(.buffering(0))
        if profile == .libVLC3 {
          tell(.titleChanged(0))
          tell(.chapterChanged(chapter))
        }
        seeks = true
      case .select(let type, let numbers): select(type, numbers)
      case .addText(let number, let isSelected):
        tell(.elementaryStreamAdded(.text, number: number))
        tell(.seekableChanged(medium.isSeekable))
        tell(.pausableChanged(medium.isPausable))
        if isSelected { select(.text, [number]) }
      }
    }
    if seeks {
      player.outputs.flush()
      fill(steps: medium.bufferingSteps * 3 / 2)
    }
    return seeks
  }

  private func select(_ type: NativeTrackType, _ numbers: [Int]) {
    let old = state.change { state -> [Int] in
      defer { state.selected[type] = numbers }
      return state.selected[type] ?? []
    }
    guard old != numbers else { return }
    if type == .video {
      stopDecoder()
      if numbers.isEmpty {
        tell(.videoOutputs(0))
        player.outputs.closeVideo()
      }
    }
    switch profile {
    case .libVLC3: tell(.elementaryStreamSelected(type, number: numbers.first))
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

  func stopDecoder() {
    decoder?.stop()
    decoder = nil
  }

  private func startDecoder() {
    let decoder = VideoDecoder(self, medium)
    self.decoder = decoder
    decoder.start()
  }

  // MARK: Ends

  private func end() {
    state.change { $0.hasEnded = true }
    player.outputs.drain()
    switch profile {
    case .libVLC3: endForGood()
    case .libVLC4: endByItself()
    }
  }

  func fail() {
    state.change { $0.hasEnded = true }
    switch profile {
    case .libVLC3: failForGood()
    case .libVLC4: failByItself()
    }
  }

  /// S1: the end, then what it had goes, then Stopped; the state stays Ended.
  private func endForGood() {
    enter(.ended, .endReached)
    close()
    if !medium.tracks.isEmpty {
      let selected = state.read { $0.selected }
      if selected[.video]?.isEmpty == false { tell(.videoOutputs(0)) }
      for type in [NativeTrackType.video, .audio] where selected[type]?.isEmpty == false {
        tell(.elementaryStreamSelected(type, number: nil))
      }
      for track in medium.tracks { tell(.elementaryStreamDeleted(track.type, number: track.number)) }
    }
    enter(.stopped, .stopped)
  }

  /// S7: an error, then Stopped, and the state is Ended.
  private func failForGood() {
    enter(.error, .encounteredError)
    close()
    enter(.stopped, .stopped)
  }

  /// S15: a source is closed before Stopped.
  func close() {
    count()
    stopDecoder()
    reader?.join()
    reader = nil
  }
}

extension Input {
  /// What playing counted, by the time that was played.
  private func count() {
    let seconds = Double(state.read { $0.time }.wholeMilliseconds) / 1_000
    let tracks = media.item.medium.tracks
    media.item.state.read { state in
      var statistics = state.statistics ?? NativeStatistics()
      if let rate = tracks.first(where: { $0.type == .video })?.video?.frameRate, rate.denominator > 0 {
        statistics.decodedVideo += UInt64(seconds * Double(rate.numerator) / Double(rate.denominator))
        statistics.displayedPictures = statistics.decodedVideo
      }
      if let audio = tracks.first(where: { $0.type == .audio })?.audio {
        statistics.decodedAudio += UInt64(seconds * Double(audio.sampleRate) / 1_024)
        statistics.playedAudioBuffers = statistics.decodedAudio
      }
      statistics.readBytes += UInt64(seconds * 30_000)
      statistics.demuxReadBytes = statistics.readBytes
      state.statistics = statistics
    }
  }
}

extension [String] {
  /// What an option gives in seconds.
  fileprivate func seconds(_ name: String) -> Duration? {
    last { $0.hasPrefix(name) }.flatMap { Double($0.dropFirst(name.count)) }.map { .seconds($0) }
  }
}
