import SwiftVLC

/// `vlctool play`: one media after the other, with the events as a time line.
@MainActor
final class PlayCommand {
  private let options: PlayOptions
  private let output = Output.standard
  private let began = ContinuousClock.now
  private var totals = PlaySummary()
  private var isQuitting = false
  private var player: Player?

  init(options: PlayOptions) {
    self.options = options
  }

  func run() async -> ExitStatus {
    let instance: VLCInstance
    do throws(VLCError) {
      instance = try VLCInstance(arguments: VLCInstance.defaultArguments + outputArguments())
    } catch {
      Output.complain(error.description)
      return .unavailable
    }
    let player = Player(instance: instance)
    self.player = player
    defer { self.player = nil }
    let console = Console { [weak self] key in self?.pressed(key) }
    defer { console.restore() }
    if let rate = options.rate { try? player.setPlaybackRate(rate) }
    if let volume = options.volume { try? player.setAudioVolume(volume) }
    let stopTimer = options.stopAfter.map { limit in
      Task { [weak self] in
        try await Task.sleep(for: limit)
        self?.quit()
      }
    }
    defer { stopTimer?.cancel() }
    var status = ExitStatus.success
    for _ in 0..<options.loop {
      for source in options.sources where !isQuitting {
        if await play(Source(text: source), on: player) == .failure { status = .failure }
      }
    }
    totals.wallSeconds = wallSeconds
    if options.json { output.json(totals) } else { output.line(totals.description) }
    return status
  }

  /// Plays one media to its end, however it ends.
  private func play(_ source: Source, on player: Player) async -> ExitStatus {
    var events = player.controlEvents.makeAsyncIterator()
    var outcomes = player.terminalOutcomes.makeAsyncIterator()
    let times = showTimes(of: player)
    defer { times.cancel() }
    do throws(VLCError) {
      let media = try source.media()
      if let start = options.start { try media.addOption(":start-time=\(start.seconds)") }
      try player.play(media)
    } catch {
      Output.complain(error.description)
      totals.add(outcome: "failure", statistics: nil, duration: nil)
      return .failure
    }
    var duration: Duration?
    var outcome: PlaybackTerminalOutcome?
    while let event = await events.next() {
      show(event)
      if output.isOver { quit() }
      if let length = event.lengthChanged { duration = length }
      // The outcome comes with the last event, which a start that was refused has not.
      if event == .encounteredError { outcome = await outcomes.next() }
      if event == .stateChanged(.stopped) || outcome?.cause == .failure(.startRejected) { break }
    }
    if outcome == nil { outcome = await outcomes.next() }
    guard let outcome else { return .failure }
    if outcome.cause == .naturalEnd, let event = await events.next() { show(event) }
    totals.add(outcome: outcome.cause.name, statistics: player.statistics, duration: duration)
    guard case .failure(let kind) = outcome.cause else { return .success }
    Output.complain(source.explanation(kind))
    return .failure
  }

  // MARK: Outputs

  /// A dummy output where none is wanted or none can be.
  private func outputArguments() -> [String] {
    var arguments: [String] = []
    if options.video == .none {
      arguments.append("--vout=dummy")
    } else if !Surroundings.hasDisplay {
      say("no display: the video goes to a dummy output. Set DISPLAY or WAYLAND_DISPLAY to see it.")
      arguments.append("--vout=dummy")
    }
    if options.audio == .none {
      arguments.append("--aout=adummy")
    } else if !Surroundings.hasSoundCard {
      say("no sound card and no sound server: the sound goes to a dummy output.")
      arguments.append("--aout=adummy")
    }
    return arguments
  }

  // MARK: What is seen

  private var wallSeconds: Double { (ContinuousClock.now - began).seconds }

  private func say(_ text: String) {
    if options.json { output.json(JSONNote(message: text)) } else { output.line(text) }
  }

  private func show(_ event: PlayerEvent) {
    if options.json {
      output.json(JSONEvent(event: "\(event)", seconds: wallSeconds))
    } else {
      output.line("\(column(wallSeconds))  \(event)")
    }
  }

  /// Fixed point without Foundation's formats.
  private func column(_ seconds: Double) -> String {
    let milliseconds = Int(seconds * 1000)
    let fraction = String(milliseconds % 1000)
    let text = "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
  }

  /// The progress line on a terminal, the newest time as an object a line otherwise.
  private func showTimes(of player: Player) -> Task<Void, Never> {
    let times = player.timingEvents
    return Task { [weak self, weak player] in
      for await event in times {
        guard let self, let player, let time = event.timeChanged else { continue }
        if self.options.json {
          self.output.json(JSONTime(time: time.seconds, seconds: self.wallSeconds))
        } else {
          self.output.progress(Self.progressLine(player, time: time))
        }
      }
    }
  }

  private static func progressLine(_ player: Player, time: Duration) -> String {
    let width = 40
    let filled = Int(player.position * Double(width))
    let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
    let end = player.duration.map { " / \($0.formatted)" } ?? ""
    return
      "\(player.isPlaying ? ">" : "|") \(time.formatted)\(end) [\(bar)] volume \(Int(player.volume * 100)) %"
  }

  // MARK: Keys and signals

  private func pressed(_ key: Console.Key) {
    guard let player else { return }
    switch key {
    case .space: player.togglePlayPause()
    case .left: try? player.seek(by: .seconds(-10))
    case .right: try? player.seek(by: .seconds(10))
    case .up: try? player.setAudioVolume(Volume(player.volume + 0.05))
    case .down: try? player.setAudioVolume(Volume(player.volume - 0.05))
    case .quit: quit()
    }
  }

  private func quit() {
    isQuitting = true
    player?.stop()
  }
}

extension PlaybackTerminalCause {
  /// The outcome's name in JSON.
  fileprivate var name: String {
    switch self {
    case .naturalEnd: "naturalEnd"
    case .requestedStop: "requestedStop"
    case .replacement: "replacement"
    case .cancellation: "cancellation"
    case .failure: "failure"
    case .unknownNativeStop: "unknownNativeStop"
    }
  }
}

/// The last line: what came out of everything that was played.
private struct PlaySummary: Encodable, CustomStringConvertible {
  let type = "summary"
  var outcome = "requestedStop"
  var decodedVideo: UInt64 = 0
  var decodedAudio: UInt64 = 0
  var displayedPictures: UInt64 = 0
  var lostPictures: UInt64 = 0
  var duration = 0.0
  var wallSeconds = 0.0

  /// A failure stays; otherwise the last outcome counts.
  mutating func add(outcome: String, statistics: MediaStatistics?, duration: Duration?) {
    if self.outcome != "failure" { self.outcome = outcome }
    self.duration += duration?.seconds ?? 0
    guard let statistics else { return }
    decodedVideo += statistics.decodedVideo
    decodedAudio += statistics.decodedAudio
    displayedPictures += statistics.displayedPictures
    lostPictures += statistics.lostPictures
  }

  var description: String {
    """
    \(outcome): \(duration) s of media in \((wallSeconds * 1000).rounded() / 1000) s, decoded \(decodedVideo) video \
    and \(decodedAudio) audio blocks, displayed \(displayedPictures) pictures, lost \(lostPictures)
    """
  }
}

private struct JSONEvent: Encodable {
  let type = "event"
  let event: String
  let seconds: Double
}

private struct JSONTime: Encodable {
  let type = "time"
  let time: Double
  let seconds: Double
}

private struct JSONNote: Encodable {
  let type = "note"
  let message: String
}
