import VLCNative

/// What a call answers.
protocol Falsifiable {
  /// Another answer than this.
  var falsified: Self { get }
  /// That of a call that was not made: that all is well, where it can say so.
  static var unmade: Self { get }
}

/// That of a call without one.
struct Nothing: Falsifiable {
  var falsified: Nothing { self }
  static var unmade: Nothing { Nothing() }
}

extension Bool: Falsifiable {
  var falsified: Bool { !self }
  static var unmade: Bool { true }
}

extension Falsifiable where Self: Numeric {
  var falsified: Self { self + 1_000 }
  static var unmade: Self { 0 }
}
extension Int: Falsifiable {}
extension Int64: Falsifiable {}
extension Float: Falsifiable {}
extension Double: Falsifiable {}

extension Optional: Falsifiable {
  var falsified: Wrapped? { self == nil ? "a lie" as? Wrapped ?? true as? Wrapped : nil }
  static var unmade: Wrapped? { nil }
}

extension Array: Falsifiable {
  var falsified: [Element] { [] }
  static var unmade: [Element] { [] }
}

extension NativeState: Falsifiable {
  var falsified: NativeState { .buffering }
  static var unmade: NativeState { .nothingSpecial }
}

extension NativeParsedStatus: Falsifiable {
  var falsified: NativeParsedStatus { .cancelled }
  static var unmade: NativeParsedStatus { .none }
}

extension Set: Falsifiable where Element: CaseIterable {
  var falsified: Set { Set(Element.allCases).subtracting(self) }
  static var unmade: Set { [] }
}

extension NativeABLoop: Falsifiable {
  var falsified: NativeABLoop { NativeABLoop(aMilliseconds: 1, bMilliseconds: 2) }
  static var unmade: NativeABLoop { NativeABLoop(aMilliseconds: nil, bMilliseconds: nil) }
}

extension NativeMixMode: Falsifiable {
  var falsified: NativeMixMode { self == .unset ? .binaural : .unset }
  static var unmade: NativeMixMode { .unset }
}

extension NativeEvent {
  /// Another of its kind, where the kind has several.
  var garbled: NativeEvent {
    switch self {
    case .mediaMetadataChanged(let key): .mediaMetadataChanged(key == .title ? .artist : .title)
    case .mediaDurationChanged(let duration): .mediaDurationChanged(duration + 1)
    case .mediaParsedChanged: .mediaParsedChanged(.cancelled)
    case .mediaStateChanged: .mediaStateChanged(.buffering)
    case .mediaChanged: .mediaChanged(nil)
    case .buffering(let part): .buffering(100 - part)
    case .mediaStopping: .mediaStopping(.user)
    case .timeChanged(let time): .timeChanged(-time - 1)
    case .positionChanged(let position): .positionChanged(-position - 1)
    case .lengthChanged(let length): .lengthChanged(length + 1)
    case .seekableChanged(let isSeekable): .seekableChanged(!isSeekable)
    case .pausableChanged(let isPausable): .pausableChanged(!isPausable)
    case .titleChanged(let title): .titleChanged(title + 1)
    case .titleSelectionChanged(let title): .titleSelectionChanged(title + 1)
    case .chapterChanged(let chapter): .chapterChanged(chapter + 1)
    case .snapshotTaken: .snapshotTaken(nil)
    case .videoOutputs(let count): .videoOutputs(count + 1)
    case .scrambledChanged(let isScrambled): .scrambledChanged(!isScrambled)
    case .elementaryStreamAdded(let type, let number):
      .elementaryStreamAdded(type, number: (number ?? -1) + 1)
    case .elementaryStreamDeleted(let type, let number):
      .elementaryStreamDeleted(type, number: (number ?? -1) + 1)
    case .elementaryStreamSelected(let type, let number):
      .elementaryStreamSelected(type, number: (number ?? -1) + 1)
    case .elementaryStreamUpdated(let type, let number):
      .elementaryStreamUpdated(type, number: (number ?? -1) + 1)
    case .audioVolume(let volume): .audioVolume(volume + 1)
    case .audioDevice: .audioDevice("another")
    case .recordingChanged(let isRecording, let path):
      .recordingChanged(isRecording: !isRecording, path: path)
    case .programAdded(let number): .programAdded(number + 1)
    case .programDeleted(let number): .programDeleted(number + 1)
    case .programSelected(let unselected, let selected):
      .programSelected(unselected: selected, selected: unselected)
    case .programUpdated(let number): .programUpdated(number + 1)
    case .listItemAdded(let media, let index): .listItemAdded(media, index: index + 1)
    case .listWillAddItem(let media, let index): .listWillAddItem(media, index: index + 1)
    case .listItemDeleted(let media, let index): .listItemDeleted(media, index: index + 1)
    case .listWillDeleteItem(let media, let index): .listWillDeleteItem(media, index: index + 1)
    case .mediaSubItemAdded, .mediaSubItemTreeAdded, .mediaThumbnailGenerated, .nothingSpecial, .opening,
      .playing, .paused, .stopped, .stopping, .endReached, .encounteredError, .titleListChanged, .corked,
      .uncorked, .muted, .unmuted, .listEndReached, .listPlayerPlayed, .listPlayerNextItemSet,
      .listPlayerStopped, .rendererItemAdded, .rendererItemDeleted, .unknown:
      self
    }
  }
}
