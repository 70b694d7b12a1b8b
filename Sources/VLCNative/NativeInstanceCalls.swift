/// The library itself, its instances, and what an instance lists.
public protocol NativeInstanceCalls {
  /// Such as "3.0.24 Vetinari".
  var version: String { get }
  var compiler: String { get }
  var changeset: String { get }
  /// The version of the binary interface; nil before 4.0.
  var abiVersion: Int? { get }
  /// The library's clock, in microseconds.
  var clock: Int64 { get }

  /// The message of the last failed call on this thread.
  func errorMessage() -> String?
  func clearErrorMessage()

  /// Nil when the library is unusable (no plug-ins) or an argument is unknown.
  func newInstance(arguments: [String]) -> NativeInstance?
  func retainInstance(_ instance: NativeInstance)
  func releaseInstance(_ instance: NativeInstance)
  func setUserAgent(_ instance: NativeInstance, name: String, http: String)
  func setAppID(_ instance: NativeInstance, id: String, version: String, icon: String)
  func audioFilters(_ instance: NativeInstance) -> [NativeModule]
  func videoFilters(_ instance: NativeInstance) -> [NativeModule]
  func audioOutputs(_ instance: NativeInstance) -> [NativeNamed]
  /// The devices of an output without a player. Capability `audioDeviceLists`.
  func audioOutputDevices(_ instance: NativeInstance, output: String) -> [NativeNamed]
}

/// An instance's log. The callback runs on any thread, the caller's own too.
public protocol NativeLogCalls {
  /// Every line goes to the context's function until `unsetLog` returns, which waits for a running callback.
  func setLog(_ instance: NativeInstance, context: UnsafeMutablePointer<NativeLogContext>)
  func unsetLog(_ instance: NativeInstance)
  /// Decodes what a log function was given, inside that call.
  func logOrigin(level: Int32, origin: UnsafeRawPointer?) -> NativeLogOrigin
}

/// An instance's dialogs: one set of callbacks an instance.
public protocol NativeDialogCalls {
  /// Nil removes the callbacks; libVLC then answers its own dialogs.
  func setDialogCallbacks(
    _ instance: NativeInstance, _ callbacks: NativeDialogCallbacks?, opaque: UnsafeMutableRawPointer?)
  /// The dialog at an address that a callback brought, with the identifier that it keeps until it is answered.
  func dialog(at address: OpaquePointer) -> NativeDialog
  func dialogSeverity(raw: UInt32) -> NativeDialogSeverity
  /// Answers and forgets the dialog; true when the library took it.
  func postLogin(_ dialog: NativeDialog, userName: String, password: String, store: Bool) -> Bool
  /// Answers with the first or second action (1 or 2) and forgets the dialog.
  func postAction(_ dialog: NativeDialog, action: Int) -> Bool
  /// Declines and forgets the dialog.
  func dismiss(_ dialog: NativeDialog) -> Bool
}

/// Event managers: a recursive lock each, held over a dispatch, so that attach and detach wait for it.
public protocol NativeEventCalls {
  /// The kinds that this library has.
  var eventKinds: Set<NativeEventKind> { get }
  /// False when the library had no memory for it. The kind must be among `eventKinds`.
  func attach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) -> Bool
  /// A barrier: after it no such callback runs. What is not attached must not be detached: libVLC aborts.
  func detach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?)
  /// Decodes what an event callback was given, inside that call.
  func decode(_ event: UnsafeRawPointer) -> NativeEvent
}
