import VLCNative

/// What a program wrote down of a libVLC 4.0: a line an event, with the thread that told it.
///
///     57.61 T1(vlc-input)            MP ESAdded type=1 id=video/0
///
/// Of what comes again and again (buffering, times, metadata) the program left most out, and it depends on the moment: none of it
/// is kept here. A stream that is updated is kept once a playback, and the sounds' before the pictures': decoders are not in step.
struct Recording {
  struct Heard: Hashable, CustomStringConvertible {
    /// "main", or the name of a library's thread.
    let thread: String
    /// Which thread: "main" or "T1".
    let number: String
    let text: String
    var description: String { "\(number)(\(thread)) \(text)" }
  }

  let heard: [Heard]
  /// The lines of the main thread that are neither calls nor events.
  let notes: [String]

  init(_ text: String) {
    var heard: [Heard] = []
    var notes: [String] = []
    var media: [Substring: String] = ["(nil)": "nil"]
    for line in text.split(separator: "\n") {
      var words = line.split(separator: " ")[...]
      guard let first = words.first, first.allSatisfy({ $0.isNumber || $0 == "." }), first != "...",
        words.count > 2
      else { continue }
      let thread = words[1]
      words = words.dropFirst(2)
      let number = String(thread.prefix { $0 != "(" })
      let name = number == "main" ? "main" : String(thread.drop { $0 != "(" }.dropFirst().dropLast())
      let told = words.joined(separator: " ")
      if ["MP", "md", "md2", "m3", "m4", "m5", "m6"].contains(words.first) {
        guard let event = Self.event(Array(words), &media) else { continue }
        heard.append(Heard(thread: name, number: number, text: event))
      } else if told.hasPrefix("> ") {
        heard.append(Heard(thread: name, number: number, text: "> " + Self.call(told)))
      } else if !told.hasPrefix("< ") {
        if number == "main" { notes.append(told) }
        if told.hasPrefix("state="), let state = words.first {
          heard.append(Heard(thread: name, number: number, text: String(state)))
        } else if told.hasPrefix("cb ") || told.hasPrefix("watch_time discontinuity") {
          let isEnd = told.hasSuffix(" 0")
          let text = told.hasPrefix("cb ") ? told : "watch_time discontinuity" + (isEnd ? " 0" : "")
          heard.append(Heard(thread: name, number: number, text: text))
        }
      }
    }
    self.heard = Self.normalized(heard)
    self.notes = notes
  }

  /// "libvlc_media_player_set_time(mp,5000,0)" is "set_time"; other calls are words.
  private static func call(_ told: String) -> String {
    let name = told.dropFirst(2)
    guard let prefix = name.firstRange(of: "libvlc_media_player_") else { return String(name) }
    return String(name[prefix.upperBound...].prefix { $0 != "(" })
  }

  private static func event(_ words: [Substring], _ media: inout [Substring: String]) -> String? {
    let source = words[0] == "MP" ? "player" : words[0]
    let kind = words[1]
    var fields: [Substring: Substring] = [:]
    for word in words.dropFirst(2) {
      let parts = word.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    let type = ["0": "audio", "1": "video", "2": "text"][fields["type"] ?? ""] ?? ""
    let number = { (identifier: Substring?) in
      identifier.map { String($0.drop { $0 != "/" }.dropFirst()) } ?? ""
    }
    switch kind {
    case "Buffering", "PositionChanged", "TimeChanged", "MediaMetaChanged": return nil
    case "MediaChanged":
      guard let pointer = fields["md"] else { return nil }
      let name = media[pointer] ?? "media \(media.count)"
      media[pointer] = name
      return "\(source) MediaChanged \(name)"
    case "ESAdded", "ESDeleted", "ESUpdated": return "\(source) \(kind) \(type) \(number(fields["id"]))"
    case "ESSelected":
      let selected = fields["sel"] == "-" ? "none" : number(fields["sel"])
      return "\(source) ESSelected \(type) \(selected)"
    case "MediaParsedChanged":
      // The numbers of this tree (0 of the contract, and 5 for done).
      let status =
        ["2": "skipped", "3": "failed", "4": "timeout", "5": "done"][fields["status"] ?? ""] ?? "?"
      return "\(source) MediaParsedChanged \(status)"
    case "LengthChanged": return "\(source) LengthChanged \(words.dropFirst(2).first ?? "")"
    case "Vout": return "\(source) Vout \(fields["n"] ?? "")"
    default: return "\(source) \(kind)"
    }
  }

  // MARK: What a check recorded, in the same words

  /// - Parameters:
  ///   - names: of media, in the order in which they became the player's.
  static func heard(_ entries: some Sequence<Entry>) -> [Heard] {
    var media: [NativeMedia: String] = [:]
    return normalized(
      entries.compactMap { entry in
        let (thread, number): (String, String) =
          switch entry.lane {
          case .caller, .check: ("main", "main")
          case .library(let number): (entry.threadName ?? "", "L\(number)")
          }
        let text: String?
        switch entry.content {
        case .event(let source, let event): text = words(event, &media).map { "\(source) \($0)" }
        case .begins(let call): text = "> \(call)"
        case .mark(let mark):
          text = ["state=", "cb ", "watch_time discontinuity"].contains { mark.hasPrefix($0) } ? mark : nil
        case .returned, .dialog: text = nil
        }
        return text.map { Heard(thread: thread, number: number, text: $0) }
      })
  }

  private static func words(_ event: NativeEvent, _ media: inout [NativeMedia: String]) -> String? {
    switch event {
    case .buffering, .positionChanged, .timeChanged, .mediaMetadataChanged: return nil
    case .mediaChanged(nil): return "MediaChanged nil"
    case .mediaChanged(.some(let new)):
      let name = media[new] ?? "media \(media.count + 1)"
      media[new] = name
      return "MediaChanged \(name)"
    case .opening: return "Opening"
    case .playing: return "Playing"
    case .paused: return "Paused"
    case .stopping: return "Stopping"
    case .mediaStopping: return "MediaStopping"
    case .stopped: return "Stopped"
    case .encounteredError: return "EncounteredError"
    case .lengthChanged(let length): return "LengthChanged \(length)"
    case .seekableChanged: return "SeekableChanged"
    case .pausableChanged: return "PausableChanged"
    case .titleListChanged: return "TitleListChanged"
    case .titleSelectionChanged: return "TitleSelectionChanged"
    case .chapterChanged: return "ChapterChanged"
    case .videoOutputs(let count): return "Vout \(count)"
    case .elementaryStreamAdded(let type, let number): return "ESAdded \(type) \(number ?? -1)"
    case .elementaryStreamDeleted(let type, let number): return "ESDeleted \(type) \(number ?? -1)"
    case .elementaryStreamUpdated(let type, let number): return "ESUpdated \(type) \(number ?? -1)"
    case .elementaryStreamSelected(let type, let number):
      return "ESSelected \(type) \(number.map(String.init) ?? "none")"
    case .programAdded: return "ProgramAdded"
    case .programDeleted: return "ProgramDeleted"
    case .programSelected: return "ProgramSelected"
    case .programUpdated: return "ProgramUpdated"
    case .mediaDurationChanged: return "MediaDurationChanged"
    case .mediaParsedChanged(let status): return "MediaParsedChanged \(status)"
    default: return "\(event)"
    }
  }

  /// Updates of streams once a playback and in one order, just after it plays; outputs that a decoder told just after these, since a
  /// decoder's thread is in no order with the input's until that ends.
  private static func normalized(_ heard: [Heard]) -> [Heard] {
    var result: [Heard] = []
    // By the thread of the input.
    var loose: [Heard] = []
    var place: Int?
    func settle() {
      if let place {
        result.insert(contentsOf: Set(loose).sorted { $0.text < $1.text }, at: min(place, result.count))
      }
      loose.removeAll()
      place = nil
    }
    for entry in heard {
      let isLoose = entry.text.contains("ESUpdated") || entry.thread == "vlc-dec-video"
      if isLoose {
        if place == nil { place = result.count }
        loose.append(entry)
        continue
      }
      if entry.text.hasSuffix("ProgramDeleted") || entry.text.hasPrefix("> ") { settle() }
      result.append(entry)
    }
    settle()
    return result
  }

  // MARK: Comparing

  /// What is otherwise in what was seen: the first difference, in a sentence; nil where there is none.
  ///
  /// A thread of the recording is one thread of the check's and no other's, of the same name.
  func difference(from seen: [Heard]) -> String? {
    var threads: [String: String] = [:]
    var taken: [String: String] = [:]
    for place in 0..<max(heard.count, seen.count) {
      guard heard.indices.contains(place) else { return "\(seen[place]) follows the last of the recording" }
      let recorded = heard[place]
      guard seen.indices.contains(place) else { return "\(recorded) is missing at the end" }
      let found = seen[place]
      guard recorded.text == found.text else {
        return "\(recorded) was recorded where \(found) is (number \(place))"
      }
      guard recorded.thread == found.thread else {
        return
          "\(recorded.text) was recorded on \(recorded.thread), and is told on \(found.thread) (number \(place))"
      }
      let known = threads[recorded.number] ?? found.number
      let owner = taken[found.number] ?? recorded.number
      guard known == found.number, owner == recorded.number else {
        return "\(recorded) is told by the thread \(found.number), and by \(known) before (number \(place))"
      }
      threads[recorded.number] = found.number
      taken[found.number] = recorded.number
    }
    return nil
  }
}
