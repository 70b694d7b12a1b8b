import Glibc
import Interleaving
import SimulatedVLC
import TestSupport
import Testing
import VLCNative

/// What the conformance suite leaves open: objects, addresses, and chance.
@Suite(.tags(.logic), .timeLimit(.minutes(5))) struct SimulatedLibraryTests {
  /// What is found when a host does this to a library in a world.
  private static func found(
    _ options: SimulatedLibrary.Options = .init(),
    _ host: @escaping @Sendable (SimulatedLibrary, NativeInstance) -> Void
  ) -> Finding? {
    let world = World()
    // Deep mode takes a step at each access of memory.
    if World.isDeep { world.options.steps *= 20 }
    return world.run(.random(seed: 1)) { world in
      let library = SimulatedLibrary(options)
      guard let instance = library.newInstance(arguments: []) else { return world.fail("no instance") }
      host(library, instance)
    }
  }

  @Test func `a call on what is released is told with the call and the object`() {
    let finding = Self.found { library, instance in
      guard let player = library.newPlayer(instance) else { return }
      library.releasePlayer(player)
      _ = library.play(player)
    }
    #expect(finding?.message.contains("play(_:) of PlayerObject") == true, "\(finding as Any)")
    #expect(finding?.message.contains("which is released") == true)
  }

  @Test func `a release too many is told`() {
    let finding = Self.found { library, instance in
      library.releaseInstance(instance)
      library.releaseInstance(instance)
    }
    #expect(finding?.message.hasPrefix("misuse of libVLC: releaseInstance(_:)") == true, "\(finding as Any)")
  }

  @Test func `an object with another's address is another`() {
    var options = SimulatedLibrary.Options()
    options.addressReuse = .atOnce
    let finding = Self.found(options) { library, instance in
      guard let first = library.newMedia(instance, location: "fake://clip") else { return }
      library.releaseMedia(first)
      guard let second = library.newMedia(instance, location: "fake://song") else { return }
      guard second.address == first.address, second != first else {
        World.current?.fail("the address did not come back")
        return
      }
      _ = library.mediaMRL(first)
    }
    #expect(finding?.message.contains("mediaMRL(_:) of MediaObject") == true, "\(finding as Any)")
  }

  @Test func `addresses come back never or by chance as one wishes`() {
    for (reuse, expected) in [(AddressReuse.never, [false]), (.atOnce, [true]), (.bySeed, [false, true])] {
      var options = SimulatedLibrary.Options()
      options.addressReuse = reuse
      var seen: Set<Bool> = []
      for seed in UInt64(0)..<40 {
        options.seed = seed
        let library = SimulatedLibrary(options)
        guard let instance = library.newInstance(arguments: []),
          let first = library.newMedia(instance, location: "fake://clip")
        else { continue }
        library.releaseMedia(first)
        if let second = library.newMedia(instance, location: "fake://clip") {
          seen.insert(second.address == first.address)
        }
      }
      #expect(seen.sorted { !$0 && $1 } == expected, "\(reuse)")
    }
  }

  @Test(arguments: SimulatedProfile.allCases, SimulatedMedium.builtIn.keys.sorted())
  func `each built-in media plays as its facts say, and nothing is left`(
    profile: SimulatedProfile, name: String
  ) throws {
    var options = SimulatedLibrary.Options()
    options.profile = profile
    let medium = try #require(SimulatedMedium.builtIn[name])
    guard medium.duration.map({ $0 < .seconds(300) }) ?? (medium.failure != nil) else { return }
    let finding = Self.found(options) { library, instance in
      guard let player = library.newPlayer(instance),
        let media = library.newMedia(instance, location: "fake://" + name)
      else { return }
      library.setMedia(player, media)
      library.releaseMedia(media)
      _ = library.play(player)
      switch profile {
      case .libVLC3:
        while ![.ended, .error].contains(library.state(player)) { usleep(50_000) }
        library.stop(player)
      case .libVLC4:
        // A new player is stopped, too.
        while library.state(player) == .stopped { usleep(100) }
        while library.state(player) != .stopped { usleep(50_000) }
      }
      let expected: Duration =
        switch medium.failure {
        case nil: medium.duration ?? .zero
        case .read(let after): after
        default: .zero
        }
      if let world = World.current, world.elapsed < expected { world.fail("it took \(world.elapsed)") }
      library.releasePlayer(player)
      library.releaseInstance(instance)
      if library.livingObjects > 0 { World.current?.fail("left: \(library.livingObjectDescriptions)") }
    }
    #expect(finding == nil, "\(finding as Any)")
  }
}
