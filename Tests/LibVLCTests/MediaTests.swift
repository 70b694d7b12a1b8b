#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct MediaTests {
    @Test func `a path becomes a file location`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: "/a folder/é.mkv")) { media in
          #expect(library.mediaMRL(media) == "file:///a%20folder/%C3%A9.mkv")
          #expect(library.mediaType(media) == .file)
        }
      }
    }

    @Test func `a location stays as it is, and its scheme tells the type`() throws {
      try withInstance { instance in
        let types: [(String, NativeMediaType)] = [
          ("rtsp://127.0.0.1/a", .stream), ("dvd:///dev/sr0", .disc), ("directory:///tmp", .directory),
          ("file:///a.mkv", .file), ("http://127.0.0.1/a.mkv", .file), ("screen://", .unknown),
        ]
        for (location, type) in types {
          try withMedia(library.newMedia(instance, location: location)) { media in
            #expect(library.mediaMRL(media) == location)
            #expect(library.mediaType(media) == type, "\(location)")
          }
        }
      }
    }

    @Test func `a node has a name, no location and a list of its own`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, nodeNamed: "Albums")) { node in
          #expect(library.metadata(node, .title) == "Albums")
          #expect(library.mediaMRL(node) == "vlc://nop")
          let list = try #require(library.mediaSubItems(node))
          #expect(library.mediaListCount(list) == 0)
          #expect(library.isReadOnly(list))
          library.releaseMediaList(list)
        }
      }
    }

    @Test func `a duplicate is another media with the same location`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: "/a")) { media in
          library.setMetadata(media, .title, "One")
          try withMedia(library.duplicateMedia(media)) { copy in
            #expect(copy.identifier != media.identifier)
            #expect(copy.address != media.address)
            #expect(library.mediaMRL(copy) == "file:///a")
            // Both stand before one input item: what is set on the copy is set on the original.
            library.setMetadata(copy, .title, "Two")
            #expect(library.metadata(media, .title) == "Two")
          }
        }
      }
    }

    @Test func `a media lives until its last count is given back`() throws {
      try withInstance { instance in
        let media = try #require(library.newMedia(instance, path: "/a"))
        library.retainMedia(media)
        library.releaseMedia(media)
        #expect(library.mediaMRL(media) == "file:///a")
        library.releaseMedia(media)
      }
    }

    @Test func `every key of metadata is kept under its own name`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: "/a.mkv")) { media in
          for key in NativeMetadataKey.allCases { library.setMetadata(media, key, "value of \(key)") }
          for key in NativeMetadataKey.allCases where key != .nowPlaying {
            #expect(library.metadata(media, key) == "value of \(key)")
          }
          library.setMetadata(media, .artist, nil)
          #expect(library.metadata(media, .artist) == nil)
        }
      }
    }

    @Test func `without a title a media is named by its file`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: "/folder/a.mkv")) { media in
          #expect(library.metadata(media, .title) == "a.mkv")
          #expect(library.metadata(media, .artist) == nil)
          #expect(library.mediaDuration(media) == -1)
          #expect(library.statistics(media)?.decodedVideo ?? 0 == 0)
        }
      }
    }

    @Test func `metadata is saved into a copy of a file, and read from it again`() throws {
      let path = FileManager.default.temporaryDirectory.path + "/saved-\(UUID().uuidString).mp4"
      try FileManager.default.copyItem(atPath: MediaFixtures.path("base.mp4"), toPath: path)
      defer { try? FileManager.default.removeItem(atPath: path) }
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: path)) { media in
          library.setMetadata(media, .title, "Another Title")
          #expect(library.saveMetadata(instance, media))
        }
        try withMedia(library.newMedia(instance, path: path)) { media in
          try parse(instance, media)
          #expect(library.metadata(media, .title) == "Another Title")
          #expect(library.metadata(media, .artist) == "SwiftVLC Fixtures")
        }
        try withMedia(library.newMedia(instance, location: "http://127.0.0.1/a.mp4")) { media in
          #expect(library.saveMetadata(instance, media) == false, "there is no file to write to")
        }
      }
    }

    @Test func `codecs are described`() {
      let h264 = UInt32(littleEndianCharacters: "h264")
      #expect(
        library.codecDescription(.video, codec: h264) == "H264 - MPEG-4 AVC (part 10)")
      #expect(
        library.codecDescription(.audio, codec: UInt32(littleEndianCharacters: "mp4a")) == "MPEG AAC Audio")
    }

    @Test func `slaves are added, listed and cleared`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: "/a.mkv")) { media in
          let captions = NativeSlave(uri: "file:///a.srt", type: .subtitle, priority: 4)
          let sound = NativeSlave(uri: "file:///a.ac3", type: .audio, priority: 2)
          #expect(library.slaves(media).isEmpty)
          #expect(library.addSlave(media, captions))
          #expect(library.addSlave(media, sound))
          #expect(library.slaves(media) == [captions, sound])
          library.clearSlaves(media)
          #expect(library.slaves(media).isEmpty)
        }
      }
    }
  }
}

extension UInt32 {
  /// The code of a codec as libVLC writes it: the first character in the lowest byte.
  init(littleEndianCharacters text: String) {
    self = text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// Parses a media to its end.
@discardableResult
func parse(
  _ instance: NativeInstance, _ media: NativeMedia, options: NativeParseOptions = .local
) throws -> NativeParsedStatus {
  let recorder = try EventRecorder(.media(media), [.mediaParsedChanged])
  defer { recorder.detach() }
  try requireParse(instance, media, options)
  return try recorder.events.wait(until: "the end of parsing") { events in
    events.compactMap { if case .mediaParsedChanged(let status) = $0 { status } else { nil } }.first
  }
}

private func requireParse(
  _ instance: NativeInstance, _ media: NativeMedia, _ options: NativeParseOptions
) throws {
  guard library.parseMedia(instance, media, options: options, timeoutMilliseconds: 15_000) else {
    throw NeverHappened(what: "a parse of \(media)", seen: "a refusal")
  }
}
#endif
