import TestSupport
import Testing

/// What the engine's public declarations say of themselves, read from the sources.
@Suite(.tags(.logic)) struct DocumentationTests {
  @Test func `every public declaration of the engine has a documentation comment`() {
    let sources = Repository.files(in: "Sources/SwiftVLC", ending: ".swift")
    var count = 0
    var silent: [String] = []
    for file in sources {
      let scanner = DeclarationScanner(file.text)
      #expect(scanner.isBalanced, "\(file.path): braces do not match, so declarations may be missed")
      count += scanner.declarations.count
      silent += scanner.silent.map { "\(file.path):\($0.line) \($0.name)" }
    }
    #expect(sources.count > 20 && count > 200, "the sources are found, and declarations are read")
    #expect(silent.isEmpty, "give these a /// comment of their own:\n\(silent.joined(separator: "\n"))")
  }

  @Test func `the scanner names what has no comment, and nothing else`() {
    let scanner = DeclarationScanner(
      """
      @_exported public import Module
      public struct Silent {
        /// Has one.
        @inlinable
        public internal(set) var documented: String { "}" }
        public nonisolated(unsafe) static let bare = "{ \\" {"
        public init?(number: Int) { switch number { case 0, 1: return nil; default: break } }
        public init(from decoder: any Decoder) { fatalError() }  // public var ghost {
        let hidden = 0
        package func alsoHidden() {}
        @available(*, deprecated) public class func late() {}
        public static func < (left: Self, right: Self) -> Bool { false }
        public var description: String { "" }
        /// Belongs to nothing.

        public typealias Apart = Int
      }
      /// Has one.
      public enum Kind: Hashable {
        /// Has one.
        case documented
        case bare(Int)
        /// One comment for two.
        case first, second
        /// Has one.
        case pair(Int, text: String)
        var isBare: Bool { switch self { case .bare: true; default: false } }
      }
      enum Inner { case quiet }
      /// Has one.
      public enum Cramped { case one }
      /// Has one.
      public protocol Requiring: Sendable,
        Hashable
      {
        associatedtype Number
        /// Has one.
        func documented()
        func bare()
      }
      public extension Kind {
        func reachable() {}
        private func unreachable() {}
      }
      let text = \"""
        public var quoted {
        \"""
      """)
    #expect(
      scanner.silent.map(\.name) == [
        "Silent", "bare", "init", "late", "Apart", "bare", "first", "Cramped", "Number", "bare", "reachable",
      ])
    #expect(scanner.silent.map(\.line) == [2, 6, 7, 11, 16, 22, 24, 31, 36, 39, 42])
    #expect(scanner.isBalanced)
  }
}

/// Reads Swift as far as this repository writes it: a declaration begins a line, and a comment is a `//` or `///`.
private struct DeclarationScanner {
  /// A declaration that users of the module see.
  struct Declaration {
    let line: Int
    let name: String
    /// Whether a comment of its own is right before it.
    let isDocumented: Bool
  }

  /// What braces enclose, as far as it makes public what does not say so.
  private enum Scope {
    case publicEnumeration, publicProtocol, publicExtension, other
  }

  private static let types: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "extension"]
  private static let members: Set<Substring> = [
    "func", "var", "let", "init", "typealias", "subscript", "associatedtype", "case",
  ]
  private static let access: Set<Substring> = [
    "public", "open", "package", "internal", "fileprivate", "private",
  ]
  private static let modifiers: Set<Substring> = access.union([
    "final", "static", "mutating", "nonmutating", "consuming", "borrowing", "convenience", "required",
    "override", "nonisolated", "isolated", "indirect", "lazy", "weak", "unowned", "dynamic", "distributed",
  ])
  /// Their meaning is the standard library's.
  private static let exempt: Set<Substring> = [
    "description", "errorDescription", "hash", "rawValue", "Failure", "makeAsyncIterator",
  ]

  private(set) var declarations: [Declaration] = []
  private var scopes: [Scope] = []
  private var isMissingBrace = false
  // What the next brace opens.
  private var opening = Scope.other
  private var hasComment = false
  private var isInText = false

  /// The declarations without a comment, in order.
  var silent: [Declaration] { declarations.filter { !$0.isDocumented } }
  /// Whether every brace was opened and closed, which tells that the nesting was understood.
  var isBalanced: Bool { scopes.isEmpty && !isMissingBrace && !isInText }

  init(_ source: String) {
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      read(line.drop { $0 == " " }, number: index + 1)
    }
  }

  private mutating func read(_ line: Substring, number: Int) {
    if !isInText, line.hasPrefix("///") {
      hasComment = true
      return
    }
    let wasInText = isInText
    let code = code(of: line)
    let declaration = Self.withoutAttributes(code[...])
    // Attributes may stand on a line of their own, between the comment and the declaration.
    if !wasInText, declaration.isEmpty, code.hasPrefix("@") { return }
    if !wasInText { declare(declaration, number: number) }
    hasComment = false
    nest(code)
  }

  private mutating func declare(_ code: Substring, number: Int) {
    var rest = code
    var stated: Set<Substring> = []
    var keyword = Self.takeWord(&rest)
    while Self.modifiers.contains(keyword) || (keyword == "class" && Self.members.contains(Self.word(rest))) {
      // `internal(set)` and `nonisolated(unsafe)` say nothing of who sees the declaration.
      if rest.hasPrefix("(") { rest = Self.afterParentheses(rest) } else { stated.insert(keyword) }
      keyword = Self.takeWord(&rest)
    }
    guard Self.types.contains(keyword) || Self.members.contains(keyword) else { return }
    let isPublic = isPublic(keyword, stated)
    if Self.types.contains(keyword) { opening = isPublic ? Self.scope(of: keyword) : .other }
    guard isPublic, keyword != "extension", !Self.isExempt(keyword, rest) else { return }
    let name = ["init", "subscript"].contains(keyword) ? keyword : Self.word(rest)
    let isShared = keyword == "case" ? Self.hasSeveral(rest) : keyword == "enum" && rest.contains("{ case ")
    declarations.append(
      Declaration(line: number, name: String(name), isDocumented: hasComment && !isShared))
  }

  private func isPublic(_ keyword: Substring, _ stated: Set<Substring>) -> Bool {
    let scope = scopes.last ?? .other
    if keyword == "case" { return scope == .publicEnumeration }
    if stated.contains("public") || stated.contains("open") { return true }
    guard stated.isDisjoint(with: Self.access) else { return false }
    return scope == .publicProtocol || scope == .publicExtension
  }

  private static func scope(of keyword: Substring) -> Scope {
    switch keyword {
    case "enum": .publicEnumeration
    case "protocol": .publicProtocol
    case "extension": .publicExtension
    default: .other
    }
  }

  private static func isExempt(_ keyword: Substring, _ rest: Substring) -> Bool {
    let name = word(rest)
    // An operator has no word for a name.
    if keyword == "func", name.isEmpty { return !rest.hasPrefix(" `") }
    if keyword == "init" { return rest.hasPrefix("(from ") }
    return keyword != "case" && exempt.contains(name)
  }

  /// Whether a line of cases has more than one, on this line or the next.
  private static func hasSeveral(_ cases: Substring) -> Bool {
    var depth = 0
    for character in cases {
      switch character {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "," where depth == 0: return true
      default: break
      }
    }
    return false
  }

  private mutating func nest(_ code: String) {
    for character in code {
      if character == "{" {
        scopes.append(opening)
        opening = .other
      } else if character == "}", scopes.popLast() == nil {
        isMissingBrace = true
      }
    }
  }

  /// The line without comment and texts. What is interpolated goes with them or stays; its braces match either way.
  private mutating func code(of line: Substring) -> String {
    var code = ""
    var rest = line
    var isInString = false
    while let character = rest.first {
      if !isInString, rest.hasPrefix("\"\"\"") {
        isInText.toggle()
        rest = rest.dropFirst(3)
        continue
      }
      if !isInText, !isInString, rest.hasPrefix("//") { break }
      rest = rest.dropFirst()
      if isInText { continue }
      switch character {
      case "\\" where isInString: rest = rest.dropFirst()
      case "\"": isInString.toggle()
      default: if !isInString { code.append(character) }
      }
    }
    return code
  }

  private static func withoutAttributes(_ code: Substring) -> Substring {
    var rest = code
    while rest.hasPrefix("@") {
      rest = rest.dropFirst()
      _ = takeWord(&rest)
      if rest.hasPrefix("(") { rest = afterParentheses(rest) }
      rest = rest.drop { $0 == " " }
    }
    return rest
  }

  private static func afterParentheses(_ code: Substring) -> Substring {
    var depth = 0
    for index in code.indices {
      if code[index] == "(" { depth += 1 }
      if code[index] == ")" { depth -= 1 }
      if depth == 0 { return code[code.index(after: index)...] }
    }
    return ""
  }

  private static func takeWord(_ code: inout Substring) -> Substring {
    let word = word(code)
    code = code.drop { $0 == " " }.dropFirst(word.count)
    return word
  }

  private static func word(_ code: Substring) -> Substring {
    code.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
