import VLCNative

extension Rule {
  /// Deviations each of which turns the check red: what a check is worth that has none?
  ///
  /// `conformance deviations NAME` finds them.
  public var deviations: [Deviation] {
    let named = nameInTable
    guard named.hasPrefix("matrix ") else { return Deviation.table[named] ?? [] }
    guard let made = Deviation.matrix[String(named.dropFirst("matrix ".count))] else { return [] }
    switch expectation {
    case .holds: return [.waitsForCallbacks(made)]
    case .deadlocks, .aborts, .undefined: return [.returnsInside(made)]
    }
  }
}

extension Rule {
  /// The name, a cell's without its column, and the same for 3.0 and 4.0.
  public var nameInTable: String {
    let cell = name.hasPrefix("4.matrix ") ? name.dropFirst(2) : name[...]
    guard cell.hasPrefix("matrix "), let end = cell.lastIndex(of: "/") else { return name }
    return String(cell[..<end])
  }
}

extension Deviation {
  /// The rules' names that the table and the matrix speak of, the latter's without their columns.
  public static var named: Set<String> { Set(table.keys).union(matrix.keys.map { "matrix \($0)" }) }

  /// By the call of a cell: where it returns, it is made to wait; where it does not, to return.
  fileprivate static let matrix: [String: Call] = [
    "get_state": .state, "is_playing": .isPlaying, "get_media": .retainedMedia,
    "retain/release pair": .retainPlayer, "media_get_meta": .metadata, "tracks_get": .mediaTracks,
    "attach": .attach, "detach": .detach, "volume": .setVolume, "equalizer": .setEqualizer,
    "new player": .newPlayer, "new instance": .newInstance, "media_parse": .parseMedia, "get_time": .time,
    "track descriptions": .trackDescriptions, "set_rate": .setRate, "set_pause": .setPause, "play": .play,
    "snapshot": .takeSnapshot, "set_time": .setTime, "stop": .stop, "set_media": .setMedia,
    "player_release": .releasePlayer, "get_tracklist": .tracks, "stop_async": .stopAsynchronously,
  ]

  fileprivate static let table: [String: [Deviation]] =
    delivery.merging(transport) { $1 }.merging(outputs) { $1 }.merging(others) { $1 }
    .merging(libVLC4) { $1 }

  private static let delivery: [String: [Deviation]] = [
    "R1.mediaChanged": [.moves(.mediaChanged), .drops(.mediaChanged)],
    "R1.stopped": [.moves(.stopped), .moves(.audioVolume)],
    "R1.time": [.moves(.timeChanged), .lags(.positionChanged)],
    "R1.snapshot": [.moves(.snapshotTaken), .lies(.takeSnapshot)],
    "R1.volume": [.moves(.audioVolume), .moves(.muted), .moves(.unmuted)],
    "R2.input": [.moves(.buffering), .moves(.stopped)],
    "R2.output": [.moves(.videoOutputs), .tellsOnOneThread],
    "R2.newThread": [.tellsOnOneThread],
    "R2.parsed": [.draws(.mediaParsedChanged, into: .parseMedia)],
    "R2.list": [.moves(.listItemAdded), .moves(.listWillAddItem)],
    "R2.nextItem": [.moves(.listPlayerNextItemSet), .tellsOnOneThread],
    "R3.detachSame": [.hurriesInCallbacks(.detach)],
    "R3.detachOther": [.hurriesInCallbacks(.detach)],
    "R3.attach": [.hurriesInCallbacks(.attach)],
    "R3.otherPlayer": [.waitsForCallbacks(.stop)],
    "R3.getters": [.waitsForCallbacks(.state), .waitsForCallbacks(.time)],
    "R3.stop": [.hurriesInCallbacks(.stop)],
    "R3.setTime": [.hurriesInCallbacks(.setTime)],
    "R4": [.hurriesInCallbacks(.detach)],
    "R5.twice": [.detachesAnything],
    "R5.never": [.detachesAnything],
    "R5.sameTwice": [.refusesTwins],
    "R5.anyKind": [.refusesForeignKinds],
    "R6.order": [.tellsBackwards],
    "R6.selfDetach": [.hurriesInCallbacks(.detach)],
    "R6.attachInside": [.hurriesInCallbacks(.attach)],
    "R7.order": [.lags(.mediaStateChanged), .moves(.mediaStateChanged)],
    "R7.shared": [.drops(.mediaStateChanged)],
  ]

  private static let transport: [String: [Deviation]] = [
    "1.2.newPlayer": [.lies(.state), .lies(.time), .lies(.length), .lies(.position)],
    "1.2.noMedia": [.lies(.play), .lies(.errorMessage)],
    "S1.states": [.doubles(.playing), .drops(.endReached), .lies(.state)],
    "S1.order": [
      .drops(.opening), .drops(.elementaryStreamDeleted), .lags(.scrambledChanged),
      .doubles(.seekableChanged),
      .drops(.pausableChanged), .drops(.lengthChanged), .lags(.elementaryStreamSelected),
    ],
    "S1.end": [.lags(.videoOutputs), .doubles(.elementaryStreamDeleted)],
    "S1.buffering": [.garbles(.buffering), .drops(.buffering)],
    "S1.media": [
      .doubles(.mediaDurationChanged), .doubles(.mediaParsedChanged), .doubles(.mediaStateChanged),
    ],
    "S1.metadata": [.drops(.mediaMetadataChanged), .moves(.mediaMetadataChanged)],
    "S1.pairs": [.lags(.positionChanged), .drops(.timeChanged), .garbles(.timeChanged)],
    "S1.outputs": [.drops(.videoOutputs)],
    "S2.play": [.playsAfterEnd, .lies(.play, after: 1)],
    "S2.stop": [.moves(.stopped), .drops(.audioVolume), .skips(.stop)],
    "S2.again": [.skips(.play, after: 1)],
    "S2.secondStop": [.echoes(.stopped, in: .stop)],
    "S3": [.drops(.audioVolume), .echoes(.elementaryStreamSelected, in: .stop)],
    "S4": [.moves(.stopped), .echoes(.stopped, in: .stop)],
    "S5.silent": [.echoes(.playing, in: .releasePlayer)],
    "S5.retained": [.skips(.retainPlayer), .repeats(.releasePlayer)],
    "S6.events": [.moves(.mediaChanged), .echoes(.playing, in: .setMedia), .drops(.mediaStateChanged)],
    "S6.none": [.skips(.setMedia, after: 1), .lies(.play, after: 1)],
    "S7.missing": [.drops(.encounteredError), .lies(.state), .doubles(.buffering)],
    "S7.scheme": [.doubles(.encounteredError), .lies(.state), .lies(.errorMessage)],
    "S7.open": [.doubles(.encounteredError), .lies(.state)],
    "S7.read": [.moves(.encounteredError), .lies(.state)],
    "S7.empty": [.moves(.stopped), .lies(.state)],
    "S7.error": [.lies(.state), .drops(.encounteredError)],
    "S7.junk": [.garbles(.lengthChanged), .lies(.state)],
    "S7.neverFails": [.lies(.newMediaByPath), .lies(.newMediaByLocation)],
    "S8.pause": [
      .draws(.paused, into: .setPause), .lags(.mediaStateChanged), .drops(.paused), .lies(.state),
    ],
    "S8.twice": [.echoes(.paused, in: .setPause)],
    "S8.resume": [.echoes(.opening, in: .setPause), .skips(.play, after: 1)],
    "S8.beforePlay": [.recurs(.setPause)],
    "S8.afterPlay": [.skips(.setPause), .drops(.paused)],
    "S8.noTime": [.echoes(.timeChanged, in: .setTime)],
    "S9.time": [.skips(.setTime), .echoes(.playing, in: .setTime)],
    "S9.position": [.skips(.setPosition), .echoes(.timeChanged, in: .setPosition)],
    "S9.paused": [.skips(.setTime), .echoes(.timeChanged, in: .setTime), .lies(.time)],
    "S9.storm": [.lingers(.setTime, until: .timeChanged), .skips(.setTime, after: 40)],
    "S9.beyondEnd": [.skips(.setTime), .echoes(.playing, in: .setTime)],
    "S9.negative": [.skips(.setTime)],
    "S9.beforePlay": [.recurs(.setTime)],
    "S9.opening": [.skips(.setTime)],
    "S9.rate": [.lies(.setRate), .skips(.setRate, after: 3), .lies(.rate)],
    "S10.select": [
      .skips(.selectTrack), .lies(.trackDescriptions), .draws(.elementaryStreamSelected, into: .selectTrack),
      .lies(.selectedTrack),
    ],
    "S10.none": [.skips(.selectTrack), .lies(.selectTrack), .lies(.selectedTrack)],
    "S10.unknown": [.lies(.selectTrack), .echoes(.elementaryStreamSelected, in: .selectTrack)],
    "S10.slave": [.skips(.addSlave), .lies(.addSlave)],
    "S10.video": [.skips(.selectTrack), .skips(.selectTrack, after: 1), .moves(.videoOutputs)],
    "S10.chapter": [.lags(.titleChanged), .drops(.titleChanged), .skips(.showNextChapter)],
    "S10.title": [.drops(.titleChanged), .garbles(.chapterChanged)],
  ]

  private static let outputs: [String: [Deviation]] = [
    "S11.dummy": [.lies(.setVolume), .lies(.volume), .lies(.isMuted)],
    "S11.none": [.lies(.volume), .lies(.isMuted)],
    "S11.every": [.drops(.audioVolume), .skips(.setVolume, after: 1), .lies(.setVolume), .lies(.volume)],
    "S11.mute": [
      .drops(.muted), .drops(.unmuted), .echoes(.muted, in: .setMuted), .lies(.isMuted), .skips(.setMuted),
    ],
    "S11.playing": [.garbles(.audioVolume), .lies(.setVolume)],
    "S11.stop": [.drops(.audioVolume), .lags(.stopped)],
    "S11.memory": [.omits(.sampleSetup), .omits(.sampleFlush), .omits(.sampleCleanup), .hurries(.stop)],
    "S11.memoryVolume": [.omits(.sampleVolume), .lies(.volume), .skips(.setVolume, after: 3)],
    "S11.memoryPause": [.omits(.samplePause), .omits(.sampleResume), .omits(.sampleDrain)],
    "S14.turns": [.omits(.pictureUnlock), .omits(.pictureDisplay)],
    "S14.opaque": [.cleansUpWhatWasReplaced, .omits(.pictureSetup)],
    "S14.balance": [.omits(.pictureCleanup)],
    "S14.thread": [.showsElsewhere],
    "S14.stop": [.lags(.stopped), .omits(.pictureCleanup), .hurries(.stop)],
    "S14.release": [.omits(.pictureCleanup), .skips(.releasePlayer)],
    "S14.end": [.stopsAtEnd, .omits(.pictureCleanup)],
    "S14.setMedia": [.omits(.pictureCleanup), .skips(.play, after: 1)],
    "S14.replaced": [.exchangesPictureCallbacks, .skips(.setVideoCallbacks, after: 1)],
    "S14.cleared": [.exchangesPictureCallbacks, .omits(.pictureCleanup)],
    "S14.refused": [.omits(.pictureSetup), .garbles(.videoOutputs)],
    "S14.display": [.hurries(.stop)],
    "S14.lock": [.hurries(.stop)],
  ]

  private static let others: [String: [Deviation]] = [
    "S12.done": [
      .parsesAtOnce, .drops(.mediaDurationChanged), .drops(.mediaMetadataChanged), .lies(.parseMedia),
      .lies(.parsedStatus),
    ],
    "S12.again": [.lies(.parseMedia, after: 1), .echoes(.mediaParsedChanged, in: .parseMedia)],
    "S12.failed": [.garbles(.mediaParsedChanged), .lies(.parsedStatus)],
    "S12.skipped": [.moves(.mediaParsedChanged), .lies(.parsedStatus)],
    "S12.bytes": [.moves(.mediaParsedChanged), .drops(.mediaParsedChanged)],
    "S12.timeout": [.garbles(.mediaParsedChanged), .lies(.parsedStatus)],
    "S12.stopRunning": [.skips(.stopParsing), .lies(.parsedStatus)],
    "S12.stopQueued": [.skips(.stopParsing), .parsesAtOnce, .lies(.parsedStatus)],
    "S12.serial": [.parsesAtOnce],
    "S12.release": [.stopsParsesItReleases, .skips(.releaseMedia)],
    "S13.play": [
      .moves(.listPlayerNextItemSet), .lags(.mediaChanged), .lies(.playNext), .lies(.playPrevious),
    ],
    "S13.last": [.drops(.listPlayerPlayed), .lies(.playNext), .echoes(.opening, in: .playNext)],
    "S13.first": [.moves(.listPlayerPlayed), .lies(.playPrevious)],
    "S13.afterLast": [.drops(.listPlayerNextItemSet), .lies(.playPrevious)],
    "S13.lost": [.skips(.playNext)],
    "S13.badIndex": [.lies(.playListAt), .drops(.listPlayerNextItemSet)],
    "S13.advance": [.drops(.listPlayerPlayed), .doubles(.listPlayerNextItemSet), .lies(.stateOfList)],
    "S13.stop": [.moves(.listPlayerStopped), .lies(.stateOfList)],
    "S13.failed": [.lies(.stateOfList), .doubles(.encounteredError)],
    "S13.repeat": [.skips(.setPlaybackMode)],
    "S13.loop": [.skips(.setPlaybackMode)],
    "S13.pairs": [.lags(.listWillAddItem), .drops(.listWillDeleteItem), .moves(.listItemDeleted)],
    "S13.unlocked": [.lies(.appendMedia), .lies(.mediaListCount), .skips(.appendMedia)],
    "S13.firstIndex": [.lies(.playListAt), .skips(.playListAt)],
    "S15.threads": [.opensElsewhere, .closesElsewhere, .omits(.sourceClose)],
    "S15.stop": [.omits(.sourceClose)],
    "S15.end": [.omits(.sourceClose), .lags(.endReached)],
    "S15.again": [.omits(.sourceClose), .skips(.play, after: 1)],
    "S15.released": [.repeats(.releaseMedia), .lies(.state)],
    "S15.getters": [.waitsForCalls(.state), .hurries(.time)],
    "R-stop.read": [.hurries(.stop)],
    "R-stop.release": [.hurries(.releasePlayer)],
    "R-stop.setMedia": [.hurries(.setMedia)],
    "S16.released": [.repeats(.releaseInstance), .lies(.state)],
    "S16.argument": [.takesAnyArgument],
    "S16.counted": [.repeats(.releaseInstance), .skips(.retainInstance)],
    "S17.lines": [.skips(.setLog), .skips(.unsetLog)],
    "S17.caller": [.logsElsewhere, .skips(.setLog)],
    "S17.unset": [.hurries(.unsetLog)],
    "S18.thread": [.lies(.postLogin), .skips(.postLogin), .omits(.dialogLogin)],
    "S18.dismiss": [.lies(.dismiss), .skips(.dismiss)],
    "S18.stop": [.omits(.dialogCancel), .lies(.dismiss), .echoes(.opening, in: .stop)],
    "S18.none": [.skips(.setDialogCallbacks, after: 1)],
  ]
}
