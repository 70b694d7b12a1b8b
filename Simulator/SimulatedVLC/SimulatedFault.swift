import Interleaving
import Synchronization

/// Something that goes wrong, or takes its time, by chance: `Options.faults` says which may.
///
/// Each library first draws which of them are active in its life, so that of many runs each has other company; an active one then
/// fires where its place comes, one time in `oneIn`. A fired one is the mark "fault NAME" of its world.
public enum SimulatedFault: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case instanceIsNil = "instance-nil"
  case playerIsNil = "player-nil"
  case mediaIsNil = "media-nil"
  case attachFails = "attach-fails"
  case playIsRefused = "play-refused"
  case openingIsSlow = "opening-slow"
  case openingFails = "opening-fails"
  case readingFails = "reading-fails"
  case endsEarly = "ends-early"
  case stopIsSlow = "stop-slow"
  case stalls = "stalls"
  case bufferingStorm = "buffering-storm"
  case timeStorm = "time-storm"
  case logStorm = "log-storm"
  case tracksChange = "tracks-change"
  case chaptersChange = "chapters-change"
  case outputsFlap = "outputs-flap"
  case seekabilityFlaps = "seekability-flaps"
  case lengthGrows = "length-grows"
  case volumeChanges = "volume-changes"
  case deviceChanges = "device-changes"
  case seekIsLost = "seek-lost"
  case eventIsDelayed = "event-delayed"
  case parsingIsSlow = "parsing-slow"
  case parsingFails = "parsing-fails"
  case parsingIsSkipped = "parsing-skipped"
  case parseOutlivesStop = "parse-outlives-stop"
  case addressesComeBack = "addresses-come-back"

  /// Where it is known from.
  public enum Tag: String, Sendable {
    /// Seen of the real libVLC.
    case observed
    /// Its documentation or its source allows it.
    case documented
    /// Neither; but a host should live through it.
    case hypothetical
  }

  public var description: String { rawValue }
  public var tag: Tag { facts.tag }
  /// One time in how many it fires where it is active.
  public var oneIn: Int { facts.oneIn }
  /// What happens.
  public var summary: String { facts.summary }

  private var facts: (tag: Tag, oneIn: Int, summary: String) {
    switch self {
    case .instanceIsNil: (.documented, 8, "no instance is made")
    case .playerIsNil: (.documented, 8, "no player is made")
    case .mediaIsNil: (.documented, 8, "no media is made")
    case .attachFails: (.documented, 16, "a listener is not attached")
    case .playIsRefused: (.documented, 2, "a play is refused")
    case .openingIsSlow: (.observed, 2, "opening takes 20 ms to 5.5 s longer")
    case .openingFails: (.observed, 4, "what is there cannot be opened")
    case .readingFails: (.observed, 8, "reading breaks in the middle")
    case .endsEarly: (.observed, 6, "the end comes before the length that was told")
    case .stopIsSlow: (.observed, 3, "a playback takes 20 ms to 5.5 s to end")
    case .stalls: (.observed, 6, "playback waits for data, for up to three seconds")
    case .bufferingStorm: (.observed, 6, "twenty-four buffering events in a row")
    case .timeStorm: (.observed, 6, "a time 813 times a second, thirty-two times")
    case .logStorm: (.observed, 4, "thirty-two log lines at once")
    case .tracksChange: (.observed, 4, "a track comes and goes")
    case .chaptersChange: (.documented, 4, "chapters are told as entered in any order")
    case .outputsFlap: (.observed, 6, "a video output goes and comes")
    case .seekabilityFlaps: (.documented, 6, "a media cannot be sought in, and can again")
    case .lengthGrows: (.documented, 6, "the length grows")
    case .volumeChanges: (.observed, 4, "somebody else changes volume or mute")
    case .deviceChanges: (.documented, 6, "the audio device is another")
    case .seekIsLost: (.observed, 4, "a seek does nothing")
    case .eventIsDelayed: (.hypothetical, 8, "an event is in flight for up to 50 ms")
    case .parsingIsSlow: (.observed, 3, "a parse takes up to 20 s longer")
    case .parsingFails: (.observed, 4, "a parse fails")
    case .parsingIsSkipped: (.documented, 4, "a parse is skipped")
    case .parseOutlivesStop: (.observed, 2, "a parse that is stopped is done")
    case .addressesComeBack: (.observed, 1, "the next object has the last one's address")
    }
  }
}

/// Which faults a library has, and when they come.
final class Faults: Sendable {
  private let active: Atomic<UInt64>
  private let chance: Chance

  init(_ allowed: Set<SimulatedFault>, _ chance: Chance) {
    self.chance = chance
    var mask: UInt64 = 0
    // In the order of their names' list: a set's is another in each process.
    for (place, fault) in SimulatedFault.allCases.enumerated() where allowed.contains(fault) {
      if chance.draw(4) == 3 { mask |= 1 << UInt64(place) }
    }
    active = Atomic(mask)
  }

  /// None comes any more.
  func end() { active.store(0, ordering: .relaxed) }

  func isActive(_ fault: SimulatedFault) -> Bool {
    active.load(ordering: .relaxed) & fault.bit != 0
  }

  /// Whether it happens here and now.
  func fires(_ fault: SimulatedFault) -> Bool {
    guard isActive(fault), chance.draw(fault.oneIn) == fault.oneIn - 1 else { return false }
    World.current?.mark("fault \(fault.rawValue)")
    return true
  }

  /// Something is as an active fault makes it.
  func came(_ fault: SimulatedFault) {
    if isActive(fault) { World.current?.mark("fault \(fault.rawValue)") }
  }

  /// How much longer something takes; zero where the fault does not fire.
  func delay(_ fault: SimulatedFault) -> Duration {
    guard fires(fault) else { return .zero }
    return [.milliseconds(20), .milliseconds(200), .milliseconds(1_200), .milliseconds(5_500)][chance.draw(4)]
  }
}

extension SimulatedFault {
  private static let places = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
  fileprivate var bit: UInt64 { 1 << UInt64(Self.places[self] ?? 63) }
}
