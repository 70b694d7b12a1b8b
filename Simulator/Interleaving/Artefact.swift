/// One line of text that holds a finding and replays it.
public struct Artefact: Hashable, Sendable, CustomStringConvertible {
  static let version = "interleaving/1"

  /// The body's name, without blanks.
  public let body: String
  /// What the body was given, without blanks; "-" for nothing.
  public let parameters: String
  /// The strategy's name.
  public let strategy: String
  public let seed: UInt64
  public let finding: Finding.Kind
  public let digest: UInt64
  public let choices: ChoiceSequence

  public init(
    body: String, parameters: String = "-", strategy: String, seed: UInt64, finding: Finding.Kind,
    digest: UInt64, choices: ChoiceSequence
  ) {
    precondition(
      !(body + parameters + strategy).contains(where: { $0.isWhitespace || $0 == "=" }),
      "a name stands in a line of words, without blanks and without '='")
    self.body = body
    self.parameters = parameters
    self.strategy = strategy
    self.seed = seed
    self.finding = finding
    self.digest = digest
    self.choices = choices
  }

  /// Reads a line; nil for one that is none, that was changed, or that is of another version.
  public init?(_ line: some StringProtocol) {
    let words = String(line).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 9, words[0] == Self.version else { return nil }
    var values: [String: Substring] = [:]
    for word in words.dropFirst() {
      guard let equals = word.firstIndex(of: "=") else { return nil }
      values[String(word[..<equals])] = word[word.index(after: equals)...]
    }
    guard let body = values["body"], let parameters = values["parameters"], let strategy = values["strategy"],
      values["of"] == Self.check(String(body), String(parameters))[...],
      !body.isEmpty, !(body + parameters + strategy).contains("="),
      let seed = values["seed"].flatMap({ UInt64($0) }),
      let finding = values["finding"].flatMap({ Finding.Kind(rawValue: String($0)) }),
      let digest = values["digest"].flatMap({ UInt64($0, radix: 16) }),
      let choices = values["choices"].flatMap({ ChoiceSequence($0) })
    else { return nil }
    self.init(
      body: String(body), parameters: String(parameters), strategy: String(strategy), seed: seed,
      finding: finding, digest: digest, choices: choices)
  }

  public var description: String {
    Self.prefix(body: body, parameters: parameters, strategy: strategy)
      + " seed=\(seed) finding=\(finding.rawValue) digest=\(String(digest, radix: 16)) choices=\(choices)"
  }

  /// What every line of a body begins with.
  static func prefix(body: String, parameters: String, strategy: String) -> String {
    "\(version) body=\(body) parameters=\(parameters) of=\(check(body, parameters)) strategy=\(strategy)"
  }

  /// A short digest of the body's name and parameters: a line that was edited is not taken for another body's.
  private static func check(_ body: String, _ parameters: String) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in (body + " " + parameters).utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}
