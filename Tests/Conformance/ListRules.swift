import VLCNative

/// Media lists and list players: S13.
let listRules: [Rule] = [
  Rule("S13.play", "play, next and previous tell MediaChanged and then the next item, on the caller.") {
    stage in
    let (listPlayer, items) = try listPlayer(stage, ["tour.mkv", "tour.mkv"])
    let library = stage.library
    let calls: [(String, Int, () -> Bool)] = [
      (
        "list play", 0,
        {
          library.play(listPlayer); return true
        }
      ),
      ("list next", 1, { library.playNext(listPlayer) }),
      ("list previous", 0, { library.playPrevious(listPlayer) }),
    ]
    for (name, item, body) in calls {
      let call = stage.call(name, body)
      try stage.expect(call.result, is: true, "the answer of \(name)")
      try stage.expect(
        call.onCaller.filter { $0.isListEvent }.map(\.content),
        is: [
          .event("player", .mediaChanged(items[item])),
          .event("list player", .listPlayerNextItemSet(items[item])),
        ], "on the caller of \(name)")
      try stage.wait(for: .playing, from: call.begin)
    }
  },
  Rule("S13.last", "next at the end is refused, tells Played, and playback goes on.") { stage in
    try refuse(stage, "list next") { stage.library.playNext($0) }
  },
  Rule("S13.first", "previous at the start is refused, tells Played, and playback goes on.") { stage in
    try refuse(stage, "list previous") { stage.library.playPrevious($0) }
  },
  Rule("S13.afterLast", "After a refused next the position is lost, and previous plays the first item.") {
    stage in
    let (listPlayer, items) = try listPlayer(stage, ["tour.mkv"])
    stage.call("list play") { stage.library.play(listPlayer) }
    try stage.wait(for: .playing)
    stage.call("list next") { stage.library.playNext(listPlayer) }
    let call = stage.call("list previous") { stage.library.playPrevious(listPlayer) }
    try stage.expect(call.result, is: true, "the answer")
    try stage.expect(call.onCaller.events(of: "list player"), is: [.listPlayerNextItemSet(items[0])], "told")
  },
  Rule("S13.lost", "After a refused next the list begins again where it should have ended.") { stage in
    let (listPlayer, items) = try listPlayer(stage, ["silence.wav"], options: [":stop-time=0.3"])
    stage.call("list play") { stage.library.play(listPlayer) }
    try stage.wait(for: .playing)
    let call = stage.call("list next") { stage.library.playNext(listPlayer) }
    try stage.wait(for: .listPlayerNextItemSet(items[0]), of: "list player", from: call.end)
  },
  Rule("S13.badIndex", "An index that is not there is refused, and the item that is current is told again.") {
    stage in
    let (listPlayer, items) = try listPlayer(stage, ["tour.mkv"])
    stage.call("list play") { stage.library.play(listPlayer) }
    let call = stage.call("list play at") { stage.library.play(listPlayer, at: 9) }
    try stage.expect(call.result, is: false, "the answer")
    try stage.expect(call.onCaller.events(of: "list player"), is: [.listPlayerNextItemSet(items[0])], "told")
  },
  Rule(
    "S13.advance",
    "At an item's end the list goes on by itself, on a thread of its own; at its own end Played is told."
  ) { stage in
    let (listPlayer, items) = try listPlayer(
      stage, ["silence.wav", "silence.wav"], options: [":stop-time=0.2"])
    stage.call("list play") { stage.library.play(listPlayer) }
    let advance = try stage.wait(for: .listPlayerNextItemSet(items[1]), of: "list player")
    let played = try stage.wait(for: .listPlayerPlayed, of: "list player")
    try stage.expect(played.lane, is: advance.lane, "the list player's thread")
    let ends = stage.entries.filter { $0.content == .event("player", .endReached) }
    try stage.expect(ends.count, is: 2, "ends")
    try stage.expect(ends[0].number < advance.number && ends[1].number < played.number, "after the ends")
    try stage.wait(for: .stopped, from: ends[1].number)
    try stage.expect(
      stage.events(of: "list player"),
      is: [.listPlayerNextItemSet(items[0]), .listPlayerNextItemSet(items[1]), .listPlayerPlayed], "told")
    try stage.expect(stage.library.state(listPlayer), is: .ended, "the state")
  },
  Rule("S13.stop", "stop tells the player's Stopped and then its own, on the caller.") { stage in
    let (listPlayer, _) = try listPlayer(stage, ["tour.mkv"])
    stage.call("list play") { stage.library.play(listPlayer) }
    try stage.wait(for: .playing)
    let call = stage.call("list stop") { stage.library.stop(listPlayer) }
    let told = call.onCaller.map(\.content).filter { $0 != .event("player", .audioVolume(-1)) }
    try stage.expect(
      told, is: [.event("player", .stopped), .event("list player", .listPlayerStopped)], "on the caller")
    try stage.expect(stage.library.state(listPlayer), is: .stopped, "the state")
  },
  Rule("S13.failed", "An item that fails stops the list.") { stage in
    let missing = try stage.keep(
      stage.library.newMedia(stage.instance(), path: stage.harness.media.missingPath))
    let items = [missing, try stage.makeMedia("silence.wav")]
    let listPlayer = try stage.makeListPlayer(try stage.makeList(of: items))
    stage.call("list play") { stage.library.play(listPlayer) }
    try stage.wait(for: .stopped)
    try stage.expect(stage.events().states, is: [.opening, .encounteredError, .stopped], "the states")
    try stage.expect(stage.library.state(listPlayer), is: .ended, "the state")
    try stage.expect(!stage.events().contains(.mediaChanged(items[1])), "the second item is not played")
  },
  Rule("S13.repeat", "A repeated item is played again.") { stage in
    let (listPlayer, items) = try listPlayer(
      stage, ["silence.wav", "silence.wav"], options: [":stop-time=0.2"])
    stage.call("list play") { stage.library.play(listPlayer) }
    stage.library.setPlaybackMode(listPlayer, .repeatOne)
    try stage.wait(until: "two openings") { entries in
      entries.events().filter { $0 == .opening }.count >= 2 ? true : nil
    }
    try stage.expect(!stage.events().contains(.mediaChanged(items[1])), "not the second item")
  },
  Rule("S13.loop", "A loop begins again at the first item.") { stage in
    let (listPlayer, items) = try listPlayer(
      stage, ["silence.wav", "silence.wav"], options: [":stop-time=0.2"])
    stage.library.setPlaybackMode(listPlayer, .loop)
    stage.call("list play") { stage.library.play(listPlayer) }
    let second = try stage.wait(for: .listPlayerNextItemSet(items[1]), of: "list player")
    try stage.wait(for: .listPlayerNextItemSet(items[0]), of: "list player", from: second.number)
  },
  Rule("S13.pairs", "A list tells what it will do and what it did, on the caller.") { stage in
    let first = try stage.makeMedia("base.mp4")
    let second = try stage.makeMedia("base.mp4")
    let list = try stage.makeList(as: "list")
    let library = stage.library
    let call = stage.call("edit") {
      library.lockMediaList(list)
      defer { library.unlockMediaList(list) }
      return library.appendMedia(list, first) && library.insertMedia(list, second, at: 0)
        && library.removeMedia(list, at: 1)
    }
    try stage.expect(call.result, "the answers")
    try stage.expect(
      call.onCaller.events(of: "list"),
      is: [
        .listWillAddItem(first, index: 0), .listItemAdded(first, index: 0),
        .listWillAddItem(second, index: 0), .listItemAdded(second, index: 0),
        .listWillDeleteItem(first, index: 1), .listItemDeleted(first, index: 1),
      ], "on the caller")
  },
  Rule("S13.unlocked", "A list can be changed without its lock.") { stage in
    let media = try stage.makeMedia("base.mp4")
    let list = try stage.makeList(as: "list")
    try stage.expect(stage.library.appendMedia(list, media), is: true, "the answer")
    try stage.expect(stage.library.mediaListCount(list), is: 1, "the count")
  },
  Rule("S13.firstIndex", "The first play by an index is answered with false and told by nothing, and plays.")
  { stage in
    let (listPlayer, items) = try listPlayer(stage, ["tour.mkv", "tour.mkv"])
    let call = stage.call("list play at") { stage.library.play(listPlayer, at: 1) }
    try stage.expect(call.result, is: false, "the answer")
    try stage.expect(call.onCaller.events(of: "list player"), is: [], "told")
    try stage.wait(for: .playing)
    try stage.expect(stage.events().contains(.mediaChanged(items[1])), "the second item plays")
  },
]

extension Entry {
  /// What a list player and its player tell of a change of items.
  fileprivate var isListEvent: Bool {
    switch content {
    case .event("list player", _), .event("player", .mediaChanged): true
    default: false
    }
  }
}

private func listPlayer(
  _ stage: Stage, _ fixtures: [String], options: [String] = []
) throws -> (NativeListPlayer, [NativeMedia]) {
  let items = try fixtures.map { try stage.makeMedia($0, options: options) }
  return (try stage.makeListPlayer(try stage.makeList(of: items)), items)
}

/// Shows that a move of a list with one item is refused.
private func refuse(_ stage: Stage, _ name: String, _ move: (NativeListPlayer) -> Bool) throws {
  let (listPlayer, _) = try listPlayer(stage, ["tour.mkv"])
  stage.call("list play") { stage.library.play(listPlayer) }
  try stage.wait(for: .playing)
  let call = stage.call(name) { move(listPlayer) }
  try stage.expect(call.result, is: false, "the answer")
  try stage.expect(call.onCaller.events(of: "list player"), is: [.listPlayerPlayed], "on the caller")
  try stage.waitForTime(from: call.end)
  try stage.expect(stage.events().states, is: [.opening, .playing], "the states")
}
