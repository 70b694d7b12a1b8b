#if LibVLC
import Foundation
import MediaFixtures
import TestSupport
import Testing

@Suite(.serialized, .tags(.real), .timeLimit(.minutes(10))) struct VLCToolTests {
  @Test(arguments: MediaFixtures.playable)
  func `play decodes each format to its natural end`(name: String) async throws {
    let run = try await ToolRun.vlctool(
      "play", "--json", "--audio", "none", "--video", "none", MediaFixtures.path(name))
    #expect(run.status == 0)
    #expect(run.summary["type"] as? String == "summary")
    #expect(run.summary["outcome"] as? String == "naturalEnd")
    #expect(run.summary["decodedVideo"] as? Int ?? 0 > 0)
    #expect(run.summary["decodedAudio"] as? Int ?? 0 > 0)
    let duration = try #require(MediaFixtures.file(name).duration)
    #expect(abs((run.summary["duration"] as? Double ?? 0) - duration) < 0.2)
    #expect(run.objects.count == run.output.split(separator: "\n").count, "each line is an object")
  }

  @Test func `a missing file fails with status 1 and a sentence`() async throws {
    let run = try await ToolRun.vlctool("play", "--json", "/nonexistent.mkv")
    #expect(run.status == 1)
    #expect(run.summary["outcome"] as? String == "failure")
    #expect(run.errors.contains("there is no such file"))
  }

  @Test(arguments: [
    ("broken/empty.mkv", "is empty"), ("broken/junk.mkv", "holds nothing that can be played"),
    ("broken/truncated.mp4", "holds nothing that can be played"),
  ])
  func `broken files fail with a sentence that tells them apart`(name: String, sentence: String) async throws
  {
    let run = try await ToolRun.vlctool(
      "play", "--json", "--audio", "none", "--video", "none", MediaFixtures.path(name))
    #expect(run.status == 1)
    #expect(run.summary["outcome"] as? String == "failure")
    #expect(run.errors.contains(sentence))
  }

  @Test(arguments: [
    ("/proc", "is a directory"), ("nosuch://x", "nosuch://"), ("file:///none.mkv", "could not be opened"),
  ])
  func `directories and unknown schemes are told apart`(source: String, sentence: String) async throws {
    let run = try await ToolRun.vlctool("play", source)
    #expect(run.status == 1)
    #expect(run.errors.contains(sentence))
  }

  @Test func `an unreadable file is told from a missing one`() async throws {
    // The superuser reads everything: for it, nothing is unreadable.
    guard geteuid() != 0 else {
      let run = try await ToolRun.unprivileged(file: "silence.wav")
      #expect(run.status == 1)
      #expect(run.errors.contains("Permission denied"))
      return
    }
    let path = NSTemporaryDirectory() + "/unreadable-\(UUID().uuidString).wav"
    try FileManager.default.copyItem(atPath: MediaFixtures.path("silence.wav"), toPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    chmod(path, 0)
    let run = try await ToolRun.vlctool("play", path)
    #expect(run.status == 1)
    #expect(run.errors.contains("Permission denied"))
  }

  @Test func `options limit, loop and add up`() async throws {
    let run = try await ToolRun.vlctool(
      "play", "--json", "--audio", "none", "--video", "none", "--start", "1.5", "--rate", "2", "--volume",
      "0.5",
      "--loop", "2", MediaFixtures.path("base.mp4"))
    #expect(run.status == 0)
    #expect(run.summary["outcome"] as? String == "naturalEnd")
    #expect(abs((run.summary["duration"] as? Double ?? 0) - 4) < 0.2, "two plays of two seconds")
    let stopped = try await ToolRun.vlctool(
      "play", "--json", "--audio", "none", "--video", "none", "--stop-after", "0.5",
      MediaFixtures.path("tour.mkv"))
    #expect(stopped.status == 0)
    #expect(stopped.summary["outcome"] as? String == "requestedStop")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal stops cleanly`(signal: Int32) async throws {
    let run = try await ToolRun.vlctool(
      "play", "--json", "--audio", "none", "--video", "none", MediaFixtures.path("tour.mkv"),
      stop: (after: "stateChanged(playing)", with: signal))
    #expect(run.status == 0)
    #expect(run.summary["outcome"] as? String == "requestedStop")
  }

  @Test func `output into a closed pipe ends quietly`() async throws {
    let file = MediaFixtures.path("tour.mkv")
    let line =
      "'\(ToolRun.tool.path)' play --json --audio none --video none '\(file)' | head -1 >/dev/null; exit ${PIPESTATUS[0]}"
    let shell = try ChildProcess("/bin/bash", ["-c", line])
    #expect(await shell.status() == 0)
  }

  @Test func `probe tells what the manifest says of the tour`() async throws {
    let run = try await ToolRun.vlctool("probe", "--json", MediaFixtures.path("tour.mkv"))
    #expect(run.status == 0)
    let report = run.summary
    let expected = MediaFixtures.file("tour.mkv")
    let tracks = try #require(report["tracks"] as? [[String: Any]])
    for (kind, name) in [(Manifest.Track.Kind.video, "video"), (.audio, "audio"), (.subtitle, "subtitle")] {
      let found = tracks.filter { $0["type"] as? String == name }
      let wanted = expected.tracks(of: kind)
      #expect(found.count == 3 && wanted.count == 3)
      for (track, fact) in zip(found, wanted) {
        #expect(track["width"] as? Int == fact.width && track["height"] as? Int == fact.height)
        #expect(track["channels"] as? Int == fact.channels)
        if let language = fact.language { #expect(track["language"] as? String == language) }
      }
    }
    let chapters = try #require(report["chapters"] as? [[String: Any]])
    #expect(chapters.map { $0["name"] as? String } == expected.chapters.map(\.title))
    #expect(chapters.count == 6)
    #expect(abs((report["duration"] as? Double ?? 0) - 60) < 0.1)
    #expect(report["cover"] as? Bool == true)
    #expect((report["metadata"] as? [String: String])?["title"] == expected.metadata["title"])
  }

  @Test func `probe of several files goes on after one that fails`() async throws {
    let run = try await ToolRun.vlctool("probe", "--json", "/nonexistent", MediaFixtures.path("silence.wav"))
    #expect(run.status == 1)
    #expect(run.objects.map { $0["type"] as? String } == ["failure", "media"])
    #expect(run.summary["cover"] as? Bool == false)
  }

  @Test func `doctor tells versions, capabilities, outputs and plug-ins`() async throws {
    let run = try await ToolRun.vlctool("doctor")
    #expect(run.status == 0)
    for word in ["libVLC: 3.0.", "joining transport", "recording", "audio outputs:", "plug-ins:"] {
      #expect(run.output.contains(word), "\(word)")
    }
  }

  @Test(arguments: [
    [], ["frob"], ["play"], ["play", "--rate", "9", "x"], ["play", "--bogus", "x"],
    ["play", "x", "--volume"],
    ["play", "--audio", "loud", "x"], ["play", "--start", "1:2:3:4", "x"], ["play", "--loop", "0", "x"],
    ["probe"],
    ["doctor", "x"],
  ])
  func `a mistake on the command line is status 2 and says what was wrong`(arguments: [String]) async throws {
    let run = try await ToolRun.with(arguments)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("vlctool: "))
    #expect(run.output.isEmpty)
  }

  @Test func `without plug-ins libVLC is not usable, and the package to install is named`() async throws {
    let run = try await ToolRun.hidingPlugins("play", MediaFixtures.path("base.mp4"))
    #expect(run.status == 69)
    #expect(run.errors.contains("vlc-plugin-base"))
    let doctor = try await ToolRun.hidingPlugins("doctor")
    #expect(doctor.status == 69)
    #expect(doctor.errors.contains("vlc-plugin-base"))
  }
}
#endif
