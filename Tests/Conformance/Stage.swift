import VLCNative

/// What a check plays on: an instance, and the players, media and listeners that it makes, put away in order.
public final class Stage: @unchecked Sendable {
  // Unchecked: what is to be released is touched by the check's own thread alone; other threads reach the library
  // and the trace, which are constants.
  let harness: Harness
  let rule: String
  let trace: Trace
  var library: any NativeLibrary { harness.library }
  /// The arguments of the instance, to be changed before the first use of it.
  var arguments = [
    "--no-video-title-show", "--no-snapshot-preview", "--no-sub-autodetect-file", "--vout=dummy",
    "--aout=adummy", "--quiet", "--no-spu",
  ]

  private var madeInstance: NativeInstance?
  private var players: [NativePlayer] = []
  private var media: [NativeMedia] = []
  private var lists: [NativeMediaList] = []
  private var listPlayers: [NativeListPlayer] = []
  private var listeners: [Listener] = []
  private var kept: [AnyObject] = []

  init(_ harness: Harness, rule: String) {
    self.harness = harness
    self.rule = rule
    trace = Trace(harness.currentThread, harness.threadName, patience: harness.patience)
  }

  // Making.

  func instance() throws -> NativeInstance {
    if let madeInstance { return madeInstance }
    let instance = try require(library.newInstance(arguments: arguments), "an instance")
    madeInstance = instance
    return instance
  }

  /// A player whose events are recorded under a name; nil records nothing.
  func makePlayer(_ name: String? = "player") throws -> NativePlayer {
    let player = try require(library.newPlayer(instance()), "a player")
    players.append(player)
    if let name { try record(.player(player), NativeEventKind.ofPlayers, as: name) }
    return player
  }

  /// A fixture, whose events are recorded when it has a name.
  func makeMedia(_ fixture: String, options: [String] = [], as name: String? = nil) throws -> NativeMedia {
    let media = try keep(library.newMedia(instance(), path: harness.media.path(fixture)), as: name)
    for option in options { library.addMediaOption(media, option) }
    return media
  }

  /// Takes what was made into the stage's care.
  func keep(_ made: NativeMedia?, as name: String? = nil) throws -> NativeMedia {
    let made = try require(made, "a media")
    media.append(made)
    if let name { try record(.media(made), NativeEventKind.ofMedia, as: name) }
    return made
  }

  func makeList(of items: [NativeMedia] = [], as name: String? = nil) throws -> NativeMediaList {
    let list = try require(library.newMediaList(instance()), "a list")
    lists.append(list)
    if let name { try record(.mediaList(list), NativeEventKind.ofLists, as: name) }
    library.lockMediaList(list)
    defer { library.unlockMediaList(list) }
    for item in items { try expect(library.appendMedia(list, item), "a list takes a media") }
    return list
  }

  /// A list player, recorded as "list player", with a player that is recorded as "player".
  func makeListPlayer(_ list: NativeMediaList) throws -> NativeListPlayer {
    let listPlayer = try require(library.newListPlayer(instance()), "a list player")
    listPlayers.append(listPlayer)
    try record(.listPlayer(listPlayer), NativeEventKind.ofListPlayers, as: "list player")
    library.setPlayer(of: listPlayer, try makePlayer())
    library.setList(of: listPlayer, list)
    return listPlayer
  }

  /// Keeps an object, such as a sink that callbacks reach, until everything is released.
  func keep<Object: AnyObject>(object: Object) -> Object {
    kept.append(object)
    return object
  }

  // Releasing before the end.

  /// Forgets a player and its listeners, which its release took along.
  func forget(_ player: NativePlayer) {
    players.removeAll { $0 == player }
    listeners.removeAll { $0.source == .player(player) }
  }

  func forget(_ media: NativeMedia) {
    self.media.removeAll { $0 == media }
    listeners.removeAll { $0.source == .media(media) }
  }

  /// Stops, detaches and releases what is left, in the order that libVLC wants.
  func close() throws {
    trace.openGates()
    if library.capabilities.contains(.joiningTransport) {
      for listPlayer in listPlayers { library.stop(listPlayer) }
      for player in players { library.stop(player) }
    } else {
      // The release waits for what is left.
      for listPlayer in listPlayers { library.stopAsynchronously(listPlayer) }
      for player in players { _ = library.stopAsynchronously(player) }
    }
    try trace.join(rule: rule)
    for listener in listeners { listener.detachAll() }
    for listPlayer in listPlayers { library.releaseListPlayer(listPlayer) }
    for player in players { library.releasePlayer(player) }
    for list in lists { library.releaseMediaList(list) }
    for media in media { library.releaseMedia(media) }
    if let madeInstance { library.releaseInstance(madeInstance) }
    // Nothing calls any more: what a check gave to a listener may hold the stage.
    listeners.removeAll()
    kept.removeAll()
  }

  // Listening.

  /// Records the events of a source in the trace under a name.
  @discardableResult
  func record(_ source: NativeEventSource, _ kinds: [NativeEventKind], as name: String) throws -> Listener {
    try listen(source, kinds.filter(library.eventKinds.contains)) { [trace] event in
      trace.append(.event(name, event))
    }
  }

  /// Runs a body for each event of some kinds, on the thread that delivers it.
  @discardableResult
  func listen(
    _ source: NativeEventSource, _ kinds: [NativeEventKind], _ body: @escaping @Sendable (NativeEvent) -> Void
  ) throws -> Listener {
    let listener = Listener(library, source, kinds, body)
    kept.append(listener)
    listeners.append(listener)
    try expect(listener.attachAll(), "an event manager takes a listener")
    return listener
  }

  /// A listener that is not attached yet; the check attaches and detaches it.
  func makeListener(
    _ source: NativeEventSource, _ kinds: [NativeEventKind], _ body: @escaping @Sendable (NativeEvent) -> Void
  ) -> Listener {
    keep(object: Listener(library, source, kinds, body))
  }

  // Threads.

  /// Runs a body on a thread of the world, which `close` waits for.
  func spawn(_ body: @escaping @Sendable () -> Void) {
    trace.threadWillStart()
    harness.spawn { [trace] in
      trace.threadDidStart()
      body()
      trace.threadDidEnd()
    }
  }
}

/// A callback and its context at an event manager.
final class Listener: Sendable {
  let source: NativeEventSource
  private let library: any NativeLibrary
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

  // Without a count: the stage keeps its listeners until nothing calls any more.
  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  @discardableResult
  func attachAll() -> Bool {
    kinds.allSatisfy { library.attach(source, $0, Self.receive, context: context) }
  }

  func detachAll() {
    for kind in kinds { library.detach(source, kind, Self.receive, context: context) }
  }

  private static let receive: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    listener.body(listener.library.decode(event))
  }
}

extension NativeEventKind {
  static let ofMedia: [NativeEventKind] = [
    .mediaMetadataChanged, .mediaSubItemAdded, .mediaDurationChanged, .mediaParsedChanged, .mediaStateChanged,
    .mediaSubItemTreeAdded,
  ]
  static let ofLists: [NativeEventKind] = [
    .listItemAdded, .listWillAddItem, .listItemDeleted, .listWillDeleteItem, .listEndReached,
  ]
  static let ofListPlayers: [NativeEventKind] = [
    .listPlayerPlayed, .listPlayerNextItemSet, .listPlayerStopped,
  ]
}
