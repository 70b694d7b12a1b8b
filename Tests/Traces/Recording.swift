/// Reads what a C program wrote of the real library: milliseconds, the thread, then "> call", "< call", or the event.
///
/// Of an event of the player's it says "MP MediaPlayerPlaying", of one of a media's "md ...", which is left out: it does not say
/// of which. Runs of equal lines are folded into "... (+3 more like the line above)".
public enum Recording {
  /// The trace up to the first call that a driver cannot make again; nil where the calls were not recorded.
  ///
  /// - Parameter media: the names of the media, in the order in which they are set.
  public static func trace(_ text: String, media: [String]) -> RecordedTrace? {
    var threads = ["main": 0]
    var addresses: [String] = []
    var lines: [TraceLine] = []
    var filter = RunFilter()
    var isFolding = false
    for row in text.split(separator: "\n") {
      let words = row.split(separator: " ")
      if words.first == "...", let more = words.dropFirst().first.flatMap({ Int($0.dropFirst(2)) }) {
        if isFolding, let last = lines.last { lines += Array(repeating: last, count: more) }
        isFolding = false
        continue
      }
      isFolding = false
      guard words.count > 2, Double(words[0]) != nil else { continue }
      let thread = threads[String(words[1])] ?? threads.count
      var texts: [String] = []
      if words[2] == ">" {
        guard let call = call(String(words[3]), media: addresses.count) else { break }
        texts = ["> \(call)"]
      } else if words[2] == "<" {
        texts = ["<"]
      } else if words[2] == "MP", words.count > 3 {
        let values = words.dropFirst(4).reduce(into: [String: String]()) { values, word in
          let parts = word.split(separator: "=", maxSplits: 1)
          values[parts.count == 2 ? String(parts[0]) : ""] = String(parts[parts.count - 1])
        }
        guard let event = event(String(words[3]), values, &addresses) else { continue }
        texts = [event]
      }
      for text in texts {
        threads[String(words[1])] = thread
        let line = TraceLine(thread: thread, text: text)
        guard filter.keeps(line) else { continue }
        lines.append(line)
        isFolding = !line.isRun && !line.isBegin && !line.isReturn
      }
    }
    // What began and is not known to have returned was not to be made again.
    while let last = lines.last, last.isBegin { lines.removeLast() }
    // Where nobody set a media, the calls were not recorded.
    return lines.first?.isBegin == true ? RecordedTrace(media: media, lines: lines) : nil
  }

  /// - Parameter media: how many media were set before.
  private static func call(_ text: String, media: Int) -> TraceCall? {
    let text = text.hasPrefix("r=") ? String(text.dropFirst(2)) : text
    let parts = text.split(whereSeparator: { "(,)".contains($0) }).map(String.init)
    let value = parts.count > 2 ? parts[2] : ""
    switch parts[0] {
    case "set_media": return .setMedia(media)
    case "libvlc_media_player_play": return .play
    case "libvlc_media_player_stop": return .stop
    case "libvlc_media_player_set_pause": return value == "1" ? .pause : .resume
    case "libvlc_media_player_set_time": return Int64(value).map { .setTime($0) }
    case "libvlc_media_player_set_position": return Double(value).map { .setPosition($0) }
    case "libvlc_audio_set_track": return Int(value).map { .selectAudio($0) }
    case "libvlc_video_set_track": return Int(value).map { .selectVideo($0) }
    case "libvlc_media_player_next_chapter": return .nextChapter
    case "libvlc_media_player_previous_chapter": return .previousChapter
    default: return nil
    }
  }

  private static func event(
    _ name: String, _ values: [String: String], _ addresses: inout [String]
  ) -> String? {
    let type = ["0": "audio", "1": "video", "2": "text"][values["type"] ?? ""] ?? ""
    let number = values["id"].map { $0 == "-1" ? "none" : $0 } ?? ""
    let plain = values[""] ?? ""
    switch name.dropFirst("MediaPlayer".count) {
    case "MediaChanged":
      guard let address = values["md"] else { return nil }
      if !addresses.contains(address) { addresses.append(address) }
      return "player media changed \(addresses.firstIndex(of: address) ?? 0)"
    case "Opening": return "player opening"
    case "Playing": return "player playing"
    case "Paused": return "player paused"
    case "Stopped": return "player stopped"
    case "EndReached": return "player endReached"
    case "EncounteredError": return "player encounteredError"
    case "Buffering": return values["cache"] == "0" ? "player fills" : nil
    case "TimeChanged", "PositionChanged": return "player times"
    case "LengthChanged": return "player length \(values["len"] == "0" ? "zero" : "some")"
    case "SeekableChanged": return "player seekableChanged(\(plain == "1"))"
    case "PausableChanged": return "player pausableChanged(\(plain == "1"))"
    case "ScrambledChanged": return "player scrambledChanged(false)"
    case "TitleChanged": return "player titleChanged(\(plain))"
    case "ChapterChanged": return "player chapterChanged(\(plain))"
    case "Vout": return "player outputs \(values["n"] ?? "")"
    case "AudioVolume": return "player volume \(values["vol"].flatMap { Float($0) } ?? 0)"
    case "ESAdded": return "player added \(type) \(number)"
    case "ESDeleted": return "player deleted \(type) \(number)"
    case "ESSelected": return "player selected \(type) \(number)"
    default: return nil
    }
  }
}
