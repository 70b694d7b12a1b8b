/// What an execution was found to do wrong.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Threads wait for each other in a circle, or for something that nobody is left to give.
    case deadlock
    /// Tasks are suspended, and nobody is left who could resume them.
    case neverReturns
    /// A thread takes a lock that it holds.
    case reentrancy
    /// Two locks were taken in opposite orders, in this execution or in earlier ones.
    case lockOrder
    /// Two accesses of a declared cell, one of them a write, that nothing orders.
    case race
    /// Under a fair schedule everything goes on, and nothing ever ends.
    case livelock
    /// Under a fair schedule a thread never gets what others take again and again.
    case starvation
    /// More steps than the body may make.
    case stepLimit
    /// Something that a world does not take over was called or waited for.
    case unmodelled
    /// A thread outside the world resumed or enqueued one of its tasks.
    case foreignEnqueue
    /// The same choices led to another execution: something outside the world's reach decided.
    case nondeterminism
    /// A strict replay met another program than it was recorded of.
    case differs
    /// The body said that something does not hold, or threw.
    case failure
    /// A signal ended the process: a wild pointer, an abort.
    case crash
    /// The program stopped itself: a failed precondition, an overflow.
    case trap
    /// Processor time passes, and no scheduling point does: an endless loop.
    case hang
  }

  public let kind: Kind
  /// A sentence that names the entities and the objects.
  public let message: String
  /// Of a deadlock, by entity, the calls that each is in, the innermost first; collected by replaying it.
  public var stacks: [Stack] = []

  public struct Stack: Hashable, Sendable, CustomStringConvertible {
    public let entity: String
    public let frames: [String]
    public var description: String { ([entity + ":"] + frames.map { "    " + $0 }).joined(separator: "\n") }
  }

  /// What stays the same when the same thing is found under another schedule: the sentence without its numbers and its order.
  public var place: String {
    message.split(separator: "; ").map { clause in
      clause.split(separator: " ").map { $0.hasPrefix("0x") ? "#" : Self.withoutNumbers($0) }
        .joined(separator: " ")
    }.sorted().joined(separator: "; ")
  }

  private static func withoutNumbers(_ word: Substring) -> String {
    var text = ""
    for character in word where !(character.isNumber && text.last == "#") {
      text.append(character.isNumber ? "#" : character)
    }
    return text
  }

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  public var description: String {
    (["\(kind.rawValue): \(message)"] + stacks.map(\.description)).joined(separator: "\n")
  }
}
