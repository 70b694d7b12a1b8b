#if LibVLC
import CLibVLCSupport
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct LogTests {
    @Test func `lines come with their level, module, file and line`() throws {
      let log = LogRecorder()
      try withInstance { instance in
        library.setLog(instance, context: log.context)
        try play(instance, path: "/nowhere/at-all.mkv")
        library.unsetLog(instance)
      }
      let line = try #require(log.lines.entries.first { $0.message.contains("cannot open file") })
      #expect(line.origin.level == .error)
      #expect(line.origin.module == "filesystem")
      #expect(line.origin.file?.hasSuffix("file.c") == true)
      #expect(line.origin.line > 0)
      #expect(log.lines.entries.contains { $0.origin.level == .debug })
      log.close()
    }

    @Test(arguments: [900, 1_023, 1_024, 1_025, 5_000, 100_000])
    func `a line is whole however long it is`(length: Int) throws {
      let log = LogRecorder()
      let path = "/" + String(repeating: "x", count: length - 1)
      try withInstance { instance in
        library.setLog(instance, context: log.context)
        try play(instance, path: path)
        library.unsetLog(instance)
      }
      let line = try #require(log.lines.entries.first { $0.message.hasPrefix("cannot open file") })
      #expect(line.message.hasPrefix("cannot open file \(path) (File name too long"), "\(line.message.count)")
      log.close()
    }

    @Test func `no line comes after the log was unset`() throws {
      let log = LogRecorder()
      let stage = try Stage()
      library.setLog(stage.instance, context: log.context)
      try stage.play("h264_aac.mkv")
      try log.lines.first("a line")
      library.unsetLog(stage.instance)
      let count = log.lines.count
      // What follows logs dozens of lines: the rest of the play, a stop, another play.
      try stage.events.wait(for: .endReached)
      library.stop(stage.player)
      try stage.play("h264_aac.ts")
      stage.close()
      #expect(log.lines.count == count)
      log.close()
    }

    @Test func `unsetting the log waits for the line that is being received`() throws {
      let steps = Record<String>()
      var context = NativeLogContext(
        function: receiveSlowly, opaque: Unmanaged.passUnretained(steps).toOpaque())
      let stage = try Stage()
      library.setMedia(
        stage.player, try stage.keep(library.newMedia(stage.instance, path: "/nowhere/at-all.mkv")))
      let (instance, player) = (stage.instance, stage.player)
      try withUnsafeMutablePointer(to: &context) { context in
        library.setLog(instance, context: context)
        // Lines until here came on this thread; the one that waits comes on another.
        steps.append("set")
        Thread.detachNewThread { _ = library.play(player) }
        try steps.wait(for: "enters")
        Thread.detachNewThread {
          steps.append("unsets")
          library.unsetLog(instance)
          steps.append("unset")
        }
        try steps.wait(for: "unsets")
        steps.append("opens")
        try steps.wait(for: "unset")
      }
      #expect(steps.entries == ["set", "enters", "unsets", "opens", "leaves", "unset"])
      try stage.events.wait(for: .stopped)
      stage.close()
    }

    @Test func `an origin without a context has a level alone`() {
      #expect(
        library.logOrigin(level: 0, origin: nil)
          == NativeLogOrigin(level: .debug, module: nil, file: nil, line: 0))
      #expect(library.logOrigin(level: 2, origin: nil).level == .notice)
      #expect(library.logOrigin(level: 3, origin: nil).level == .warning)
      #expect(library.logOrigin(level: 4, origin: nil).level == .error)
    }

    /// Plays what cannot be opened, to its error.
    private func play(_ instance: NativeInstance, path: String) throws {
      try withMedia(library.newMedia(instance, path: path)) { media in
        let player = try #require(library.newPlayer(instance, media: media))
        let recorder = try EventRecorder(.player(player), [.encounteredError])
        #expect(library.play(player))
        try recorder.events.wait(for: .encounteredError)
        library.stop(player)
        recorder.detach()
        library.releasePlayer(player)
      }
    }
  }
}

/// Stays in the first line after "set" until the test says "opens".
private let receiveSlowly:
  @convention(c) @Sendable (
    UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, UnsafePointer<CChar>?
  ) -> Void = { opaque, _, _, _ in
    guard let opaque else { return }
    let steps = Unmanaged<Record<String>>.fromOpaque(opaque).takeUnretainedValue()
    guard steps.entries == ["set"] else { return }
    steps.append("enters")
    try? steps.wait(for: "opens")
    steps.append("leaves")
  }
#endif
