import Glibc
import Interleaving
import SimulatedVLC
import Synchronization
import TestSupport
import Testing
import VLCNative

private final class Recorder: Sendable {
  let events = Mutex<[NativeEvent]>([])
  let library: SimulatedLibrary
  init(_ library: SimulatedLibrary) { self.library = library }
  static let record: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    let me = Unmanaged<Recorder>.fromOpaque(context).takeUnretainedValue()
    let decoded = me.library.decode(event)
    me.events.withLock { $0.append(decoded) }
  }
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct SmokeTests {
  @Test func `a clip plays to its end in a world, and nothing is left`() throws {
    let world = World()
    let seen = Mutex<[NativeEvent]>([])
    for seed in 0..<20 {
      let finding = world.run(seed == 0 ? .fair : .random(seed: UInt64(seed))) { world in
        let library = SimulatedLibrary()
        let recorder = Recorder(library)
        guard let instance = library.newInstance(arguments: []), let player = library.newPlayer(instance),
          let media = library.newMedia(instance, location: "fake://clip")
        else { return world.fail("no player") }
        for kind in NativeEventKind.ofPlayers where library.eventKinds.contains(kind) {
          _ = library.attach(.player(player), kind, Recorder.record, context: recorder.context)
        }
        library.setMedia(player, media)
        library.releaseMedia(media)
        _ = library.play(player)
        while !recorder.events.withLock({ $0.contains(.stopped) }) { usleep(10_000) }
        library.stop(player)
        for kind in NativeEventKind.ofPlayers where library.eventKinds.contains(kind) {
          library.detach(.player(player), kind, Recorder.record, context: recorder.context)
        }
        library.releasePlayer(player)
        library.releaseInstance(instance)
        seen.withLock { $0 = recorder.events.withLock { $0 } }
        if library.livingObjects != 0 { world.fail("left: \(library.livingObjectDescriptions)") }
      }
      #expect(finding == nil, "\(finding as Any)")
      guard finding == nil else { return }
    }
    for event in seen.withLock({ $0 }) {
      if case .buffering(let percent) = event, percent > 0, percent < 100 { continue }
      print(event)
    }
  }
}
