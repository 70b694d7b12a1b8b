import Conformance
import MediaFixtures
import SimulatedFixtures
import SimulatedVLC
import Synchronization

/// The fixtures, as a simulated library has them.
struct SimulatedSource: MediaSource {
  private let files = FixtureSource()
  private let stalls: Stalls

  /// A library with the fixtures, a file that stalls and a server that asks.
  static func harness(_ profile: SimulatedProfile = .libVLC3) -> Harness {
    var options = SimulatedLibrary.Options.fixtures
    options.profile = profile
    let files = FixtureSource()
    for milliseconds in [3_011, 60_011] {
      options.media["file://" + files.filmPath(milliseconds: milliseconds)] = SimulatedMedium(
        duration: .milliseconds(milliseconds))
    }
    let stalls = Stalls()
    for (number, barrier) in stalls.barriers.enumerated() {
      var stalled = SimulatedMedium(duration: .seconds(1))
      stalled.barrier = barrier
      options.media["file://" + Stalled.path(number)] = stalled
    }
    return Harness(
      library: SimulatedLibrary(options), media: SimulatedSource(stalls: stalls),
      threadName: { SimulatedLibrary.currentThreadName })
  }

  private init(stalls: Stalls) { self.stalls = stalls }

  /// Files that stall, one for each that a check asks for.
  private final class Stalls: Sendable {
    let barriers = (0..<2).map { _ in SimulatedBarrier() }
    private let used = Atomic(0)

    func next() -> Int { used.add(1, ordering: .relaxed).oldValue % barriers.count }
  }

  var missingPath: String { files.missingPath }
  func path(_ fixture: String) -> String { files.path(fixture) }
  func filmPath(milliseconds: Int) -> String { files.filmPath(milliseconds: milliseconds) }
  func recording(_ name: String) throws -> String { try files.recording(name) }
  func bytes(_ fixture: String) -> [UInt8] { files.bytes(fixture) }
  func outputPath(_ name: String) -> String { files.outputPath(name) }
  func makeStalledFile() throws -> any StalledFile {
    let number = stalls.next()
    return Stalled(path: Stalled.path(number), barrier: stalls.barriers[number])
  }
  func makeLoginServer() throws -> any LoginServer { Guarded() }

  private struct Stalled: StalledFile {
    static func path(_ number: Int) -> String { "/stalled\(number).mkv" }
    let path: String
    let barrier: SimulatedBarrier
    func waitUntilOpened() { barrier.waitUntilReached() }
    func close() { barrier.open() }
  }
  private struct Guarded: LoginServer {
    var location: String { "http://127.0.0.1/silence.wav" }
    func close() {}
  }
}
