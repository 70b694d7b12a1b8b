import Foundation
import VLCNative

/// Tracks, slaves and chapters: S10.
let trackRules: [Rule] = [
  Rule("S10.select", "A track that is selected is told by the input thread.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let numbers = stage.library.trackDescriptions(player, .audio).map(\.number)
    try stage.expect(numbers.count == 4 && numbers[0] == -1, "none and three tracks, not \(numbers)")
    let mark = stage.mark
    let call = stage.call("set_track") { stage.library.selectTrack(player, .audio, number: numbers[2]) }
    try stage.expect(call.result, "the answer")
    let selected = try stage.wait(for: .elementaryStreamSelected(.audio, number: numbers[2]), from: mark)
    try stage.expect(selected.lane, is: stage.wait(for: .playing).lane, "the lane")
    try stage.expect(stage.library.selectedTrack(player, .audio), is: numbers[2], "the selected track")
  },
  Rule("S10.none", "Track -1 selects none.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let mark = stage.mark
    let call = stage.call("set_track") { stage.library.selectTrack(player, .audio, number: -1) }
    try stage.expect(call.result, "the answer")
    try stage.wait(for: .elementaryStreamSelected(.audio, number: nil), from: mark)
    try stage.expect(stage.library.selectedTrack(player, .audio), is: -1, "the selected track")
  },
  Rule("S10.unknown", "A track that is not there is refused and nothing is told.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    let selected = stage.library.selectedTrack(player, .audio)
    let mark = stage.mark
    let call = stage.call("set_track") { stage.library.selectTrack(player, .audio, number: 99) }
    try stage.expect(call.result, is: false, "the answer")
    // The input would tell it before the pause.
    stage.setPause(player, true)
    try stage.wait(for: .paused, from: mark)
    let told = stage.events(from: call.begin).contains { event in
      if case .elementaryStreamSelected(.audio, _) = event { true } else { false }
    }
    try stage.expect(!told, "no selection")
    try stage.expect(stage.library.selectedTrack(player, .audio), is: selected, "the selected track")
  },
  Rule("S10.slave", "A subtitle that is added is a new track, which is selected.") { stage in
    stage.arguments += ["--spu"]
    let (player, _) = try stage.playing("h264_aac.mkv")
    let uri = URL(fileURLWithPath: stage.harness.media.path("captions/lorem.srt")).absoluteString
    let call = stage.call("add_slave") {
      stage.library.addSlave(player, .subtitle, uri: uri, select: true)
    }
    try stage.expect(call.result, "the answer")
    let added = try stage.wait(for: "a text track") {
      if case .elementaryStreamAdded(.text, _?) = $0 { true } else { false }
    }
    guard case .event(_, .elementaryStreamAdded(.text, let number)) = added.content else { return }
    try stage.wait(for: .elementaryStreamSelected(.text, number: number), from: added.number)
  },
  Rule("S10.video", "Without a video track there is no output, and with one again there is one again.") {
    stage in
    let (player, _) = try stage.playing("tour.mkv")
    let shown = stage.library.selectedTrack(player, .video)
    try stage.wait(for: .videoOutputs(1))
    try stage.waitForTime()
    var mark = stage.mark
    _ = stage.library.selectTrack(player, .video, number: -1)
    let gone = try stage.wait(for: .videoOutputs(0), from: mark)
    try stage.expect(gone.lane, is: stage.wait(for: .playing).lane, "the lane")
    mark = gone.number
    _ = stage.library.selectTrack(player, .video, number: shown)
    try stage.wait(for: .videoOutputs(1), from: mark)
  },
  Rule("S10.chapter", "The next chapter buffers, and tells chapter and title, the chapter twice.") { stage in
    let (player, _) = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let mark = stage.mark
    stage.call("next_chapter") { stage.library.showNextChapter(player) }
    try stage.wait(until: "two chapters") { entries in
      entries.dropFirst(mark).events().filter { $0 == .chapterChanged(1) }.count >= 2 ? true : nil
    }
    let told = stage.events(from: mark).filter { event in
      switch event {
      case .titleChanged, .chapterChanged: true
      default: false
      }
    }
    try stage.expect(
      Array(told.prefix(3)), is: [.chapterChanged(1), .titleChanged(0), .chapterChanged(1)], "the order")
    try stage.expect(stage.events(from: mark).bufferings.contains(0), "it buffers")
  },
  Rule("S10.title", "A media with chapters tells its title before and after Playing.") { stage in
    _ = try stage.playing("tour.mkv")
    try stage.waitForTime()
    let playing = try stage.wait(for: .playing).number
    try stage.expect(stage.wait(for: .titleChanged(0)).number < playing, "before")
    try stage.wait(for: .chapterChanged(0), from: playing)
  },
]
