import MediaFixtures
import TestSupport
import Testing

@testable import SwiftVLC

extension RealLibVLC {
  @Suite struct InstanceTests {
    @Test func `an unknown argument throws, and the sentence names it`() {
      #expect { try instance(["--no-such-option"]) } throws: { error in
        (error as? VLCError)?.instanceCreationFailed?.contains("--no-such-option") == true
      }
    }

    @Test func `an instance says what it is and what it can`() throws {
      let instance = try instance()
      #expect(instance.version.hasPrefix("3.0."))
      #expect(instance.abiVersion == nil)
      #expect(!instance.compiler.isEmpty)
      #expect(instance.capabilities.contains([.joiningTransport, .endEvent]))
      #expect(!instance.capabilities.contains(.recording))
      #expect(instance.audioOutputs().contains { $0.name == "adummy" })
      instance.setUserAgent(name: "Test", http: "Test/1")
      instance.setAppID("org.example.test", version: "1", icon: "test")
    }

    #if LibVLC
    @Test func `shared is one, however many ask at once`() async {
      let instances = await withTaskGroup(of: VLCInstance.self) { group in
        for _ in 0..<4 { group.addTask { VLCInstance.shared } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      await VLCInstance.prepareShared()
      #expect(instances.allSatisfy { $0 === VLCInstance.shared })
    }
    #endif

    @MainActor
    @Test func `the log comes while somebody listens, by level, and lines of any length whole`() async throws
    {
      let instance = try instance()
      let name = String(repeating: "x", count: 4_000)
      let errors = instance.logStream(minimumLevel: .error)
      let everything = instance.logStream(minimumLevel: .debug)
      let player = Player(instance: instance)
      let outcomes = player.terminalOutcomes
      // The log is installed on the instance's queue: behind this, it is there.
      await withCheckedContinuation { continuation in instance.queue.async { continuation.resume() } }
      try player.play(Media(path: "/nonexistent/\(name)"))
      #expect(await outcomes.first { _ in true }?.cause == .failure(.cannotOpen))
      let line = await errors.first { $0.message.contains(name) }
      #expect(line?.level == .error && line?.module != nil)
      #expect(await everything.first { $0.level < .error } != nil)
    }

    @Test func `a log stream outlives its instance and ends`() async throws {
      var instance: VLCInstance? = try RealLibVLC.instance()
      let stream = try #require(instance).logStream()
      instance = nil
      for await _ in stream {}
    }
  }
}
