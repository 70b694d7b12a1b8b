#if LibVLC
import Glibc
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct LibraryTests {
    @Test func `it is libVLC 3.0, which has no binary interface version`() {
      #expect(library.version.hasPrefix("3.0."))
      #expect(library.abiVersion == nil)
    }

    @Test func `it says who compiled it from what`() {
      #expect(library.compiler.contains("gcc") || library.compiler.contains("clang"))
      #expect(!library.changeset.isEmpty)
    }

    @Test func `its capabilities are those of 3.0`() {
      #expect(
        library.capabilities == [
          .joiningTransport, .endEvent, .trackDescriptions, .audioDeviceLists, .cropGeometry,
        ])
    }

    @Test func `its clock runs forwards in microseconds`() {
      let before = library.clock
      let clock = ContinuousClock()
      let start = clock.now
      while clock.now - start < .milliseconds(2) {}
      let passed = library.clock - before
      #expect(passed >= 2_000)
      #expect(passed < 20_000_000)
    }

    @Test func `a failed call leaves a message on its thread until it is cleared`() throws {
      try withInstance { instance in
        let player = try #require(library.newPlayer(instance))
        defer { library.releasePlayer(player) }
        library.clearErrorMessage()
        #expect(library.errorMessage() == nil)
        #expect(library.play(player) == false)
        #expect(library.errorMessage() == "No associated media descriptor")
        let elsewhere = try onOwnThread("another thread's message") { library.errorMessage() }
        #expect(elsewhere == nil)
        library.clearErrorMessage()
        #expect(library.errorMessage() == nil)
      }
    }

    @Test func `an instance lives until its last count is given back`() throws {
      try withInstance { instance in
        library.retainInstance(instance)
        library.releaseInstance(instance)
        try withMedia(library.newMedia(instance, path: "/a")) { media in
          #expect(library.mediaMRL(media) == "file:///a")
        }
      }
    }

    @Test func `an unknown argument gives no instance`() {
      #expect(library.newInstance(arguments: ["--no-such-option-anywhere"]) == nil)
    }

    @Test func `two instances have different identifiers`() throws {
      try withInstance { first in
        try withInstance { second in
          #expect(first != second)
          #expect(first.identifier < second.identifier)
        }
      }
    }

    @Test func `a requirement that 3.0 lacks ends the process with its name`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try withInstance { instance in
          let player = try #require(library.newPlayer(instance))
          _ = library.stopAsynchronously(player)
        }
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("stopAsynchronously(_:) needs asynchronous stop"))
    }

    @Test func `detaching what is not attached ends the process`() async {
      await #expect(processExitsWith: .signal(SIGABRT)) {
        try withInstance { instance in
          let player = try #require(library.newPlayer(instance))
          library.detach(.player(player), .playing, { _, _ in }, context: nil)
        }
      }
    }
  }
}
#endif
