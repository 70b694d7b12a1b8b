public import VLCNative

/// What happens between a library and its host, told on the thread on which it happens, before it does.
///
/// Who is told must not call the library.
public enum SimulatedObservation {
  /// The host calls something of an object, by the requirement's name.
  case called(StaticString, NativeIdentifier)
  /// A listener is attached, and from now on its context may be reached.
  case attached(NativeIdentifier, NativeEventKind, context: UnsafeMutableRawPointer?)
  /// A listener was detached: its callback runs no more.
  case detached(NativeIdentifier, NativeEventKind, context: UnsafeMutableRawPointer?)
  /// A callback is about to be called.
  case delivering(NativeEvent, NativeIdentifier, context: UnsafeMutableRawPointer?)
  /// A media has callbacks of a byte source, or an instance a log, and from now on their context may be reached.
  case given(NativeIdentifier, context: UnsafeMutableRawPointer?)
  /// A byte source is about to be opened, or a line about to be logged.
  case reading(context: UnsafeMutableRawPointer?)
}

/// Who is told of a library's observations.
public typealias SimulatedObserver = @Sendable (SimulatedObservation) -> Void
