import Interleaving

/// A small concurrent program with a known bug, and its twin, which differs by the fix alone.
struct CorpusProgram: Sendable {
  /// What goes wrong.
  enum Kind: String, Sendable, CaseIterable {
    /// Everybody waits for somebody.
    case deadlock
    /// One thing comes before another that it needs.
    case order
    /// Something comes between two steps that belong together.
    case atomicity
    /// Somebody waits for what does not come, or nothing ever ends.
    case liveness
    /// An object is used after its life.
    case lifetime
    /// Memory is shared and nothing orders its accesses.
    case race
  }

  let name: String
  let kind: Kind
  /// How many orders between steps have to be met for the bug to show.
  let depth: Int
  let finding: Finding.Kind
  let summary: String
  let world: World.Options
  /// Whether only deep mode has a point between its steps.
  let isDeep: Bool
  fileprivate let make: @Sendable (_ isFixed: Bool) -> Body

  /// A program of threads.
  static func threads(
    _ name: String, _ kind: Kind, depth: Int, finds finding: Finding.Kind, _ summary: String,
    world: World.Options = .corpus, isDeep: Bool = false,
    _ body: @escaping @Sendable (World, _ isFixed: Bool) -> Void
  ) -> CorpusProgram {
    CorpusProgram(
      name: name, kind: kind, depth: depth, finding: finding, summary: summary, world: world, isDeep: isDeep
    ) { isFixed in
      .threads { body($0, isFixed) }
    }
  }

  /// A program of tasks.
  static func tasks(
    _ name: String, _ kind: Kind, depth: Int, finds finding: Finding.Kind, _ summary: String,
    world: World.Options = .corpus, isDeep: Bool = false,
    _ body: @escaping @Sendable (World, _ isFixed: Bool) async throws -> Void
  ) -> CorpusProgram {
    CorpusProgram(
      name: name, kind: kind, depth: depth, finding: finding, summary: summary, world: world, isDeep: isDeep
    ) { isFixed in
      .task { try await body($0, isFixed) }
    }
  }

  /// The programs of the mode that this one was built in. In deep mode the others are found as well, but their depths and
  /// schedules are told of the ordinary mode.
  static let all: [CorpusProgram] = World.isDeep ? deep + classics + swifts : classics + swifts
  /// And those that are there to be not found.
  static let known: [CorpusProgram] = World.isDeep ? all : all + deep

  /// What an ordinary world has no points in is clean there.
  private var isFound: Bool { World.isDeep || !isDeep }

  var broken: NamedBody {
    NamedBody(
      name: "corpus/\(name)", summary: isFound ? summary : summary + "; deep mode alone finds it",
      finding: isFound ? finding : nil, world: world, body: make(false))
  }
  var twin: NamedBody {
    NamedBody(
      name: "corpus/\(name)/fixed", summary: "the twin of corpus/\(name)", finding: nil, world: world,
      body: make(true))
  }
}

extension World.Options {
  /// One for all programs: few steps, and the order of locks is no finding, so that a deadlock has to be met.
  static var corpus: World.Options {
    var options = World.Options()
    options.detectsLockOrder = false
    options.steps = 5_000
    options.settling = 2_000
    options.hangSeconds = 2
    return options
  }
}
