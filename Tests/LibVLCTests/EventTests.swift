#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct EventTests {
    @Test func `its kinds are the seam's without those of 4.0`() {
      let absent: Set<NativeEventKind> = [
        .mediaThumbnailGenerated, .stopping, .mediaStopping, .titleListChanged, .titleSelectionChanged,
        .elementaryStreamUpdated, .recordingChanged, .programAdded, .programDeleted, .programSelected,
        .programUpdated,
      ]
      #expect(library.eventKinds == Set(NativeEventKind.allCases).subtracting(absent))
    }

    @Test func `a play to the end tells its states in order, and a stop one more`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let media = try stage.play("h264_aac.mkv")
      try stage.events.wait(for: .stopped)
      let untimed = stage.events.entries.untimed
      #expect(untimed.first == .mediaChanged(media))
      #expect(untimed.states == [.opening, .playing, .endReached, .stopped])
      #expect(library.state(stage.player) == .ended)
      #expect(untimed.contains(.seekableChanged(true)))
      #expect(untimed.contains(.pausableChanged(true)))
      #expect(untimed.contains(.scrambledChanged(false)))
      library.stop(stage.player)
      #expect(stage.events.entries.suffix(2) == [.stopped, .audioVolume(-1)])
    }

    @Test func `tracks come, are selected and go, after three that are none`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("h264_aac.mkv")
      try stage.events.wait(for: .stopped)
      let events = stage.events.entries.untimed
      for type in [NativeTrackType.video, .audio, .text] {
        #expect(events.contains(.elementaryStreamSelected(type, number: nil)))
      }
      let opened = try #require(events.firstIndex(of: .elementaryStreamAdded(.video, number: 0)))
      let closed = try #require(events.firstIndex(of: .elementaryStreamDeleted(.video, number: 0)))
      #expect(opened < closed)
      let sound = try #require(events.firstIndex(of: .elementaryStreamSelected(.audio, number: 1)))
      #expect(opened < sound && sound < closed)
    }

    @Test func `length, time and position agree with the file`() throws {
      let stage = try Stage()
      defer { stage.close() }
      try stage.play("h264_aac.mkv")
      try stage.events.wait(for: .endReached)
      let duration = Int64((MediaFixtures.file("h264_aac.mkv").duration ?? 0) * 1000)
      #expect(stage.events.entries.contains(.lengthChanged(duration)))
      let times = stage.events.entries.compactMap {
        if case .timeChanged(let time) = $0 { time } else { nil }
      }
      let positions = stage.events.entries.compactMap {
        if case .positionChanged(let position) = $0 { position } else { nil }
      }
      #expect(times.count == positions.count)
      #expect(times == times.sorted())
      for (time, position) in zip(times, positions) {
        #expect(abs(Double(time) / Double(duration) - position) < 0.02)
      }
      #expect(stage.events.entries.contains(.buffering(0)))
      #expect(stage.events.entries.contains(.buffering(100)))
    }

    @Test func `a media tells its own events, and its identifier is the one that was set`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let media = try stage.media("base.mp4")
      let recorder = try EventRecorder(.media(media), NativeEventKind.ofMedia)
      try stage.play(media)
      try stage.events.wait(for: .stopped)
      library.stop(stage.player)
      recorder.detach()
      let told = recorder.events.entries
      let states = told.compactMap { if case .mediaStateChanged(let state) = $0 { state } else { nil } }
      #expect(states == [.opening, .playing, .ended, .ended, .stopped])
      #expect(told.contains(.mediaDurationChanged(library.mediaDuration(media))))
      #expect(told.contains(.mediaParsedChanged(.done)))
      #expect(told.contains(.mediaMetadataChanged(.nowPlaying)))
      let changed = try #require(stage.events.entries.first)
      #expect(changed == .mediaChanged(media))
      if case .mediaChanged(let named) = changed { #expect(named?.identifier == media.identifier) }
    }

    // AddressSanitizer keeps freed memory from being used again: there the premise cannot be had.
    @Test(.enabled(if: getenv("ASAN_OPTIONS") == nil))
    func `a new media at an old address has another identifier`() throws {
      try withInstance { instance in
        var addresses: Set<OpaquePointer> = []
        var identifiers: Set<NativeIdentifier> = []
        // Whoever allocates beside this may take an address: until one comes back.
        var made = 0
        while addresses.count == made, made < 5_000 {
          made += 1
          try withMedia(library.newMedia(instance, path: "/a")) { media in
            addresses.insert(media.address)
            identifiers.insert(media.identifier)
          }
        }
        #expect(identifiers.count == made)
        #expect(addresses.count < made, "no address was used again: the test shows nothing")
      }
    }

    @Test func `a listener that is detached hears nothing more`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let recorder = try EventRecorder(.player(stage.player), NativeEventKind.ofPlayers)
      try stage.play("h264_aac.mkv")
      try recorder.events.wait(for: .playing)
      recorder.detach()
      let count = recorder.events.count
      try stage.events.wait(for: .stopped)
      #expect(recorder.events.count == count)
    }

    @Test func `detaching waits for the callback that runs`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let steps = Record<String>()
      let source = NativeEventSource.player(stage.player)
      let context = Unmanaged.passUnretained(steps).toOpaque()
      try #require(library.attach(source, .playing, receiveSlowly, context: context))
      library.setMedia(stage.player, try stage.media("tour.mkv"))
      #expect(library.play(stage.player))
      try steps.wait(for: "enters")
      nonisolated(unsafe) let held = context
      Thread.detachNewThread {
        steps.append("detaches")
        library.detach(source, .playing, receiveSlowly, context: held)
        steps.append("detached")
      }
      try steps.wait(for: "detaches")
      steps.append("opens")
      try steps.wait(for: "detached")
      #expect(steps.entries == ["enters", "detaches", "opens", "leaves", "detached"])
    }

    @Test func `two listeners of one kind hear in the order of their attachment`() throws {
      let stage = try Stage()
      defer { stage.close() }
      let heard = Record<Int>()
      let context = Unmanaged.passUnretained(heard).toOpaque()
      let source = NativeEventSource.player(stage.player)
      #expect(library.attach(source, .mediaChanged, first, context: context))
      #expect(library.attach(source, .mediaChanged, second, context: context))
      library.setMedia(stage.player, try stage.media("base.mp4"))
      #expect(heard.entries == [1, 2])
      library.detach(source, .mediaChanged, first, context: context)
      library.setMedia(stage.player, try stage.media("base.mp4"))
      #expect(heard.entries == [1, 2, 2])
      library.detach(source, .mediaChanged, second, context: context)
    }

    @Test func `a list tells what it adds and removes, before and after`() throws {
      try withInstance { instance in
        let list = try #require(library.newMediaList(instance))
        let recorder = try EventRecorder(.mediaList(list), NativeEventKind.ofLists)
        try withMedia(library.newMedia(instance, path: "/a")) { media in
          library.lockMediaList(list)
          #expect(library.appendMedia(list, media))
          #expect(library.removeMedia(list, at: 0))
          library.unlockMediaList(list)
          #expect(
            recorder.events.entries == [
              .listWillAddItem(media, index: 0), .listItemAdded(media, index: 0),
              .listWillDeleteItem(media, index: 0), .listItemDeleted(media, index: 0),
            ])
        }
        recorder.detach()
        library.releaseMediaList(list)
      }
    }
  }
}

/// Stays inside until the test says "opens".
private let receiveSlowly: NativeEventCallback = { _, context in
  guard let context else { return }
  let steps = Unmanaged<Record<String>>.fromOpaque(context).takeUnretainedValue()
  steps.append("enters")
  try? steps.wait(for: "opens")
  steps.append("leaves")
}

private let first: NativeEventCallback = { _, context in
  guard let context else { return }
  Unmanaged<Record<Int>>.fromOpaque(context).takeUnretainedValue().append(1)
}

private let second: NativeEventCallback = { _, context in
  guard let context else { return }
  Unmanaged<Record<Int>>.fromOpaque(context).takeUnretainedValue().append(2)
}
#endif
