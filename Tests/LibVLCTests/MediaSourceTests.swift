#if LibVLC
import Foundation
import Glibc
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct MediaSourceTests {
    @Test func `bytes from callbacks play like a file, and are closed as often as opened`() throws {
      let source = ByteSource([UInt8](try fixture("h264_aac.mkv")))
      let stage = try Stage()
      let media = try stage.keep(
        library.newMedia(stage.instance, callbacks: ByteSource.callbacks, opaque: source.opaque))
      #expect(library.mediaMRL(media) == "imem://")
      try stage.play(media)
      #expect(library.mediaTracks(media).map(\.type) == [.video, .audio])
      try stage.events.wait(for: .stopped)
      stage.close()
      let calls = source.calls.entries
      #expect(calls.first == .open)
      #expect(calls.last == .close)
      #expect(calls.filter { $0 == .open }.count == calls.filter { $0 == .close }.count)
      let read = calls.reduce(0) { if case .read(let count) = $1 { $0 + count } else { $0 } }
      #expect(read >= source.bytes.count)
      withExtendedLifetime(source) {}
    }

    @Test func `a source that cannot seek plays from its beginning`() throws {
      let source = ByteSource([UInt8](try fixture("h264_aac.ts")))
      var callbacks = ByteSource.callbacks
      callbacks.seek = nil
      let stage = try Stage()
      let media = try stage.keep(
        library.newMedia(stage.instance, callbacks: callbacks, opaque: source.opaque))
      try stage.play(media)
      #expect(!library.isSeekable(stage.player))
      #expect(stage.events.entries.contains(.seekableChanged(false)))
      stage.close()
      #expect(!source.calls.entries.contains { if case .seek = $0 { true } else { false } })
    }

    @Test func `a source that does not open is an error`() throws {
      let source = ByteSource([], openStatus: -1)
      let stage = try Stage()
      let media = try stage.keep(
        library.newMedia(stage.instance, callbacks: ByteSource.callbacks, opaque: source.opaque))
      library.setMedia(stage.player, media)
      #expect(library.play(stage.player))
      try stage.events.wait(for: .stopped)
      #expect(stage.events.entries.states == [.opening, .encounteredError, .stopped])
      #expect(library.state(stage.player) == .ended)
      stage.close()
      #expect(source.calls.entries.contains(.open))
      #expect(!source.calls.entries.contains(.close))
    }

    @Test func `a descriptor plays, and stays open and the caller's`() throws {
      let descriptor = open(MediaFixtures.path("silence.wav"), O_RDONLY)
      try #require(descriptor >= 0)
      let stage = try Stage()
      let media = try stage.keep(library.newMedia(stage.instance, descriptor: descriptor))
      #expect(library.mediaMRL(media) == "fd://\(descriptor)")
      try stage.play(media)
      let track = try #require(library.mediaTracks(media).first)
      #expect(track.audio == NativeTrack.Audio(channels: 1, sampleRate: 44_100))
      try stage.events.wait(for: .stopped)
      stage.close()
      #expect(lseek(descriptor, 0, SEEK_CUR) > 0, "libVLC read through it and rewound nothing")
      #expect(close(descriptor) == 0)
    }

    @Test func `options shorten what is played`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let media = try stage.media("tour.mkv")
      library.addMediaOption(media, ":start-time=30")
      library.addMediaOption(media, ":stop-time=30.5", trusted: true, unique: true)
      try stage.play(media)
      try stage.events.wait(for: .endReached)
      let times = stage.events.entries.compactMap {
        if case .timeChanged(let time) = $0 { time } else { nil }
      }
      let first = try #require(times.first)
      let last = try #require(times.last)
      #expect(first >= 29_900)
      #expect(last <= 31_000)
    }

    @Test func `an option that is not trusted may not write files`() throws {
      let path = FileManager.default.temporaryDirectory.path + "/untrusted-\(UUID().uuidString).ts"
      let output = ":sout=#std{access=file,mux=ts,dst=\(path)}"
      let stage = try Stage()
      let untrusted = try stage.media("silence.wav")
      library.addMediaOption(untrusted, output, trusted: false, unique: false)
      try stage.play(untrusted)
      library.stop(stage.player)
      #expect(!FileManager.default.fileExists(atPath: path))
      let trusted = try stage.media("h264_aac.ts")
      library.addMediaOption(trusted, output, trusted: true, unique: false)
      let mark = stage.events.count
      try stage.play(trusted)
      try stage.events.wait(for: .endReached, from: mark)
      stage.close()
      #expect(FileManager.default.fileExists(atPath: path))
      try FileManager.default.removeItem(atPath: path)
    }

    @Test func `what playback counted is told`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let media = try stage.play("h264_aac.mkv")
      try stage.events.wait(for: .endReached)
      let statistics = try #require(library.statistics(media))
      // 3.0 counts each of the fifty pictures twice, as a block and as a picture.
      #expect((90...110).contains(statistics.decodedVideo), "\(statistics.decodedVideo)")
      #expect(statistics.displayedPictures > 0)
      #expect(statistics.decodedAudio > 50)
      #expect(statistics.demuxReadBytes > 40_000)
      #expect(statistics.readBytes >= statistics.demuxReadBytes / 2)
      #expect(statistics.demuxCorrupted == 0)
    }

    private func fixture(_ name: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: MediaFixtures.path(name)))
    }
  }
}
#endif
