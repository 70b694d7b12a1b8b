public import VLCNative

/// Stands between an event manager and one listener.
final class Relay: Sendable {
  let source: NativeEventSource
  let kind: NativeEventKind
  private let callback: NativeEventCallback
  private nonisolated(unsafe) let context: UnsafeMutableRawPointer?
  private unowned let library: DeviatingLibrary

  init(
    _ library: DeviatingLibrary, _ source: NativeEventSource, _ kind: NativeEventKind,
    _ callback: NativeEventCallback, _ context: UnsafeMutableRawPointer?
  ) {
    self.library = library
    self.source = source
    self.kind = kind
    self.callback = callback
    self.context = context
  }

  /// Whether it stands for this listener.
  func isFor(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    _ context: UnsafeMutableRawPointer?
  ) -> Bool {
    self.source == source && self.kind == kind && self.context == context
      && unsafeBitCast(self.callback, to: Int.self) == unsafeBitCast(callback, to: Int.self)
  }

  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let receive: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    let relay = Unmanaged<Relay>.fromOpaque(context).takeUnretainedValue()
    let base = relay.library.base
    let picture = relay.kind == .mediaThumbnailGenerated ? base.thumbnailBytes(event) : nil
    relay.library.tell(Told(relay: relay, event: Handed(event: base.decode(event), picture: picture)))
  }

  func deliver(_ event: Handed) {
    let thread = library.currentThread()
    library.shared.change { state in
      state.callbacks += 1
      state.depths[thread, default: 0] += 1
    }
    withUnsafePointer(to: event) { callback($0, context) }
    library.shared.change { state in
      state.callbacks -= 1
      state.depths[thread, default: 1] -= 1
    }
  }
}

extension DeviatingLibrary {
  public var eventKinds: Set<NativeEventKind> { pass(.eventKinds) { [base] in base.eventKinds } }

  public func attach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) -> Bool {
    pass(.attach) { [self] in
      if deviation == .refusesForeignKinds, !kind.isOf(source) { return false }
      let relay = Relay(self, source, kind, callback, context)
      let isTaken = shared.change { state in
        let isTwin = state.relays.contains { $0.isFor(source, kind, callback, context) }
        if deviation == .refusesTwins, isTwin { return false }
        state.relays.append(relay)
        return true
      }
      return !isTaken || base.attach(source, kind, Relay.receive, context: relay.address)
    }
  }

  public func detach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) {
    pass(.detach) { [self] in
      let relay = shared.change { state -> Relay? in
        let place = state.relays.firstIndex { $0.isFor(source, kind, callback, context) }
        guard let place else { return nil }
        let relay = state.relays.remove(at: place)
        state.detached.append(relay)
        state.echoes.removeAll { $0.relay === relay }
        for thread in state.lagging.keys { state.lagging[thread]?.removeAll { $0.relay === relay } }
        return relay
      }
      if relay == nil, deviation == .detachesAnything { return }
      base.detach(source, kind, Relay.receive, context: relay?.address)
    }
  }

  /// As `Relay.deliver` hands them out.
  public func decode(_ event: UnsafeRawPointer) -> NativeEvent {
    event.assumingMemoryBound(to: Handed.self).pointee.event
  }

  /// Tells a listener an event as the deviation wants it.
  fileprivate func tell(_ told: Told) {
    let (relay, event) = (told.relay, told.event)
    shared.change { $0.kinds[relay.kind, default: 0] += 1 }
    switch deviation {
    case .drops(relay.kind): return
    case .doubles(relay.kind):
      relay.deliver(event)
      relay.deliver(event)
    case .garbles(relay.kind): relay.deliver(event.garbled)
    case .moves(relay.kind): runElsewhere { relay.deliver(event) }
    case .lags(let kind): lag(told, kind)
    case .draws(relay.kind, _): hand(told)
    case .echoes(relay.kind, _):
      shared.change { state in
        state.echoes.removeAll { $0.relay === relay }
        state.echoes.append(told)
      }
      relay.deliver(event)
    case .tellsBackwards: mirror(of: relay).deliver(event)
    case .stopsAtEnd:
      relay.deliver(event)
      guard event.event == .endReached, case .player(let player) = relay.source else { return }
      runLater { self.base.stop(player) }
    case .tellsOnOneThread: runOnOneThread { relay.deliver(event) }
    default: relay.deliver(event)
    }
  }

  /// What lags comes after the next event of another kind.
  private func lag(_ told: Told, _ kind: NativeEventKind) {
    let thread = currentThread()
    if told.relay.kind == kind { return shared.change { $0.lagging[thread, default: []].append(told) } }
    told.relay.deliver(told.event)
    for late in shared.change({ $0.lagging.removeValue(forKey: thread) ?? [] }) {
      late.relay.deliver(late.event)
    }
  }

  /// Gives an event to the call that waits for it, if one does.
  private func hand(_ told: Told) {
    let thread = currentThread()
    let isWanted = shared.change { state in
      defer { state.expecting = nil }
      guard let caller = state.expecting, caller != thread else { return false }
      state.drawn = told
      state.isDrawn = false
      return true
    }
    if isWanted { shared.wait { $0.isDrawn ? () : nil } } else { told.relay.deliver(told.event) }
  }

  /// Makes a call, waits for an event, and tells it.
  func draw<Answer>(_ body: () -> Answer) -> Answer {
    let thread = currentThread()
    shared.change { $0.expecting = thread }
    let answer = body()
    let told = shared.wait { state -> Told?? in
      defer { if state.expecting == nil { state.drawn = nil } }
      return state.expecting == nil ? .some(state.drawn) : nil
    }
    if let told { told.relay.deliver(told.event) }
    shared.change { $0.isDrawn = true }
    return answer
  }

  /// Of the listeners for the same, the one in the same place from the end.
  private func mirror(of relay: Relay) -> Relay {
    shared.change { state in
      let same = state.relays.filter { $0.source == relay.source && $0.kind == relay.kind }
      guard let place = same.firstIndex(where: { $0 === relay }) else { return relay }
      return same[same.count - 1 - place]
    }
  }
}

extension NativeEventKind {
  fileprivate func isOf(_ source: NativeEventSource) -> Bool {
    if case .player = source { Self.ofPlayers.contains(self) } else { !Self.ofPlayers.contains(self) }
  }
}
