/// What an execution was found to do wrong.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Entities wait for each other in a circle, or for a lock whose owner is gone.
    case deadlock
    /// An entity takes a lock that it holds.
    case reentrancy
    /// Two locks were taken in opposite orders, in this execution or in earlier ones.
    case lockOrder
    /// The body made more steps than it may.
    case stepLimit
    /// A strict replay met another program than it was recorded of.
    case differs
    /// The body said that something does not hold.
    case failure
  }

  public let kind: Kind
  /// A sentence that names the entities and the objects.
  public let message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  public var description: String { "\(kind.rawValue): \(message)" }
}

/// One line of text that holds a finding and replays it.
public struct Artefact: Hashable, Sendable, CustomStringConvertible {
  static let version = "interleaving/1"

  public let body: String
  public let seed: UInt64
  public let finding: Finding.Kind
  public let digest: UInt64
  public let choices: ChoiceSequence

  init(body: String, seed: UInt64, finding: Finding.Kind, digest: UInt64, choices: ChoiceSequence) {
    self.body = body
    self.seed = seed
    self.finding = finding
    self.digest = digest
    self.choices = choices
  }

  /// Reads a line; nil for one that is none, or of another version.
  public init?(_ line: some StringProtocol) {
    let words = String(line).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0] == Self.version else { return nil }
    var values: [String: Substring] = [:]
    for word in words.dropFirst() {
      guard let equals = word.firstIndex(of: "=") else { return nil }
      values[String(word[..<equals])] = word[word.index(after: equals)...]
    }
    guard let body = values["body"], let seed = values["seed"].flatMap({ UInt64($0) }),
      let finding = values["finding"].flatMap({ Finding.Kind(rawValue: String($0)) }),
      let digest = values["digest"].flatMap({ UInt64($0, radix: 16) }),
      let choices = values["choices"].flatMap({ ChoiceSequence($0) })
    else { return nil }
    self.init(body: String(body), seed: seed, finding: finding, digest: digest, choices: choices)
  }

  public var description: String {
    "\(Self.version) body=\(body) seed=\(seed) finding=\(finding.rawValue)"
      + " digest=\(String(digest, radix: 16)) choices=\(choices)"
  }
}
