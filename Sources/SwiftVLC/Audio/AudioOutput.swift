import VLCNative

/// A module of libVLC that plays sound, such as ALSA's.
public struct AudioOutput: Hashable, Sendable {
  /// The name for calls, such as "alsa".
  public let name: String
  /// The name for people.
  public let description: String
}

/// A device of an audio output.
public struct AudioDevice: Hashable, Sendable {
  /// The name for calls.
  public let id: String
  /// The name for people.
  public let description: String
}

extension VLCInstance {
  /// The audio outputs that this libVLC has a module for, whether or not the machine has a sound card.
  public func audioOutputs() -> [AudioOutput] {
    library.audioOutputs(native).map { AudioOutput(name: $0.name, description: $0.description ?? $0.name) }
  }
}
