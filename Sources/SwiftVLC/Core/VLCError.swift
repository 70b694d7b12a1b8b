public import VLCNative

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Everything that this library can fail with; each description says what to do next.
public enum VLCError: Error, Equatable, Hashable, Sendable, LocalizedError, CustomStringConvertible {
  /// libVLC could not be started; the reason names what is missing.
  case instanceCreationFailed(reason: String)
  /// No native media could be made of the source.
  case mediaCreationFailed(source: String)
  /// Playback could not be started.
  case playbackFailed(reason: String)
  /// The media could not be parsed.
  case parseFailed(reason: String)
  /// The media was not parsed within the given time.
  case parseTimeout
  /// No track has this identifier.
  case trackNotFound(id: String)
  /// The renderer could not be set.
  case rendererFailed(reason: String)
  /// The operation does not go with the present state.
  case invalidState(String)
  /// An argument is outside its documented range.
  case invalidInput(String)
  /// The system's libVLC refused or failed.
  case operationFailed(String)
  /// The system's libVLC lacks the named capability; `VLCInstance.capabilities` says so beforehand.
  case unsupported(NativeCapabilities)
  /// The calling task was cancelled. Cancelled is not timed out.
  case cancelled

  public var description: String {
    switch self {
    case .instanceCreationFailed(let reason): "libVLC could not be started: \(reason)"
    case .mediaCreationFailed(let source):
      "No media could be made of \"\(source)\": give the path of a file or a location such as https://host/file."
    case .playbackFailed(let reason): "Playback could not be started: \(reason)"
    case .parseFailed(let reason): "The media could not be parsed: \(reason)"
    case .parseTimeout:
      "The media was not parsed within the given time: try again with a longer timeout, or play it without parsing."
    case .trackNotFound(let id):
      "There is no track \"\(id)\": choose one of the player's tracks of now, which change with the media."
    case .rendererFailed(let reason): "The renderer could not be set: \(reason)"
    case .invalidState(let reason), .invalidInput(let reason), .operationFailed(let reason): reason
    case .unsupported(let capability):
      "The system's libVLC lacks \(capability): check VLCInstance.capabilities before, or install a newer libVLC."
    case .cancelled: "The operation was cancelled: call it again if its result is still wanted."
    }
  }

  public var errorDescription: String? { description }
}

extension VLCError {
  /// The reason of `instanceCreationFailed`; nil for another error.
  public var instanceCreationFailed: String? {
    if case .instanceCreationFailed(let reason) = self { reason } else { nil }
  }
  /// The source of `mediaCreationFailed`; nil for another error.
  public var mediaCreationFailed: String? {
    if case .mediaCreationFailed(let source) = self { source } else { nil }
  }
  /// The reason of `playbackFailed`; nil for another error.
  public var playbackFailed: String? {
    if case .playbackFailed(let reason) = self { reason } else { nil }
  }
  /// The reason of `parseFailed`; nil for another error.
  public var parseFailed: String? {
    if case .parseFailed(let reason) = self { reason } else { nil }
  }
  /// An empty value for `parseTimeout`, which has no payload; nil for another error.
  public var parseTimeout: Void? { self == .parseTimeout ? () : nil }
  /// The identifier of `trackNotFound`; nil for another error.
  public var trackNotFound: String? {
    if case .trackNotFound(let id) = self { id } else { nil }
  }
  /// The reason of `rendererFailed`; nil for another error.
  public var rendererFailed: String? {
    if case .rendererFailed(let reason) = self { reason } else { nil }
  }
  /// The sentence of `invalidState`; nil for another error.
  public var invalidState: String? {
    if case .invalidState(let reason) = self { reason } else { nil }
  }
  /// The sentence of `invalidInput`; nil for another error.
  public var invalidInput: String? {
    if case .invalidInput(let reason) = self { reason } else { nil }
  }
  /// The sentence of `operationFailed`; nil for another error.
  public var operationFailed: String? {
    if case .operationFailed(let reason) = self { reason } else { nil }
  }
  /// The capability of `unsupported`; nil for another error.
  public var unsupported: NativeCapabilities? {
    if case .unsupported(let capability) = self { capability } else { nil }
  }
  /// An empty value for `cancelled`, which has no payload; nil for another error.
  public var cancelled: Void? { self == .cancelled ? () : nil }
}
