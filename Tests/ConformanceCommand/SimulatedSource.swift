import Conformance
import MediaFixtures
import SimulatedFixtures
import SimulatedVLC

/// The fixtures, as a simulated library has them.
struct SimulatedSource: MediaSource {
  private let files = FixtureSource()
  private let barrier: SimulatedBarrier

  /// A library with the fixtures, a file that stalls and a server that asks.
  static func harness(_ profile: SimulatedProfile = .libVLC3) -> Harness {
    var options = SimulatedLibrary.Options.fixtures
    options.profile = profile
    let files = FixtureSource()
    for milliseconds in [3_011, 60_011] {
      options.media["file://" + files.filmPath(milliseconds: milliseconds)] = SimulatedMedium(
        duration: .milliseconds(milliseconds))
    }
    let barrier = SimulatedBarrier()
    var stalled = SimulatedMedium(duration: .seconds(1))
    stalled.barrier = barrier
    options.media["file:///stalled.mkv"] = stalled
    return Harness(
      library: SimulatedLibrary(options), media: SimulatedSource(barrier: barrier),
      threadName: { SimulatedLibrary.currentThreadName })
  }

  private init(barrier: SimulatedBarrier) { self.barrier = barrier }

  var missingPath: String { files.missingPath }
  func path(_ fixture: String) -> String { files.path(fixture) }
  func filmPath(milliseconds: Int) -> String { files.filmPath(milliseconds: milliseconds) }
  func recording(_ name: String) throws -> String { try files.recording(name) }
  func bytes(_ fixture: String) -> [UInt8] { files.bytes(fixture) }
  func outputPath(_ name: String) -> String { files.outputPath(name) }
  func makeStalledFile() throws -> any StalledFile { Stalled(barrier: barrier) }
  func makeLoginServer() throws -> any LoginServer { Guarded() }

  private struct Stalled: StalledFile {
    let barrier: SimulatedBarrier
    var path: String { "/stalled.mkv" }
    func waitUntilOpened() { barrier.waitUntilReached() }
    func close() { barrier.open() }
  }
  private struct Guarded: LoginServer {
    var location: String { "http://127.0.0.1/silence.wav" }
    func close() {}
  }
}
