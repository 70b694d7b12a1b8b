import VLCNative

/// A call that a driver makes.
public enum TraceCall: Hashable, Sendable, CustomStringConvertible {
  case setMedia(Int?)
  case play, pause, resume, stop
  /// In milliseconds.
  case setTime(Int64)
  case setPosition(Double)
  case setRate(Float)
  case nextChapter, previousChapter
  /// A track's number; -1 for none.
  case selectVideo(Int), selectAudio(Int)
  case state, isPlaying, time, length, isSeekable, canPause
  case parse(Int)
  case snapshot
  /// Takes every listener away: the last of a trace.
  case detach

  public var description: String {
    switch self {
    case .setMedia(let media): "set media \(media.map(String.init) ?? "none")"
    case .play: "play"
    case .pause: "pause"
    case .resume: "resume"
    case .stop: "stop"
    case .setTime(let time): "set time \(time)"
    case .setPosition(let position): "set position \(position)"
    case .setRate(let rate): "set rate \(rate)"
    case .nextChapter: "next chapter"
    case .previousChapter: "previous chapter"
    case .selectVideo(let track): "select video \(track)"
    case .selectAudio(let track): "select audio \(track)"
    case .state: "state"
    case .isPlaying: "is playing"
    case .time: "time"
    case .length: "length"
    case .isSeekable: "is seekable"
    case .canPause: "can pause"
    case .parse(let media): "parse \(media)"
    case .snapshot: "snapshot"
    case .detach: "detach"
    }
  }

  private static let plain: [TraceCall] = [
    .play, .pause, .resume, .stop, .nextChapter, .previousChapter, .state, .isPlaying, .time, .length,
    .isSeekable,
    .canPause, .snapshot, .detach,
  ]

  /// Reads what `description` writes; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let text = String(text)
    if let plain = Self.plain.first(where: { $0.description == text }) {
      self = plain
      return
    }
    let words = text.split(separator: " ")
    guard let last = words.last else { return nil }
    switch words.dropLast().joined(separator: " ") {
    case "set media": self = .setMedia(Int(last))
    case "set time": self = .setTime(Int64(last) ?? 0)
    case "set position": self = .setPosition(Double(last) ?? 0)
    case "set rate": self = .setRate(Float(last) ?? 1)
    case "select video": self = .selectVideo(Int(last) ?? -1)
    case "select audio": self = .selectAudio(Int(last) ?? -1)
    case "parse": self = .parse(Int(last) ?? 0)
    default: return nil
    }
  }
}

/// What each thread of a driver does, and how long it waits before.
public struct TraceScript: Sendable {
  public struct Step: Sendable {
    /// In microseconds.
    public let delay: UInt32
    public let call: TraceCall
  }

  public let media: [String]
  /// A thread each. The first begins, and ends everything when the others are done.
  public let threads: [[Step]]

  /// Random calls; the same for the same seed.
  public init(seed: UInt64) {
    var random = Random(seed: seed)
    media = (0...random.below(2)).map { _ in Self.fixtures[random.below(Self.fixtures.count)] }
    var main = [Step(delay: 0, call: .setMedia(0))]
    if random.below(8) > 0 { main.append(Step(delay: random.delay(), call: .play)) }
    let count = media.count
    func steps(_ number: Int) -> [Step] {
      (0..<number).map { _ in Step(delay: random.delay(), call: random.call(mediaCount: count)) }
    }
    main += steps(2 + random.below(9))
    threads = random.below(2) == 0 ? [main] : [main, steps(1 + random.below(6))]
  }

  static let fixtures = [
    "h264_aac.mkv", "tour.mkv", "silence.wav", "vp9_opus.webm", "broken/junk.mkv", "missing",
  ]

  private struct Random {
    var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ count: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }

    mutating func delay() -> UInt32 {
      switch below(10) {
      case 0..<3: 0
      case 3..<6: UInt32(below(8_000))
      case 6..<9: UInt32(below(80_000))
      default: UInt32(below(400_000))
      }
    }

    mutating func call(mediaCount: Int) -> TraceCall {
      switch below(24) {
      case 0..<4: .play
      case 4..<6: .pause
      case 6..<8: .resume
      case 8..<10: .stop
      case 10: .setMedia(below(8) == 0 ? nil : below(mediaCount))
      case 11..<14: .setTime(Int64([0, 300, 800, 1_500, 2_500, 9_000, 70_000][below(7)]))
      case 14: .setPosition([0, 0.25, 0.5, 0.9][below(4)])
      case 15: .setRate([0.5, 1, 2, 4, 8][below(5)])
      case 16: below(2) == 0 ? .nextChapter : .previousChapter
      case 17: below(2) == 0 ? .selectAudio(below(2) == 0 ? -1 : 1) : .selectVideo(below(2) == 0 ? -1 : 0)
      case 18: .state
      case 19: .isPlaying
      case 20: .time
      case 21: .length
      case 22: below(2) == 0 ? .isSeekable : .canPause
      default: .parse(below(mediaCount))
      }
    }
  }
}
