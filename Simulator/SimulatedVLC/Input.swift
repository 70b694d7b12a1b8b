import Foundation
import VLCNative

/// One playback: a thread of its own, from opening to its end (R2). What 4.0 tells in its own way is in `Input+VLC4.swift`.
///
/// Its states, and who may change them:
/// - *listening*: until the player is told no more of it. Ended by `silence`, which waits for a dispatch that runs.
/// - *stopping*: asked to end; by the player.
/// - *over*: the thread has ended; by the thread, at its very end.
final class Input: @unchecked Sendable {
  struct State {
    var isStopping = false
    var isOver = false
    var isOpen = false
    /// What it has is told.
    var isDescribed = false
    /// Playing was told, or is just about to be.
    var hasBegun = false
    var isPaused = false
    var hasEnded = false
    var time = Duration.zero
    var length: Int64 = 0
    var chapter = 0
    var commands: [Command] = []
    var selected: [NativeTrackType: [Int]] = [:]
    var tracks: [NativeTrack] = []
    var pendingSeek: Duration?
    /// All of it was read: no time is told any more, and no seek done.
    var isRead = false
    /// What was sought last, until a time is told: the end may be before it.
    var askedTime: Duration?
    /// Where it was before the seeks that are not done yet.
    var leftBehind: Duration?
    // 4.0's alone.
    /// What was told of it: before that it cannot be paused (4.pause).
    var canPause = false
    var program: Int?
    var isRecording = false
    var loop: (start: Duration, end: Duration)?
  }

  /// What the player listens to, in the order in which it stops to.
  enum Channel: CaseIterable {
    case parsing, seekability, pausability, scrambling, playback, selections, videoStreams, audioStreams,
      textStreams
  }

  unowned let player: SimulatedPlayer
  let media: SimulatedMediaObject
  /// Among the playbacks of its player.
  let number: Int
  let state = Monitor(State())
  /// Held while an event of this playback is dispatched: a second one waits for the first.
  private let interface = NSLock()
  private var silenced: Set<Channel> = []
  /// The player's, under its input lock.
  private var isWatching = false
  let chance: Chance
  var medium: SimulatedMedium { media.item.medium }
  var profile: SimulatedProfile { player.library.profile }
  /// Where it begins and ends: the media's options, and where its data do.
  var range = Duration.zero...Duration.zero
  private var toldChapter = -1
  private(set) var decoder: VideoDecoder?
  private var isHeard = false
  private var reader: SourceReader?
  /// 3.0's alone.
  private(set) var playingSince: ContinuousClock.Instant?

  init(_ player: SimulatedPlayer, _ media: SimulatedMediaObject, _ chance: Chance, number: Int = 0) {
    self.player = player
    self.media = media
    self.chance = chance
    self.number = number
  }

  var canPause: Bool {
    switch profile {
    // What is not known yet is taken for possible.
    case .libVLC3: medium.isPausable || !state.read { $0.isOpen }
    case .libVLC4: state.read { $0.canPause }
    }
  }

  // MARK: From the player

  func start() {
    media.item.state.read { $0.watchers += 1 }
    isWatching = true
    NativeThread.start(.input) { self.run() }
  }

  /// Runs what tells something, where the player still listens.
  func whileListening(_ channel: Channel, _ body: () -> Void) {
    interface.withLock { if !silenced.contains(channel) { body() } }
  }

  /// The player hears nothing more of it. Waits for an event that is being told; from inside one it waits for ever.
  ///
  /// One after the other it stops to listen to what it listens to in several places, so that of what comes meanwhile a part is told.
  func silence() {
    media.item.state.read { $0.watchers -= isWatching ? 1 : 0 }
    isWatching = false
    for channel in Channel.allCases { interface.withLock { _ = silenced.insert(channel) } }
  }

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
    let endsBeyond = isBeyond && medium.isReadAhead
    let hasEnded = state.read { $0.hasEnded && !$0.isOver }
    // What ends takes no seek, and is waited for: from inside an event of the end for ever.
    if hasEnded { interface.withLock {} }
    let tells = state.change { state -> Bool in
      guard !state.hasEnded, !state.isOver else { return false }
      // What goes on counts as playing from the call on.
      guard state.hasBegun else {
        let place = isBeyond ? (endsBeyond ? medium.duration : nil) ?? .zero : target
        state.pendingSeek = place
        // Done in its turn: a pause before it and a resume after it are two that are told.
        state.commands.append(.refill(to: isBeyond ? nil : place))
        return state.isDescribed && !isBeyond && state.commands.wantsToGoOn
      }
      // Time passes between any two calls, though none may have passed here.
      guard medium.isSeekable, !state.isRead, state.time != target || chance.draw(2) == 1 else {
        return false
      }
      state.commands.append(.refill(to: isBeyond ? nil : target))
      state.leftBehind = state.leftBehind ?? state.time
      if endsBeyond, let end = medium.duration { state.time = end }
      state.askedTime = target
      if isBeyond {
        // Of seeks in a row the last one is done.
        if !endsBeyond, let place = state.leftBehind { state.time = place }
        return false
      }
      state.time = target
      return state.commands.last { $0.isPause || $0.isResume }?.isResume ?? !state.isPaused
    }
    if tells { tellTime() }
  }

  // MARK: Telling

  /// Tells an event where the player still listens.
  func tell(_ event: NativeEvent) {
    player.deliver(from: self, event.channel) { player.events.send(event) }
  }

  /// Comes to a state, and tells it.
  func enter(_ new: NativeState, _ event: NativeEvent) { player.enter(new, event, from: self) }

  func tellTime() {
    let (time, length) = state.read { state in
      state.askedTime = nil
      return (state.time, state.length)
    }
    player.deliver(from: self, .playback) {
      let milliseconds = time.wholeMilliseconds
      player.events.send(.positionChanged(length > 0 ? Double(Float(milliseconds) / Float(length)) : 0))
      player.events.send(.timeChanged(milliseconds))
    }
  }

  /// Where there are chapters, the one that was come to is told beside each beginning.
  func beginFilling(at time: Duration, elsewhere: Bool = true) {
    tell(.buffering(0))
    guard elsewhere, profile == .libVLC3, let chapter = chapter(at: time) else { return }
    tell(.titleChanged(0))
    enter(chapter)
  }

  func fill(from first: Int = 0, to last: Int = 100, steps: Int) {
    let obeys = profile == .libVLC3 && chance.draw(2) == 0
    for step in 0...max(steps, 1) {
      if profile == .libVLC3 { startOutputs() }
      tell(.buffering(Float(first + (last - first) * step / max(steps, 1))))
      // What is asked for meanwhile may be done at once; a seek waits for its end.
      if isStopping { return }
      if obeys, !state.read({ $0.commands.contains(where: \.isSeek) }) { obey() }
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
    let delay = player.library.faults.delay(.stopIsSlow)
    // What is slow to end does not look whether it is to.
    if delay > .zero { Thread.sleep(forTimeInterval: delay / .seconds(1)) }
    player.ended(self)
    state.change { $0.isOver = true }
  }

  private func play() {
    guard !state.read({ $0.isStopping }) else { return }
    state.change { state in
      // A pause that was taken back before is none.
      let goesOn = state.commands.wantsToGoOn
      state.commands.removeAll { $0.isResume || goesOn && $0.isPause }
    }
    enter(.opening, .opening)
    tell(.buffering(0))
    guard open() else {
      if !state.read({ $0.isStopping }) { fail() }
      return
    }
    describe()
    guard !isStopping else { return }
    addSlaves()
    begin()
    enter(.playing, .playing)
    playingSince = .now
    if medium.hasNothing {
      if chance.draw(2) == 0 { state.change { $0.isRead = true } }
      if !media.isKnown {
        media.learn()
        tell(.lengthChanged(0))
      }
    } else {
      // What decodes may be quicker than a pause that waits already.
      let isToPause = state.read { $0.commands.contains(where: \.isPause) }
      if !isToPause || chance.draw(4) == 0 { startOutputs() }
      beginFilling(at: range.lowerBound)
      // A seek that was asked for while it opened may be to the end of what is read by then: no sound is ever decoded.
      if medium.isReadAhead, state.read({ $0.commands.contains(where: \.isSeek) }), chance.draw(4) == 0 {
        end()
        return
      }
      let waits = !isToPause && chance.draw(4) == 0
      if waits || !obey() { fill(from: 1, steps: medium.bufferingSteps - 2) }
    }
    advance()
  }

  /// S9: what was asked for while it opened is a seek as any other.
  private func begin() {
    state.change { state in
      state.hasBegun = true
      guard let target = state.pendingSeek else { return }
      state.time = max(target, state.time)
      state.commands = state.commands.map { command in
        guard case .refill(let target?) = command else { return command }
        return .refill(to: max(target, range.lowerBound))
      }
    }
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
    let opening = chance.duration(in: medium.opening) + player.library.faults.delay(.openingIsSlow)
    guard wait(opening), passBarrier(), logIn() else { return false }
    if case .open = medium.failure { return false }
    if player.library.faults.fires(.openingFails) { return false }
    let options = media.item.state.read { $0.options }
    let start = options.seconds(":start-time=") ?? .zero
    // S7: what has no tracks plays for two milliseconds.
    let ends = [
      options.seconds(":stop-time="), medium.breaksOff, medium.duration,
      medium.hasNothing ? .milliseconds(2) : nil,
    ].compactMap(\.self)
    range = start...max(ends.min() ?? .seconds(Int64.max / 2), start)
    state.change { state in
      state.isOpen = true
      state.time = range.lowerBound
      guard profile == .libVLC4 else { return }
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

  /// Whether there was a stream of a type.
  func hasTold(_ type: NativeTrackType) -> Bool {
    state.read { state in
      state.isOpen && (state.hasEnded ? medium.tracks : state.tracks).contains { $0.type == type }
    }
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
      for track in medium.tracks {
        state.change { $0.tracks.append(track) }
        tell(.elementaryStreamAdded(track.type, number: track.number))
      }
    }
    tell(.seekableChanged(medium.isSeekable))
    tell(.pausableChanged(medium.isPausable))
    if !medium.chapters.isEmpty { tell(.titleChanged(0)) }
    // S7: how long it is that has nothing in it is told the first time only, and again when it plays.
    if medium.hasNothing {
      if !media.isKnown { tell(.lengthChanged(0)) }
    } else {
      media.learn()
      state.change { $0.length = medium.milliseconds }
      tell(.lengthChanged(medium.milliseconds))
    }
    // Whoever has it go on while it opens is told the time.
    if state.read({ $0.commands.wantsToGoOn }) { tellTime() }
    state.change { $0.isDescribed = true }
    selectEarly()
    for type in [NativeTrackType.video, .audio] where state.read({ $0.selected[type] == nil }) {
      guard let first = medium.tracks.first(where: { $0.type == type }) else { continue }
      state.change { $0.selected[type] = [first.number] }
      tell(.elementaryStreamSelected(type, number: first.number))
    }
    // Once a media, by whoever comes first, though nobody may hear it.
    let isFirst = media.item.state.read { state -> Bool in
      defer { state.isPreparsed = true }
      return !state.isPreparsed
    }
    guard isFirst else { return }
    whileListening(.parsing) { media.tell(.done) }
  }

  /// What was selected while it opened comes before what it selects itself.
  private func selectEarly() {
    let wanted = state.change { state -> [(NativeTrackType, [Int])] in
      let wanted = state.commands.compactMap { command -> (NativeTrackType, [Int])? in
        if case .select(let type, let numbers) = command, !numbers.isEmpty { (type, numbers) } else { nil }
      }
      state.commands.removeAll { if case .select(_, let numbers) = $0 { !numbers.isEmpty } else { false } }
      return wanted
    }
    for (type, numbers) in wanted { select(type, numbers) }
  }

  /// Time passes until the end.
  func advance() {
    var sinceTold = Duration.zero
    var isSought = false
    var mayBeOver = false
    while true {
      let rate = player.rate
      // A block is ten milliseconds of the media; elsewhere the clock is asked at every rate alike.
      let period = medium.tellsEachBlock ? .milliseconds(10) / Double(rate) : Duration.milliseconds(250)
      let (isPaused, time) = state.read { ($0.isPaused, $0.time) }
      if !isPaused { startOutputs(isSure: true) }
      let left = (range.upperBound - time) / Double(rate)
      // A seek to its last second may be to its end, and one from where all of it may have been read.
      if profile == .libVLC3, isSought, !isPaused, left < .seconds(1) || mayBeOver, chance.draw(4) == 0 {
        end()
        return
      }
      // Where no stream is wanted nothing keeps the reading to its pace.
      if profile == .libVLC3, !isPaused, medium.duration != nil, isDeselected, chance.draw(2) == 0 {
        end()
        return
      }
      isSought = false
      // What is shown within a third of a second is in the buffer.
      let mayBeRead = isNearEnd(time) || left < .milliseconds(300)
      if profile == .libVLC3, mayBeRead, !isPaused || medium.hasNothing, chance.draw(16) == 0 {
        state.change { $0.isRead = true }
      }
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
        // What was demuxed before the command comes first: a time, or the end.
        let before = isPaused || profile == .libVLC4 ? 0 : chance.draw(8)
        if before == 1 || before == 2, !state.read({ $0.isRead }) { tellTime() }
        if before == 3, medium.hasNothing || endsWhenSought() {
          end()
          return
        }
        mayBeOver = endsWhenSought()
        isSought = obey()
        if isSought { sinceTold = .zero }
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
        // What has not been read has not been played.
        if reader?.isOver == false {
          _ = wait(.milliseconds(250))
          continue
        }
        state.change { $0.time = range.upperBound }
        end()
        return
      }
      sinceTold = .zero
      guard !state.read({ $0.isRead }) else { continue }
      cross(now)
      tellTime()
      switch meetFaults() {
      case .none: break
      case .breaks: return fail()
      case .ends: return end()
      }
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

  func chapter(at time: Duration) -> Int? { medium.chapters.lastIndex { $0.start <= time } }

  func enter(_ chapter: Int) {
    state.change { $0.chapter = chapter }
    toldChapter = chapter
    tell(.chapterChanged(chapter))
  }

  private func cross(_ time: Duration) {
    guard let chapter = chapter(at: time), toldChapter != chapter else { return }
    enter(chapter)
  }

  /// S8: what is paused at its start has no outputs before it goes on, or is sought in.
  func startOutputs(shows: Bool = false, isSure: Bool = false) {
    let (isPaused, isStopping, selected) = state.read { ($0.isPaused, $0.isStopping, $0.selected) }
    guard !isStopping, !isPaused || shows else { return }
    // When the first sound is decoded, so not always at once.
    if profile == .libVLC3, !isHeard, !isPaused, isSure || chance.draw(4) > 0,
      selected[.audio]?.isEmpty == false
    {
      isHeard = true
      player.outputs.openAudio()
    }
    guard decoder == nil, selected[.video]?.isEmpty == false else { return }
    let decoder = VideoDecoder(self, medium)
    self.decoder = decoder
    decoder.start()
  }

  func stopDecoder() {
    decoder?.stop()
    decoder = nil
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
    player.instance.log(4, "cannot play '\(media.item.mrl ?? "")'")
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
      // What was over before it was shown has no output to lose.
      if selected[.video]?.isEmpty == false, player.outputs.videoCount > 0 { tell(.videoOutputs(0)) }
      for type in [NativeTrackType.video, .audio] where selected[type]?.isEmpty == false {
        tell(.elementaryStreamSelected(type, number: nil))
      }
      state.change { $0.tracks = [] }
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

extension NativeEvent {
  fileprivate var channel: Input.Channel {
    switch self {
    case .seekableChanged: .seekability
    case .pausableChanged: .pausability
    case .scrambledChanged: .scrambling
    case .elementaryStreamSelected: .selections
    case .elementaryStreamAdded(let type, _), .elementaryStreamDeleted(let type, _):
      type == .video ? .videoStreams : type == .audio ? .audioStreams : .textStreams
    default: .playback
    }
  }
}
