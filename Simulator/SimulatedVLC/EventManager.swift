import Foundation
import VLCNative

/// What a callback is given, good during the call.
struct RawEvent {
  let event: NativeEvent
  /// Of a thumbnail.
  let picture: [UInt8]?
}

/// An object's listeners.
///
/// R3: one recursive lock is held over a whole dispatch, the callbacks included, so that attach and detach wait for it. R4: detach
/// is a barrier therefore. R5: what is not attached cannot be detached; the same may be attached twice. R6: in the order of
/// attaching; who detaches itself has the next one skipped, and who is attached inside a callback is called in the same dispatch.
final class EventManager: @unchecked Sendable {
  private struct Listener {
    let kind: NativeEventKind
    let callback: NativeEventCallback
    let context: UnsafeMutableRawPointer?

    func isSame(_ other: Listener) -> Bool {
      kind == other.kind && context == other.context
        && unsafeBitCast(callback, to: Int.self) == unsafeBitCast(other.callback, to: Int.self)
    }
  }
  private let lock = NSRecursiveLock()
  private var listeners: [Listener] = []
  private var identifier = NativeIdentifier(number: 0)
  private var faults: Faults?
  private var observer: SimulatedObserver?

  /// Before anybody else has its object.
  func prepare(_ identifier: NativeIdentifier, _ faults: Faults, _ observer: SimulatedObserver?) {
    (self.identifier, self.faults, self.observer) = (identifier, faults, observer)
  }

  func attach(
    _ kind: NativeEventKind, _ callback: NativeEventCallback, _ context: UnsafeMutableRawPointer?
  ) {
    lock.withLock {
      observer?(.attached(identifier, kind, context: context))
      listeners.append(Listener(kind: kind, callback: callback, context: context))
    }
  }

  func detach(
    _ kind: NativeEventKind, _ callback: NativeEventCallback, _ context: UnsafeMutableRawPointer?
  ) {
    let gone = Listener(kind: kind, callback: callback, context: context)
    lock.withLock {
      guard let place = listeners.firstIndex(where: { $0.isSame(gone) }) else {
        misuse("detach of a listener for \(kind) that is not attached")
      }
      listeners.remove(at: place)
      observer?(.detached(identifier, kind, context: context))
    }
  }

  func send(_ event: NativeEvent, picture: [UInt8]? = nil) {
    let kind = event.kind
    let raw = RawEvent(event: event, picture: picture)
    lock.withLock {
      var place = 0
      while place < listeners.count {
        let listener = listeners[place]
        if listener.kind == kind {
          if faults?.fires(.eventIsDelayed) == true { Thread.sleep(forTimeInterval: 0.05) }
          observer?(.delivering(event, identifier, context: listener.context))
          withUnsafePointer(to: raw) { listener.callback($0, listener.context) }
        }
        place += 1
      }
    }
  }
}

extension NativeEvent {
  /// What has to be attached for it.
  var kind: NativeEventKind {
    switch self {
    case .mediaMetadataChanged: .mediaMetadataChanged
    case .mediaSubItemAdded: .mediaSubItemAdded
    case .mediaDurationChanged: .mediaDurationChanged
    case .mediaParsedChanged: .mediaParsedChanged
    case .mediaStateChanged: .mediaStateChanged
    case .mediaSubItemTreeAdded: .mediaSubItemTreeAdded
    case .mediaThumbnailGenerated: .mediaThumbnailGenerated
    case .mediaChanged: .mediaChanged
    case .nothingSpecial: .nothingSpecial
    case .opening: .opening
    case .buffering: .buffering
    case .playing: .playing
    case .paused: .paused
    case .stopped: .stopped
    case .stopping: .stopping
    case .mediaStopping: .mediaStopping
    case .endReached: .endReached
    case .encounteredError: .encounteredError
    case .timeChanged: .timeChanged
    case .positionChanged: .positionChanged
    case .lengthChanged: .lengthChanged
    case .seekableChanged: .seekableChanged
    case .pausableChanged: .pausableChanged
    case .titleChanged: .titleChanged
    case .titleListChanged: .titleListChanged
    case .titleSelectionChanged: .titleSelectionChanged
    case .chapterChanged: .chapterChanged
    case .snapshotTaken: .snapshotTaken
    case .videoOutputs: .videoOutputs
    case .scrambledChanged: .scrambledChanged
    case .elementaryStreamAdded: .elementaryStreamAdded
    case .elementaryStreamDeleted: .elementaryStreamDeleted
    case .elementaryStreamSelected: .elementaryStreamSelected
    case .elementaryStreamUpdated: .elementaryStreamUpdated
    case .corked: .corked
    case .uncorked: .uncorked
    case .muted: .muted
    case .unmuted: .unmuted
    case .audioVolume: .audioVolume
    case .audioDevice: .audioDevice
    case .recordingChanged: .recordingChanged
    case .programAdded: .programAdded
    case .programDeleted: .programDeleted
    case .programSelected: .programSelected
    case .programUpdated: .programUpdated
    case .listItemAdded: .listItemAdded
    case .listWillAddItem: .listWillAddItem
    case .listItemDeleted: .listItemDeleted
    case .listWillDeleteItem: .listWillDeleteItem
    case .listEndReached: .listEndReached
    case .listPlayerPlayed: .listPlayerPlayed
    case .listPlayerNextItemSet: .listPlayerNextItemSet
    case .listPlayerStopped: .listPlayerStopped
    case .rendererItemAdded: .rendererItemAdded
    case .rendererItemDeleted: .rendererItemDeleted
    case .unknown: .nothingSpecial
    }
  }
}
