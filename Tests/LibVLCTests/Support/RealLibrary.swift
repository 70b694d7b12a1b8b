#if LibVLC
import LibVLC
import Testing
import VLCNative

extension Tag {
  /// Faces the real libVLC: real threads, real files, waits with a bound.
  @Tag static var real: Self
}

/// Everything that faces the real libVLC, one test at a time.
///
/// The tests share nothing, but two cores that play ten files at once are late for each of them.
@Suite(.serialized, .tags(.real), .timeLimit(.minutes(10)))
struct RealLibraryTests {}

/// The library under test, seen as the engine sees it: a requirement that the conformer forgot traps here.
let library: any NativeLibrary = LibVLCLibrary()

/// No window, no sound card, no file beside the one that is named.
///
/// And no subtitles: to stop a fifth of a second after the start takes six seconds while libVLC waits for an
/// output to put them on. Tests of subtitles ask for them.
let quietArguments = [
  "--no-video-title-show", "--no-snapshot-preview", "--no-sub-autodetect-file", "--vout=dummy",
  "--aout=adummy", "--quiet", "--no-spu",
]

/// Keeps libVLC's plug-ins loaded between the tests.
///
/// Where Debian has written no cache of them, libVLC looks at each file anew whenever the last instance went,
/// a tenth of a second for each test. Every test makes an instance of its own all the same.
func holdPlugins() { _ = heldInstance }

private let heldInstance = library.newInstance(arguments: quietArguments)

/// Runs a body with an instance that is released afterwards.
func withInstance<Result>(
  _ arguments: [String] = quietArguments, _ body: (NativeInstance) throws -> Result
) throws -> Result {
  holdPlugins()
  let instance = try #require(
    library.newInstance(arguments: arguments), "libVLC made no instance: are its plug-ins installed?")
  defer { library.releaseInstance(instance) }
  return try body(instance)
}

/// Runs a body with a media that is released afterwards.
func withMedia<Result>(_ media: NativeMedia?, _ body: (NativeMedia) throws -> Result) throws -> Result {
  let media = try #require(media, "libVLC made no media")
  defer { library.releaseMedia(media) }
  return try body(media)
}
#endif
