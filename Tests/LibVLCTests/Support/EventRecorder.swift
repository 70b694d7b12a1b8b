#if LibVLC
import Testing
import VLCNative

/// Receives events on whatever thread the library delivers them, and remembers them in order.
final class EventRecorder: Sendable {
  let source: NativeEventSource
  let kinds: [NativeEventKind]
  let events = Record<NativeEvent>()

  /// Attaches one listener a kind; `detach` must follow, before the source's release.
  init(_ source: NativeEventSource, _ kinds: [NativeEventKind]) throws {
    self.source = source
    self.kinds = kinds.filter(library.eventKinds.contains)
    for kind in self.kinds {
      try #require(
        library.attach(source, kind, receiveEvent, context: Unmanaged.passRetained(events).toOpaque()))
    }
  }

  /// Detaches all; libVLC promises that no callback runs afterwards, so each listener's count is given back.
  func detach() {
    let context = Unmanaged.passUnretained(events)
    for kind in kinds {
      library.detach(source, kind, receiveEvent, context: context.toOpaque())
      context.release()
    }
  }
}

private let receiveEvent: NativeEventCallback = { event, context in
  guard let event, let context else { return }
  Unmanaged<Record<NativeEvent>>.fromOpaque(context).takeUnretainedValue().append(library.decode(event))
}

extension NativeEventKind {
  /// A media's, without thumbnails, which 3.0 has not.
  static let ofMedia: [NativeEventKind] = [
    .mediaMetadataChanged, .mediaSubItemAdded, .mediaDurationChanged, .mediaParsedChanged,
    .mediaStateChanged, .mediaSubItemTreeAdded,
  ]
  static let ofLists: [NativeEventKind] = [
    .listItemAdded, .listWillAddItem, .listItemDeleted, .listWillDeleteItem, .listEndReached,
  ]
  static let ofListPlayers: [NativeEventKind] = [
    .listPlayerPlayed, .listPlayerNextItemSet, .listPlayerStopped,
  ]
}

extension Sequence<NativeEvent> {
  /// Without what comes at a rate of its own: times, positions, buffering.
  var untimed: [NativeEvent] {
    filter {
      switch $0 {
      case .timeChanged, .positionChanged, .buffering: false
      default: true
      }
    }
  }

  /// The events of the player's state alone.
  var states: [NativeEvent] {
    filter {
      switch $0 {
      case .opening, .playing, .paused, .stopped, .endReached, .encounteredError: true
      default: false
      }
    }
  }
}
#endif
