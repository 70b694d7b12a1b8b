#if LibVLC
import MediaFixtures
import Testing
import VLCNative

/// An instance, a player on it and what the player tells, taken down in the order that libVLC wants.
final class Stage {
  let instance: NativeInstance
  let player: NativePlayer
  private let recorder: EventRecorder
  private var owned: [NativeMedia] = []

  init(_ arguments: [String] = quietArguments) throws {
    holdPlugins()
    instance = try #require(library.newInstance(arguments: arguments))
    player = try #require(library.newPlayer(instance))
    recorder = try EventRecorder(.player(player), NativeEventKind.ofPlayers)
  }

  /// What the player told.
  var events: Record<NativeEvent> { recorder.events }

  /// A media of a fixture that lives as long as the stage.
  func media(_ fixture: String, options: [String] = []) throws -> NativeMedia {
    try keep(library.newMedia(instance, path: MediaFixtures.path(fixture)), options: options)
  }

  /// Takes over a media's count.
  func keep(_ media: NativeMedia?, options: [String] = []) throws -> NativeMedia {
    let media = try #require(media, "libVLC made no media")
    owned.append(media)
    for option in options { library.addMediaOption(media, option) }
    return media
  }

  /// Sets a fixture, plays it and returns when it plays.
  @discardableResult
  func play(_ fixture: String, options: [String] = []) throws -> NativeMedia {
    let media = try media(fixture, options: options)
    try play(media)
    return media
  }

  /// Sets a media, plays it and returns when it plays.
  func play(_ media: NativeMedia) throws {
    let mark = events.count
    library.setMedia(player, media)
    try #require(library.play(player))
    try events.wait(for: .playing, from: mark)
  }

  /// Returns when there is an output that stays: libVLC makes and drops some until one fits the decoder.
  func waitForOutput() throws {
    try events.first("a video output") { event in
      if case .videoOutputs(let count) = event { count > 0 } else { false }
    }
    try waitForTime()
    try settle("an output that stays") { library.videoOutputCount(player) == 1 }
  }

  /// Returns when a condition is true that no event tells: looks at each time that the player tells.
  func settle(_ what: String, _ condition: () -> Bool) throws {
    var looks = 0
    while !condition() {
      looks += 1
      guard looks < 500 else {
        throw NeverHappened(what: what, seen: "\(looks) times at which it was not so")
      }
      try events.first(what, from: events.count) { if case .timeChanged = $0 { true } else { false } }
    }
  }

  /// Returns when the time moves.
  func waitForTime(from mark: Int = 0) throws {
    try events.first("a time", from: mark) { event in
      if case .timeChanged(let time) = event { time > 0 } else { false }
    }
  }

  /// Stops, and gives everything back.
  ///
  /// To be called once.
  func close() {
    library.stop(player)
    recorder.detach()
    library.releasePlayer(player)
    for media in owned { library.releaseMedia(media) }
    library.releaseInstance(instance)
  }
}
#endif
