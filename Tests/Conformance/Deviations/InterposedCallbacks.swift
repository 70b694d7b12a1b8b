import CLibVLCSupport
import Synchronization
import VLCNative

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
