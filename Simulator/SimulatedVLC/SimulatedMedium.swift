public import VLCNative

/// What a location has: everything that playing and parsing it shows.
public struct SimulatedMedium: Sendable {
  /// How opening or playing it goes wrong.
  public enum Failure: Sendable, Hashable {
    /// It cannot be opened: missing, or of a scheme that nothing plays.
    case open
    /// Reading breaks after this much of it.
    case read(after: Duration)
    /// It opens and has nothing in it.
    case junk
  }
  public struct Chapter: Sendable, Hashable {
    public var name: String
    public var start: Duration
    public init(name: String, start: Duration) {
      self.name = name
      self.start = start
    }
  }

  public struct Login: Sendable, Hashable {
    public var userName: String
    public var password: String
    /// How many accesses of the library's ask, one after the other, until it gives up.
    public var accesses: Int
    public init(userName: String, password: String, accesses: Int = 2) {
      self.userName = userName
      self.password = password
      self.accesses = accesses
    }
  }

  /// Nil for what is live.
  public var duration: Duration?
  public var tracks: [NativeTrack]
  public var chapters: [Chapter]
  /// What 4.0 lists of them; the first one is selected.
  public var programs: [NativeProgram]
  public var metadata: [NativeMetadataKey: String]
  /// What its format has tags for, and the file can be written.
  public var writableMetadata: Set<NativeMetadataKey>
  public var isSeekable: Bool
  public var isPausable: Bool
  /// Whether it is so small that it is read long before it is played: a seek may end it, and one beyond its end does. Otherwise
  /// such a seek is ignored (S9).
  public var isReadAhead: Bool
  public var failure: Failure?
  /// Where its data end, before the duration that it claims.
  public var breaksOff: Duration?
  /// How long opening takes.
  public var opening: ClosedRange<Duration>
  /// How long parsing takes.
  public var parsing: ClosedRange<Duration>
  /// Whether it comes over a network, which a parse may be told to leave.
  public var isRemote: Bool
  /// How many buffering events fill the buffer the first time; a seek has half as many again.
  public var bufferingSteps: Int
  /// How often outputs fail before one opens.
  public var failedOutputs: Int
  /// Who may open it; everybody where it is nil.
  public var login: Login?
  /// Where opening and parsing wait until somebody lets them go.
  public var barrier: SimulatedBarrier?

  public init(duration: Duration?, tracks: [NativeTrack] = [.simulatedVideo, .simulatedAudio]) {
    self.duration = duration
    self.tracks = tracks
    chapters = []
    programs = [NativeProgram(number: 0, name: nil, isSelected: true, isScrambled: false)]
    metadata = [:]
    writableMetadata = []
    isSeekable = duration != nil
    isPausable = true
    isReadAhead = false
    opening = .milliseconds(1)...(.milliseconds(5))
    parsing = .milliseconds(2)...(.milliseconds(10))
    isRemote = false
    bufferingSteps = 52
    failedOutputs = 2
    login = nil
    barrier = nil
  }

  /// What is not there.
  public static let missing: SimulatedMedium = {
    var medium = SimulatedMedium(duration: nil, tracks: [])
    medium.failure = .open
    return medium
  }()

  /// The built-in ones, by the name after `fake://`.
  public static let builtIn: [String: SimulatedMedium] = {
    var media: [String: SimulatedMedium] = [
      "clip": SimulatedMedium(duration: .seconds(3)),
      "song": SimulatedMedium(duration: .seconds(180), tracks: [.simulatedAudio]),
      "film": SimulatedMedium(duration: .seconds(7_200)),
      "day": SimulatedMedium(duration: .seconds(86_400)),
      "live": SimulatedMedium(duration: nil),
      "missing": .missing,
    ]
    var chaptered = SimulatedMedium(duration: .seconds(30))
    chaptered.chapters = (0..<3).map { Chapter(name: "Chapter \($0 + 1)", start: .seconds(10 * $0)) }
    media["chapters"] = chaptered
    var junk = SimulatedMedium(duration: nil, tracks: [])
    junk.failure = .junk
    media["junk"] = junk
    var broken = SimulatedMedium(duration: .seconds(60))
    broken.failure = .read(after: .seconds(5))
    media["broken"] = broken
    return media
  }()

  var hasNothing: Bool { tracks.isEmpty && duration == nil }
  /// Whether its time moves with each block, which is so for what has chapters.
  var tellsEachBlock: Bool { !chapters.isEmpty }
  var milliseconds: Int64 { duration.map(\.wholeMilliseconds) ?? 0 }
}

/// Something that reading waits for, such as a pipe that nobody writes to.
public final class SimulatedBarrier: Sendable {
  struct State {
    var isReached = false
    var isOpen = false
  }
  let state = Monitor(State())

  public init() {}

  /// Returns when the library waits, or has waited.
  public func waitUntilReached() { state.wait { $0.isReached ? () : nil } }
  /// Lets everybody go on.
  public func open() { state.change { $0.isOpen = true } }

  func reached() -> Bool {
    state.change { state in
      state.isReached = true
      return state.isOpen
    }
  }
}

extension NativeTrack {
  /// Video of 320 × 240 pixels and 25 pictures a second, number 0.
  public static var simulatedVideo: NativeTrack {
    var track = NativeTrack(type: .video, number: 0, identifier: "video/0", codec: fourCharacters("h264"))
    track.originalCodec = track.codec
    track.video = Video(
      width: 320, height: 240, sampleAspectRatio: NativeRatio(1, 1), frameRate: NativeRatio(25, 1),
      orientation: .topLeft, projection: .rectangular)
    return track
  }

  /// Stereo of 48 kHz, number 1.
  public static var simulatedAudio: NativeTrack {
    var track = NativeTrack(type: .audio, number: 1, identifier: "audio/1", codec: fourCharacters("mp4a"))
    track.originalCodec = track.codec
    track.audio = Audio(channels: 2, sampleRate: 48_000)
    return track
  }

  /// A codec's number, its first character in the lowest byte.
  public static func fourCharacters(_ name: String) -> UInt32 {
    name.utf8.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
  }
}

extension Duration {
  var wholeMilliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
