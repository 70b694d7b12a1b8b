import Interleaving
import InterleavingTesting
import SimulatedVLC
import SwiftVLC
import Testing

// The examples of docs/testing-applications.md, word for word: `ExampleTests` compares.

@MainActor final class Jukebox {
  let player: Player
  private(set) var played: [String] = []
  private(set) var failed: [String] = []

  init(_ player: Player) { self.player = player }

  func play(_ locations: [String]) async throws {
    var outcomes = player.terminalOutcomes.makeAsyncIterator()
    for location in locations {
      try player.play(Media(mrl: location))
      guard let outcome = await outcomes.next() else { return }
      switch outcome.cause {
      case .naturalEnd: played.append(location)
      case .failure: failed.append(location)
      default: return
      }
    }
  }
}

// The world's lazily made globals and pools are its process's: one world at a time.
@Suite(.serialized, .enabled(if: World.Substrate.best == .fibers)) struct SimulatedExamples {
  @Test(.interleaved(executions: 100)) @MainActor func theJukeboxPlaysOnAfterWhatFails() async throws {
    let instance = try VLCInstance(library: SimulatedLibrary())
    let jukebox = Jukebox(Player(instance: instance))
    try await jukebox.play(["fake://missing", "fake://song", "fake://clip"])
    #expect(jukebox.played == ["fake://song", "fake://clip"])
    #expect(jukebox.failed == ["fake://missing"])
  }

  @Test(.interleaved(executions: 100)) func nothingIsLeftWhenTheViewGoesAway() async throws {
    let library = SimulatedLibrary()
    let playing = Task { @MainActor in
      let jukebox = Jukebox(Player(instance: try VLCInstance(library: library)))
      try await jukebox.play(["fake://film"])
    }
    try await Task.sleep(for: .seconds(1))
    playing.cancel()
    _ = await playing.result
    // Players are put away on queues of their own.
    while library.livingObjects > 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test(.interleaved(executions: 200)) @MainActor func whateverBreaksTheJukeboxComesToItsEnd() async throws {
    var options = SimulatedLibrary.Options()
    options.faults = [.openingIsSlow, .openingFails, .readingFails, .endsEarly, .stalls]
    let jukebox = Jukebox(Player(instance: try VLCInstance(library: SimulatedLibrary(options))))
    try await jukebox.play(["fake://clip", "fake://broken"])
    #expect(jukebox.played.count + jukebox.failed.count == 2)
  }

  @Test @MainActor func theJukeboxPlaysAClip() async throws {
    var options = SimulatedLibrary.Options()
    options.media["fake://short"] = SimulatedMedium(duration: .milliseconds(300))
    let jukebox = Jukebox(Player(instance: try VLCInstance(library: SimulatedLibrary(options))))
    try await jukebox.play(["fake://short"])
    #expect(jukebox.played == ["fake://short"])
  }
}
