import Foundation
import SimulatedVLC
import Traces
import VLCNative

/// The recordings of `Fixtures/recordings`, and the media that were recorded.
enum Recordings {
  /// What each was made with, by the name of its file; a minute of picture and sound for most.
  static let media: [String: [String]] = [
    "play_end": ["three seconds"], "junk": ["junk"], "missing": ["missing"], "multi": ["tracks and chapters"],
  ]

  static func trace(_ text: String, _ file: String) -> RecordedTrace? {
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    let media = media[name] ?? Array(repeating: "a minute", count: 3)
    return Recording.trace(text, media: media)
  }

  /// The media, by their locations.
  static let locations: [String: SimulatedMedium] = {
    var several = SimulatedMedium(duration: .milliseconds(60_022))
    several.tracks += [.simulatedAudio, .simulatedVideo]
    several.tracks[2].number = 2
    several.tracks[3] = NativeTrack(type: .text, number: 3, identifier: "spu/3", codec: 0)
    several.chapters = (0..<3).map { .init(name: "Chapter \($0 + 1)", start: .seconds(20 * $0)) }
    var junk = SimulatedMedium(duration: nil, tracks: [])
    junk.failure = .junk
    junk.isSeekable = true
    return [
      location("three seconds"): SimulatedMedium(duration: .milliseconds(3_011)),
      location("a minute"): SimulatedMedium(duration: .milliseconds(60_011)),
      location("tracks and chapters"): several,
      location("junk"): junk,
    ]
  }()

  static func location(_ name: String) -> String {
    "file:///recorded/" + name.replacingOccurrences(of: " ", with: "-")
  }
}
