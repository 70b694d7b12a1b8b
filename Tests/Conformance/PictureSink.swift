import Synchronization
import VLCNative

/// Takes pictures in memory; notes each call as "A.lock", with the name of what the opaque pointer pointed at.
///
/// The setup of a sink "A" replaces the opaque pointer by that of "A'".
final class PictureSink: Sendable {
  enum Behaviour: Sendable { case shows, refuses, waitsInDisplay, waitsInLock }

  /// What an opaque pointer points at.
  private final class Target: @unchecked Sendable {
    // Unchecked: the memory is the output's alone, which uses it on one thread.
    let name: String
    let trace: Trace
    let behaviour: Behaviour
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 * 512 * 4, alignment: 64)
    let replacement = Mutex<Target?>(nil)
    let waited = Once()

    init(_ name: String, _ trace: Trace, _ behaviour: Behaviour) {
      self.name = name
      self.trace = trace
      self.behaviour = behaviour
    }

    deinit { memory.deallocate() }

    func note(_ call: String) { trace.append(.mark("\(name).\(call)")) }

    func hold(_ place: String) {
      guard waited.take() else { return }
      note("\(place) waits")
      trace.gate("opens")
      note("\(place) goes on")
    }
  }

  private let target: Target
  private let replacement: Target

  init(_ trace: Trace, _ name: String = "A", behaviour: Behaviour = .shows) {
    target = Target(name, trace, behaviour)
    replacement = Target(name + "'", trace, behaviour)
    target.replacement.withLock { $0 = replacement }
  }

  /// Puts the sink at a player, for the outputs that open from now on.
  func install(_ stage: Stage, _ player: NativePlayer) {
    stage.library.setVideoCallbacks(
      player, Self.callbacks, opaque: Unmanaged.passUnretained(target).toOpaque())
    stage.library.setVideoFormatCallbacks(player, setup: Self.setup, cleanup: Self.cleanup)
  }

  private static func target(_ opaque: UnsafeMutableRawPointer?) -> Target? {
    opaque.map { Unmanaged<Target>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let callbacks = NativeVideoCallbacks(
    lock: { opaque, planes in
      guard let target = target(opaque), let planes else { return nil }
      target.note("lock")
      if target.behaviour == .waitsInLock { target.hold("lock") }
      planes[0] = target.memory.baseAddress
      return target.memory.baseAddress
    },
    unlock: { opaque, _, _ in target(opaque)?.note("unlock") },
    display: { opaque, _ in
      guard let target = target(opaque) else { return }
      target.note("display")
      if target.behaviour == .waitsInDisplay { target.hold("display") }
    })

  private static let setup: NativeVideoCallbacks.Setup = { opaque, chroma, width, height, pitches, lines in
    guard let opaque, let target = target(opaque.pointee), let chroma, let width, let height, let pitches,
      let lines
    else { return 0 }
    target.note("setup")
    if target.behaviour == .refuses { return 0 }
    // The pitches are for the callback to fill in.
    if pitches[0] != 0 { target.note("pitch is set") }
    for (index, character) in "RV32".utf8.enumerated() { chroma[index] = CChar(character) }
    width.pointee = min(width.pointee, 512)
    height.pointee = min(height.pointee, 512)
    pitches[0] = width.pointee * 4
    lines[0] = height.pointee
    if let replacement = target.replacement.withLock({ $0 }) {
      opaque.pointee = Unmanaged.passUnretained(replacement).toOpaque()
    }
    return 1
  }

  private static let cleanup: NativeVideoCallbacks.Cleanup = { opaque in target(opaque)?.note("cleanup") }
}
