import Foundation
public import VLCNative

extension SimulatedLibrary {
  public var version: String { profile.version }
  public var compiler: String { "swift" }
  public var changeset: String { profile.changeset }
  public var abiVersion: Int? { profile.abiVersion }
  public var clock: Int64 { Self.now }

  // MARK: Messages of failures

  private static let messageKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { free($0) }
    return key
  }()

  func setErrorMessage(_ message: String?) {
    free(pthread_getspecific(Self.messageKey))
    pthread_setspecific(Self.messageKey, message.flatMap { strdup($0) })
  }
  public func errorMessage() -> String? {
    pthread_getspecific(Self.messageKey).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }
  public func clearErrorMessage() { setErrorMessage(nil) }

  // MARK: Instances

  func find(_ instance: NativeInstance, _ call: StaticString = #function) -> SimulatedInstance {
    objects.find(instance, as: SimulatedInstance.self, call)
  }

  /// Nil for an argument that names none of the known options.
  public func newInstance(arguments: [String]) -> NativeInstance? {
    guard arguments.allSatisfy(isOption), !faults.fires(.instanceIsNil) else { return nil }
    return objects.add(SimulatedInstance(arguments, options.observer)).reference()
  }

  /// Each may be switched off with a "no-" before its name.
  private func isOption(_ argument: String) -> Bool {
    guard argument.hasPrefix("--") else { return ["-q", "-v", "-vv", "-vvv", "-I"].contains(argument) }
    var name = argument.dropFirst(2).prefix { $0 != "=" }
    if name.hasPrefix("no-") { name = name.dropFirst(3) }
    return Self.optionNames.contains(String(name)) || options.arguments.contains(String(name))
  }
  private static let optionNames: Set = [
    "alsa-audio-device", "aout", "audio", "avcodec-hw", "disc-caching", "file-caching", "http-reconnect",
    "intf",
    "keystore", "live-caching", "network-caching", "osd", "plugins-cache", "quiet", "snapshot-preview", "spu",
    "stats",
    "sub-autodetect-file", "verbose", "video", "video-title-show", "vout",
  ]
  public func retainInstance(_ instance: NativeInstance) { objects.retain(find(instance)) }
  public func releaseInstance(_ instance: NativeInstance) { release(find(instance)) }
  func release(_ instance: SimulatedInstance) {
    if objects.release(instance) { objects.remove(instance) }
  }
  public func setUserAgent(_ instance: NativeInstance, name: String, http: String) { _ = find(instance) }
  public func setAppID(_ instance: NativeInstance, id: String, version: String, icon: String) {
    _ = find(instance)
  }
  public func audioFilters(_ instance: NativeInstance) -> [NativeModule] {
    [NativeModule(name: "equalizer", shortName: "Equalizer", longName: "Equalizer with 10 bands", help: nil)]
  }
  public func videoFilters(_ instance: NativeInstance) -> [NativeModule] {
    [
      NativeModule(name: "adjust", shortName: "Image adjust", longName: "Image properties filter", help: nil)
    ]
  }
  static let outputs = [
    NativeNamed(name: "alsa", description: "ALSA audio output"),
    NativeNamed(name: "adummy", description: "Dummy audio output"),
    NativeNamed(name: "amem", description: "Audio memory output"),
  ]
  public func audioOutputs(_ instance: NativeInstance) -> [NativeNamed] { Self.outputs }
  public func audioOutputDevices(_ instance: NativeInstance, output: String) -> [NativeNamed] {
    demand(.audioDeviceLists)
    return []
  }

  // MARK: Log (S17)

  public func setLog(_ instance: NativeInstance, context: UnsafeMutablePointer<NativeLogContext>) {
    let instance = find(instance)
    let opaque = context.pointee.opaque
    options.observer?(.given(instance.identifier, context: opaque))
    instance.logLock.withLock {
      instance.state.read { state in
        state.log = context
        state.logOpaque = opaque
      }
    }
  }
  public func unsetLog(_ instance: NativeInstance) {
    let instance = find(instance)
    instance.logLock.withLock { instance.state.read { $0.log = nil } }
  }
  public func logOrigin(level: Int32, origin: UnsafeRawPointer?) -> NativeLogOrigin {
    let named: NativeLogLevel =
      switch level {
      case 4...: .error
      case 3: .warning
      case 2: .notice
      default: .debug
      }
    return NativeLogOrigin(level: named, module: "main", file: "simulated", line: 1)
  }

  // MARK: Dialogs (S18)

  public func setDialogCallbacks(
    _ instance: NativeInstance, _ callbacks: NativeDialogCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    let instance = find(instance)
    let dialogs = instance.state.read { state -> [SimulatedDialog] in
      state.dialogs = callbacks
      state.dialogOpaque = opaque
      return callbacks == nil ? state.shown : []
    }
    // Without callbacks the library answers for itself: what is shown is declined.
    for dialog in dialogs { dialog.answer.change { if $0 == nil { $0 = .dismissed } } }
  }
  public func dialog(at address: OpaquePointer) -> NativeDialog {
    guard let dialog = objects.find(at: address, as: SimulatedDialog.self) else {
      misuse("a dialog at an address where none is")
    }
    return dialog.reference()
  }
  public func dialogSeverity(raw: UInt32) -> NativeDialogSeverity {
    switch raw {
    case 1: .warning
    case 2: .critical
    default: .normal
    }
  }
  public func postLogin(_ dialog: NativeDialog, userName: String, password: String, store: Bool) -> Bool {
    answer(dialog, .login(userName: userName, password: password))
  }
  public func postAction(_ dialog: NativeDialog, action: Int) -> Bool { answer(dialog, .action(action)) }
  public func dismiss(_ dialog: NativeDialog) -> Bool { answer(dialog, .dismissed) }

  private func answer(_ dialog: NativeDialog, _ answer: SimulatedDialog.Answer) -> Bool {
    let dialog = objects.find(dialog, as: SimulatedDialog.self, "an answer")
    return dialog.answer.change { known in
      guard known == nil else { return false }
      known = answer
      return true
    }
  }
}

extension SimulatedInstance {
  /// Gives a line to the host, on whatever thread it comes from.
  func log(_ level: Int32, _ message: String) {
    guard state.read({ $0.log }) != nil else { return }
    logLock.withLock {
      guard let context = state.read({ $0.log }) else { return }
      // What was freed holds something else.
      guard context.pointee.opaque == state.read({ $0.logOpaque }) else {
        misuse("a line is logged to a context that is freed while its log is installed")
      }
      observer?(.reading(context: context.pointee.opaque))
      message.withCString { context.pointee.function?(context.pointee.opaque, level, nil, $0) }
    }
  }
}

/// A dialog that waits for an answer.
final class SimulatedDialog: SimulatedObject, @unchecked Sendable {
  enum Answer: Equatable {
    case login(userName: String, password: String)
    case action(Int)
    case dismissed
    /// The input was told to end.
    case interrupted
  }
  let answer = Monitor<Answer?>(nil)
  init() { super.init("dialog") }
}

extension SimulatedLibrary {
  /// Shows a dialog and waits for its answer; nil where nobody can be asked. S18: an order to stop cancels what is shown, and still
  /// waits until it is dismissed.
  func ask(
    _ instance: SimulatedInstance, _ input: Input,
    _ show: (UnsafeMutableRawPointer?, OpaquePointer, NativeDialogCallbacks) -> Void
  ) -> SimulatedDialog.Answer? {
    let (callbacks, opaque) = instance.state.read { ($0.dialogs, $0.dialogOpaque) }
    guard let callbacks else { return nil }
    let dialog = objects.add(SimulatedDialog())
    instance.state.read { $0.shown.append(dialog) }
    show(opaque, dialog.pointer, callbacks)
    var answer: SimulatedDialog.Answer?
    var isCancelled = false
    while answer == nil {
      answer = dialog.answer.wait(for: .milliseconds(10)) { $0 }
      if answer == nil, input.isStopping, !isCancelled {
        isCancelled = true
        callbacks.cancel(opaque, dialog.pointer)
      }
    }
    instance.state.read { state in state.shown.removeAll { $0 === dialog } }
    if objects.release(dialog) { objects.remove(dialog) }
    return isCancelled ? .interrupted : answer
  }

  // MARK: Equalizers

  func find(_ equalizer: NativeEqualizer, _ call: StaticString = #function) -> SimulatedEqualizer {
    objects.find(equalizer, as: SimulatedEqualizer.self, call)
  }
  public var equalizerPresetCount: Int { EqualizerPreset.all.count }
  public func equalizerPresetName(_ preset: Int) -> String? {
    EqualizerPreset.all.indices.contains(preset) ? EqualizerPreset.all[preset].name : nil
  }
  public var equalizerBandCount: Int { EqualizerPreset.frequencies.count }
  public func equalizerBandFrequency(_ band: Int) -> Float {
    EqualizerPreset.frequencies.indices.contains(band) ? EqualizerPreset.frequencies[band] : -1
  }
  public func newEqualizer(preset: Int?) -> NativeEqualizer? {
    guard let preset else { return objects.add(SimulatedEqualizer(EqualizerPreset.none)).reference() }
    guard EqualizerPreset.all.indices.contains(preset) else { return nil }
    return objects.add(SimulatedEqualizer(EqualizerPreset.all[preset])).reference()
  }
  public func releaseEqualizer(_ equalizer: NativeEqualizer) {
    let equalizer = find(equalizer)
    if objects.release(equalizer) { objects.remove(equalizer) }
  }
  public func equalizerPreamp(_ equalizer: NativeEqualizer) -> Float {
    find(equalizer).gains.read { $0.preamp }
  }
  public func setEqualizerPreamp(_ equalizer: NativeEqualizer, _ gain: Float) -> Bool {
    find(equalizer).gains.read { $0.preamp = min(max(gain, -20), 20) }
    return true
  }
  public func equalizerGain(_ equalizer: NativeEqualizer, band: Int) -> Float {
    find(equalizer).gains.read { $0.bands.indices.contains(band) ? $0.bands[band] : .nan }
  }
  public func setEqualizerGain(_ equalizer: NativeEqualizer, band: Int, _ gain: Float) -> Bool {
    find(equalizer).gains.read { gains in
      guard gains.bands.indices.contains(band) else { return false }
      gains.bands[band] = min(max(gain, -20), 20)
      return true
    }
  }
}

final class SimulatedEqualizer: SimulatedObject, @unchecked Sendable {
  let gains: Monitor<EqualizerPreset>
  init(_ preset: EqualizerPreset) {
    gains = Monitor(preset)
    super.init("equalizer")
  }
}

/// The presets of libVLC 3.0, in decibels.
struct EqualizerPreset {
  let name: String
  var preamp: Float
  var bands: [Float]

  init(_ name: String, _ preamp: Float, _ bands: [Float]) {
    (self.name, self.preamp, self.bands) = (name, preamp, bands)
  }

  /// In hertz.
  static let frequencies: [Float] = [31.25, 62.5, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000]
  static let none = EqualizerPreset("", 0, [Float](repeating: 0, count: 10))
  static let all: [EqualizerPreset] = [
    EqualizerPreset("Flat", 12, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    EqualizerPreset("Classical", 12, [0, 0, 0, 0, 0, 0, -7.2, -7.2, -7.2, -9.6]),
    EqualizerPreset("Club", 6, [0, 0, 8, 5.6, 5.6, 5.6, 3.2, 0, 0, 0]),
    EqualizerPreset("Dance", 5, [9.6, 7.2, 2.4, 0, 0, -5.6, -7.2, -7.2, 0, 0]),
    EqualizerPreset("Full bass", 5, [-8, 9.6, 9.6, 5.6, 1.6, -4, -8, -10.4, -11.2, -11.2]),
    EqualizerPreset("Full bass and treble", 4, [7.2, 5.6, 0, -7.2, -4.8, 1.6, 8, 11.2, 12, 12]),
    EqualizerPreset("Full treble", 3, [-9.6, -9.6, -9.6, -4, 2.4, 11.2, 16, 16, 16, 16.8]),
    EqualizerPreset("Headphones", 4, [4.8, 11.2, 5.6, -3.2, -2.4, 1.6, 4.8, 9.6, 12.8, 14.4]),
    EqualizerPreset("Large Hall", 5, [10.4, 10.4, 5.6, 5.6, 0, -4.8, -4.8, -4.8, 0, 0]),
    EqualizerPreset("Live", 7, [-4.8, 0, 4, 5.6, 5.6, 5.6, 4, 2.4, 2.4, 2.4]),
    EqualizerPreset("Party", 6, [7.2, 7.2, 0, 0, 0, 0, 0, 0, 7.2, 7.2]),
    EqualizerPreset("Pop", 6, [-1.6, 4.8, 7.2, 8, 5.6, 0, -2.4, -2.4, -1.6, -1.6]),
    EqualizerPreset("Reggae", 8, [0, 0, 0, -5.6, 0, 6.4, 6.4, 0, 0, 0]),
    EqualizerPreset("Rock", 5, [8, 4.8, -5.6, -8, -3.2, 4, 8.8, 11.2, 11.2, 11.2]),
    EqualizerPreset("Ska", 6, [-2.4, -4.8, -4, 0, 4, 5.6, 8.8, 9.6, 11.2, 9.6]),
    EqualizerPreset("Soft", 5, [4.8, 1.6, 0, -2.4, 0, 4, 8, 9.6, 11.2, 12]),
    EqualizerPreset("Soft rock", 7, [4, 4, 2.4, 0, -4, -5.6, -3.2, 0, 2.4, 8.8]),
    EqualizerPreset("Techno", 5, [8, 5.6, 0, -5.6, -4.8, 0, 8, 9.6, 9.6, 8.8]),
  ]
}
