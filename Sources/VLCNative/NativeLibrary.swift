/// libVLC as the engine sees it: one requirement a call, C-shaped, nothing retained behind the caller's back.
///
/// The real library conforms, and a simulated one. Rules for both sides:
///
/// - A requirement is one libVLC call. Its lifetime rules, its threads and what it waits for are libVLC's.
/// - Callbacks are C function pointers with an opaque context. Whoever sets them owns the context, and frees it
///   only when nothing can call any more.
/// - Requirements whose name begins with `new`, and those that say so, return an object that the caller owns and
///   gives back with the matching `release`.
/// - Calling a requirement whose capability is absent traps.
public protocol NativeLibrary: Sendable, NativeInstanceCalls, NativeLogCalls, NativeDialogCalls,
  NativeEventCalls,
  NativeMediaCalls, NativePlayerCalls, NativePlayerTimeCalls, NativePlayerTrackCalls, NativePlayerTitleCalls,
  NativePlayerVideoCalls, NativePlayerAudioCalls, NativeEqualizerCalls, NativeListCalls, NativeDiscoveryCalls
{
  /// What this library can do; constant for the life of the process.
  var capabilities: NativeCapabilities { get }
}

extension NativeLibrary {
  /// Traps with both the requirement and the capability in the message: a call that was not to be made.
  func absent(_ capability: NativeCapabilities, _ requirement: StaticString = #function) -> Never {
    preconditionFailure(
      "\(requirement) needs \(capability), which this libVLC has not: ask `capabilities` first")
  }
}
