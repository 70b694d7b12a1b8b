import TestSupport
import Testing
import VLCNative

@testable import SwiftVLC

@Suite(.tags(.logic)) struct ValueTests {
  @Test func `bounded values clamp finite and infinite input, and take their default for NaN`() {
    #expect(Volume(3).value == 2)
    #expect(Volume(-.infinity).value == 0)
    #expect(Volume(.nan) == .nominal)
    #expect(PlaybackRate(0).value == 0.25)
    #expect(PlaybackRate(.infinity).value == 4)
    #expect(PlaybackRate(.nan) == .normal)
    #expect(PlaybackPosition(1.5) == .end)
    #expect(PlaybackPosition(.nan) == .start)
    #expect(SubtitleScale(9).value == 5)
    #expect(SubtitleScale(.nan) == .normal)
    #expect(EqualizerGain(-99).value == -20)
    #expect(EqualizerGain(.signalingNaN) == .flat)
    #expect(Volume(inRange: .nan) == .nominal && Volume(inRange: 1e30).value == 2)
    #expect(PlaybackPosition(inRange: -.infinity) == .start)
    let literal: Volume = 0.5
    #expect(literal.value == 0.5 && literal < .nominal)
  }

  @Test(arguments: [
    (Duration.seconds(3_723), "1:02:03"), (.seconds(123), "2:03"), (.seconds(-5), "-0:05"),
    (.milliseconds(-400), "0:00"), (.zero, "0:00"), (.seconds(36_000), "10:00:00"),
  ])
  func `durations are written as people do`(duration: Duration, text: String) {
    #expect(duration.formatted == text)
  }

  @Test func `units saturate instead of trapping`() {
    #expect(Duration.seconds(Int64.max).milliseconds == .max)
    #expect(Duration.seconds(Int64.min).microseconds == .min)
    #expect(Duration.milliseconds(1_500).milliseconds == 1_500)
    #expect(Duration.microseconds(-1_500).milliseconds == -1)
  }

  @Test func `each error says what to do in a sentence, and only its own accessor answers`() {
    let errors: [VLCError] = [
      .instanceCreationFailed(reason: "no plug-ins."), .mediaCreationFailed(source: "x"),
      .playbackFailed(reason: "r."), .parseFailed(reason: "r."), .parseTimeout, .trackNotFound(id: "audio/9"),
      .rendererFailed(reason: "r."), .invalidState("s."), .invalidInput("i."), .operationFailed("o."),
      .unsupported(.recording), .cancelled,
    ]
    for error in errors {
      #expect(error.description.hasSuffix("."))
      #expect(error.errorDescription == error.description)
      let answers: [Any?] = [
        error.instanceCreationFailed, error.mediaCreationFailed, error.playbackFailed, error.parseFailed,
        error.parseTimeout, error.trackNotFound, error.rendererFailed, error.invalidState, error.invalidInput,
        error.operationFailed, error.unsupported, error.cancelled,
      ]
      #expect(answers.filter { $0 != nil }.count == 1)
    }
    #expect(Set(errors).count == errors.count)
    #expect(VLCError.unsupported(.recording).description.contains("recording"))
  }

  @Test func `every native event kind of a player is one of the player's`() {
    #expect(NativeEventKind.ofPlayers.first == .mediaChanged)
    #expect(NativeEventKind.ofPlayers.last == .programUpdated)
    #expect(!NativeEventKind.ofPlayers.contains(.mediaParsedChanged))
    #expect(!NativeEventKind.ofPlayers.contains(.listItemAdded))
  }

  @Test func `identifiers are never used again`() async {
    let identifiers = await withTaskGroup(of: [NativeIdentifier].self) { group in
      for _ in 0..<4 { group.addTask { (0..<1_000).map { _ in .next() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(identifiers).count == 4_000)
  }

  @Test func `known noise is told as a warning, a real error as an error`() {
    let noise = LogEntry(
      level: .error, message: "Failed to open VDPAU backend libvdpau_nvidia.so", module: nil)
    #expect(LogNoiseFilter.level(of: noise) == .warning)
    let real = LogEntry(level: .error, message: "Your input can't be opened", module: "main")
    #expect(LogNoiseFilter.level(of: real) == .error)
    #expect(LogLevel.debug < .notice && .warning < LogLevel.error)
  }

  @Test func `media refuse what libVLC cannot be given`() throws {
    #expect(
      throws: VLCError.invalidInput("A media's path or location is empty: give the path of a file or a URL.")
    ) {
      try Media(path: "")
    }
    #expect(throws: VLCError.self) { try Media(path: "a\0b") }
    #expect(throws: VLCError.self) { try Media(mrl: "") }
    let media = try Media(path: "/tmp/a")
    #expect(throws: VLCError.self) { try media.addOption("no-audio") }
    try media.addOption(":no-audio")
    #expect(media.options == [":no-audio"])
    #expect(
      media.tracks() == [] && media.metadata == nil && media.statistics() == nil && media.duration == nil)
  }
}
