import Conformance
import Foundation

/// Checks the rules of libVLC on the real library, which is 3.0, and on the simulated one, which is either.
@main
enum ConformanceCommand {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "check" where arguments.count == 2: exit(check(arguments[1], on: .real))
    case "check" where arguments.count == 3 && arguments[1] == "--simulated":
      exit(check(arguments[2], on: .simulated))
    case "table" where arguments.dropFirst().allSatisfy { $0 == "--json" }:
      exit(Table.run(asJSON: arguments.contains("--json")))
    case "list" where arguments.count == 1:
      for rule in Rule.all + Rule.libVLC4 { print("\(rule.name)\t\(rule.expectation)\t\(rule.statement)") }
    case "deviations" where arguments.count <= 2:
      let rules = (Rule.all + Rule.libVLC4).filter {
        arguments.count == 1 ? $0.deviations.isEmpty : $0.name == arguments[1]
      }
      guard arguments.count == 1 || !rules.isEmpty else {
        say("there is no rule \"\(arguments[1])\"")
        exit(2)
      }
      for rule in rules { await Deviants.search(rule) }
    default:
      print(
        """
        conformance list                       print the rules
        conformance check [--simulated] NAME   check one rule on the real or the simulated libVLC, in this process
        conformance table [--json]             check every rule on both; 1 if one is violated or missing
        conformance deviations [NAME]          print which deviations of the simulated libVLC turn a rule's check
                                               red; without a name, those of each rule that the table has none of

        Rules whose names begin with "4." are of libVLC 4.0, which is simulated only.
        """)
      exit(2)
    }
  }

  private static func check(_ name: String, on library: Libraries.Name) -> Int32 {
    guard let rule = (Rule.all + Rule.libVLC4).first(where: { $0.name == name }) else {
      say("there is no rule \"\(name)\"")
      return 2
    }
    if library == .real, rule.evidence != .checked {
      say("the rule is of libVLC 4.0, and the real library is 3.0: add --simulated")
      return 3
    }
    guard let harness = library == .real ? Libraries.real() : Libraries.simulated(Libraries.profile(of: rule))
    else {
      say("there is no real library in this build: it was built without the trait LibVLC")
      return 3
    }
    // What is expected to end the process leaves no image of it.
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    do {
      try rule.run(on: harness.announcing(to: say))
    } catch {
      say("violated: \("\(error)".replacing("\n", with: " "))")
      return 1
    }
    say("holds")
    return 0
  }

  /// Prints at once: the reader decides by what came how long to wait.
  private static func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
