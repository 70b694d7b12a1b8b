/// A player's life and transport.
public protocol NativePlayerCalls {
  func newPlayer(_ instance: NativeInstance) -> NativePlayer?
  func newPlayer(_ instance: NativeInstance, media: NativeMedia) -> NativePlayer?
  func retainPlayer(_ player: NativePlayer)
  /// The last release joins what plays; with `joiningTransport` no event comes after the call began.
  func releasePlayer(_ player: NativePlayer)

  /// With `joiningTransport` joins the old input and starts nothing.
  func setMedia(_ player: NativePlayer, _ media: NativeMedia?)
  /// The media of the player, which the caller owns.
  func retainedMedia(of player: NativePlayer) -> NativeMedia?
  /// False when there is no media or no input could be made.
  func play(_ player: NativePlayer) -> Bool
  func setPause(_ player: NativePlayer, _ paused: Bool)
  /// Joins the input; unbounded. Capability `joiningTransport`.
  func stop(_ player: NativePlayer)
  /// False when there is nothing to stop. Capability `asynchronousStop`.
  func stopAsynchronously(_ player: NativePlayer) -> Bool
  func isPlaying(_ player: NativePlayer) -> Bool
  /// Never waits with `joiningTransport`.
  func state(_ player: NativePlayer) -> NativeState
  func canPause(_ player: NativePlayer) -> Bool
  /// Nil is the local output. To be called before the first play.
  func setRenderer(_ player: NativePlayer, _ item: NativeRendererItem?) -> Bool
  func role(_ player: NativePlayer) -> NativeRole
  func setRole(_ player: NativePlayer, _ role: NativeRole) -> Bool

  // Only in 4.0.

  /// A directory or file to record to; nil path keeps the library's own. Capability `recording`.
  func setRecording(_ player: NativePlayer, _ isRecording: Bool, directory: String?)
  /// Capability `programs`.
  func programs(_ player: NativePlayer) -> [NativeProgram]
  /// Capability `programs`.
  func selectProgram(_ player: NativePlayer, number: Int)
}

extension NativePlayerCalls where Self: NativeLibrary {
  public func stopAsynchronously(_ player: NativePlayer) -> Bool { absent(.asynchronousStop) }
  public func setRecording(_ player: NativePlayer, _ isRecording: Bool, directory: String?) {
    absent(.recording)
  }
  public func programs(_ player: NativePlayer) -> [NativeProgram] { absent(.programs) }
  public func selectProgram(_ player: NativePlayer, number: Int) { absent(.programs) }
}

/// A player's time. Times are milliseconds; on 3.0 all of these wait for the input lock.
public protocol NativePlayerTimeCalls {
  /// -1 when unknown.
  func length(_ player: NativePlayer) -> Int64
  /// -1 when there is none.
  func time(_ player: NativePlayer) -> Int64
  /// 3.0 always answers true, and ignores `fast`.
  func setTime(_ player: NativePlayer, milliseconds: Int64, fast: Bool) -> Bool
  /// 0…1, -1 when there is none.
  func position(_ player: NativePlayer) -> Double
  /// 3.0 always answers true, and ignores `fast`.
  func setPosition(_ player: NativePlayer, _ position: Double, fast: Bool) -> Bool
  func isSeekable(_ player: NativePlayer) -> Bool
  func rate(_ player: NativePlayer) -> Float
  func setRate(_ player: NativePlayer, _ rate: Float) -> Bool
  func showNextFrame(_ player: NativePlayer)

  // Only in 4.0.

  /// Capability `relativeSeek`.
  func jumpTime(_ player: NativePlayer, milliseconds: Int64) -> Bool
  /// Capability `abLoop`.
  func setABLoop(_ player: NativePlayer, aMilliseconds: Int64, bMilliseconds: Int64) -> Bool
  /// Capability `abLoop`.
  func setABLoop(_ player: NativePlayer, aPosition: Double, bPosition: Double) -> Bool
  /// Capability `abLoop`.
  func resetABLoop(_ player: NativePlayer) -> Bool
  /// Capability `abLoop`.
  func abLoop(_ player: NativePlayer) -> NativeABLoop
  /// Capability `playerTimer`.
  func watchTime(
    _ player: NativePlayer, minimumPeriodMicroseconds: Int64, callbacks: NativeTimerCallbacks,
    context: UnsafeMutableRawPointer?
  ) -> Bool
  /// To be called before the player's last release. Capability `playerTimer`.
  func unwatchTime(_ player: NativePlayer)
  /// Decodes what a timer callback was given, inside that call. Capability `playerTimer`.
  func decode(timePoint: UnsafeRawPointer) -> NativeTimePoint
}

extension NativePlayerTimeCalls where Self: NativeLibrary {
  public func jumpTime(_ player: NativePlayer, milliseconds: Int64) -> Bool { absent(.relativeSeek) }
  public func setABLoop(_ player: NativePlayer, aMilliseconds: Int64, bMilliseconds: Int64) -> Bool {
    absent(.abLoop)
  }
  public func setABLoop(_ player: NativePlayer, aPosition: Double, bPosition: Double) -> Bool {
    absent(.abLoop)
  }
  public func resetABLoop(_ player: NativePlayer) -> Bool { absent(.abLoop) }
  public func abLoop(_ player: NativePlayer) -> NativeABLoop { absent(.abLoop) }
  public func watchTime(
    _ player: NativePlayer, minimumPeriodMicroseconds: Int64, callbacks: NativeTimerCallbacks,
    context: UnsafeMutableRawPointer?
  ) -> Bool { absent(.playerTimer) }
  public func unwatchTime(_ player: NativePlayer) { absent(.playerTimer) }
  public func decode(timePoint: UnsafeRawPointer) -> NativeTimePoint { absent(.playerTimer) }
}

/// The tracks of what a player plays.
public protocol NativePlayerTrackCalls {
  /// Capability `trackDescriptions`.
  func trackDescriptions(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrackDescription]
  /// The number of the selected track, -1 for none. Capability `trackDescriptions`.
  func selectedTrack(_ player: NativePlayer, _ type: NativeTrackType) -> Int
  /// Selects by number, -1 for none; false for an unknown number. Capability `trackDescriptions`.
  func selectTrack(_ player: NativePlayer, _ type: NativeTrackType, number: Int) -> Bool
  /// Adds a file to what plays.
  func addSlave(_ player: NativePlayer, _ type: NativeSlaveType, uri: String, select: Bool) -> Bool

  // Only in 4.0.

  /// Capability `trackLists`.
  func tracks(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrack]
  /// Selects the tracks with these identifiers and no others of the type. Capability `trackLists`.
  func selectTracks(_ player: NativePlayer, _ type: NativeTrackType, identifiers: [String])
}

extension NativePlayerTrackCalls where Self: NativeLibrary {
  public func trackDescriptions(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrackDescription] {
    absent(.trackDescriptions)
  }
  public func selectedTrack(_ player: NativePlayer, _ type: NativeTrackType) -> Int {
    absent(.trackDescriptions)
  }
  public func selectTrack(_ player: NativePlayer, _ type: NativeTrackType, number: Int) -> Bool {
    absent(.trackDescriptions)
  }
  public func tracks(_ player: NativePlayer, _ type: NativeTrackType) -> [NativeTrack] { absent(.trackLists) }
  public func selectTracks(_ player: NativePlayer, _ type: NativeTrackType, identifiers: [String]) {
    absent(.trackLists)
  }
}

/// Titles, chapters and menus.
public protocol NativePlayerTitleCalls {
  func titles(_ player: NativePlayer) -> [NativeTitle]
  /// Nil title is the current one.
  func chapters(_ player: NativePlayer, title: Int?) -> [NativeChapter]
  /// -1 when nothing plays; 3.0 answers 0 for a media without titles.
  func title(_ player: NativePlayer) -> Int
  func setTitle(_ player: NativePlayer, _ title: Int)
  func titleCount(_ player: NativePlayer) -> Int
  /// -1 when nothing plays; 3.0 answers 0 for a media without chapters.
  func chapter(_ player: NativePlayer) -> Int
  func setChapter(_ player: NativePlayer, _ chapter: Int)
  /// Nil title is the current one.
  func chapterCount(_ player: NativePlayer, title: Int?) -> Int
  func showNextChapter(_ player: NativePlayer)
  func showPreviousChapter(_ player: NativePlayer)
  func navigate(_ player: NativePlayer, _ navigation: NativeNavigation)
  /// Whether the selected program is scrambled.
  func isScrambled(_ player: NativePlayer) -> Bool
}
