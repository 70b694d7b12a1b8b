public import Interleaving
public import SimulatedVLC

/// A host that uses the public API as applications do, at random.
public struct Workload: Sendable {
  public let name: String
  public let summary: String
  /// Whether it looks at what is when nobody can run before time passes: in its worlds time never passes early.
  let needsQuiet: Bool
  let run: @MainActor @Sendable (Host) async -> Void

  init(
    _ name: String, _ summary: String, needsQuiet: Bool = false,
    run: @escaping @MainActor @Sendable (Host) async -> Void
  ) {
    self.name = name
    self.summary = summary
    self.needsQuiet = needsQuiet
    self.run = run
  }

  public static let all: [Workload] = [
    .dismisser, .zapper, .scrubber, .pauseSpammer, .parser, .manyPlayers, .byteSources, .logReaders,
    .broadcaster, .replayer, .mixture,
  ]

  public static func named(_ name: some StringProtocol) -> Workload? { all.first { $0.name == name } }

  /// An execution, in the world that the caller runs in or outside every world.
  public func play(
    _ profile: SimulatedProfile, _ faults: Set<SimulatedFault>, seed: UInt64 = 1, countsProcess: Bool = false
  ) async {
    await Self.run(self, Stage(profile, faults, seed: seed, countsProcess: countsProcess))
  }

  @MainActor private static func run(
    _ workload: Workload, _ stage: Stage
  ) async {
    guard let host = Host(stage) else { return }
    await workload.run(host)
    await host.end()
  }
}

/// What one child of a soak explores: a workload on a profile, with the faults that may come.
public struct SoakBody: Sendable, CustomStringConvertible {
  public let workload: Workload
  public let profile: SimulatedProfile
  public let faults: Set<SimulatedFault>

  public init(_ workload: Workload, _ profile: SimulatedProfile, _ faults: Set<SimulatedFault>) {
    self.workload = workload
    self.profile = profile
    self.faults = faults
  }

  /// Reads what a line says of its body; nil for what is none of the soak's.
  public init?(name: String, parameters: String) {
    let words = parameters.split(separator: ":")
    guard let workload = Workload.named(name), words.count == 2,
      let profile = SimulatedProfile(name: words[0]), let faults = SimulatedFault.set(words[1])
    else { return nil }
    self.init(workload, profile, faults)
  }

  public var name: String { workload.name }
  public var description: String { "\(name) on \(profile.name)" }
  public var parameters: String { "\(profile.name):\(SimulatedFault.text(faults))" }

  /// What some execution of these bodies is to reach: everything, where everything is played.
  public static func expectedMarks(of bodies: [SoakBody]) -> [String] {
    let faults = Set(bodies.flatMap(\.faults)).map { "fault \($0.rawValue)" }
    return Mark.expected.filter { !$0.hasPrefix("fault ") || faults.contains($0) || HostFault.isMark($0) }
  }

  /// - Parameter countsProcess: whether the process has no other host, so that the engine's counts for it are this one's.
  public func body(countsProcess: Bool) -> Body {
    .task { _ in await workload.play(profile, faults, countsProcess: countsProcess) }
  }

  public var options: World.Options {
    var options = World.Options()
    // Some ten times what most take. Who is starved for longer has only more to read up on.
    options.steps = 20_000
    options.settling = 1_000_000
    options.timePassesEarly = !workload.needsQuiet
    return options
  }
}

extension SimulatedProfile {
  public init?(name: some StringProtocol) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
  /// As commands name it.
  public var name: String {
    switch self {
    case .libVLC3: "libvlc3"
    case .libVLC4: "libvlc4"
    }
  }
}

extension SimulatedFault {
  /// Reads "all", "none", or names with commas between; nil for a name that is none.
  public static func set(_ text: some StringProtocol) -> Set<SimulatedFault>? {
    switch text {
    case "all": return Set(allCases)
    case "none": return []
    default:
      let names = text.split(separator: ",")
      let faults = names.compactMap { SimulatedFault(rawValue: String($0)) }
      return faults.count == names.count && !names.isEmpty ? Set(faults) : nil
    }
  }
  public static func text(_ faults: Set<SimulatedFault>) -> String {
    if faults.isEmpty { return "none" }
    if faults.count == allCases.count { return "all" }
    return allCases.filter(faults.contains).map(\.rawValue).joined(separator: ",")
  }
}
