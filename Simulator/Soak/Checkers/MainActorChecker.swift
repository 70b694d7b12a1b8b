/// The main actor never waits for the native side: of a player's calls only those that make it may be made there.
///
/// On libVLC 3 each getter waits while a stop does (R2), so that none of them is for the main actor; and a media's last release waits
/// for its parse.
struct MainActorChecker {
  private static let waiting: Set = [
    "input(_:else:_:)", "releasePlayer(_:)", "releaseMedia(_:)", "releaseInstance(_:)", "setMedia(_:_:)",
    "play(_:)", "setPause(_:_:)",
    "stop(_:)", "stopAsynchronously(_:)", "state(_:)", "isPlaying(_:)", "canPause(_:)", "length(_:)",
    "time(_:)",
    "setTime(_:milliseconds:fast:)", "position(_:)", "setPosition(_:_:fast:)", "isSeekable(_:)", "rate(_:)",
    "setRate(_:_:)", "volume(_:)", "setVolume(_:percent:)", "isMuted(_:)", "setMuted(_:_:)",
    "selectTrack(_:_:number:)", "selectedTrack(_:_:)", "trackDescriptions(_:_:)", "chapters(_:title:)",
    "detach(_:_:_:context:)", "parse(_:_:options:timeout:)", "stopParsing(_:_:)", "unsetLog(_:)",
  ]

  func called(_ call: String, onMainActor: Bool) -> Violation? {
    guard onMainActor, Self.waiting.contains(call) else { return nil }
    return Violation(.mainActor, "\(call), which may wait for the native side, is called on the main actor")
  }
}
