#if LibVLC
import LibVLC
import SwiftVLC

/// What a player's event costs on its way to its consumers, against the standard library's stream in the same state.
enum StreamRows {
  static let element = PlayerEventEnvelope(
    event: .timeChanged(.seconds(1)), nativePlayer: .next(), playback: .next(), sequence: 1, instant: .now)

  /// One broadcast, for each subscriber whose newest-64 buffer is full.
  static func broadcast(subscribers: Int) async -> Row {
    let count = 200_000 / subscribers
    return await compare("broadcast.\(subscribers)", goal: 0.1) {
      let context = PlayerEventContext(library: LibVLCLibrary())
      let streams = (0..<subscribers).map { _ in context.events(policy: .newest(64)) }
      let signal = PlayerSignal.event(element)
      for _ in 0..<64 { context.deliver(signal) }
      defer { withExtendedLifetime(streams) {} }
      return cost(of: count * subscribers) {
        for _ in 0..<count { context.deliver(signal) }
      }
    } reference: {
      let streams = (0..<subscribers).map { _ in
        AsyncStream.makeStream(of: PlayerEvent.self, bufferingPolicy: .bufferingNewest(64))
      }
      let continuations = streams.map(\.continuation)
      for _ in 0..<64 { for continuation in continuations { continuation.yield(element.event) } }
      // A stream that is gone terminates its continuation, whose yields cost less than half.
      defer { withExtendedLifetime(streams) {} }
      return cost(of: count * subscribers) {
        for _ in 0..<count { for continuation in continuations { continuation.yield(element.event) } }
      }
    }
  }

  /// One element taken from a buffer that has one.
  static func consume() async -> Row {
    let count = 100_000
    return await compare("consume", goal: 0.1) {
      let context = PlayerEventContext(library: LibVLCLibrary())
      let stream = context.events(policy: .unbounded)
      for _ in 0..<count { context.deliver(.event(element)) }
      return await cost(of: count) {
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<count { _ = await iterator.next() }
      }
    } reference: {
      let (stream, continuation) = AsyncStream.makeStream(of: PlayerEvent.self)
      for _ in 0..<count { continuation.yield(element.event) }
      return await cost(of: count) {
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<count { _ = await iterator.next() }
      }
    }
  }
}
#endif
