/// A requirement of the seam that the host calls, and what is known of it.
struct SeamCall: Sendable {
  let name: String
  /// Whether it only reads, or is so frequent that no story is told of it.
  let isGetter: Bool
  /// Whether it may wait for the native side.
  let mayWait: Bool
  let isLoad: Bool
  let isPause: Bool
  let isMistakenPause: Bool

  init(named name: String) {
    self.name = name
    isGetter = Self.getters.contains(name)
    mayWait = Self.waiting.contains(name)
    isLoad = name == "setMedia(_:_:)"
    isPause = name == "setPause(_:_:)"
    isMistakenPause = name == "setPause of what cannot be paused"
  }

  private static let getters: Set = [
    "manager(_:_:)", "input(_:else:_:)", "mediaTracks(_:)", "attach(_:_:_:context:)",
    "detach(_:_:_:context:)",
    "canPause(_:)", "selectedTrack(_:_:)", "trackDescriptions(_:_:)", "tracks(_:)", "decode(_:)",
  ]
  /// On libVLC 3 each getter of a player waits while a stop does (R2), and a media's last release waits for its parse.
  private static let waiting: Set = [
    "input(_:else:_:)", "releasePlayer(_:)", "releaseMedia(_:)", "releaseInstance(_:)", "setMedia(_:_:)",
    "play(_:)", "setPause(_:_:)", "stop(_:)", "stopAsynchronously(_:)", "state(_:)", "isPlaying(_:)",
    "canPause(_:)", "length(_:)", "time(_:)", "setTime(_:milliseconds:fast:)", "position(_:)",
    "setPosition(_:_:fast:)", "isSeekable(_:)", "rate(_:)", "setRate(_:_:)", "volume(_:)",
    "setVolume(_:percent:)", "isMuted(_:)", "setMuted(_:_:)", "selectTrack(_:_:number:)",
    "selectedTrack(_:_:)",
    "trackDescriptions(_:_:)", "chapters(_:title:)", "detach(_:_:_:context:)",
    "parseMedia(_:_:options:timeoutMilliseconds:)", "stopParsing(_:_:)", "unsetLog(_:)",
  ]
}

/// The calls of an execution, known by where their names are: a soak makes thousands a millisecond.
struct SeamCalls {
  private var known: [UInt: SeamCall] = [:]

  mutating func call(_ name: StaticString) -> SeamCall {
    let place = UInt(bitPattern: name.utf8Start)
    if let call = known[place] { return call }
    let call = SeamCall(named: "\(name)")
    known[place] = call
    return call
  }
}
