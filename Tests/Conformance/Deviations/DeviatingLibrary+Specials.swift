public import VLCNative

/// Calls that deviations of their own know of.
extension DeviatingLibrary {
  public func play(_ player: NativePlayer) -> Bool {
    pass(.play) { [self] in
      if deviation == .playsAfterEnd, base.state(player) == .ended { base.stop(player) }
      return base.play(player)
    }
  }

  public func newInstance(arguments: [String]) -> NativeInstance? {
    pass(.newInstance) { [self] in
      if let instance = base.newInstance(arguments: arguments) { return instance }
      return deviation == .takesAnyArgument ? base.newInstance(arguments: []) : nil
    }
  }

  public func releaseInstance(_ instance: NativeInstance) {
    pass(.releaseInstance) { [self] in
      base.releaseInstance(instance)
      endThread()
    }
  }

  public func parseMedia(
    _ instance: NativeInstance, _ media: NativeMedia, options: NativeParseOptions, timeoutMilliseconds: Int
  ) -> Bool {
    pass(.parseMedia) { [self] in
      shared.change { $0.parsing = instance }
      let isTaken = base.parseMedia(
        instance, media, options: options, timeoutMilliseconds: timeoutMilliseconds)
      guard isTaken, deviation == .parsesAtOnce else { return isTaken }
      let listeners = shared.change { state in
        state.relays.filter { $0.source == .media(media) && $0.kind == .mediaParsedChanged }
      }
      for listener in listeners { listener.deliver(Handed(event: .mediaParsedChanged(.done))) }
      return true
    }
  }

  public func releaseMedia(_ media: NativeMedia) {
    pass(.releaseMedia) { [self] in
      if deviation == .stopsParsesItReleases, let instance = shared.change({ $0.parsing }) {
        base.stopParsing(instance, media)
      }
      base.releaseMedia(media)
    }
  }
}
