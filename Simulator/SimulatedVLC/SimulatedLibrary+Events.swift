public import VLCNative

extension SimulatedLibrary {
  public var eventKinds: Set<NativeEventKind> { profile.eventKinds }

  public func attach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) -> Bool {
    guard eventKinds.contains(kind) else { misuse("attach for \(kind), which this library has not") }
    guard !faults.fires(.attachFails) else { return false }
    manager(source).attach(kind, callback, context)
    return true
  }

  public func detach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) { manager(source).detach(kind, callback, context) }

  public func decode(_ event: UnsafeRawPointer) -> NativeEvent {
    event.assumingMemoryBound(to: RawEvent.self).pointee.event
  }

  private func manager(_ source: NativeEventSource, _ call: StaticString = #function) -> EventManager {
    switch source {
    case .player(let player): find(player).events
    case .media(let media): find(media).events
    case .mediaList(let list): objects.find(list, as: SimulatedMediaList.self, call).events
    case .listPlayer(let player): objects.find(player, as: SimulatedListPlayer.self, call).events
    case .rendererDiscoverer(let discoverer):
      objects.find(discoverer, as: SimulatedRendererDiscoverer.self, call).events
    }
  }
}
