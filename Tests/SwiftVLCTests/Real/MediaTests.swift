import Foundation
import Interleaving
import MediaFixtures
import SimulatedVLC
import TestSupport
import Testing

@testable import SwiftVLC

extension RealLibVLC {
  @Suite struct MediaTests {
    @Test(arguments: MediaFixtures.playable + ["tour.mkv", "silence.wav"])
    func `a parse tells what the manifest says`(name: String) async throws {
      let instance = try instance()
      let media = try media(name)
      let metadata = try await media.parse(instance: instance)
      let expected = MediaFixtures.file(name)
      let duration = try #require(expected.duration)
      #expect(abs(try #require(metadata.duration).seconds - duration) < 0.2)
      #expect((metadata.artworkURL != nil) == expected.cover)
      if let title = expected.metadata["title"] { #expect(metadata.title == title) }
      let tracks = media.tracks()
      for (kind, type) in [
        (Manifest.Track.Kind.video, TrackType.video), (.audio, .audio), (.subtitle, .subtitle),
      ] {
        let found = tracks.filter { $0.type == type }
        let wanted = expected.tracks(of: kind)
        #expect(found.count == wanted.count, "\(type)")
        for (track, fact) in zip(found, wanted) {
          // A transport stream tells sizes and audio formats only to a decoder.
          if let video = track.video, video.width > 0 {
            #expect(video.width == fact.width && video.height == fact.height)
          }
          if let channels = track.audio?.channels, channels > 0 { #expect(channels == fact.channels) }
          if let language = fact.language { #expect(track.language == language) }
        }
      }
      #expect(Set(tracks.map(\.id)).count == tracks.count)
    }

    @Test func `chapters are read through a private player, and equal the manifest`() async throws {
      let chapters = try await media("tour.mkv").chapters(instance: instance())
      let expected = MediaFixtures.file("tour.mkv").chapters
      #expect(chapters.count == 6)
      #expect(chapters.map(\.name) == expected.map(\.title))
      for (chapter, fact) in zip(chapters, expected) {
        #expect(abs(chapter.start.seconds - fact.start) < 0.1)
        #expect(abs((chapter.start + chapter.duration).seconds - fact.end) < 0.1)
      }
      #expect(try await media("base.mp4").chapters(instance: instance()) == [])
      await #expect(throws: VLCError.self) {
        try await Media(path: "/nonexistent.mkv").chapters(instance: instance())
      }
    }

    @Test func `a missing file fails to parse, and says so`() async throws {
      let instance = try instance()
      let media = try Media(path: "/nonexistent.mkv")
      await #expect { try await media.parse(instance: instance) } throws: { error in
        (error as? VLCError)?.parseFailed != nil
      }
    }

    @Test func `several waiters share a parse, and a parsed media answers at once`() async throws {
      let instance = try instance()
      let media = try media("tour.mkv")
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { _ = try await media.parse(instance: instance) } }
        try await group.waitForAll()
      }
      #expect(
        try await media.parse(instance: instance).title == MediaFixtures.file("tour.mkv").metadata["title"])
    }

    @Test func `a parse of what never answers times out, and can be cancelled, running or queued`()
      async throws
    {
      let instance = try instance()
      let fifo = try Fifo()
      defer { fifo.remove() }
      // The preparser is serial: the first blocks, the second waits in the queue.
      let running = try Media(path: fifo.path)
      let queued = try media("base.mp4")
      let first = Task { try await running.parse(timeout: .seconds(60), instance: instance) }
      await fifo.opened()
      let second = Task { try await queued.parse(timeout: .seconds(60), instance: instance) }
      second.cancel()
      #expect(await second.result == .failure(.cancelled))
      first.cancel()
      #expect(await first.result == .failure(.cancelled))
      let timing = Task {
        try await Media(path: fifo.path).parse(timeout: .milliseconds(200), instance: instance)
      }
      #expect(await timing.result == .failure(.parseTimeout))
      // The preparser goes on with what comes.
      #expect(try await queued.parse(instance: instance).duration != nil)
    }

    @Test func `one waiter's cancellation does not end another's parse`() async throws {
      let instance = try instance()
      let fifo = try Fifo()
      defer { fifo.remove() }
      let media = try Media(path: fifo.path)
      let stays = Task { try await media.parse(timeout: .milliseconds(700), instance: instance) }
      let leaves = Task { try await media.parse(timeout: .milliseconds(700), instance: instance) }
      leaves.cancel()
      #expect(await leaves.result == .failure(.cancelled))
      #expect(await stays.result == .failure(.parseTimeout))
    }
  }

  /// A pipe that nobody writes to: what opens it waits.
  struct Fifo {
    let path: String

    init() throws {
      guard Stage.barrier == nil else {
        path = Stage.barrierPath
        return
      }
      path = NSTemporaryDirectory() + "/swiftvlc-\(UUID().uuidString)"
      try #require(mkfifo(path, 0o600) == 0)
    }

    /// Returns when somebody has opened it for reading: libVLC's preparser is inside then, and nowhere else.
    func opened() async {
      await withCheckedContinuation { continuation in
        if let barrier = Stage.barrier {
          World.current?.spawn("waits for the barrier") {
            barrier.waitUntilReached()
            continuation.resume()
          }
          return
        }
        Thread.detachNewThread { [path] in
          let writer = open(path, O_WRONLY | O_CLOEXEC)
          continuation.resume()
          // Kept open for as long as the process lives: a pipe without a writer is at its end.
          _ = writer
        }
      }
    }

    func remove() { unlink(path) }
  }
}

extension Result where Success == Metadata, Failure == any Error {
  fileprivate static func == (left: Self, right: Result<Metadata, VLCError>) -> Bool {
    switch (left, right) {
    case (.failure(let error), .failure(let expected)): error as? VLCError == expected
    case (.success(let metadata), .success(let expected)): metadata == expected
    default: false
    }
  }
}
