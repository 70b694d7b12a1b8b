import Foundation
import Interleaving
public import VLCNative

/// A libVLC in Swift that keeps the contract of the real one: its threads, its events and their order, what it waits for, and what
/// it does not survive. In a world its threads are the world's, and so are its clock and its choices.
public final class SimulatedLibrary: NativeLibrary, @unchecked Sendable {
  /// Which libVLC is simulated, and with what.
  public struct Options: Sendable {
    /// Which libVLC.
    public var profile = SimulatedProfile.libVLC3
    /// How addresses of released objects come back.
    public var addressReuse = AddressReuse.bySeed
    /// Of what is left to chance outside worlds.
    public var seed: UInt64 = 1
    /// Media by location, beside the built-in `fake://` ones.
    public var media: [String: SimulatedMedium] = [:]
    /// Names of options that an instance takes beside those that are known, without dashes.
    public var arguments: Set<String> = []
    /// What discoverers of media find.
    public var services: [SimulatedService] = []
    /// What the discoverer of renderers, "simulated", finds.
    public var renderers: [SimulatedRenderer] = []
    /// What byte sources hold.
    public var sources = SimulatedMedium(duration: .seconds(3))
    /// What may go wrong by chance; nothing by default.
    public var faults: Set<SimulatedFault> = []
    /// Who is told what the host calls, and what it is called with.
    public var observer: SimulatedObserver?
    public init() {}
  }

  let options: Options
  let chance: Chance
  let objects: ObjectTable
  let preparser: Preparser
  let faults: Faults
  /// What was saved into files, by location.
  let written = Monitor<[String: [NativeMetadataKey: String]]>([:])

  public init(_ options: Options = Options()) {
    self.options = options
    chance = Chance(seed: options.seed)
    faults = Faults(options.faults, chance)
    let reuse = faults.isActive(.addressesComeBack) ? .atOnce : options.addressReuse
    objects = ObjectTable(reuse: reuse, chance: chance, faults: faults, observer: options.observer)
    preparser = Preparser(options.profile, chance, faults)
  }

  /// No fault of `Options.faults` comes any more.
  public func endFaults() { faults.end() }

  public var profile: SimulatedProfile { options.profile }
  public var capabilities: NativeCapabilities { profile.capabilities }

  /// What the calling thread is there for, named as libVLC 4.0 names its threads; nil where it is not the library's.
  public static var currentThreadName: String? { NativeThread.role?.name }

  /// Before a requirement of a capability.
  func demand(_ capability: NativeCapabilities, _ call: StaticString = #function) {
    guard capabilities.contains(capability) else {
      misuse("\(call) needs \(capability), which this library has not")
    }
  }

  /// How many native objects live; nought when the host has given everything back.
  public var livingObjects: Int { objects.count }
  /// Which objects live, for messages.
  public var livingObjectDescriptions: [String] { objects.descriptions }

  /// The states of the players that live, in the order in which they were made.
  public var playerStates: [NativeState] {
    objects.all(SimulatedPlayer.self).map(\.nativeState)
  }

  /// How many instances have a log installed.
  public var installedLogs: Int {
    objects.all(SimulatedInstance.self).count { $0.state.read { $0.log != nil } }
  }
  /// Which of `Options.faults` may still come.
  public var activeFaults: Set<SimulatedFault> { Set(SimulatedFault.allCases.filter(faults.isActive)) }

  var callbackMedium: SimulatedMedium { options.sources }

  func medium(_ location: String) -> SimulatedMedium {
    let location = Self.file(of: location)
    if var known = options.media[location] {
      if let saved = written.read({ $0[location] }) { known.metadata.merge(saved) { $1 } }
      return known
    }
    if location.hasPrefix("fake://"), let known = SimulatedMedium.builtIn[String(location.dropFirst(7))] {
      return known
    }
    var missing = SimulatedMedium.missing
    missing.isRemote =
      location.contains("://") && !location.hasPrefix("file:") && !location.hasPrefix("fake:")
    return missing
  }

  /// Where the file is that a descriptor of the process is open on.
  private static func file(of location: String) -> String {
    for prefix in ["fd://", "file:///proc/self/fd/"] where location.hasPrefix(prefix) {
      let name = "/proc/self/fd/" + location.dropFirst(prefix.count)
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: name)
      return path.map { "file://" + $0 } ?? location
    }
    return location
  }

  /// The library's clock, in microseconds.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}

final class SimulatedInstance: SimulatedObject, @unchecked Sendable {
  struct State: @unchecked Sendable {
    var log: UnsafeMutablePointer<NativeLogContext>?
    var logOpaque: UnsafeMutableRawPointer?
    var dialogs: NativeDialogCallbacks?
    var dialogOpaque: UnsafeMutableRawPointer?
    var shown: [SimulatedDialog] = []
  }
  let state = Monitor(State())
  /// S17: held while a line is given to the host, so that taking the log away waits for it.
  let logLock = NSRecursiveLock()
  /// Whether the audio output has a volume of its own, as ALSA's has and the dummy has not.
  let hasVolume: Bool

  let observer: SimulatedObserver?

  init(_ arguments: [String], _ observer: SimulatedObserver?) {
    self.observer = observer
    hasVolume = arguments.last { $0.hasPrefix("--aout=") }.map { $0 == "--aout=alsa" } ?? false
    super.init("instance")
  }
}
