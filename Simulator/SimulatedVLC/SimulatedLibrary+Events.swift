public import VLCNative

extension SimulatedLibrary {
  public var eventKinds: Set<NativeEventKind> { profile.eventKinds }

  public func attach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) -> Bool {
    guard eventKinds.contains(kind) else { misuse("attach for \(kind), which this library has not") }
    guard !faults.fires(.attachFails) else { return false }
    manager(source, #function).attach(kind, callback, context)
    return true
  }

  public func detach(
    _ source: NativeEventSource, _ kind: NativeEventKind, _ callback: NativeEventCallback,
    context: UnsafeMutableRawPointer?
  ) { manager(source, #function).detach(kind, callback, context) }

  public func decode(_ event: UnsafeRawPointer) -> NativeEvent {
    event.assumingMemoryBound(to: RawEvent.self).pointee.event
  }

  private func manager(_ source: NativeEventSource, _ call: StaticString) -> EventManager {
    switch source {
    case .player(let player): find(player, call).events
    case .media(let media): find(media, call).events
    case .mediaList(let list): objects.find(list, as: SimulatedMediaList.self, call).events
    case .listPlayer(let player): objects.find(player, as: SimulatedListPlayer.self, call).events
    case .rendererDiscoverer(let discoverer):
      objects.find(discoverer, as: SimulatedRendererDiscoverer.self, call).events
    }
  }
}
