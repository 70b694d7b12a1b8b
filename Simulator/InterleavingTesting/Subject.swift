import Interleaving
import Testing

/// A test with its arguments, as lines and commands name it.
struct Subject: Sendable {
  let test: Test
  let testCase: Test.Case
  /// Module, suites and function, with a slash between them; without blanks.
  let name: String
  /// The arguments' descriptions, with a comma between them; "-" for none. Two that are described alike are
  /// one here.
  let parameters: String

  init(_ test: Test, _ testCase: Test.Case) {
    self.test = test
    self.testCase = testCase
    name = ([test.id.moduleName] + test.id.nameComponents).map(Self.encoded).joined(separator: "/")
    let described = Self.arguments(of: testCase).map { Self.encoded(String(describingForTest: $0)) }
    parameters = testCase.isParameterized ? described.joined(separator: ",") : "-"
  }

  func isOf(_ artefact: Artefact) -> Bool { artefact.body == name && artefact.parameters == parameters }

  /// The function's name as a pattern, for a shell: a sentence in backticks is quoted.
  var filter: String {
    let function = test.name.filter { $0 != "`" }
    let name = function.lastIndex(of: "(").map { function[..<$0] } ?? function[...]
    guard name.contains(where: { !($0.isASCII && $0.isLetter || $0.isNumber || $0 == "_") }) else {
      return String(name)
    }
    // A dot stands for what means something to the pattern or to the shell.
    return "'" + String(name.map { #"\^$.|?*+()[]{}'"#.contains($0) ? "." : $0 }) + "'"
  }

  /// Records an issue as it was made, at its own place.
  ///
  /// Swift Testing has no public function for that, but lets a handler put one issue in the place of another.
  func record(_ issue: Issue) async {
    // A handler may not make an issue of this kind; the finding's sentence has its description.
    if case .apiMisused = issue.kind { return }
    let replacing: IssueHandlingTrait = .compactMapIssues { _ in issue }
    try? await replacing.provideScope(for: test, testCase: testCase) { Issue.record() }
  }

  // MARK: Names

  /// The text as one word of a line: every other byte as its two hexadecimal digits after a percent sign.
  private static func encoded(_ text: String) -> String {
    var word = ""
    for byte in text.utf8 where byte != UInt8(ascii: "`") {
      let character = Unicode.Scalar(byte)
      if byte < 0x80,
        character.properties.isAlphabetic || "0123456789-._~():,".unicodeScalars.contains(character)
      {
        word.unicodeScalars.append(character)
      } else {
        word += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return word
  }

  /// A test case's arguments, which Swift Testing shows to tools only: looked for by their name.
  private static func arguments(of testCase: Test.Case) -> [Any] {
    func find(_ name: String, in value: Any, depth: Int) -> Any? {
      for child in Mirror(reflecting: value).children {
        if child.label == name { return child.value }
        if depth > 0, let found = find(name, in: child.value, depth: depth - 1) { return found }
      }
      return nil
    }
    guard let arguments = find("arguments", in: testCase, depth: 2) else { return [] }
    return Mirror(reflecting: arguments).children.compactMap { find("value", in: $0.value, depth: 0) }
  }
}
