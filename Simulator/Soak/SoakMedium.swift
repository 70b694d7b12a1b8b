import SimulatedVLC
import SwiftVLC
import VLCNative

/// A media of the soak's: what is simulated, and what may be told of it. Each has a length of its own.
struct SoakMedium: Sendable {
  let location: String
  let medium: SimulatedMedium
  /// Whether it cannot be played, or not to its end.
  let fails: Bool

  var facts: GenerationsChecker.Facts {
    GenerationsChecker.Facts(
      name: location, duration: medium.duration, isSeekable: medium.isSeekable,
      tracks: Set(medium.tracks.map(\.identifier)).union(["spu/77"]))
  }
  var parseFails: Bool { if case .open = medium.failure { true } else { false } }

  /// Where the host's own bytes are.
  static let source = SoakMedium("soak://source", duration: .milliseconds(2_100), fails: true)
  /// Of bytes that do not break by themselves: closed, they are read no further, for which there is a reason then.
  static let soundSource = SoakMedium("soak://sound", duration: .milliseconds(2_100))

  private init(
    _ location: String, duration: Duration?, fails: Bool = false, tracks: [Int] = [0, 1],
    _ change: (inout SimulatedMedium) -> Void = { _ in }
  ) {
    self.location = location
    self.fails = fails
    var medium = SimulatedMedium(
      duration: duration,
      tracks: tracks.map { number in
        var track: NativeTrack = number.isMultiple(of: 2) ? .simulatedVideo : .simulatedAudio
        track = track.numbered(number)
        return track
      })
    medium.bufferingSteps = 3
    medium.failedOutputs = 0
    change(&medium)
    self.medium = medium
  }

  static let short = SoakMedium("soak://short", duration: .milliseconds(600), tracks: [1])

  static let all: [SoakMedium] = [
    short,
    SoakMedium("soak://clip", duration: .seconds(3)),
    SoakMedium("soak://film", duration: .seconds(7_200), tracks: [2, 3]),
    SoakMedium("soak://chapters", duration: .milliseconds(1_500), tracks: [5]) { medium in
      medium.chapters = (0..<3).map { .init(name: "\($0)", start: .milliseconds(500 * $0)) }
    },
    SoakMedium("soak://live", duration: nil, tracks: [7]) { $0.isPausable = false },
    SoakMedium("soak://missing", duration: nil, fails: true, tracks: []) { $0.failure = .open },
    SoakMedium("soak://junk", duration: nil, fails: true, tracks: []) { $0.failure = .junk },
    SoakMedium("soak://broken", duration: .seconds(60), fails: true) {
      $0.failure = .read(after: .seconds(1))
    },
    SoakMedium("soak://ahead", duration: .milliseconds(2_400), tracks: [9]) { $0.isReadAhead = true },
  ]
}

extension NativeTrack {
  fileprivate func numbered(_ number: Int) -> NativeTrack {
    let name = type == .video ? "video" : "audio"
    var track = NativeTrack(type: type, number: number, identifier: "\(name)/\(number)", codec: codec)
    track.originalCodec = originalCodec
    track.video = video
    track.audio = audio
    return track
  }
}
