import Foundation
import VLCNative

/// A media player: what those of 3.0 and of 4.0 have in common.
class SimulatedPlayer: SimulatedObject, @unchecked Sendable {
  struct State {
    /// 3.0's alone.
    var state = NativeState.nothingSpecial
    /// What was set last; counted.
    var media: SimulatedMediaObject?
    var rate: Float = 1
    var role = NativeRole.video
    var settings = Settings()
    /// Of an output that has them, in percent.
    var volume = 100
    var isMuted = false
  }
  /// What is set and read back, and plays no part here.
  struct Settings {
    var audioDelay: Int64 = 0
    var subtitleDelay: Int64 = 0
    var stereoMode = NativeStereoMode.unset
    var mixMode = NativeMixMode.unset
    var subtitleTextScale: Float = 1
    var scale: Float = 0
    var aspectRatio: String?
    var crop: String?
    var teletextPage = 100
    var window: UInt32 = 0
    var adjustments: [NativeAdjustment: Float] = [:]
    var marquee: [NativeMarqueeNumber: Int] = [:]
    var logo: [NativeLogoNumber: Int] = [:]
  }

  unowned let library: SimulatedLibrary
  let instance: SimulatedInstance
  let state = Monitor(State())
  let outputs = Outputs()
  let chance: Chance

  init(_ library: SimulatedLibrary, _ instance: SimulatedInstance, _ chance: Chance) {
    self.library = library
    self.instance = instance
    self.chance = chance
    super.init("player")
  }

  static func make(_ library: SimulatedLibrary, _ instance: SimulatedInstance) -> SimulatedPlayer {
    switch library.profile {
    case .libVLC3: JoiningPlayer(library, instance, library.chance)
    case .libVLC4: AsynchronousPlayer(library, instance, library.chance)
    }
  }

  var rate: Float {
    let rate = state.read { $0.rate }
    return min(max(rate, 1.0 / 32), 32)
  }

  // MARK: What the two do in ways of their own

  /// The playback that calls reach, for which they wait as the library does.
  var current: Input? { nil }
  var nativeState: NativeState { state.read { $0.state } }
  /// The media that was set last.
  var shownMedia: SimulatedMediaObject? { state.read { $0.media } }
  /// 4.0's alone.
  var timer: PlayerTimer? { nil }

  /// Whether it plays, or is to.
  func play() -> Bool { false }
  func setPause(_ isPaused: Bool) {}
  /// 3.0's alone.
  func stop() {}
  /// 4.0's alone.
  func stopAsynchronously() -> Bool { false }
  /// The media before, whose count is the caller's now; that of the new one was.
  func setMedia(_ media: SimulatedMediaObject?) -> SimulatedMediaObject? { nil }
  /// The last release.
  func destroy() {}

  /// Runs what tells something of a playback, where it is to be told.
  func deliver(from input: Input, _ channel: Input.Channel, _ body: () -> Void) {}
  /// A playback comes to a state, with its event.
  func enter(_ new: NativeState, _ event: NativeEvent, from input: Input) {}
  /// A playback's thread comes to its end.
  func ended(_ input: Input) {}
}
