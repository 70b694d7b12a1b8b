import Foundation
import MediaFixtures
import TestSupport
import Testing

@testable import SwiftVLC

extension RealLibVLC {
  @Suite struct MediaDescriptionTests {
    @Test func `metadata is changed for this process, then written into the file`() async throws {
      let instance = try instance()
      let copy = try Copy(of: "base.mp4")
      defer { copy.remove() }
      let media = try Media(path: copy.path)
      _ = try await media.parse(instance: instance)
      try media.setMetadata(.title, to: "Another title", instance: instance)
      #expect(media.metadata?.title == "Another title")
      try await media.saveMetadata(instance: instance)
      #expect(try await Media(path: copy.path).parse(instance: instance).title == "Another title")
      #expect(throws: VLCError.self) { try media.setMetadata(.title, to: "a\0b", instance: instance) }
    }

    @Test func `metadata that cannot be written throws, and says what to check`() async throws {
      let instance = try instance()
      let copy = try Copy(of: "silence.wav")
      defer { copy.remove() }
      for media in [try Media(path: "/nonexistent.mp4"), try Media(path: copy.path)] {
        // A key that the format has no tag for.
        try media.setMetadata(.actors, to: "x", instance: instance)
        await #expect { try await media.saveMetadata(instance: instance) } throws: { error in
          (error as? VLCError)?.operationFailed?.contains("check") == true
        }
      }
    }

    @Test func `slaves are added, listed, played and taken back`() async throws {
      let instance = try instance()
      let media = try media("base.mp4")
      let subtitles = URL(fileURLWithPath: MediaFixtures.path("captions/lorem.srt")).absoluteString
      try media.addSlave(MediaSlave(uri: subtitles, kind: .subtitle))
      #expect(media.slaves == [MediaSlave(uri: subtitles, kind: .subtitle)])
      let player = await Player(instance: instance)
      try await player.play(media)
      await until { player.subtitleTracks.count == 1 }
      #expect(media.slaves.map(\.uri) == [subtitles])
      media.clearSlaves()
      #expect(media.slaves == [])
      #expect(throws: VLCError.self) { try media.addSlave(MediaSlave(uri: "", kind: .audio)) }
    }

    @Test func `the kind of a media is told by where it is`() async throws {
      let instance = try instance()
      for (media, type) in [
        (try media("base.mp4"), MediaType.file), (try Media(mrl: "http://127.0.0.1:9/x"), .file),
        (try Media(path: "/proc"), .file),
      ] {
        #expect(media.mediaType == .unknown, "nothing is known before the first use")
        #expect(media.playbackOwner(in: instance) != nil)
        #expect(media.mediaType == type, "\(media)")
      }
    }

    @Test func `headers of one media are asked with it, and cannot smuggle others`() async throws {
      let instance = try instance()
      let server = try HTTPServer()
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a.mp4"))
      let media = try Media(url: url, httpUserAgent: "Agent/7", httpReferrer: "http://example.org/page")
      let player = await Player(instance: instance)
      let outcomes = await player.terminalOutcomes
      try await player.play(media)
      let request = await server.firstRequest()
      #expect(request.contains("User-Agent: Agent/7"))
      #expect(request.contains("Referer: http://example.org/page"))
      #expect(await outcomes.first { _ in true }?.cause == .failure(.cannotOpen))
      #expect(throws: VLCError.self) { try Media(url: url, httpUserAgent: "a\r\nX-Evil: 1") }
    }
  }
}
