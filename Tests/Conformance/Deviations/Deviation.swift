public import VLCNative

/// What a library does otherwise than libVLC's contract says, everything else being right.
///
/// Each rule has one at least that turns its check red: `Deviation.table`.
public enum Deviation: Hashable, Sendable {
  // Events of a kind.

  /// They do not come.
  case drops(NativeEventKind)
  /// They come twice.
  case doubles(NativeEventKind)
  /// They say something else.
  case garbles(NativeEventKind)
  /// Each comes on a thread of its own, which is waited for.
  case moves(NativeEventKind)
  /// They come after the next event of their thread.
  case lags(NativeEventKind)
  /// The next one after the call comes on its caller, before it returns.
  case draws(NativeEventKind, into: Call)
  /// The last one comes once more, on the call's caller.
  case echoes(NativeEventKind, in: Call)

  // A call. Where there is a number, of that many the first are made as they should be.

  /// It answers as if it were made, and is not.
  case skips(Call, after: Int = 0)
  /// It is made, and answers something else.
  case lies(Call, after: Int = 0)
  /// It is made twice.
  case repeats(Call)
  /// It is made once more after each play.
  case recurs(Call)
  /// It returns before it is made.
  case hurries(Call)
  /// It returns before it is made where a callback runs.
  case hurriesInCallbacks(Call)
  /// On a thread inside a callback it returns, and is not made.
  case returnsInside(Call)
  /// It returns when the next event of a kind has come.
  case lingers(Call, until: NativeEventKind)
  /// It waits until no callback runs.
  case waitsForCallbacks(Call)
  /// It waits until no other call runs.
  case waitsForCalls(Call)

  // Listeners.

  /// The listener that came last is told first.
  case tellsBackwards
  /// Every event comes on one thread.
  case tellsOnOneThread
  /// The same listener is taken once.
  case refusesTwins
  /// Only an object's own kinds are taken.
  case refusesForeignKinds
  /// A listener that is not attached can be detached.
  case detachesAnything

  // Outputs, sources and dialogs.

  /// A callback of the host's is not called.
  case omits(Callback)
  /// Each picture is shown on a thread of its own, which is waited for.
  case showsElsewhere
  /// An output that is open calls what was set last.
  case exchangesPictureCallbacks
  /// A cleanup gets the opaque pointer that a setup has replaced.
  case cleansUpWhatWasReplaced
  /// A byte source is opened, or closed, on a thread of its own, which is waited for.
  case opensElsewhere, closesElsewhere
  /// Each line of the log comes on a thread of its own, which is waited for.
  case logsElsewhere

  // The rest.

  /// An argument that is no option is passed over.
  case takesAnyArgument
  /// After the natural end a play begins again.
  case playsAfterEnd
  /// After the natural end it stops by itself.
  case stopsAtEnd
  /// The end of a parse is told on its caller, before it returns.
  case parsesAtOnce
  /// A media that is released while it is being parsed has the parse stopped first, as by a call.
  case stopsParsesItReleases
  /// Where a recording says what became of a call, another thing became of it.
  case wasRecordedOtherwise
}

extension Deviation {
  /// A call of the library's that rules make.
  public enum Call: String, Hashable, Sendable, CaseIterable {
    case errorMessage, newInstance, retainInstance, releaseInstance, setLog, unsetLog
    case setDialogCallbacks, postLogin, dismiss
    case attach, detach
    case newMediaByPath, newMediaByLocation, newMediaByCallbacks, releaseMedia, addMediaOption
    case metadata, mediaTracks, parseMedia, stopParsing, parsedStatus
    case newPlayer, retainPlayer, releasePlayer, setMedia, retainedMedia, play, setPause, stop
    case isPlaying, state, length, time, setTime, position, setPosition, rate, setRate
    case trackDescriptions, selectedTrack, selectTrack, addSlave, showNextChapter
    case setVideoCallbacks, setVideoFormatCallbacks, takeSnapshot
    case setAudioCallbacks, setAudioVolumeCallback, setAudioFormatCallbacks
    case volume, setVolume, isMuted, setMuted, newEqualizer, setEqualizer, releaseEqualizer
    case newMediaList, mediaListCount, appendMedia, insertMedia, removeMedia
    case newListPlayer, setPlayer, setList, playList, playListAt, stopList, playNext, playPrevious
    case stateOfList, setPlaybackMode
    // 4.0's alone.
    case eventKinds, stopAsynchronously, stopListAsynchronously, jumpTime, setABLoop, resetABLoop, abLoop
    case watchTime, unwatchTime, tracks, selectTracks, programs, setRecording
    case mixMode, setMixMode, subtitleTextScale, setSubtitleTextScale
    case requestThumbnail, destroyThumbnailRequest
  }

  /// A callback of the host's that is no event.
  public enum Callback: String, Hashable, Sendable, CaseIterable {
    case pictureSetup, pictureUnlock, pictureDisplay, pictureCleanup
    case sampleSetup, samplePlay, samplePause, sampleResume, sampleFlush, sampleDrain, sampleCleanup
    case sampleVolume
    case sourceOpen, sourceClose
    case dialogLogin, dialogCancel
    // 4.0's alone.
    case timeUpdate, timeDiscontinuity
  }
}

extension Deviation: CustomStringConvertible {
  /// As the table has it.
  public var description: String {
    switch self {
    case .drops(let kind): ".drops(.\(kind))"
    case .doubles(let kind): ".doubles(.\(kind))"
    case .garbles(let kind): ".garbles(.\(kind))"
    case .moves(let kind): ".moves(.\(kind))"
    case .lags(let kind): ".lags(.\(kind))"
    case .draws(let kind, let call): ".draws(.\(kind), into: .\(call))"
    case .echoes(let kind, let call): ".echoes(.\(kind), in: .\(call))"
    case .skips(let call, 0): ".skips(.\(call))"
    case .skips(let call, let number): ".skips(.\(call), after: \(number))"
    case .lies(let call, 0): ".lies(.\(call))"
    case .lies(let call, let number): ".lies(.\(call), after: \(number))"
    case .repeats(let call): ".repeats(.\(call))"
    case .recurs(let call): ".recurs(.\(call))"
    case .hurries(let call): ".hurries(.\(call))"
    case .hurriesInCallbacks(let call): ".hurriesInCallbacks(.\(call))"
    case .returnsInside(let call): ".returnsInside(.\(call))"
    case .lingers(let call, let kind): ".lingers(.\(call), until: .\(kind))"
    case .waitsForCallbacks(let call): ".waitsForCallbacks(.\(call))"
    case .waitsForCalls(let call): ".waitsForCalls(.\(call))"
    case .tellsBackwards: ".tellsBackwards"
    case .tellsOnOneThread: ".tellsOnOneThread"
    case .refusesTwins: ".refusesTwins"
    case .refusesForeignKinds: ".refusesForeignKinds"
    case .detachesAnything: ".detachesAnything"
    case .omits(let callback): ".omits(.\(callback))"
    case .showsElsewhere: ".showsElsewhere"
    case .exchangesPictureCallbacks: ".exchangesPictureCallbacks"
    case .cleansUpWhatWasReplaced: ".cleansUpWhatWasReplaced"
    case .opensElsewhere: ".opensElsewhere"
    case .closesElsewhere: ".closesElsewhere"
    case .logsElsewhere: ".logsElsewhere"
    case .takesAnyArgument: ".takesAnyArgument"
    case .playsAfterEnd: ".playsAfterEnd"
    case .stopsAtEnd: ".stopsAtEnd"
    case .parsesAtOnce: ".parsesAtOnce"
    case .stopsParsesItReleases: ".stopsParsesItReleases"
    case .wasRecordedOtherwise: ".wasRecordedOtherwise"
    }
  }
}

extension Deviation {
  /// What may be tried on a check that is told some kinds of events, and makes some calls; what is likelier first.
  public static func candidates(_ kinds: Set<NativeEventKind>, _ calls: Set<Call>) -> [Deviation] {
    let kinds = NativeEventKind.allCases.filter(kinds.contains)
    let calls = Call.allCases.filter(calls.contains)
    let ofKinds = kinds.flatMap { kind -> [Deviation] in
      [.drops(kind), .doubles(kind), .garbles(kind), .moves(kind), .lags(kind)]
    }
    let ofCalls = calls.flatMap { call -> [Deviation] in
      [
        .skips(call), .skips(call, after: 1), .lies(call), .lies(call, after: 1), .repeats(call),
        .recurs(call),
        .hurries(call), .hurriesInCallbacks(call), .returnsInside(call), .waitsForCallbacks(call),
        .waitsForCalls(call),
      ]
    }
    let ofCallbacks = Callback.allCases.map { Deviation.omits($0) }
    let ofBoth = kinds.flatMap { kind in
      calls.flatMap { call -> [Deviation] in
        [.echoes(kind, in: call), .draws(kind, into: call), .lingers(call, until: kind)]
      }
    }
    let single: [Deviation] = [
      .tellsBackwards, .tellsOnOneThread, .refusesTwins, .refusesForeignKinds, .detachesAnything,
      .showsElsewhere, .exchangesPictureCallbacks, .cleansUpWhatWasReplaced, .opensElsewhere,
      .closesElsewhere, .logsElsewhere, .stopsAtEnd,
      .takesAnyArgument, .playsAfterEnd, .parsesAtOnce,
      .stopsParsesItReleases, .wasRecordedOtherwise,
    ]
    return ofKinds + ofCalls + single + ofCallbacks + ofBoth
  }
}
