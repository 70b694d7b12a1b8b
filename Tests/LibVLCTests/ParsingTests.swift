#if LibVLC
import Foundation
import Glibc
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct ParsingTests {
    @Test(arguments: MediaFixtures.playable + ["silence.wav", "tour.mkv"])
    func `the tracks of a file are those of the manifest`(name: String) throws {
      let file = MediaFixtures.file(name)
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: MediaFixtures.path(name))) { media in
          try #expect(parse(instance, media) == .done)
          #expect(library.parsedStatus(media) == .done)
          let tracks = library.mediaTracks(media)
          #expect(tracks.count == file.tracks.count)
          for type in [NativeTrackType.video, .audio, .text] {
            let parsed = tracks.filter { $0.type == type }
            #expect(parsed.count == file.tracks(of: type.kind).count)
            // The numbers of a transport stream's tracks are in the packets, which a parse does not read; and
            // for AC-3 the number of channels is never told.
            if name.hasSuffix(".ts") || name.contains("ac3") { continue }
            for (track, expected) in zip(parsed, file.tracks(of: type.kind)) { compare(track, expected) }
          }
          if name != "h264_opus.ts" {
            let duration = Double(library.mediaDuration(media)) / 1000
            #expect(abs(duration - (file.duration ?? 0)) < 0.25, "\(duration)")
          }
          if let title = file.metadata["title"] { #expect(library.metadata(media, .title) == title) }
          // libVLC 3.0 does not read the artist that Matroska has.
          let artist = name.hasSuffix(".mkv") ? nil : file.metadata["artist"]
          #expect(library.metadata(media, .artist) == artist)
        }
      }
    }

    @Test(arguments: ["h264_aac.ts", "h264_mp2.ts", "hevc_aac.ts", "h264_dts.ts", "h264_opus.ts"])
    func `what parsing leaves open playing tells`(name: String) throws {
      let stage = try Stage()
      defer { stage.close() }
      let media = try stage.play(name)
      try stage.waitForOutput()
      try stage.waitForTime()
      let file = MediaFixtures.file(name)
      for type in [NativeTrackType.video, .audio] {
        let tracks = library.mediaTracks(media).filter { $0.type == type }
        #expect(tracks.count == 1)
        for (track, expected) in zip(tracks, file.tracks(of: type.kind)) { compare(track, expected) }
      }
    }

    @Test func `a parsed media is not parsed again`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: MediaFixtures.path("base.mp4"))) { media in
          #expect(library.parsedStatus(media) == .none)
          try #expect(parse(instance, media) == .done)
          #expect(!library.parseMedia(instance, media, options: .local, timeoutMilliseconds: 1_000))
        }
      }
    }

    @Test func `a missing file fails, and a network one is skipped before the call returns`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, path: "/nowhere/at-all.mkv")) { media in
          try #expect(parse(instance, media) == .failed)
        }
        try withMedia(library.newMedia(instance, location: "http://127.0.0.1:1/a.mkv")) { media in
          let recorder = try EventRecorder(.media(media), [.mediaParsedChanged])
          #expect(library.parseMedia(instance, media, options: .local, timeoutMilliseconds: 1_000))
          #expect(recorder.events.entries == [.mediaParsedChanged(.skipped)])
          #expect(library.parsedStatus(media) == .skipped)
          recorder.detach()
        }
      }
    }

    @Test func `a running parse is stopped, and its status is a timeout`() throws {
      // Nobody writes to the pipe: to read it takes for ever.
      try withPipe { path in
        try withInstance { instance in
          try withMedia(library.newMedia(instance, path: path)) { media in
            let recorder = try EventRecorder(.media(media), [.mediaParsedChanged])
            #expect(library.parseMedia(instance, media, options: .local, timeoutMilliseconds: 0))
            // Opens when libVLC has opened the other end: the parse runs.
            let descriptor = try onOwnThread("the opening of the pipe") { open(path, O_WRONLY) }
            library.stopParsing(instance, media)
            // On a thread of the library's, before or after the call returns.
            try recorder.events.wait(for: .mediaParsedChanged(.timeout))
            #expect(library.parsedStatus(media) == .timeout)
            recorder.detach()
            close(descriptor)
          }
        }
      }
    }

    @Test func `a parse that takes longer than it may has a timeout`() throws {
      try withPipe { path in
        try withInstance { instance in
          try withMedia(library.newMedia(instance, path: path)) { media in
            let recorder = try EventRecorder(.media(media), [.mediaParsedChanged])
            #expect(library.parseMedia(instance, media, options: .local, timeoutMilliseconds: 50))
            try recorder.events.wait(for: .mediaParsedChanged(.timeout))
            recorder.detach()
          }
        }
      }
    }

    @Test func `the files of a directory are its sub-items`() throws {
      let names = MediaFixtures.manifest.files.map(\.name).filter { $0.hasPrefix("broken/") }
      let folder = (MediaFixtures.path("broken/empty.mkv") as NSString).deletingLastPathComponent
      try withInstance { instance in
        let location = URL(fileURLWithPath: folder).absoluteString
          .replacingOccurrences(of: "file://", with: "directory://")
        try withMedia(library.newMedia(instance, location: location)) { media in
          let recorder = try EventRecorder(.media(media), NativeEventKind.ofMedia)
          #expect(library.parseMedia(instance, media, options: .local, timeoutMilliseconds: 15_000))
          try recorder.events.wait(for: .mediaParsedChanged(.done))
          // Which may come before the sub-items.
          try recorder.events.first("the tree of sub-items") { event in
            if case .mediaSubItemTreeAdded = event { true } else { false }
          }
          recorder.detach()
          #expect(library.mediaType(media) == .directory)
          let list = try #require(library.mediaSubItems(media))
          library.lockMediaList(list)
          #expect(library.mediaListCount(list) == names.count)
          let items = (0..<names.count).compactMap { library.retainedMedia(list, at: $0) }
          library.unlockMediaList(list)
          let found = items.compactMap { library.mediaMRL($0)?.split(separator: "/").last.map(String.init) }
          #expect(Set(found.map { "broken/" + $0 }) == Set(names))
          for item in items { #expect(recorder.events.entries.contains(.mediaSubItemAdded(item))) }
          #expect(recorder.events.entries.contains(.mediaSubItemTreeAdded(media)))
          for item in items { library.releaseMedia(item) }
          library.releaseMediaList(list)
        }
      }
    }

    private func compare(_ track: NativeTrack, _ expected: Manifest.Track) {
      #expect(track.language == expected.language.map { String($0.prefix(3)) } || expected.language == nil)
      #expect(track.name == expected.title || expected.title == nil)
      #expect(track.codec != 0)
      if let video = track.video {
        #expect(Int(video.width) == expected.width)
        #expect(Int(video.height) == expected.height)
        let rate = expected.frameRate
        #expect(
          Int(video.frameRate.numerator) * (rate?.denominator ?? 0)
            == Int(video.frameRate.denominator) * (rate?.numerator ?? 0))
        #expect(video.orientation == .topLeft)
        #expect(video.projection == .rectangular)
        #expect(track.identifier == "video/\(track.number)")
      }
      if let audio = track.audio {
        #expect(Int(audio.channels) == expected.channels)
        #expect(Int(audio.sampleRate) == expected.sampleRate)
        #expect(track.identifier == "audio/\(track.number)")
      }
    }

    private func withPipe(_ body: (String) throws -> Void) throws {
      let path = FileManager.default.temporaryDirectory.path + "/pipe-\(UUID().uuidString)"
      try #require(mkfifo(path, 0o600) == 0)
      defer { unlink(path) }
      try body(path)
    }
  }
}

extension NativeTrackType {
  /// The manifest's word.
  fileprivate var kind: Manifest.Track.Kind {
    switch self {
    case .video: .video
    case .audio: .audio
    case .text, .unknown: .subtitle
    }
  }
}
#endif
