#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct VideoTests {
    @Test func `an output is counted while pictures are shown`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.videoOutputCount(stage.player) == 0)
      #expect(library.videoSize(stage.player, output: 0) == nil)
      #expect(library.cursor(stage.player, output: 0) == nil)
      try stage.play("tour.mkv")
      try stage.waitForOutput()
      #expect(library.videoOutputCount(stage.player) == 1)
      let size = try #require(library.videoSize(stage.player, output: 0))
      #expect(size == (320, 240))
      // libVLC answers with the size of the video track of that number, whether it is shown or not.
      let second = try #require(library.videoSize(stage.player, output: 1))
      #expect(second == (160, 120))
      #expect(library.videoSize(stage.player, output: 3) == nil)
      // No mouse was ever there: the output says where one would begin.
      let cursor = try #require(library.cursor(stage.player, output: 0))
      #expect(cursor == (0, 0))
    }

    @Test func `a window is kept`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.xWindow(stage.player) == 0)
      library.setXWindow(stage.player, 0xABCDEF)
      #expect(library.xWindow(stage.player) == 0xABCDEF)
      // Nothing is played here: whatever the window, it ends the instance's choice of a dummy output.
      library.setXWindow(stage.player, 0)
      #expect(library.xWindow(stage.player) == 0)
    }

    @Test func `keys and mouse are taken from an output or not`() throws {
      let stage = try Stage()
      defer { stage.close() }
      library.setKeyInput(stage.player, false)
      library.setMouseInput(stage.player, false)
      try stage.play("base.mp4")
      try stage.waitForOutput()
      library.setKeyInput(stage.player, true)
      library.setMouseInput(stage.player, true)
      #expect(library.videoOutputCount(stage.player) == 1)
    }

    @Test func `scale, aspect ratio and crop are kept, and nil takes them back`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("tour.mkv")
      try stage.waitForOutput()
      #expect(library.scale(stage.player) == 0)
      library.setScale(stage.player, 1.5)
      #expect(library.scale(stage.player) == 1.5)
      library.setScale(stage.player, 0)
      #expect(library.scale(stage.player) == 0)

      #expect(library.aspectRatio(stage.player) == nil)
      library.setAspectRatio(stage.player, "4:3")
      #expect(library.aspectRatio(stage.player) == "4:3")
      library.setAspectRatio(stage.player, nil)
      #expect(library.aspectRatio(stage.player) == nil)

      #expect(library.cropGeometry(stage.player) == nil)
      library.setCropGeometry(stage.player, "16:9")
      #expect(library.cropGeometry(stage.player) == "16:9")
      library.setCropGeometry(stage.player, nil)
      #expect(library.cropGeometry(stage.player) == nil)
    }

    @Test func `a viewpoint is taken while something plays`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let viewpoint = NativeViewpoint(yaw: 90, pitch: 10, roll: 0, fieldOfView: 80)
      #expect(library.updateViewpoint(stage.player, viewpoint, absolute: true))
      try stage.play("tour.mkv")
      #expect(library.updateViewpoint(stage.player, viewpoint, absolute: false))
    }

    @Test func `deinterlacing puts a filter in and takes it out`() throws {
      let log = LogRecorder()
      let stage = try Stage()
      library.setLog(stage.instance, context: log.context)
      try stage.play("tour.mkv")
      try stage.waitForOutput()
      library.setDeinterlace(stage.player, mode: "blend")
      try log.lines.first("the filter") { $0.message.contains("using video filter module \"deinterlace\"") }
      let mark = log.lines.count
      library.setDeinterlace(stage.player, mode: nil)
      try log.lines.first("the filter's end", from: mark) { line in
        line.message.contains("removing module \"deinterlace\"")
      }
      stage.close()
      log.close()
    }

    @Test func `a snapshot is a picture of the size that was asked for`() throws {
      let path = FileManager.default.temporaryDirectory.path + "/snapshot-\(UUID().uuidString).png"
      let stage = try Stage()
      #expect(library.takeSnapshot(stage.player, output: 0, path: path, width: 0, height: 0) == false)
      try stage.play("tour.mkv")
      try stage.waitForOutput()
      try stage.waitForTime()
      #expect(library.takeSnapshot(stage.player, output: 0, path: path, width: 160, height: 0))
      #expect(stage.events.entries.contains(.snapshotTaken(path)))
      stage.close()
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      try FileManager.default.removeItem(atPath: path)
      #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG file")
      // Width and height are two big-endian words after the first chunk's name.
      #expect(bytes[16..<24] == [0, 0, 0, 160, 0, 0, 0, 120])
    }

    @Test func `subtitles are delayed while there are some`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.subtitleDelay(stage.player) == 0)
      #expect(library.setSubtitleDelay(stage.player, microseconds: 1_000) == false)
      try stage.play("tour.mkv")
      #expect(library.setSubtitleDelay(stage.player, microseconds: -250_000))
      #expect(library.subtitleDelay(stage.player) == -250_000)
    }

    @Test func `a teletext page is kept, whether there is teletext or not`() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(library.teletextPage(stage.player) == 100, "the page that teletext begins with")
      try stage.play("h264_aac.ts")
      try stage.waitForOutput()
      library.setTeletextPage(stage.player, 200)
      for key in [NativeTeletextKey.red, .green, .yellow, .blue, .index] {
        library.pressTeletextKey(stage.player, key)
      }
      #expect(library.teletextPage(stage.player) == 200, "keys have nothing to press on")
      library.setTeletextPage(stage.player, 0)
      #expect(library.teletextPage(stage.player) == 0)
      #expect(library.isPlaying(stage.player))
    }
  }
}
#endif
