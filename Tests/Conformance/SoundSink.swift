import VLCNative

/// Takes samples in memory; notes "setup", "play", "pause", "resume", "flush", "drain", "cleanup", "volume 0.8 false".
final class SoundSink: Sendable {
  private let trace: Trace

  init(_ trace: Trace) { self.trace = trace }

  func install(_ stage: Stage, _ player: NativePlayer) {
    stage.library.setAudioCallbacks(
      player, Self.callbacks, opaque: Unmanaged.passUnretained(self).toOpaque())
    stage.library.setAudioVolumeCallback(player, Self.setVolume)
    stage.library.setAudioFormatCallbacks(player, setup: Self.setup, cleanup: Self.cleanup)
  }

  private static func note(_ opaque: UnsafeMutableRawPointer?, _ call: String) {
    guard let opaque else { return }
    Unmanaged<SoundSink>.fromOpaque(opaque).takeUnretainedValue().trace.append(.mark(call))
  }

  private static let callbacks = NativeAudioCallbacks(
    play: { opaque, _, _, _ in note(opaque, "play") },
    pause: { opaque, _ in note(opaque, "pause") },
    resume: { opaque, _ in note(opaque, "resume") },
    flush: { opaque, _ in note(opaque, "flush") },
    drain: { opaque in note(opaque, "drain") })

  private static let setVolume: NativeAudioCallbacks.SetVolume = { opaque, volume, isMuted in
    note(opaque, "volume \(volume) \(isMuted)")
  }

  private static let setup: NativeAudioCallbacks.Setup = { opaque, format, _, channels in
    guard let opaque, let format, let channels else { return -1 }
    note(opaque.pointee, "setup")
    for (index, character) in "S16N".utf8.enumerated() { format[index] = CChar(character) }
    channels.pointee = 1
    return 0
  }

  private static let cleanup: NativeAudioCallbacks.Cleanup = { opaque in note(opaque, "cleanup") }
}
