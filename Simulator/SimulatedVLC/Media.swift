import Foundation
public import VLCNative

/// What all copies of a media share: libVLC 3.0's input item.
final class InputItem: Sendable {
  struct State {
    var metadata: [NativeMetadataKey: String] = [:]
    var duration: Int64 = -1
    var tracks: [NativeTrack] = []
    var slaves: [NativeSlave] = []
    var options: [String] = []
    var statistics: NativeStatistics?
    var isKnown = false
    var isUsed = false
    var isAskedToParse = false
    /// A playback or a parse came to its end once.
    var isPreparsed = false
    /// How many playbacks tell when it is parsed.
    var watchers = 0
  }
  let mrl: String?
  let medium: SimulatedMedium
  let source: ByteSource?
  let state = Monitor(State())

  /// A byte source of the host's.
  struct ByteSource: @unchecked Sendable {
    let callbacks: NativeMediaCallbacks
    let opaque: UnsafeMutableRawPointer?
    let observer: SimulatedObserver?
  }

  init(mrl: String?, medium: SimulatedMedium, source: ByteSource? = nil) {
    self.mrl = mrl
    self.medium = medium
    self.source = source
  }

  /// The scheme tells it: seen of each.
  var type: NativeMediaType {
    switch (mrl ?? "").prefix(while: { $0 != ":" }) {
    case "file", "fake", "http", "https", "ftp", "sftp", "smb": .file
    case "rtsp", "rtp", "udp", "tcp", "mms", "rtmp": .stream
    case "dvd", "cdda", "vcd", "bluray", "bd": .disc
    case "directory", "dir": .directory
    default: .unknown
    }
  }
}

final class SimulatedMediaObject: SimulatedObject, @unchecked Sendable {
  let item: InputItem
  let state = Monitor(NativeState.nothingSpecial)
  let parsed = Monitor(NativeParsedStatus.none)
  /// What it holds, made when it is first asked for.
  let subItems = Monitor<SimulatedMediaList?>(nil)

  init(_ item: InputItem) {
    self.item = item
    super.init("media")
  }

  func setState(_ new: NativeState) {
    state.read { $0 = new }
    events.send(.mediaStateChanged(new))
  }

  /// How a parse ended.
  func tell(_ status: NativeParsedStatus) {
    parsed.read { $0 = status }
    events.send(.mediaParsedChanged(status))
  }

  /// Whether anything has shown what is in it.
  var isKnown: Bool { item.state.read { $0.isKnown } }

  /// What playing or parsing shows of it: each the first time only (S1, S12).
  ///
  /// - Parameter isParse: a parse by 3.0 learns nothing of what has nothing in it.
  func learn(isParse: Bool = false) {
    guard !isParse || !item.medium.hasNothing else { return }
    news().forEach { events.send($0) }
  }

  /// What there is to tell of it now.
  ///
  /// - Parameter isDurationTold: whether its duration is told first, known or not, which 4.0 does each time.
  func news(duration isDurationTold: Bool = false) -> [NativeEvent] {
    let medium = item.medium
    return item.state.read { state -> [NativeEvent] in
      let first = isDurationTold ? [NativeEvent.mediaDurationChanged(medium.milliseconds)] : []
      guard !state.isKnown else { return first }
      state.isKnown = true
      state.tracks = medium.tracks
      var news: [NativeEvent] = []
      for (key, value) in medium.metadata.sorted(by: { "\($0.key)" < "\($1.key)" })
      where state.metadata[key] == nil {
        state.metadata[key] = value
        news.append(.mediaMetadataChanged(key))
      }
      if state.duration != medium.milliseconds {
        state.duration = medium.milliseconds
        if !isDurationTold { news.append(.mediaDurationChanged(medium.milliseconds)) }
      }
      return first + news
    }
  }
}

final class SimulatedMediaList: SimulatedObject, @unchecked Sendable {
  struct State {
    var items: [SimulatedMediaObject] = []
    var media: SimulatedMediaObject?
    var isReadOnly = false
  }
  let state = Monitor(State())
  /// The host's, around its calls: nobody looks whether it holds it.
  let lock = NSLock()
  init() { super.init("media list") }
}

extension SimulatedLibrary {
  // MARK: Making

  public func newMedia(_ instance: NativeInstance, location: String) -> NativeMedia? {
    make(InputItem(mrl: location, medium: medium(location)))
  }

  public func newMedia(_ instance: NativeInstance, path: String) -> NativeMedia? {
    let allowed = { (byte: UInt8) in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "/.-_~".utf8.contains(byte)
    }
    let digits = Array("0123456789ABCDEF")
    let escaped = path.utf8.reduce(into: "file://") { text, byte in
      text +=
        allowed(byte)
        ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
    return make(InputItem(mrl: escaped, medium: medium(escaped)))
  }

  public func newMedia(_ instance: NativeInstance, descriptor: Int32) -> NativeMedia? {
    make(InputItem(mrl: "fd://\(descriptor)", medium: medium("fd://\(descriptor)")))
  }

  public func newMedia(
    _ instance: NativeInstance, callbacks: NativeMediaCallbacks, opaque: UnsafeMutableRawPointer?
  ) -> NativeMedia? {
    let made = make(
      InputItem(
        mrl: "imem://", medium: callbackMedium,
        source: InputItem.ByteSource(callbacks: callbacks, opaque: opaque, observer: options.observer)))
    if let made { options.observer?(.given(made.identifier, context: opaque)) }
    return made
  }

  public func newMedia(_ instance: NativeInstance, nodeNamed name: String) -> NativeMedia? {
    let item = InputItem(
      mrl: "vlc://nop", medium: SimulatedMedium(duration: nil, tracks: []))
    item.state.read { $0.metadata[.title] = name }
    return make(item)
  }

  private func make(_ item: InputItem) -> NativeMedia? {
    faults.fires(.mediaIsNil) ? nil : objects.add(SimulatedMediaObject(item)).reference()
  }

  public func duplicateMedia(_ media: NativeMedia) -> NativeMedia? { make(find(media).item) }
  public func retainMedia(_ media: NativeMedia) { objects.retain(find(media)) }
  public func releaseMedia(_ media: NativeMedia) { release(find(media)) }

  func find(_ media: NativeMedia, _ call: StaticString = #function) -> SimulatedMediaObject {
    objects.find(media, as: SimulatedMediaObject.self, call)
  }

  /// S12: a media that is being parsed is parsed no more, which takes up to a tenth of a second.
  func release(_ media: SimulatedMediaObject) {
    guard objects.release(media) else { return }
    preparser.cancel(media, isReleased: true)
    if let list = media.subItems.read({ $0 }) { release(list) }
    objects.remove(media)
  }

  // MARK: Describing

  public func mediaMRL(_ media: NativeMedia) -> String? { find(media).item.mrl }
  public func mediaType(_ media: NativeMedia) -> NativeMediaType { find(media).item.type }
  public func addMediaOption(_ media: NativeMedia, _ option: String) {
    find(media).item.state.read { $0.options.append(option) }
  }
  public func addMediaOption(_ media: NativeMedia, _ option: String, trusted: Bool, unique: Bool) {
    find(media).item.state.read { state in
      if !unique || !state.options.contains(option) { state.options.append(option) }
    }
  }
  public func metadata(_ media: NativeMedia, _ key: NativeMetadataKey) -> String? {
    let item = find(media).item
    return item.state.read { state in
      // A title that nobody gave is the file's name.
      state.metadata[key] ?? (key == .title ? item.mrl?.split(separator: "/").last.map(String.init) : nil)
    }
  }
  public func setMetadata(_ media: NativeMedia, _ key: NativeMetadataKey, _ value: String?) {
    let media = find(media)
    media.item.state.read { $0.metadata[key] = value }
    media.events.send(.mediaMetadataChanged(key))
  }
  /// True for any file, whatever could be written: also where there is none, or its format has no such tags.
  public func saveMetadata(_ instance: NativeInstance, _ media: NativeMedia) -> Bool {
    let item = find(media).item
    guard let mrl = item.mrl, mrl.hasPrefix("file:") else { return false }
    let writable = item.medium.writableMetadata
    let saved = item.state.read { $0.metadata.filter { writable.contains($0.key) } }
    written.read { $0[mrl, default: [:]].merge(saved) { $1 } }
    return true
  }
  public func mediaDuration(_ media: NativeMedia) -> Int64 { find(media).item.state.read { $0.duration } }
  public func statistics(_ media: NativeMedia) -> NativeStatistics? {
    find(media).item.state.read { $0.statistics }
  }
  public func mediaTracks(_ media: NativeMedia) -> [NativeTrack] {
    find(media).item.state.read { $0.tracks }.map { track in
      var track = track
      if profile == .libVLC4 { track.isIdentifierStable = true }
      return track
    }
  }
  public func codecDescription(_ type: NativeTrackType, codec: UInt32) -> String? {
    let name = (0..<4).map { String(UnicodeScalar(UInt8(truncatingIfNeeded: codec >> (8 * $0)))) }.joined()
    return Self.codecs[name]
  }
  private static let codecs = [
    "h264": "H264 - MPEG-4 AVC (part 10)", "mp4a": "MPEG AAC Audio", "hevc": "MPEG-H Part2/HEVC (H.265)",
    "VP90": "Google/On2's VP9 Video", "Opus": "Opus Audio", "subt": "Text subtitles with various tags",
  ]

  public func mediaSubItems(_ media: NativeMedia) -> NativeMediaList? {
    let media = find(media)
    let made = SimulatedMediaList()
    let list = media.subItems.read { known -> SimulatedMediaList in
      if let known { return known }
      made.state.read { $0.isReadOnly = true }
      known = made
      return made
    }
    if list === made { _ = objects.add(list) }
    objects.retain(list)
    return list.reference()
  }
  public func addSlave(_ media: NativeMedia, _ slave: NativeSlave) -> Bool {
    find(media).item.state.read { $0.slaves.append(slave) }
    return true
  }
  public func clearSlaves(_ media: NativeMedia) { find(media).item.state.read { $0.slaves.removeAll() } }
  public func slaves(_ media: NativeMedia) -> [NativeSlave] { find(media).item.state.read { $0.slaves } }

  // MARK: Parsing

  public func parseMedia(
    _ instance: NativeInstance, _ media: NativeMedia, options: NativeParseOptions, timeoutMilliseconds: Int
  ) -> Bool {
    let media = find(media)
    switch profile {
    case .libVLC3: return preparser.parse(media, options, timeoutMilliseconds) {}
    // 4.parse: the request has a count of its own.
    case .libVLC4:
      objects.retain(media)
      let isTaken = preparser.parse(media, options, timeoutMilliseconds) { self.release(media) }
      if !isTaken { release(media) }
      return isTaken
    }
  }
  public func stopParsing(_ instance: NativeInstance, _ media: NativeMedia) { preparser.cancel(find(media)) }
  public func parsedStatus(_ media: NativeMedia) -> NativeParsedStatus { find(media).parsed.read { $0 } }
}
