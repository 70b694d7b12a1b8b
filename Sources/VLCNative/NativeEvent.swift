/// Where an event comes from: each native object of these kinds has an event manager of its own.
public enum NativeEventSource: Hashable, Sendable {
  case player(NativePlayer)
  case media(NativeMedia)
  case mediaList(NativeMediaList)
  case listPlayer(NativeListPlayer)
  case rendererDiscoverer(NativeRendererDiscoverer)
}

/// What can be listened to. Which of these a library has, its `eventKinds` say.
public enum NativeEventKind: Hashable, Sendable, CaseIterable {
  // A media's.
  case mediaMetadataChanged, mediaSubItemAdded, mediaDurationChanged, mediaParsedChanged
  case mediaStateChanged, mediaSubItemTreeAdded, mediaThumbnailGenerated
  // A player's.
  case mediaChanged, nothingSpecial, opening, buffering, playing, paused, stopped, stopping
  case mediaStopping, endReached, encounteredError, timeChanged, positionChanged, lengthChanged
  case seekableChanged, pausableChanged, titleChanged, titleListChanged, titleSelectionChanged
  case chapterChanged, snapshotTaken, videoOutputs, scrambledChanged
  case elementaryStreamAdded, elementaryStreamDeleted, elementaryStreamSelected
  case elementaryStreamUpdated, corked, uncorked, muted, unmuted, audioVolume, audioDevice
  case recordingChanged, programAdded, programDeleted, programSelected, programUpdated
  // A media list's.
  case listItemAdded, listWillAddItem, listItemDeleted, listWillDeleteItem, listEndReached
  // A list player's.
  case listPlayerPlayed, listPlayerNextItemSet, listPlayerStopped
  // A renderer discoverer's.
  case rendererItemAdded, rendererItemDeleted

  /// The kinds that a player sends.
  public static let ofPlayers: [NativeEventKind] = Array(
    allCases[allCases.firstIndex(of: .mediaChanged)!...allCases.firstIndex(of: .programUpdated)!])
}

/// One native event, decoded and copied on the thread that delivered it.
///
/// Media and renderer items in an event are names without a count: hold what is to outlive the callback,
/// inside the callback.
public enum NativeEvent: Hashable, Sendable {
  case mediaMetadataChanged(NativeMetadataKey?)
  case mediaSubItemAdded(NativeMedia)
  /// In milliseconds.
  case mediaDurationChanged(Int64)
  case mediaParsedChanged(NativeParsedStatus)
  case mediaStateChanged(NativeState)
  case mediaSubItemTreeAdded(NativeMedia)
  case mediaThumbnailGenerated

  case mediaChanged(NativeMedia?)
  case nothingSpecial
  case opening
  /// In percent, 0…100.
  case buffering(Float)
  case playing
  case paused
  case stopped
  case stopping
  case mediaStopping(NativeStopReason)
  case endReached
  case encounteredError
  /// In milliseconds.
  case timeChanged(Int64)
  /// 0…1.
  case positionChanged(Double)
  /// In milliseconds.
  case lengthChanged(Int64)
  case seekableChanged(Bool)
  case pausableChanged(Bool)
  case titleChanged(Int)
  case titleListChanged
  case titleSelectionChanged(Int)
  case chapterChanged(Int)
  case snapshotTaken(String?)
  case videoOutputs(Int)
  case scrambledChanged(Bool)
  /// 3.0 sends a few with number -1 before the real ones: `number` is nil for these.
  case elementaryStreamAdded(NativeTrackType, number: Int?)
  case elementaryStreamDeleted(NativeTrackType, number: Int?)
  case elementaryStreamSelected(NativeTrackType, number: Int?)
  case elementaryStreamUpdated(NativeTrackType, number: Int?)
  case corked
  case uncorked
  case muted
  case unmuted
  /// 1 is nominal; negative when there is no audio output any more.
  case audioVolume(Float)
  case audioDevice(String?)
  case recordingChanged(isRecording: Bool, path: String?)
  case programAdded(Int)
  case programDeleted(Int)
  case programSelected(unselected: Int, selected: Int)
  case programUpdated(Int)

  case listItemAdded(NativeMedia, index: Int)
  case listWillAddItem(NativeMedia, index: Int)
  case listItemDeleted(NativeMedia, index: Int)
  case listWillDeleteItem(NativeMedia, index: Int)
  case listEndReached
  case listPlayerPlayed
  case listPlayerNextItemSet(NativeMedia)
  case listPlayerStopped
  /// The item is to be held inside the callback; compare a deleted one by address with what is held.
  case rendererItemAdded(address: NativeAddress)
  case rendererItemDeleted(address: NativeAddress)
  /// A kind that this seam does not know; a newer library's.
  case unknown
}

/// An address that names nothing by itself: good inside the callback that brought it, or beside a held object.
public struct NativeAddress: Hashable, @unchecked Sendable {
  /// The address as the library gave it.
  public let pointer: OpaquePointer
  /// Wraps an address that a callback brought.
  public init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
