import SwiftVLC

/// `vlctool probe`: what a file holds, without playing it.
struct ProbeCommand {
  let options: ProbeOptions

  func run() async -> ExitStatus {
    let instance: VLCInstance
    do throws(VLCError) {
      // Dummy outputs: chapters are read through a private player.
      instance = try VLCInstance(arguments: VLCInstance.defaultArguments + ["--vout=dummy", "--aout=adummy"])
    } catch {
      Output.complain(error.description)
      return .unavailable
    }
    var status = ExitStatus.success
    for source in options.sources {
      let source = Source(text: source)
      do throws(VLCError) {
        let report = try await ProbeReport(source, instance: instance)
        if options.json { Output.standard.json(report) } else { Output.standard.line(report.description) }
      } catch {
        let reason = error.parseFailed != nil ? source.explanation(.cannotOpen) : error.description
        if options.json { Output.standard.json(ProbeFailure(file: source.text, error: reason)) }
        Output.complain(reason)
        status = .failure
      }
    }
    return status
  }
}

/// What a file holds.
private struct ProbeReport: Encodable, CustomStringConvertible {
  struct TrackReport: Encodable {
    let type: String
    let id: String
    let codec: String
    let codecDescription: String?
    let language: String?
    let name: String?
    let bitrate: Int?
    let width: Int?
    let height: Int?
    let frameRate: Double?
    let channels: Int?
    let sampleRate: Int?

    init(_ track: Track) {
      type = track.type.description
      id = track.id
      codec = track.codec
      codecDescription = track.codecDescription
      language = track.language
      name = track.name
      bitrate = track.bitrate
      width = track.video?.width
      height = track.video?.height
      frameRate = track.video?.frameRate
      channels = track.audio?.channels
      sampleRate = track.audio?.sampleRate
    }
  }

  struct ChapterReport: Encodable {
    let name: String?
    let start: Double
    let duration: Double

    init(_ chapter: Chapter) {
      name = chapter.name
      start = chapter.start.seconds
      duration = chapter.duration.seconds
    }
  }

  let type = "media"
  let file: String
  let duration: Double?
  let tracks: [TrackReport]
  let chapters: [ChapterReport]
  let metadata: [String: String]
  let cover: Bool

  init(_ source: Source, instance: VLCInstance) async throws(VLCError) {
    let media = try source.media()
    let parsed = try await media.parse(instance: instance)
    let found = media.tracks()
    guard !found.isEmpty else { throw .parseFailed(reason: "there are no tracks") }
    file = source.text
    duration = parsed.duration?.seconds
    tracks = found.map(TrackReport.init)
    chapters = try await media.chapters(instance: instance).map(ChapterReport.init)
    cover = parsed.artworkURL != nil
    metadata = Dictionary(uniqueKeysWithValues: parsed.values.map { ("\($0.key)", $0.value) })
  }

  var description: String {
    var lines = ["\(file): \(duration.map { Duration.seconds($0).formatted } ?? "unknown duration")"]
    lines += metadata.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
    lines += tracks.map { track in
      let numbers = [
        track.width.map { "\($0)x\(track.height ?? 0)" }, track.frameRate.map { "\($0) frames/s" },
        track.channels.map { "\($0) channels" }, track.sampleRate.map { "\($0) Hz" }, track.language,
        track.name,
      ]
      return
        "  \(track.type) \(track.id): \(([track.codec] + numbers.compactMap(\.self)).joined(separator: ", "))"
    }
    lines += chapters.map { "  chapter at \(Duration.seconds($0.start).formatted): \($0.name ?? "")" }
    if cover { lines.append("  cover image") }
    return lines.joined(separator: "\n")
  }
}

private struct ProbeFailure: Encodable {
  let type = "failure"
  let file: String
  let error: String
}
