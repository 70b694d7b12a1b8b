#if LibVLC
import Glibc
import SwiftVLC

/// Plays a file as `reference.c` does, through the engine, and prints its processor seconds.
///
/// A program of its own, that links what an application links: libVLC resolves the symbols of each plug-in in everything
/// that a process has loaded.
@main
enum BenchmarkPlayer {
  @MainActor
  static func main() async throws {
    let before = processorSeconds()
    do {
      let instance = try VLCInstance(
        arguments: ["--vout=dummy", "--aout=adummy", "--quiet", "--no-sub-autodetect-file"])
      let player = Player(instance: instance)
      let outcomes = player.terminalOutcomes
      let media = try Media(path: CommandLine.arguments[1])
      try media.addOption(":stop-time=20")
      try player.setPlaybackRate(4)
      try player.play(media)
      for await _ in outcomes { break }
    }
    await NativeObjects.allReleased()
    print(processorSeconds() - before)
  }

  static func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
#else
@main
enum BenchmarkPlayer {
  static func main() { print("this build has no libVLC: build with the package trait LibVLC") }
}
#endif
