import VLCNative

extension Deviation {
  /// Those of the rules of libVLC 4.0.
  static let libVLC4: [String: [Deviation]] = transport4.merging(calls4) { $1 }.merging(recordings4) { $1 }

  private static let transport4: [String: [Deviation]] = [
    "4.new": [.lies(.state), .lies(.time), .lies(.length), .lies(.position)],
    "4.play.noMedia": [.lies(.play)],
    "4.play.order": [
      .drops(.programAdded), .lags(.programSelected), .doubles(.seekableChanged),
      .drops(.elementaryStreamAdded),
    ],
    "4.play.media": [.doubles(.mediaDurationChanged), .drops(.mediaParsedChanged)],
    "4.play.titles": [.drops(.titleListChanged), .lags(.titleListChanged), .garbles(.titleSelectionChanged)],
    "4.play.threads": [.moves(.playing), .moves(.programAdded), .tellsOnOneThread],
    "4.threads": [.moves(.stopped), .tellsOnOneThread],
    "4.end": [
      .doubles(.stopping), .drops(.stopped), .moves(.stopping), .lies(.state), .lies(.time),
    ],
    "4.end.order": [.lags(.videoOutputs), .doubles(.elementaryStreamDeleted), .drops(.programDeleted)],
    "4.play.again": [.skips(.play, after: 1), .lies(.play, after: 1)],
    "4.stop": [
      .drops(.mediaStopping), .lags(.stopping), .moves(.stopping),
      .draws(.stopping, into: .stopAsynchronously),
      .lies(.stopAsynchronously),
    ],
    "4.stop.nothing": [
      .skips(.stopAsynchronously), .lies(.stopAsynchronously), .lies(.stopAsynchronously, after: 3),
      .echoes(.stopping, in: .stopAsynchronously),
    ],
    "4.stop.opening": [.drops(.mediaStopping), .skips(.stopAsynchronously), .lies(.state)],
    "4.stop.again": [.lies(.play, after: 1), .skips(.play, after: 2)],
    "4.setMedia.idle": [.moves(.mediaChanged), .drops(.mediaChanged), .lies(.state)],
    "4.setMedia.playing": [
      .skips(.setMedia, after: 1), .drops(.mediaStopping), .moves(.mediaChanged),
      .draws(.mediaChanged, into: .setMedia),
    ],
    "4.setMedia.none": [.skips(.setMedia, after: 1), .lags(.mediaChanged), .lies(.play, after: 1)],
    "4.setMedia.stopping": [.skips(.setMedia, after: 1), .lags(.mediaChanged), .lies(.play, after: 1)],
    "4.pause": [.moves(.paused), .doubles(.paused), .skips(.setPause), .lies(.state)],
    "4.pause.early": [.skips(.setPause), .lies(.state)],
    "4.pause.opening": [.skips(.setPause), .drops(.mediaStopping)],
    "4.pause.idle": [.echoes(.mediaChanged, in: .setPause)],
    "4.missing": [
      .drops(.encounteredError), .doubles(.opening), .moves(.stopping), .lies(.state), .lies(.play),
    ],
    "4.seek.early": [.skips(.setTime), .lies(.setTime)],
    "4.seek": [.skips(.setTime), .lies(.setTime), .draws(.buffering, into: .setTime)],
    "4.seek.end": [.skips(.setTime), .skips(.setPosition), .lies(.setPosition)],
    "4.seek.answer": [.lies(.setTime), .lies(.setPosition), .lies(.jumpTime)],
    "4.seek.jump": [.skips(.jumpTime), .skips(.jumpTime, after: 1), .lies(.jumpTime)],
    "4.lock": [.hurriesInCallbacks(.state)],
    "4.lock.time": [.hurriesInCallbacks(.time)],
    "4.lock.stop": [.hurriesInCallbacks(.stopAsynchronously)],
    "4.lock.detach": [.hurriesInCallbacks(.detach)],
    "4.lock.otherPlayer": [.waitsForCallbacks(.play), .waitsForCallbacks(.stopAsynchronously)],
    "4.release": [.echoes(.playing, in: .releasePlayer)],
    "4.release.stopping": [.echoes(.stopping, in: .play)],
    "4.release.watched": [.skips(.watchTime)],
  ]

  private static let calls4: [String: [Deviation]] = [
    "4.events": [.lies(.eventKinds)],
    "4.absent.stop": [.skips(.stop)],
    "4.absent.descriptions": [.skips(.trackDescriptions)],
    "4.watch": [.lies(.watchTime), .skips(.watchTime), .skips(.unwatchTime)],
    "4.watch.threads": [.omits(.timeUpdate), .omits(.timeDiscontinuity), .moves(.playing)],
    "4.watch.calls": [.skips(.state), .omits(.timeUpdate)],
    "4.tracks": [.lies(.tracks)],
    "4.tracks.select": [
      .skips(.selectTracks), .skips(.selectTracks, after: 2), .doubles(.elementaryStreamSelected),
    ],
    "4.programs": [.lies(.programs), .drops(.programAdded)],
    "4.abLoop": [
      .skips(.setABLoop), .skips(.setABLoop, after: 1), .lies(.abLoop), .skips(.resetABLoop),
      .lies(.resetABLoop),
    ],
    "4.record": [.skips(.setRecording), .skips(.setRecording, after: 1), .garbles(.recordingChanged)],
    "4.settings": [
      .skips(.setMixMode), .lies(.setMixMode), .lies(.mixMode), .skips(.setSubtitleTextScale),
      .lies(.subtitleTextScale),
    ],
    "4.thumbnail": [.drops(.mediaThumbnailGenerated), .garbles(.mediaThumbnailGenerated)],
    "4.thumbnail.destroyed": [.skips(.destroyThumbnailRequest)],
    "4.parse": [
      .drops(.mediaDurationChanged), .lies(.parseMedia), .lies(.parseMedia, after: 1),
      .draws(.mediaParsedChanged, into: .parseMedia),
    ],
    "4.parse.failed": [.garbles(.mediaParsedChanged), .lies(.parseMedia)],
    "4.parse.stop": [.skips(.stopParsing), .garbles(.mediaParsedChanged)],
    "4.parse.release": [.stopsParsesItReleases, .drops(.mediaParsedChanged)],
    "4.parse.bytes": [.omits(.sourceOpen), .omits(.sourceClose), .skips(.parseMedia)],
    "4.list.next": [.skips(.playNext), .lies(.playNext), .moves(.listPlayerNextItemSet)],
    "4.list.advance": [.drops(.listPlayerPlayed), .moves(.listPlayerNextItemSet)],
    "4.list.stop": [.skips(.stopListAsynchronously), .moves(.listPlayerStopped)],
  ]

  private static let recordings4: [String: [Deviation]] = [
    "4.recording play_end": [.drops(.stopping), .moves(.stopped), .lags(.elementaryStreamSelected)],
    "4.recording stop_playing": [.drops(.mediaStopping), .moves(.stopping)],
    "4.recording setmedia_playing": [.drops(.mediaStopping), .moves(.mediaChanged)],
    "4.recording missing": [.drops(.encounteredError), .doubles(.opening), .moves(.stopped)],
    "4.recording stop_opening": [.drops(.mediaStopping), .skips(.stopAsynchronously)],
    "4.recording pause": [.doubles(.stopping), .skips(.setPause)],
    "4.recording seek": [.skips(.setTime), .skips(.setPosition), .doubles(.programAdded)],
    "4.recording release_nostop": [.doubles(.programAdded), .echoes(.playing, in: .releasePlayer)],
    "4.recording calls_during_cb": [.hurriesInCallbacks(.state), .drops(.mediaStopping)],
    "4.recording detach": [.hurriesInCallbacks(.detach), .doubles(.programAdded)],
    "4.recording watch": [.omits(.timeDiscontinuity), .drops(.paused)],
    "4.recording parse": [.garbles(.mediaParsedChanged), .lies(.parseMedia, after: 1)],
    "4.recording reent": [.wasRecordedOtherwise],
  ]
}
