import Foundation
public import VLCNative

extension SimulatedLibrary {
  func find(_ list: NativeMediaList, _ call: StaticString = #function) -> SimulatedMediaList {
    objects.find(list, as: SimulatedMediaList.self, call)
  }

  // MARK: Lists

  public func newMediaList(_ instance: NativeInstance) -> NativeMediaList? {
    _ = find(instance)
    return objects.add(SimulatedMediaList()).reference()
  }
  public func retainMediaList(_ list: NativeMediaList) { objects.retain(find(list)) }
  public func releaseMediaList(_ list: NativeMediaList) { release(find(list)) }
  func release(_ list: SimulatedMediaList) {
    guard objects.release(list) else { return }
    let (items, media) = list.state.read { ($0.items, $0.media) }
    items.forEach(release)
    if let media { release(media) }
    objects.remove(list)
  }
  public func retainedMedia(of list: NativeMediaList) -> NativeMedia? {
    guard let media = find(list).state.read({ $0.media }) else { return nil }
    objects.retain(media)
    return media.reference()
  }
  public func setMedia(of list: NativeMediaList, _ media: NativeMedia) {
    let (list, media) = (find(list), find(media))
    objects.retain(media)
    let old = list.state.read { state -> SimulatedMediaObject? in
      defer { state.media = media }
      return state.media
    }
    if let old { release(old) }
  }
  public func lockMediaList(_ list: NativeMediaList) { find(list).lock.lock() }
  public func unlockMediaList(_ list: NativeMediaList) { find(list).lock.unlock() }
  public func mediaListCount(_ list: NativeMediaList) -> Int { find(list).state.read { $0.items.count } }
  public func appendMedia(_ list: NativeMediaList, _ media: NativeMedia) -> Bool {
    insert(find(list), find(media), at: nil)
  }
  public func insertMedia(_ list: NativeMediaList, _ media: NativeMedia, at index: Int) -> Bool {
    insert(find(list), find(media), at: index)
  }

  /// S13: each change is told before and after it, on the caller.
  func insert(
    _ list: SimulatedMediaList, _ media: SimulatedMediaObject, at place: Int?, byOwner: Bool = false
  ) -> Bool {
    let (count, isReadOnly) = list.state.read { ($0.items.count, $0.isReadOnly) }
    let index = place ?? count
    guard byOwner || !isReadOnly, (0...count).contains(index) else { return false }
    objects.retain(media)
    list.events.send(.listWillAddItem(media.reference(), index: index))
    list.state.read { $0.items.insert(media, at: min(index, $0.items.count)) }
    list.events.send(.listItemAdded(media.reference(), index: index))
    return true
  }
  public func removeMedia(_ list: NativeMediaList, at index: Int) -> Bool {
    let list = find(list)
    let media = list.state.read { state -> SimulatedMediaObject? in
      !state.isReadOnly && state.items.indices.contains(index) ? state.items[index] : nil
    }
    guard let media else { return false }
    list.events.send(.listWillDeleteItem(media.reference(), index: index))
    list.state.read { state in
      if let place = state.items.firstIndex(where: { $0 === media }) { state.items.remove(at: place) }
    }
    list.events.send(.listItemDeleted(media.reference(), index: index))
    release(media)
    return true
  }
  public func retainedMedia(_ list: NativeMediaList, at index: Int) -> NativeMedia? {
    let media = find(list).state.read { $0.items.indices.contains(index) ? $0.items[index] : nil }
    guard let media else { return nil }
    objects.retain(media)
    return media.reference()
  }
  public func index(_ list: NativeMediaList, of media: NativeMedia) -> Int? {
    let (list, media) = (find(list), find(media))
    return list.state.read { $0.items.firstIndex { $0 === media } }
  }
  public func isReadOnly(_ list: NativeMediaList) -> Bool { find(list).state.read { $0.isReadOnly } }

  // MARK: List players

  func find(_ player: NativeListPlayer, _ call: StaticString = #function) -> SimulatedListPlayer {
    objects.find(player, as: SimulatedListPlayer.self, call)
  }
  public func newListPlayer(_ instance: NativeInstance) -> NativeListPlayer? {
    guard let player = newPlayer(instance) else { return nil }
    let made = objects.add(SimulatedListPlayer(self, find(player)))
    made.start()
    return made.reference()
  }
  public func retainListPlayer(_ player: NativeListPlayer) { objects.retain(find(player)) }
  public func releaseListPlayer(_ player: NativeListPlayer) {
    let player = find(player)
    guard objects.release(player) else { return }
    player.end()
    objects.remove(player)
  }
  public func setPlayer(of listPlayer: NativeListPlayer, _ player: NativePlayer) {
    let (listPlayer, player) = (find(listPlayer), find(player))
    objects.retain(player)
    listPlayer.setPlayer(player)
  }
  public func setList(of listPlayer: NativeListPlayer, _ list: NativeMediaList) {
    let (listPlayer, list) = (find(listPlayer), find(list))
    objects.retain(list)
    listPlayer.setList(list)
  }
  public func play(_ listPlayer: NativeListPlayer) { find(listPlayer).play() }
  public func play(_ listPlayer: NativeListPlayer, at index: Int) -> Bool { find(listPlayer).play(at: index) }
  public func play(_ listPlayer: NativeListPlayer, _ media: NativeMedia) -> Bool {
    find(listPlayer).play(find(media))
  }
  public func setPause(_ listPlayer: NativeListPlayer, _ paused: Bool) {
    find(listPlayer).player.setPause(paused)
  }
  public func stop(_ listPlayer: NativeListPlayer) {
    demand(.joiningTransport)
    find(listPlayer).stop()
  }
  public func stopAsynchronously(_ listPlayer: NativeListPlayer) {
    demand(.asynchronousStop)
    find(listPlayer).stop()
  }
  public func playNext(_ listPlayer: NativeListPlayer) -> Bool { find(listPlayer).move(by: 1) }
  public func playPrevious(_ listPlayer: NativeListPlayer) -> Bool { find(listPlayer).move(by: -1) }
  public func isPlaying(_ listPlayer: NativeListPlayer) -> Bool {
    let state = state(listPlayer)
    return state == .opening || state == .playing
  }
  public func state(_ listPlayer: NativeListPlayer) -> NativeState {
    let player = find(listPlayer).player
    switch profile {
    case .libVLC3: return player.shownMedia == nil ? .ended : player.nativeState
    case .libVLC4: return player.nativeState
    }
  }
  public func setPlaybackMode(_ listPlayer: NativeListPlayer, _ mode: NativePlaybackMode) {
    find(listPlayer).setMode(mode)
  }
}

/// S13: plays a list's items on a player, one after the other, from a thread of its own.
final class SimulatedListPlayer: SimulatedObject, @unchecked Sendable {
  private struct State {
    var player: SimulatedPlayer
    var list: SimulatedMediaList?
    var mode = NativePlaybackMode.once
    /// Where it is; nil where nothing is, or the place was lost.
    var place: Int?
    var ends = 0
    /// 4.list: since a stop, whose Stopped is no item's end, and may be told late.
    var isStopped = false
    var isEnding = false
    var isOver = false
  }
  private unowned let library: SimulatedLibrary
  private let state: Monitor<State>
  /// One move at a time.
  private let turn = NSRecursiveLock()

  init(_ library: SimulatedLibrary, _ player: SimulatedPlayer) {
    self.library = library
    state = Monitor(State(player: player))
    super.init("list player")
  }

  var player: SimulatedPlayer { state.read { $0.player } }

  private static let ended: NativeEventCallback = { _, context in
    guard let context else { return }
    Unmanaged<SimulatedListPlayer>.fromOpaque(context).takeUnretainedValue().state.change { state in
      if !state.isStopped { state.ends += 1 }
    }
  }
  /// What tells the end of an item: 3.0's EndReached, and Stopped where there is no such event.
  private var endKind: NativeEventKind { library.profile == .libVLC3 ? .endReached : .stopped }
  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func start() {
    player.events.attach(endKind, Self.ended, context)
    NativeThread.start(.listPlayer) { self.run() }
  }

  func end() {
    state.change { $0.isEnding = true }
    state.wait { $0.isOver ? () : nil }
    let (player, list) = state.read { ($0.player, $0.list) }
    player.events.detach(endKind, Self.ended, context)
    library.release(player)
    if let list { library.release(list) }
  }

  func setPlayer(_ player: SimulatedPlayer) {
    turn.withLock {
      let old = state.read { state -> SimulatedPlayer in
        defer { state.player = player }
        return state.player
      }
      old.events.detach(endKind, Self.ended, context)
      player.events.attach(endKind, Self.ended, context)
      library.release(old)
    }
  }

  func setList(_ list: SimulatedMediaList) {
    turn.withLock {
      let old = state.read { state -> SimulatedMediaList? in
        defer {
          state.list = list
          state.place = nil
        }
        return state.list
      }
      if let old { library.release(old) }
    }
  }

  func setMode(_ mode: NativePlaybackMode) { state.read { $0.mode = mode } }

  /// An item has ended: the next one, on this thread.
  private func run() {
    while true {
      let isEnding = state.wait { state -> Bool? in
        if state.isEnding { return true }
        guard state.ends > 0 else { return nil }
        state.ends -= 1
        return false
      }
      if isEnding { break }
      _ = move(by: 1, isManual: false)
    }
    state.change { $0.isOver = true }
  }

  private var items: [SimulatedMediaObject] {
    state.read { $0.list }?.state.read { $0.items } ?? []
  }

  func play() {
    turn.withLock {
      if state.read({ $0.place }) == nil {
        _ = move(by: 1)
      } else {
        _ = player.play()
      }
    }
  }

  /// The event names what was current until now; where there was nothing, none comes, and the answer is false.
  func play(at index: Int) -> Bool {
    turn.withLock {
      let items = items
      let (before, mode) = state.read { ($0.place, $0.mode) }
      let current = before.flatMap { items.indices.contains($0) ? items[$0] : nil }
      guard items.indices.contains(index) else {
        if let current { events.send(.listPlayerNextItemSet(current.reference())) }
        return false
      }
      show(items[index], at: index)
      guard let current else { return false }
      if mode != .repeatOne { events.send(.listPlayerNextItemSet(current.reference())) }
      return true
    }
  }

  func play(_ media: SimulatedMediaObject) -> Bool {
    turn.withLock {
      guard let index = items.firstIndex(where: { $0 === media }) else { return false }
      show(media, at: index)
      return true
    }
  }

  /// False at an end: the list has played, what plays goes on, and the place is lost.
  func move(by offset: Int, isManual: Bool = true) -> Bool {
    turn.withLock {
      let items = items
      let (place, mode) = state.read { ($0.place, $0.mode) }
      guard !items.isEmpty else { return false }
      var next = place.map { $0 + offset } ?? (offset > 0 ? 0 : items.count - 1)
      if mode == .repeatOne, let place, items.indices.contains(place) { next = place }
      if mode == .loop { next = (next + items.count) % items.count }
      guard items.indices.contains(next) else {
        state.read { $0.place = nil }
        events.send(.listPlayerPlayed)
        return false
      }
      show(items[next], at: next)
      events.send(.listPlayerNextItemSet(items[next].reference()))
      return true
    }
  }

  private func show(_ media: SimulatedMediaObject, at index: Int) {
    let player = player
    library.objects.retain(media)
    state.read { $0.place = index }
    if let old = player.setMedia(media) { library.release(old) }
    state.read { $0.isStopped = false }
    _ = player.play()
  }

  func stop() {
    turn.withLock {
      switch library.profile {
      case .libVLC3: player.stop()
      case .libVLC4:
        state.read { $0.isStopped = true }
        _ = player.stopAsynchronously()
      }
      state.read { state in
        state.place = nil
        state.ends = 0
      }
      events.send(.listPlayerStopped)
    }
  }
}
