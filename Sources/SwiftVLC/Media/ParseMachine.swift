import VLCNative

/// How a parse ended for one who waited for it.
enum ParseResult: Hashable, Sendable, CaseIterable {
  case done, failed, skipped, timeout, cancelled

  /// Nil for a status that is not an end.
  init?(_ status: NativeParsedStatus) {
    switch status {
    case .done: self = .done
    case .failed: self = .failed
    case .skipped: self = .skipped
    case .timeout: self = .timeout
    case .cancelled: self = .cancelled
    case .none, .pending: return nil
    }
  }
}

/// Decides what becomes of a media's parse: one native request at a time, shared by all who wait.
///
/// A pure value. A running parse that is stopped tells a timeout, before the stop returns or just after; a queued one
/// tells nothing, for ever (S12): so after a stop the engine answers.
struct ParseMachine {
  enum Phase: Hashable, Sendable {
    /// No request is out.
    case idle
    /// A request is out, and this many wait.
    case requested(waiters: Int)
    /// The last who waited left, and the request is being stopped.
    case stopping
    /// The media is parsed for good.
    case done
  }

  enum Action: Hashable, Sendable {
    /// The one who asked waits, or who left has left; nothing else.
    case nothing
    /// Queue a media at libVLC's preparser.
    case request
    /// Stop the request that is out, for the last who left.
    case stop
    /// The request is over: tell everybody who waits.
    case complete(ParseResult)
  }

  private(set) var phase = Phase.idle

  /// Somebody wants the result.
  mutating func asked() -> Action {
    switch phase {
    case .idle:
      phase = .requested(waiters: 1)
      return .request
    case .requested(let waiters):
      phase = .requested(waiters: waiters + 1)
      return .nothing
    case .done: return .complete(.done)
    case .stopping: impossible("asked")
    }
  }

  /// Somebody who waited was cancelled or ran out of time.
  mutating func waiterLeft() -> Action {
    switch phase {
    case .requested(1):
      phase = .stopping
      return .stop
    case .requested(let waiters):
      phase = .requested(waiters: waiters - 1)
      return .nothing
    case .idle, .stopping, .done: impossible("waiterLeft")
    }
  }

  /// libVLC told a status of the request that is out, or refused it because the media has this status.
  mutating func statusTold(_ status: NativeParsedStatus) -> Action {
    switch phase {
    case .requested:
      guard let result = ParseResult(status) else { return .nothing }
      phase = result == .done ? .done : .idle
      return .complete(result)
    case .idle, .stopping, .done: impossible("statusTold(\(status))")
    }
  }

  /// The stop of the request returned, and nothing native is under way: the last who left gets the truth.
  ///
  /// - Parameters:
  ///   - status: libVLC's, after the stop.
  ///   - reason: why the last one left.
  mutating func stopReturned(status: NativeParsedStatus, reason: ParseResult) -> Action {
    switch phase {
    case .stopping:
      // It may have been done before the stop reached it.
      phase = status == .done ? .done : .idle
      return .complete(status == .done ? .done : reason)
    case .idle, .requested, .done: impossible("stopReturned(\(status))")
    }
  }

  private func impossible(_ fact: String) -> Never {
    preconditionFailure("parse: \(fact) in phase \(phase)")
  }
}
