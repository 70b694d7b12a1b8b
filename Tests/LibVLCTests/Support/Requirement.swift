#if LibVLC
import Foundation

/// A requirement of the seam, or a use of one, by its name and argument labels: `newMedia(_:location:)`.
struct Requirement: Hashable, Sendable, CustomStringConvertible {
  let name: String
  /// Nil for a property.
  let labels: [String]?

  var description: String { name + (labels.map { "(" + $0.map { $0 + ":" }.joined() + ")" } ?? "") }
}

/// Finds declarations and calls in Swift text, well enough for the seam's plain style.
struct SourceScanner {
  private let text: [Character]

  /// Takes the text without its comments and without what is in string literals.
  init(_ source: String) {
    text = Array(Self.stripped(source))
  }

  /// What the protocols require.
  var requirements: [Requirement] {
    blocks(opening: "protocol").flatMap { block in
      declarations(in: block, atDepth: 0).map(\.requirement)
    }
  }

  /// The default implementations whose body says that a capability is absent, with that capability.
  var absences: [Requirement: String] {
    var absences: [Requirement: String] = [:]
    for block in blocks(opening: "extension") {
      for declaration in declarations(in: block, atDepth: 0) {
        let rest = String(text[declaration.end..<block.upperBound].prefix { $0 != "}" })
        guard let call = rest.range(of: "absent(.") else { continue }
        absences[declaration.requirement] = String(rest[call.upperBound...].prefix { $0 != ")" })
      }
    }
    return absences
  }

  /// The members that are reached through a variable: `library.play(player)`.
  func uses(of variable: String) -> [Requirement] {
    let start = Array(variable + ".")
    return text.indices.compactMap { index in
      guard text[index...].starts(with: start), index == 0 || !text[index - 1].isPartOfName else {
        return nil
      }
      let name = self.name(at: index + start.count)
      let end = index + start.count + name.count
      guard end < text.count, text[end] == "(" else { return Requirement(name: name, labels: nil) }
      let arguments = self.arguments(at: end)
      return Requirement(name: name, labels: arguments.map { Self.label(of: $0) })
    }
  }

  private func declarations(
    in block: Range<Int>, atDepth wanted: Int
  ) -> [(requirement: Requirement, end: Int)] {
    var found: [(Requirement, Int)] = []
    var depth = 0
    var index = block.lowerBound
    while index < block.upperBound {
      if text[index] == "{" { depth += 1 }
      if text[index] == "}" { depth -= 1 }
      if depth == wanted, isWord("func", at: index) || isWord("var", at: index) {
        let isFunction = text[index] == "f"
        let start = index + (isFunction ? 5 : 4)
        let name = self.name(at: start)
        index = start + name.count
        let labels = isFunction ? arguments(at: index).map { Self.firstWord(of: $0) } : nil
        if isFunction { index = closing(of: index) }
        found.append((Requirement(name: name, labels: labels), index))
      }
      index += 1
    }
    return found
  }

  /// The insides of the braces of what begins with a keyword.
  private func blocks(opening keyword: String) -> [Range<Int>] {
    text.indices.filter { isWord(keyword, at: $0) }.compactMap { start in
      text[start...].firstIndex(of: "{").map { ($0 + 1)..<closing(of: $0) }
    }
  }

  /// The index of the bracket that closes the one at an index.
  private func closing(of open: Int) -> Int {
    var depth = 0
    for index in open..<text.count {
      if "([{".contains(text[index]) { depth += 1 }
      if ")]}".contains(text[index]) { depth -= 1 }
      if depth == 0 { return index }
    }
    return text.count
  }

  /// What stands between the parentheses at an index, split at the commas that are in no other brackets.
  private func arguments(at open: Int) -> [String] {
    var arguments = [""]
    var depth = 0
    for character in text[(open + 1)..<closing(of: open)] {
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        arguments.append("")
      } else {
        arguments[arguments.count - 1].append(character)
      }
    }
    return arguments == [""] ? [] : arguments
  }

  private func isWord(_ word: String, at index: Int) -> Bool {
    guard text[index...].starts(with: word), index == 0 || !text[index - 1].isPartOfName else { return false }
    let end = index + word.count
    return end < text.count && text[end] == " "
  }

  private func name(at index: Int) -> String { String(text[index...].prefix(while: \.isPartOfName)) }

  private static func firstWord(of parameter: String) -> String {
    String(parameter.drop(while: \.isWhitespace).prefix(while: \.isPartOfName))
  }

  /// The label of an argument, `_` when it has none.
  private static func label(of argument: String) -> String {
    let word = firstWord(of: argument)
    let rest = argument.drop(while: \.isWhitespace).dropFirst(word.count)
    return !word.isEmpty && rest.first == ":" ? word : "_"
  }

  private static func stripped(_ source: String) -> String {
    var lines: [String] = []
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      var kept = ""
      var isQuoted = false
      var previous: Character = " "
      for character in line {
        if !isQuoted, character == "/", previous == "/" {
          kept.removeLast()
          break
        }
        if character == "\"", previous != "\\" {
          isQuoted.toggle()
        } else if isQuoted {
          previous = character; continue
        }
        kept.append(character)
        previous = character
      }
      lines.append(kept)
    }
    return lines.joined(separator: "\n")
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}
#endif
