#if LibVLC
import VLCNative

/// Takes samples in memory and remembers what was called.
final class SoundSink: Sendable {
  enum Call: Hashable, Sendable {
    case setup(format: String, rate: UInt32, channels: UInt32)
    case play(frames: UInt32)
    case pause, resume, flush, drain, cleanup
    case volume(Float, isMuted: Bool)
  }

  let calls = Record<Call>()

  /// The opaque pointer to set with `callbacks`; the sink has to outlive every output.
  var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let callbacks = NativeAudioCallbacks(
    play: { opaque, _, count, _ in append(opaque, .play(frames: count)) },
    pause: { opaque, _ in append(opaque, .pause) },
    resume: { opaque, _ in append(opaque, .resume) },
    flush: { opaque, _ in append(opaque, .flush) },
    drain: { opaque in append(opaque, .drain) })

  static let setVolume: NativeAudioCallbacks.SetVolume = { opaque, volume, isMuted in
    append(opaque, .volume(volume, isMuted: isMuted))
  }

  /// Asks for signed 16-bit samples at half the rate that was offered, on one channel.
  static let setup: NativeAudioCallbacks.Setup = { opaque, format, rate, channels in
    guard let opaque, let format, let rate, let channels else { return -1 }
    let offered = String(decoding: (0..<4).map { UInt8(bitPattern: format[$0]) }, as: UTF8.self)
    append(opaque.pointee, .setup(format: offered, rate: rate.pointee, channels: channels.pointee))
    for (index, character) in "S16N".utf8.enumerated() { format[index] = CChar(character) }
    rate.pointee /= 2
    channels.pointee = 1
    return 0
  }

  static let cleanup: NativeAudioCallbacks.Cleanup = { opaque in append(opaque, .cleanup) }

  /// The frames of all that was played so far.
  static func frames(_ calls: [Call]) -> Int {
    calls.reduce(0) { sum, call in
      if case .play(let frames) = call { sum + Int(frames) } else { sum }
    }
  }

  private static func append(_ opaque: UnsafeMutableRawPointer?, _ call: Call) {
    guard let opaque else { return }
    Unmanaged<SoundSink>.fromOpaque(opaque).takeUnretainedValue().calls.append(call)
  }
}
#endif
