#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct InstanceTests {
    @Test func `its audio filters are listed with their texts`() throws {
      try withInstance { instance in
        let filters = library.audioFilters(instance)
        let equalizer = try #require(filters.first { $0.name == "equalizer" })
        #expect(equalizer.shortName == "Equalizer")
        #expect(equalizer.longName == "Equalizer with 10 bands")
        #expect(equalizer.help == nil)
      }
    }

    @Test func `its video filters are listed with their texts`() throws {
      try withInstance { instance in
        let filters = library.videoFilters(instance)
        let names = filters.map(\.name)
        #expect(names.contains("deinterlace"))
        #expect(names.contains("adjust"))
        #expect(Set(names).isDisjoint(with: library.audioFilters(instance).map(\.name)))
      }
    }

    @Test func `its audio outputs are listed, with memory among them`() throws {
      try withInstance { instance in
        let outputs = library.audioOutputs(instance)
        #expect(outputs.contains { $0.name == "amem" && $0.description == "Audio memory output" })
        #expect(outputs.contains { $0.name == "afile" })
        #expect(Set(outputs.map(\.name)).count == outputs.count)
      }
    }

    @Test func `an output that lists no devices has none`() throws {
      try withInstance { instance in
        #expect(library.audioOutputDevices(instance, output: "amem").isEmpty)
        #expect(library.audioOutputDevices(instance, output: "no such output").isEmpty)
        // ALSA reads its devices from a configuration: at least the default one where the output is there.
        if library.audioOutputs(instance).contains(where: { $0.name == "alsa" }) {
          #expect(library.audioOutputDevices(instance, output: "alsa").allSatisfy { !$0.name.isEmpty })
        }
      }
    }

    @Test func `a web server is told the user agent`() throws {
      let server = try LoginServer([], userName: "a", password: "b")
      let stage = try Stage(quietArguments + ["--keystore=memory"])
      library.setUserAgent(stage.instance, name: "SwiftVLC tests", http: "SwiftVLCTests/1.0")
      let media = try stage.keep(
        library.newMedia(stage.instance, location: "http://127.0.0.1:\(server.port)/a.wav"))
      library.setMedia(stage.player, media)
      #expect(library.play(stage.player))
      try stage.events.wait(for: .encounteredError)
      stage.close()
      #expect(server.userAgents.entries.contains { $0.hasPrefix("SwiftVLCTests/1.0") })
      try server.close()
    }

    @Test func `an application identifier is taken while a player lives`() throws {
      let stage = try Stage()
      defer { stage.close() }
      // Audio servers alone see it; here it must do no harm to what plays.
      library.setAppID(stage.instance, id: "org.example.tests", version: "1.0", icon: "tests")
      try stage.play("silence.wav")
      #expect(library.state(stage.player) == .playing)
    }
  }
}
#endif
