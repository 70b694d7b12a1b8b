@preconcurrency import CGetopt
import Glibc

/// A mistake on the command line.
public struct UsageError: Error {
  /// What is wrong, as a sentence without its end.
  public let reason: String

  public init(reason: String) { self.reason = reason }
}

/// A command's options and operands, read by the C library.
public struct CommandLineOptions: Sendable {
  public private(set) var options: [(name: String, value: String)] = []
  public private(set) var operands: [String] = []

  /// - Parameters:
  ///   - arguments: the command's name and what follows it.
  ///   - options: the long options; a colon at the end of a name says that it takes a value.
  public init(_ arguments: [String], options names: [String]) throws(UsageError) {
    // getopt_long keeps what it is given: the C strings live until it is done, and are freed then.
    var vector = arguments.map { strdup($0) } + [nil]
    defer { for text in vector { free(text) } }
    let plain = names.map { $0.hasSuffix(":") ? String($0.dropLast()) : $0 }
    let cNames = plain.map { strdup($0) }
    defer { for name in cNames { free(name) } }
    var table = zip(cNames, names).map { cName, name in
      option(
        name: UnsafePointer(cName), has_arg: name.hasSuffix(":") ? required_argument : no_argument, flag: nil,
        val: 0)
    }
    table.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
    optind = 0
    opterr = 0
    var index: Int32 = 0
    while true {
      switch getopt_long(Int32(arguments.count), &vector, ":", table, &index) {
      case -1:
        operands = vector[Int(optind)..<arguments.count].compactMap { $0.map { String(cString: $0) } }
        return
      case 0: options.append((plain[Int(index)], optarg.map { String(cString: $0) } ?? ""))
      case Int32(UInt8(ascii: ":")):
        throw UsageError(reason: "\(Self.last(vector)) needs a value")
      default: throw UsageError(reason: "\(Self.last(vector)) is no option of \(arguments[0])")
      }
    }
  }

  private static func last(_ vector: [UnsafeMutablePointer<CChar>?]) -> String {
    vector[max(0, Int(optind) - 1)].map { "\"\(String(cString: $0))\"" } ?? "an option"
  }
}
