import ConcurrencySeam
import VLCNative

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something to play: where it is, and how it is to be opened.
///
/// A media may be used from any isolation, by several players at once. libVLC 3 makes its media with an instance:
/// the native one is made at the first use with each.
public final class Media: Sendable {
  enum Source: Hashable, Sendable {
    case location(String)
    case path(String)

    var text: String {
      switch self {
      case .location(let location): location
      case .path(let path): path
      }
    }
  }

  private struct State {
    var options: [String] = []
    // By the instance's identifier, each made at the first use.
    var owners: [NativeIdentifier: NativeMediaOwner] = [:]
    var parses: [NativeIdentifier: MediaParse] = [:]
  }

  let source: Source
  private let state = Guarded(State())

  /// A media at a URL: a file, or anything that libVLC has a module for.
  ///
  /// - Throws: `VLCError.invalidInput` for a URL that libVLC cannot be given.
  public convenience init(url: URL) throws(VLCError) {
    try self.init(source: .location(url.absoluteString))
  }

  /// A media at a path of the local file system. Whether the file is there, playing or parsing tells.
  ///
  /// - Throws: `VLCError.invalidInput` for a path that is empty or contains a zero byte.
  public convenience init(path: String) throws(VLCError) {
    try self.init(source: .path(path))
  }

  /// A media at a location as libVLC writes them (an MRL), such as "dvd:///dev/sr0".
  ///
  /// - Throws: `VLCError.invalidInput` for a location that is empty or contains a zero byte.
  public convenience init(mrl: String) throws(VLCError) {
    try self.init(source: .location(mrl))
  }

  private init(source: Source) throws(VLCError) {
    guard !source.text.isEmpty else {
      throw .invalidInput("A media's path or location is empty: give the path of a file or a URL.")
    }
    guard !source.text.contains("\0") else {
      throw .invalidInput("A media's path or location contains a zero byte: remove it.")
    }
    self.source = source
  }

  /// Where the media is, as it was given.
  public var mrl: String { source.text }

  /// Adds an option of libVLC's for the next load or parse, such as ":start-time=3".
  ///
  /// - Throws: `VLCError.invalidInput` for an option that does not begin with a colon or contains a zero byte.
  public func addOption(_ option: String) throws(VLCError) {
    guard option.hasPrefix(":"), !option.contains("\0") else {
      throw .invalidInput("The media option \"\(option)\" is none of libVLC's: write it as \":name=value\".")
    }
    let owners = state.withLock { state in
      state.options.append(option)
      return Array(state.owners.values)
    }
    for owner in owners { owner.instance.library.addMediaOption(owner.native, option) }
  }

  /// The options that were added.
  public var options: [String] { state.withLock { $0.options } }

  /// A media of the same source and options, with a native side of its own.
  func copy(adding options: [String] = []) -> Media {
    guard let copy = try? Media(source: source) else {
      preconditionFailure("a source that made one media makes another")
    }
    let all = self.options + options
    copy.state.withLock { $0.options = all }
    return copy
  }

  // MARK: The native side

  /// The native media of an instance; nil when libVLC makes none.
  func owner(in instance: VLCInstance) -> NativeMediaOwner? {
    let key = instance.native.identifier
    let (known, options) = state.withLock { ($0.owners[key], $0.options) }
    if let known { return known }
    // Made outside the lock; when two callers make one at once, the second is let go.
    let library = instance.library
    let native =
      switch source {
      case .location(let location): library.newMedia(instance.native, location: location)
      case .path(let path): library.newMedia(instance.native, path: path)
      }
    guard let native else { return nil }
    let made = NativeMediaOwner(native, instance: instance)
    for option in options { library.addMediaOption(native, option) }
    return state.withLock { state in
      if let other = state.owners[key] { return other }
      state.owners[key] = made
      return made
    }
  }

  /// The native media of any instance that has used this one.
  private var anyOwner: NativeMediaOwner? { state.withLock { $0.owners.values.first } }

  // MARK: What it says of itself

  /// The tracks that a parse or playback has found so far, in the file's order.
  public func tracks() -> [Track] {
    anyOwner.map { Track.all(of: $0.native, library: $0.instance.library) } ?? []
  }

  /// The metadata that a parse or playback has found so far; nil before either.
  public var metadata: Metadata? {
    anyOwner.map { Metadata(of: $0.native, library: $0.instance.library) }
  }

  /// The duration that a parse or playback has found; nil when it is not known.
  public var duration: Duration? { metadata?.duration }

  /// What the last playback counted; nil before there was any.
  public func statistics() -> MediaStatistics? {
    guard let owner = anyOwner else { return nil }
    return owner.instance.library.statistics(owner.native).map(MediaStatistics.init)
  }

  // MARK: Parsing

  /// Reads what the media says of itself, without playing it.
  ///
  /// Suspends until libVLC is done. Several callers share one parse; one caller's cancellation ends its own wait,
  /// and the last one's ends the parse, and returns when libVLC has let the media go.
  ///
  /// - Parameters:
  ///   - timeout: how long libVLC may take once it begins; it parses one media after the other.
  ///   - instance: the libVLC to use.
  /// - Throws: `parseFailed`, `parseTimeout`, `mediaCreationFailed` or `cancelled`.
  public func parse(timeout: Duration = .seconds(10), instance: VLCInstance = .shared) async throws(VLCError)
    -> Metadata
  {
    guard timeout > .zero else { throw .invalidInput("A parse needs a timeout above zero.") }
    guard let owner = owner(in: instance) else { throw .mediaCreationFailed(source: mrl) }
    let key = instance.native.identifier
    let parse = state.withLock { state in
      if let parse = state.parses[key] { return parse }
      let parse = MediaParse(owner: owner)
      state.parses[key] = parse
      return parse
    }
    let milliseconds = Int(clamping: max(1, timeout.milliseconds))
    switch await parse.result(timeoutMilliseconds: milliseconds) {
    case .done: return Metadata(of: owner.native, library: instance.library)
    case .failed:
      throw .parseFailed(
        reason: "\"\(mrl)\" could not be opened or read: check that it is there and can be read.")
    case .skipped:
      throw .parseFailed(
        reason: "libVLC does not parse media of this kind: play \"\(mrl)\" to learn what it holds.")
    case .timeout: throw .parseTimeout
    case .cancelled: throw .cancelled
    }
  }
}

extension Media: CustomStringConvertible {
  public var description: String { "Media(\(mrl))" }
}
