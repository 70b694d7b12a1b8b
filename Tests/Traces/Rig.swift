import Foundation
import VLCNative

/// One player of a library with some media, driven by calls; what its listeners are told goes out as text.
final class Rig: @unchecked Sendable {
  // Unchecked: everything is made before the first call and put away after the last.
  private let library: any NativeLibrary
  private let instance: NativeInstance
  private let player: NativePlayer
  private var media: [NativeMedia] = []
  private var listeners: [Listening] = []

  /// - Parameter told: called on the thread that delivers an event.
  init?(
    _ library: any NativeLibrary, paths: [String], told: @escaping @Sendable (String) -> Void
  ) {
    self.library = library
    guard let instance = library.newInstance(arguments: Self.arguments) else { return nil }
    guard let player = library.newPlayer(instance) else { return nil }
    self.instance = instance
    self.player = player
    for path in paths {
      guard let made = library.newMedia(instance, path: path) else { return nil }
      media.append(made)
    }
    listen(.player(player), NativeEventKind.ofPlayers.filter(library.eventKinds.contains), "player", told)
    for (number, made) in media.enumerated() { listen(.media(made), Self.ofMedia, "media \(number)", told) }
  }

  static let arguments = [
    "--no-video-title-show", "--no-snapshot-preview", "--no-sub-autodetect-file", "--vout=dummy",
    "--aout=adummy", "--quiet", "--no-spu",
  ]
  // Without the metadata: how often that is told is a file's own.
  private static let ofMedia: [NativeEventKind] = [
    .mediaStateChanged, .mediaDurationChanged, .mediaParsedChanged,
  ]

  private func listen(
    _ source: NativeEventSource, _ kinds: [NativeEventKind], _ name: String,
    _ told: @escaping @Sendable (String) -> Void
  ) {
    let listening = Listening(library, source, kinds) { [weak self] event in
      guard let self, let text = describe(event) else { return }
      told("\(name) \(text)")
    }
    listeners.append(listening)
    listening.attach()
  }

  /// Makes a call; what it returns, as text.
  func perform(_ call: TraceCall) -> String {
    switch call {
    case .setMedia(let number): library.setMedia(player, number.map { media[$0] })
    case .play: return "\(library.play(player))"
    case .pause: library.setPause(player, true)
    case .resume: library.setPause(player, false)
    case .stop: library.stop(player)
    case .setTime(let time): _ = library.setTime(player, milliseconds: time, fast: false)
    case .setPosition(let position): _ = library.setPosition(player, position, fast: false)
    case .setRate(let rate): _ = library.setRate(player, rate)
    case .nextChapter: library.showNextChapter(player)
    case .previousChapter: library.showPreviousChapter(player)
    case .selectVideo(let number): return "\(library.selectTrack(player, .video, number: number))"
    case .selectAudio(let number): return "\(library.selectTrack(player, .audio, number: number))"
    case .state: return "\(library.state(player))"
    case .isPlaying: return "\(library.isPlaying(player))"
    case .time: return library.time(player) < 0 ? "none" : "some"
    case .length:
      let length = library.length(player)
      return length < 0 ? "none" : length == 0 ? "zero" : "some"
    case .isSeekable: return "\(library.isSeekable(player))"
    case .canPause: return "\(library.canPause(player))"
    case .parse(let number):
      return "\(library.parseMedia(instance, media[number], options: [.local], timeoutMilliseconds: -1))"
    case .snapshot: break
    case .detach:
      for listening in listeners { listening.detach() }
      listeners.removeAll()
    }
    return ""
  }

  /// Puts everything away, whatever happened.
  func close() {
    library.stop(player)
    for listening in listeners { listening.detach() }
    library.releasePlayer(player)
    for made in media { library.releaseMedia(made) }
    library.releaseInstance(instance)
  }

  private func name(_ media: NativeMedia?) -> String {
    guard let media else { return "none" }
    return self.media.firstIndex { $0.address == media.address }.map(String.init) ?? "another"
  }

  private func describe(_ event: NativeEvent) -> String? {
    switch event {
    // How far a buffer is, is left open; that it begins to fill is not.
    case .buffering(let part): part == 0 ? "fills" : nil
    case .timeChanged, .positionChanged: "times"
    case .mediaChanged(let media): "media changed \(name(media))"
    case .lengthChanged(let length): "length \(length == 0 ? "zero" : "some")"
    case .mediaDurationChanged: "duration"
    case .mediaStateChanged(let state): "state \(state)"
    case .mediaParsedChanged(let status): "parsed \(status)"
    case .videoOutputs(let count): "outputs \(count)"
    case .elementaryStreamAdded(let type, let number): "added \(type) \(number.map(String.init) ?? "none")"
    case .elementaryStreamDeleted(let type, let number):
      "deleted \(type) \(number.map(String.init) ?? "none")"
    case .elementaryStreamSelected(let type, let number):
      "selected \(type) \(number.map(String.init) ?? "none")"
    case .audioVolume(let volume): "volume \(volume)"
    default: "\(event)"
    }
  }
}

/// A listener for some kinds of a source's events.
private final class Listening: Sendable {
  private let library: any NativeLibrary
  private let source: NativeEventSource
  private let kinds: [NativeEventKind]
  private let body: @Sendable (NativeEvent) -> Void

  init(
    _ library: any NativeLibrary, _ source: NativeEventSource, _ kinds: [NativeEventKind],
    _ body: @escaping @Sendable (NativeEvent) -> Void
  ) {
    self.library = library
    self.source = source
    self.kinds = kinds
    self.body = body
  }

  // Without a count: the rig keeps it until it is detached.
  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func attach() { for kind in kinds { _ = library.attach(source, kind, Self.receive, context: context) } }
  func detach() { for kind in kinds { library.detach(source, kind, Self.receive, context: context) } }

  private static let receive: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    let listening = Unmanaged<Listening>.fromOpaque(context).takeUnretainedValue()
    listening.body(listening.library.decode(event))
  }
}
