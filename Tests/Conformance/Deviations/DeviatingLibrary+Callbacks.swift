import CLibVLCSupport
import Synchronization
public import VLCNative

// Calls that more than one deviation knows of, and those that take callbacks.
extension DeviatingLibrary {
  public func play(_ player: NativePlayer) -> Bool {
    pass(.play) { [self] in
      if deviation == .playsAfterEnd, base.state(player) == .ended { base.stop(player) }
      return base.play(player)
    }
  }

  public func newInstance(arguments: [String]) -> NativeInstance? {
    pass(.newInstance) { [self] in
      if let instance = base.newInstance(arguments: arguments) { return instance }
      return deviation == .takesAnyArgument ? base.newInstance(arguments: []) : nil
    }
  }

  public func releaseInstance(_ instance: NativeInstance) {
    pass(.releaseInstance) { [self] in
      base.releaseInstance(instance)
      endThread()
    }
  }

  public func parseMedia(
    _ instance: NativeInstance, _ media: NativeMedia, options: NativeParseOptions, timeoutMilliseconds: Int
  ) -> Bool {
    pass(.parseMedia) { [self] in
      shared.change { $0.parsing = instance }
      let isTaken = base.parseMedia(
        instance, media, options: options, timeoutMilliseconds: timeoutMilliseconds)
      guard isTaken, deviation == .parsesAtOnce else { return isTaken }
      let listeners = shared.change { state in
        state.relays.filter { $0.source == .media(media) && $0.kind == .mediaParsedChanged }
      }
      for listener in listeners { listener.deliver(.mediaParsedChanged(.done)) }
      return true
    }
  }

  public func releaseMedia(_ media: NativeMedia) {
    pass(.releaseMedia) { [self] in
      if deviation == .stopsParsesItReleases, let instance = shared.change({ $0.parsing }) {
        base.stopParsing(instance, media)
      }
      base.releaseMedia(media)
    }
  }

  private func omits(_ callback: Deviation.Callback) -> Bool { deviation == .omits(callback) }

  // Pictures.

  private var standsBetweenPictures: Bool {
    [.showsElsewhere, .exchangesPictureCallbacks, .cleansUpWhatWasReplaced].contains(deviation)
  }

  public func setVideoCallbacks(
    _ player: NativePlayer, _ callbacks: NativeVideoCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    pass(.setVideoCallbacks) { [self] in
      guard standsBetweenPictures else {
        var callbacks = callbacks
        if omits(.pictureUnlock) { callbacks?.unlock = nil }
        if omits(.pictureDisplay) { callbacks?.display = nil }
        return base.setVideoCallbacks(player, callbacks, opaque: opaque)
      }
      let pictures = shared.change { state in
        if deviation == .exchangesPictureCallbacks, let known = state.pictures[player] { return known }
        let new = Pictures(self)
        state.pictures[player] = new
        state.keptPictures.append(new)
        return new
      }
      pictures.change { target in
        target.callbacks = callbacks
        target.opaque = opaque
        target.replaced = opaque
      }
      base.setVideoCallbacks(player, callbacks.map { _ in Pictures.callbacks }, opaque: pictures.address)
    }
  }

  public func setVideoFormatCallbacks(
    _ player: NativePlayer, setup: NativeVideoCallbacks.Setup?, cleanup: NativeVideoCallbacks.Cleanup?
  ) {
    pass(.setVideoFormatCallbacks) { [self] in
      guard let pictures = shared.change({ $0.pictures[player] }) else {
        return base.setVideoFormatCallbacks(
          player, setup: omits(.pictureSetup) ? nil : setup, cleanup: omits(.pictureCleanup) ? nil : cleanup)
      }
      pictures.change { target in
        target.setup = setup
        target.cleanup = cleanup
      }
      base.setVideoFormatCallbacks(player, setup: Pictures.setup, cleanup: Pictures.cleanup)
    }
  }

  // Samples.

  public func setAudioCallbacks(
    _ player: NativePlayer, _ callbacks: NativeAudioCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    pass(.setAudioCallbacks) { [self] in
      var callbacks = callbacks
      if omits(.samplePlay) { callbacks?.play = { _, _, _, _ in } }
      if omits(.samplePause) { callbacks?.pause = nil }
      if omits(.sampleResume) { callbacks?.resume = nil }
      if omits(.sampleFlush) { callbacks?.flush = nil }
      if omits(.sampleDrain) { callbacks?.drain = nil }
      base.setAudioCallbacks(player, callbacks, opaque: opaque)
    }
  }

  public func setAudioVolumeCallback(
    _ player: NativePlayer, _ callback: NativeAudioCallbacks.SetVolume?
  ) {
    pass(.setAudioVolumeCallback) { [self] in
      base.setAudioVolumeCallback(player, omits(.sampleVolume) ? nil : callback)
    }
  }

  public func setAudioFormatCallbacks(
    _ player: NativePlayer, setup: NativeAudioCallbacks.Setup?, cleanup: NativeAudioCallbacks.Cleanup?
  ) {
    pass(.setAudioFormatCallbacks) { [self] in
      base.setAudioFormatCallbacks(
        player, setup: omits(.sampleSetup) ? nil : setup, cleanup: omits(.sampleCleanup) ? nil : cleanup)
    }
  }

  // Logs, sources and dialogs.

  public func setLog(_ instance: NativeInstance, context: UnsafeMutablePointer<NativeLogContext>) {
    pass(.setLog) { [self] in
      guard deviation == .logsElsewhere else { return base.setLog(instance, context: context) }
      let lines = Lines(self, context.pointee)
      shared.change { $0.lines.append(lines) }
      base.setLog(instance, context: lines.context)
    }
  }

  public func newMedia(
    _ instance: NativeInstance, callbacks: NativeMediaCallbacks, opaque: UnsafeMutableRawPointer?
  ) -> NativeMedia? {
    pass(.newMediaByCallbacks) { [self] in
      var callbacks = callbacks
      if omits(.sourceOpen) { callbacks.open = nil }
      if omits(.sourceClose) { callbacks.close = nil }
      return base.newMedia(instance, callbacks: callbacks, opaque: opaque)
    }
  }

  public func setDialogCallbacks(
    _ instance: NativeInstance, _ callbacks: NativeDialogCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    pass(.setDialogCallbacks) { [self] in
      var callbacks = callbacks
      if omits(.dialogLogin) { callbacks?.displayLogin = { _, _, _, _, _, _ in } }
      if omits(.dialogCancel) { callbacks?.cancel = { _, _ in } }
      base.setDialogCallbacks(instance, callbacks, opaque: opaque)
    }
  }
}

/// Stands between a log and the host's function.
final class Lines: @unchecked Sendable {
  // Unchecked: what it holds is set once, and freed with it.
  let context = UnsafeMutablePointer<NativeLogContext>.allocate(capacity: 1)
  private let host: NativeLogContext
  private unowned let library: DeviatingLibrary

  init(_ library: DeviatingLibrary, _ host: NativeLogContext) {
    self.library = library
    self.host = host
    let receive: libvlc_support_log_function = { opaque, level, origin, text in
      guard let opaque else { return }
      let lines = Unmanaged<Lines>.fromOpaque(opaque).takeUnretainedValue()
      lines.library.runElsewhere { lines.host.function?(lines.host.opaque, level, origin, text) }
    }
    context.initialize(
      to: NativeLogContext(function: receive, opaque: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    context.deinitialize(count: 1)
    context.deallocate()
  }
}

/// Stands between an output and the host's picture callbacks.
final class Pictures: Sendable {
  struct Target: @unchecked Sendable {
    var callbacks: NativeVideoCallbacks?
    var opaque: UnsafeMutableRawPointer?
    /// What a setup made of it.
    var replaced: UnsafeMutableRawPointer?
    var setup: NativeVideoCallbacks.Setup?
    var cleanup: NativeVideoCallbacks.Cleanup?
  }
  private unowned let library: DeviatingLibrary
  private let target = Mutex(Target())

  init(_ library: DeviatingLibrary) { self.library = library }

  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func change(_ body: (inout Target) -> Void) { target.withLock { body(&$0) } }

  private static func find(_ opaque: UnsafeMutableRawPointer?) -> (pictures: Pictures, target: Target)? {
    opaque.map {
      let pictures = Unmanaged<Pictures>.fromOpaque($0).takeUnretainedValue()
      return (pictures, pictures.target.withLock { $0 })
    }
  }

  static let callbacks = NativeVideoCallbacks(
    lock: { opaque, planes in
      guard let (_, target) = find(opaque) else { return nil }
      return target.callbacks?.lock(target.replaced, planes)
    },
    unlock: { opaque, picture, planes in
      guard let (_, target) = find(opaque) else { return }
      target.callbacks?.unlock?(target.replaced, picture, planes)
    },
    display: { opaque, picture in
      guard let (pictures, target) = find(opaque) else { return }
      let show = { target.callbacks?.display?(target.replaced, picture) ?? () }
      if pictures.library.deviation == .showsElsewhere { pictures.library.runElsewhere(show) } else { show() }
    })

  static let setup: NativeVideoCallbacks.Setup = { opaque, chroma, width, height, pitches, lines in
    guard let (pictures, target) = find(opaque?.pointee) else { return 0 }
    var own = target.opaque
    let count = target.setup?(&own, chroma, width, height, pitches, lines) ?? 0
    pictures.change { $0.replaced = own }
    return count
  }

  static let cleanup: NativeVideoCallbacks.Cleanup = { opaque in
    guard let (pictures, target) = find(opaque) else { return }
    let isWrong = pictures.library.deviation == .cleansUpWhatWasReplaced
    target.cleanup?(isWrong ? target.opaque : target.replaced)
  }
}
