import SimulatedVLC

/// A race window that a soak is to pass.
public enum Mark: String, Sendable, CaseIterable {
  case eventAfterDrop = "event after drop"
  case eventDuringLoad = "event while a load is pending"
  case endAfterStop = "end after stop was asked for"
  case dropDuringOpening = "drop during opening"
  case dropDuringPlaying = "drop during playing"
  case dropDuringPause = "drop while paused"
  case dropDuringStop = "drop while a stop is pending"
  case dropOffMainActor = "last reference dropped off the main actor"
  case loadDuringOpening = "load during opening"
  case loadDuringStop = "load while a stop is pending"
  case pauseDuringOpening = "pause during opening"
  case playAfterEnd = "play after an end"
  case naturalEnd = "natural end"
  case failure = "failure"
  case sharedParse = "shared parse"
  case cancelledParse = "cancelled parse"
  case timedOutParse = "parse out of time"
  case readClosed = "reader closed inside a read"
  case logEndsInLine = "log stream ended while lines come"
  case streamCancelled = "reader of a stream cancelled"
  case subscribedAfterEnd = "subscription after the end"
  case streamLeft = "stream left unread"

  /// What a soak of everything is to reach.
  public static let expected: [String] =
    allCases.map(\.rawValue) + SimulatedFault.allCases.map { "fault \($0.rawValue)" }
    + HostFault.allCases.map { "fault \($0.rawValue)" }
}

/// What a host or a byte source of its does wrong, by chance.
public enum HostFault: String, Sendable, CaseIterable {
  case mainActorStalls = "main-actor-stalls"
  case sourceBreaks = "source-breaks"
  case sourceDoesNotOpen = "source-does-not-open"
  case sourceOpensSlowly = "source-opens-slowly"
  case sourceBlocks = "source-blocks"

  static func isMark(_ name: String) -> Bool { allCases.contains { "fault \($0.rawValue)" == name } }

  public var summary: String {
    switch self {
    case .mainActorStalls: "the main actor is blocked for seconds"
    case .sourceBreaks: "a byte source throws in the middle"
    case .sourceDoesNotOpen: "a byte source does not open"
    case .sourceOpensSlowly: "a byte source takes 300 ms to open"
    case .sourceBlocks: "a read returns only when its reader is closed"
    }
  }
}
