public import VLCNative

/// What is to be discovered.
public struct SimulatedService: Sendable {
  public var name: String
  public var description: String
  public var category: NativeDiscoveryCategory
  /// The locations of the media that are found.
  public var media: [String]
  public init(name: String, description: String, category: NativeDiscoveryCategory, media: [String]) {
    self.name = name
    self.description = description
    self.category = category
    self.media = media
  }
}

/// A renderer that is to be found.
public struct SimulatedRenderer: Sendable, Hashable {
  public var name: String
  public var type: String
  public var iconURI: String?
  public var abilities: NativeRendererAbilities
  public init(
    name: String, type: String, iconURI: String? = nil, abilities: NativeRendererAbilities = [.audio, .video]
  ) {
    self.name = name
    self.type = type
    self.iconURI = iconURI
    self.abilities = abilities
  }
}

final class SimulatedMediaDiscoverer: SimulatedObject, @unchecked Sendable {
  struct State {
    var isRunning = false
    var isSearching = false
  }
  let instance: SimulatedInstance
  let name: String
  let list: SimulatedMediaList
  let state = Monitor(State())
  init(_ instance: SimulatedInstance, _ name: String, _ list: SimulatedMediaList) {
    (self.instance, self.name, self.list) = (instance, name, list)
    super.init("media discoverer")
  }
}

final class SimulatedRendererDiscoverer: SimulatedObject, @unchecked Sendable {
  struct State {
    var isRunning = false
    var isSearching = false
    var items: [SimulatedRendererItem] = []
  }
  let instance: SimulatedInstance
  let name: String
  let state = Monitor(State())
  init(_ instance: SimulatedInstance, _ name: String) {
    (self.instance, self.name) = (instance, name)
    super.init("renderer discoverer")
  }
}

final class SimulatedRendererItem: SimulatedObject, @unchecked Sendable {
  let renderer: SimulatedRenderer
  init(_ renderer: SimulatedRenderer) {
    self.renderer = renderer
    super.init("renderer")
  }
}

extension SimulatedLibrary {
  // MARK: Media

  public func mediaDiscoverers(_ instance: NativeInstance, _ category: NativeDiscoveryCategory)
    -> [NativeNamed]
  {
    _ = find(instance)
    return options.services.filter { $0.category == category }
      .map { NativeNamed(name: $0.name, description: $0.description) }
  }
  public func newMediaDiscoverer(_ instance: NativeInstance, name: String) -> NativeMediaDiscoverer? {
    let instance = find(instance)
    objects.retain(instance)
    let list = objects.add(SimulatedMediaList())
    list.state.read { $0.isReadOnly = true }
    return objects.add(SimulatedMediaDiscoverer(instance, name, list)).reference()
  }
  private func find(_ discoverer: NativeMediaDiscoverer, _ call: StaticString = #function)
    -> SimulatedMediaDiscoverer
  { objects.find(discoverer, as: SimulatedMediaDiscoverer.self, call) }

  public func start(_ discoverer: NativeMediaDiscoverer) -> Bool {
    let discoverer = find(discoverer)
    guard let service = options.services.first(where: { $0.name == discoverer.name }) else { return false }
    let isNew = discoverer.state.change { state -> Bool in
      defer { (state.isRunning, state.isSearching) = (true, true) }
      return !state.isRunning
    }
    guard isNew else { return true }
    NativeThread.start(.mediaDiscoverer) {
      for location in service.media where discoverer.state.read({ $0.isRunning }) {
        let item = InputItem(mrl: location, medium: self.medium(location))
        let media = self.objects.add(SimulatedMediaObject(item))
        _ = self.insert(discoverer.list, media, at: nil, byOwner: true)
        self.release(media)
      }
      discoverer.state.change { $0.isSearching = false }
    }
    return true
  }
  public func stop(_ discoverer: NativeMediaDiscoverer) { stop(find(discoverer)) }
  private func stop(_ discoverer: SimulatedMediaDiscoverer) {
    discoverer.state.change { $0.isRunning = false }
    discoverer.state.wait { $0.isSearching ? nil : () }
  }
  public func releaseMediaDiscoverer(_ discoverer: NativeMediaDiscoverer) {
    let discoverer = find(discoverer)
    guard objects.release(discoverer) else { return }
    stop(discoverer)
    release(discoverer.list)
    release(discoverer.instance)
    objects.remove(discoverer)
  }
  public func retainedList(of discoverer: NativeMediaDiscoverer) -> NativeMediaList? {
    let list = find(discoverer).list
    objects.retain(list)
    return list.reference()
  }
  public func isRunning(_ discoverer: NativeMediaDiscoverer) -> Bool {
    find(discoverer).state.read { $0.isRunning }
  }

  // MARK: Renderers

  public func rendererDiscoverers(_ instance: NativeInstance) -> [NativeNamed] {
    _ = find(instance)
    return options.renderers.isEmpty
      ? [] : [NativeNamed(name: "simulated", description: "Simulated renderers")]
  }
  public func newRendererDiscoverer(_ instance: NativeInstance, name: String) -> NativeRendererDiscoverer? {
    let instance = find(instance)
    objects.retain(instance)
    return objects.add(SimulatedRendererDiscoverer(instance, name)).reference()
  }
  private func find(_ discoverer: NativeRendererDiscoverer, _ call: StaticString = #function)
    -> SimulatedRendererDiscoverer
  { objects.find(discoverer, as: SimulatedRendererDiscoverer.self, call) }

  public func start(_ discoverer: NativeRendererDiscoverer) -> Bool {
    let discoverer = find(discoverer)
    guard discoverer.name == "simulated" else { return false }
    let isNew = discoverer.state.change { state -> Bool in
      defer { (state.isRunning, state.isSearching) = (true, true) }
      return !state.isRunning
    }
    guard isNew else { return true }
    NativeThread.start(.rendererDiscoverer) {
      for renderer in self.options.renderers where discoverer.state.read({ $0.isRunning }) {
        let item = self.objects.add(SimulatedRendererItem(renderer))
        discoverer.state.read { $0.items.append(item) }
        discoverer.events.send(.rendererItemAdded(address: NativeAddress(item.pointer)))
      }
      discoverer.state.change { $0.isSearching = false }
    }
    return true
  }
  public func stop(_ discoverer: NativeRendererDiscoverer) { stop(find(discoverer)) }
  private func stop(_ discoverer: SimulatedRendererDiscoverer) {
    discoverer.state.change { $0.isRunning = false }
    discoverer.state.wait { $0.isSearching ? nil : () }
    let items = discoverer.state.read { state -> [SimulatedRendererItem] in
      defer { state.items.removeAll() }
      return state.items
    }
    for item in items {
      discoverer.events.send(.rendererItemDeleted(address: NativeAddress(item.pointer)))
      release(item)
    }
  }
  private func release(_ item: SimulatedRendererItem) {
    if objects.release(item) { objects.remove(item) }
  }
  public func releaseRendererDiscoverer(_ discoverer: NativeRendererDiscoverer) {
    let discoverer = find(discoverer)
    guard objects.release(discoverer) else { return }
    if discoverer.state.read({ $0.isRunning }) { stop(discoverer) }
    release(discoverer.instance)
    objects.remove(discoverer)
  }
  public func holdRenderer(at address: NativeAddress) -> NativeRendererItem {
    guard let item = objects.find(at: address.pointer, as: SimulatedRendererItem.self) else {
      misuse("a renderer is held at an address where none is")
    }
    objects.retain(item)
    return item.reference()
  }
  private func find(_ item: NativeRendererItem, _ call: StaticString = #function) -> SimulatedRendererItem {
    objects.find(item, as: SimulatedRendererItem.self, call)
  }
  public func releaseRenderer(_ item: NativeRendererItem) { release(find(item)) }
  public func rendererName(_ item: NativeRendererItem) -> String? { find(item).renderer.name }
  public func rendererType(_ item: NativeRendererItem) -> String? { find(item).renderer.type }
  public func rendererIconURI(_ item: NativeRendererItem) -> String? { find(item).renderer.iconURI }
  public func rendererAbilities(_ item: NativeRendererItem) -> NativeRendererAbilities {
    find(item).renderer.abilities
  }
  /// S-rules leave it open: it is taken where nothing plays yet.
  public func setRenderer(_ player: NativePlayer, _ item: NativeRendererItem?) -> Bool {
    let player = find(player)
    if let item { _ = find(item) }
    return player.current == nil
  }
}
