import ConcurrencySeam
public import VLCNative

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Something to play: where it is, and how it is to be opened.
///
/// A media may be used from any isolation, by several players at once. libVLC 3 makes its media with an instance: the
/// native one is made at the first use with each, and anew for each use where its bytes have a place to read from
/// (descriptors and byte sources).
public final class Media: Sendable {
  private struct State {
    var options: [String] = []
    var slaves: [MediaSlave] = []
    // What was changed and is to be found again after a save.
    var changes: [MetadataKey: String] = [:]
    // By the instance's identifier: the native media of the last playback, and the parse with its own.
    var playback: [NativeIdentifier: NativeMediaOwner] = [:]
    var parses: [NativeIdentifier: MediaParse] = [:]
    // The one that knows most: parsed, or else played.
    var describing: NativeMediaOwner?
    var isParsed = false
  }

  let source: MediaSource
  private let state = Guarded(State())

  private init(source: MediaSource) {
    self.source = source
  }

  // MARK: Making

  /// A media at a URL: a file, or anything that libVLC has a module for.
  ///
  /// - Throws: `VLCError.invalidInput` for a URL that libVLC cannot be given.
  public convenience init(url: URL) throws(VLCError) {
    self.init(source: .location(try Self.checked(url.absoluteString)))
  }

  /// A media at a URL that is asked for with HTTP headers of its own.
  ///
  /// - Parameters:
  ///   - url: where it is.
  ///   - httpUserAgent: the user agent for this media alone, or nil for the instance's.
  ///   - httpReferrer: the page that is said to lead here, or nil.
  /// - Throws: `VLCError.invalidInput` for a URL or a header that libVLC cannot be given.
  public convenience init(url: URL, httpUserAgent: String?, httpReferrer: String? = nil) throws(VLCError) {
    try self.init(url: url)
    if let httpUserAgent { try addOption(":http-user-agent=\(try Self.header(httpUserAgent))") }
    if let httpReferrer { try addOption(":http-referrer=\(try Self.header(httpReferrer))") }
  }

  /// A media at a path of the local file system. Whether the file is there, playing or parsing tells.
  ///
  /// - Throws: `VLCError.invalidInput` for a path that is empty or contains a zero byte.
  public convenience init(path: String) throws(VLCError) {
    self.init(source: .path(try Self.checked(path)))
  }

  /// A media at a location as libVLC writes them (an MRL), such as "dvd:///dev/sr0".
  ///
  /// - Throws: `VLCError.invalidInput` for a location that is empty or contains a zero byte.
  public convenience init(mrl: String) throws(VLCError) {
    self.init(source: .location(try Self.checked(mrl)))
  }

  /// A media that is read from an open file, from its beginning at each play.
  ///
  /// The descriptor is duplicated: the caller may close it at once. A pipe can be read only once.
  ///
  /// - Throws: `VLCError.invalidInput` for a descriptor that is not open.
  public convenience init(fileDescriptor: Int32) throws(VLCError) {
    let duplicate = fcntl(fileDescriptor, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else {
      throw .invalidInput("The file descriptor \(fileDescriptor) is not open: pass one that is.")
    }
    self.init(source: .descriptor(MediaDescriptor(owning: duplicate)))
  }

  /// A media of the application's own bytes.
  ///
  /// A reader that is under way is closed before its player is stopped: see `ByteReader`. libVLC 3 cannot parse such a
  /// media; playback tells what it holds.
  public convenience init(source: any ByteSource) {
    self.init(source: .bytes(source))
  }

  private static func checked(_ text: String) throws(VLCError) -> String {
    guard !text.isEmpty else {
      throw .invalidInput("A media's path or location is empty: give the path of a file or a URL.")
    }
    guard !text.contains("\0") else {
      throw .invalidInput("A media's path or location contains a zero byte: remove it.")
    }
    return text
  }

  /// A header's value, which must not be able to add another header.
  private static func header(_ value: String) throws(VLCError) -> String {
    guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw .invalidInput("An HTTP header's value contains a control character: remove it.")
    }
    return value
  }

  // MARK: Options and slaves

  /// Where the media is, as it was given.
  public var mrl: String { source.text }

  /// Adds an option of libVLC's for the next load or parse, such as ":start-time=3".
  ///
  /// - Throws: `VLCError.invalidInput` for an option that does not begin with a colon or contains a zero byte.
  public func addOption(_ option: String) throws(VLCError) {
    guard option.hasPrefix(":"), !option.contains("\0") else {
      throw .invalidInput("The media option \"\(option)\" is none of libVLC's: write it as \":name=value\".")
    }
    for owner in state.withLock({ state in
      state.options.append(option)
      return Array(state.playback.values)
    }) {
      owner.instance.library.addMediaOption(owner.native, option)
    }
  }

  /// The options that were added.
  public var options: [String] { state.withLock { $0.options } }

  /// Adds a file that goes with the media, for the next load.
  ///
  /// - Throws: `VLCError.invalidInput` for a URI that is empty or contains a zero byte.
  public func addSlave(_ slave: MediaSlave) throws(VLCError) {
    guard !slave.uri.isEmpty, !slave.uri.contains("\0") else {
      throw .invalidInput("A slave needs a URI, such as file:///home/me/film.srt.")
    }
    for owner in state.withLock({ state in
      state.slaves.append(slave)
      return Array(state.playback.values)
    }) {
      _ = owner.instance.library.addSlave(owner.native, slave.native)
    }
  }

  /// Takes all slaves back, also those that libVLC found.
  public func clearSlaves() {
    for owner in state.withLock({ state in
      state.slaves = []
      return Array(state.playback.values)
    }) {
      owner.instance.library.clearSlaves(owner.native)
    }
  }

  /// The slaves that were added, and those that a parse found.
  public var slaves: [MediaSlave] {
    let (added, describing) = state.withLock { ($0.slaves, $0.describing) }
    guard let describing else { return added }
    let known = describing.instance.library.slaves(describing.native).map(MediaSlave.init)
    return known + added.filter { slave in !known.contains { $0.uri == slave.uri } }
  }

  /// A media of the same source and options, with a native side of its own.
  func copy(adding options: [String] = []) -> Media {
    let copy = Media(source: source)
    let (own, slaves) = state.withLock { ($0.options, $0.slaves) }
    copy.state.withLock { state in
      state.options = own + options
      state.slaves = slaves
    }
    return copy
  }

  // MARK: The native side

  /// A native media to play with an instance; nil when libVLC makes none.
  func playbackOwner(in instance: VLCInstance) -> NativeMediaOwner? {
    let key = instance.native.identifier
    if source.isShareable, let known = state.withLock({ $0.playback[key] }) { return known }
    // Made outside the lock; of two that are made at once where one is enough, the second is let go.
    let known = state.withLock { (options: $0.options.count, slaves: $0.slaves.count) }
    guard let made = makeOwner(in: instance, isForParsing: false) else { return nil }
    let (owner, missed, missedSlaves): (NativeMediaOwner, ArraySlice<String>, ArraySlice<MediaSlave>) =
      state.withLock { state in
        if source.isShareable, let other = state.playback[key] { return (other, [], []) }
        state.playback[key] = made
        if !state.isParsed { state.describing = made }
        // What came while the native media was made found no owner to go to.
        return (made, state.options[known.options...], state.slaves[known.slaves...])
      }
    for option in missed { instance.library.addMediaOption(owner.native, option) }
    for slave in missedSlaves { _ = instance.library.addSlave(owner.native, slave.native) }
    return owner
  }

  private func makeOwner(in instance: VLCInstance, isForParsing: Bool) -> NativeMediaOwner? {
    let (options, slaves) = state.withLock { ($0.options, $0.slaves) }
    let owner = source.makeOwner(in: instance, options: options, isForParsing: isForParsing)
    if let owner {
      for slave in slaves { _ = instance.library.addSlave(owner.native, slave.native) }
    }
    return owner
  }

  private func describe<Value>(_ read: (NativeMediaOwner) -> Value) -> Value? {
    // The owner is held over the native call, the lock is not.
    state.withLock { $0.describing }.map(read)
  }

  // MARK: What it says of itself

  /// The tracks that a parse or playback has found so far, in the file's order.
  public func tracks() -> [Track] {
    describe { Track.all(of: $0.native, library: $0.instance.library) } ?? []
  }

  /// The metadata that a parse or playback has found so far; nil before either.
  public var metadata: Metadata? {
    describe { Metadata(of: $0.native, library: $0.instance.library) }
  }

  /// The duration that a parse or playback has found; nil when it is not known.
  public var duration: Duration? { metadata?.duration }

  /// What kind of thing it is, as far as libVLC can tell from where it is.
  public var mediaType: MediaType {
    describe { MediaType($0.instance.library.mediaType($0.native)) } ?? .unknown
  }

  /// What the last playback counted; nil before there was any.
  public func statistics() -> MediaStatistics? {
    guard
      let owner = state.withLock({ $0.playback.values.max { $0.native.identifier < $1.native.identifier } })
    else { return nil }
    return owner.instance.library.statistics(owner.native).map(MediaStatistics.init)
  }

  // MARK: Metadata

  /// Changes what the media says of itself, until it is saved for this process alone.
  ///
  /// - Throws: `mediaCreationFailed`, and `invalidInput` for a value with a zero byte.
  public func setMetadata(_ key: MetadataKey, to value: String?, instance: VLCInstance = .shared)
    throws(VLCError)
  {
    guard value?.contains("\0") != true else {
      throw .invalidInput("A metadata value contains a zero byte: remove it.")
    }
    guard let owner = try describingOwner(in: instance) else { throw .mediaCreationFailed(source: mrl) }
    state.withLock { $0.changes[key] = value ?? "" }
    instance.library.setMetadata(owner.native, key, value)
  }

  /// Writes the metadata into the file, and reads it back; suspends until that is done.
  ///
  /// libVLC 3 reports success for files that it cannot write, and for tags that a format has not: what was changed is
  /// looked for in the file.
  ///
  /// - Throws: `mediaCreationFailed`, `operationFailed` when the file's format or its permissions do not allow it, and
  ///   `cancelled` or `parseTimeout` when it could not be read back, so that nothing is known.
  public func saveMetadata(instance: VLCInstance = .shared) async throws(VLCError) {
    guard let owner = try describingOwner(in: instance) else { throw .mediaCreationFailed(source: mrl) }
    let isSaved = await withCheckedContinuation { continuation in
      instance.queue.async {
        continuation.resume(returning: instance.library.saveMetadata(instance.native, owner.native))
      }
    }
    let changes = state.withLock { $0.changes }
    var saved: Metadata?
    do throws(VLCError) {
      saved = try await copy().parse(instance: instance)
    } catch {
      // Neither says anything of the file.
      if error == .cancelled || error == .parseTimeout { throw error }
    }
    guard isSaved, let saved, changes.allSatisfy({ saved[$0.key] ?? "" == $0.value }) else {
      throw .operationFailed(
        "The metadata of \"\(mrl)\" could not be saved:"
          + " check that the file can be written and that its format has such tags.")
    }
    state.withLock { state in state.changes = state.changes.filter { changes[$0.key] != $0.value } }
  }

  private func describingOwner(in instance: VLCInstance) throws(VLCError) -> NativeMediaOwner? {
    if let owner = state.withLock({ $0.describing }), owner.instance === instance { return owner }
    return playbackOwner(in: instance)
  }

  // MARK: Parsing

  /// Reads what the media says of itself, without playing it.
  ///
  /// Suspends until libVLC is done. Several callers share one parse; a caller that is cancelled or out of time ends its
  /// own wait, and the last one the parse, and returns when libVLC has let the media go. What failed or ran out of time
  /// is tried again at the next call.
  ///
  /// - Parameters:
  ///   - timeout: how long this caller waits. libVLC parses one media after the other.
  ///   - instance: the libVLC to use.
  /// - Throws: `parseFailed`, `parseTimeout`, `mediaCreationFailed`, `invalidInput` or `cancelled`.
  public func parse(timeout: Duration = .seconds(10), instance: VLCInstance = .shared) async throws(VLCError)
    -> Metadata
  {
    guard timeout > .zero else {
      throw .invalidInput("A parse needs a timeout above zero: pass how long you are ready to wait.")
    }
    let key = instance.native.identifier
    let parse = state.withLock { state in
      if let parse = state.parses[key] { return parse }
      let parse = MediaParse(instance: instance)
      state.parses[key] = parse
      return parse
    }
    let (result, owner) = await parse.result(timeout: timeout) { self.parseOwner(in: instance, retries: $0) }
    switch result {
    case .done:
      guard let owner else { preconditionFailure("a parse was reported done without a native media") }
      state.withLock { state in
        state.describing = owner
        state.isParsed = true
      }
      return Metadata(of: owner.native, library: instance.library)
    case .failed:
      guard owner != nil else { throw .mediaCreationFailed(source: mrl) }
      throw .parseFailed(
        reason: "\"\(mrl)\" could not be opened or read: check that it is there and can be read.")
    case .skipped:
      throw .parseFailed(
        reason: "libVLC does not parse media of this kind: play \"\(mrl)\" to learn what it holds.")
    case .timeout: throw .parseTimeout
    case .cancelled: throw .cancelled
    }
  }

  /// The native media to parse: the one that is played where it can be shared, and one of its own for a second try,
  /// because libVLC 3 parses each only once, whatever came of it.
  private func parseOwner(in instance: VLCInstance, retries: Bool) -> NativeMediaOwner? {
    source.isShareable && !retries
      ? playbackOwner(in: instance) : makeOwner(in: instance, isForParsing: true)
  }
}

extension Media: CustomStringConvertible {
  public var description: String { "Media(\(mrl))" }
}
