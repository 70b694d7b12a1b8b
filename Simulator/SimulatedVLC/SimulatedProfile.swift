public import VLCNative

/// Which libVLC is simulated. What differs between the two is 1.2 and 5 of the contract; the rules of 4.0 have names that begin
/// with "4.".
public enum SimulatedProfile: Sendable, Hashable, CaseIterable {
  /// 3.0.24.
  case libVLC3
  /// A 4.0.0-dev of April 2024, and of what it lacked the functions of newer headers.
  case libVLC4

  /// What it can do; what is not here traps.
  public var capabilities: NativeCapabilities {
    switch self {
    case .libVLC3: [.joiningTransport, .endEvent, .trackDescriptions, .audioDeviceLists, .cropGeometry]
    case .libVLC4:
      [
        .asynchronousStop, .stopReason, .seekAcknowledgement, .relativeSeek, .trackLists, .thumbnails,
        .recording,
        .abLoop, .programs, .mixMode, .playerTimer, .subtitleTextScale, .callbackMediaParsing,
      ]
    }
  }

  /// What can be listened to (1 of the contract: which events went, and which came).
  public var eventKinds: Set<NativeEventKind> {
    switch self {
    case .libVLC3: Self.eventKindsOf3
    case .libVLC4: Self.eventKindsOf4
    }
  }
  private static let eventKindsOf3 = Set(NativeEventKind.allCases).subtracting([
    .mediaThumbnailGenerated, .stopping, .mediaStopping, .titleListChanged, .titleSelectionChanged,
    .elementaryStreamUpdated, .recordingChanged, .programAdded, .programDeleted, .programSelected,
    .programUpdated,
  ])
  private static let eventKindsOf4 = Set(NativeEventKind.allCases).subtracting([
    .mediaStateChanged, .endReached, .titleChanged, .scrambledChanged,
  ])

  var version: String {
    switch self {
    case .libVLC3: "3.0.24 Simulated"
    case .libVLC4: "4.0.0-dev Simulated"
    }
  }

  var changeset: String {
    switch self {
    case .libVLC3: "3.0.24-simulated"
    case .libVLC4: "4.0.0-simulated"
    }
  }

  var abiVersion: Int? {
    switch self {
    case .libVLC3: nil
    case .libVLC4: 0
    }
  }
}
