/// A stream of events for one subscriber: an `AsyncSequence` that never throws.
///
/// It buffers from the moment it was made, by the policy it was made with. What is buffered is delivered before an
/// end and before the cancellation of the consuming task. Several tasks may iterate one stream; they share its
/// elements. The subscription ends with the last copy of the stream and of its iterators.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  /// Ends the subscription with its last owner. Takes no lock: it may go inside a cancellation handler.
  @usableFromInline
  final class Subscription: Sendable {
    @usableFromInline let buffer: StreamBuffer<Element>
    private let onEnd: @Sendable () -> Void

    init(buffer: StreamBuffer<Element>, onEnd: @escaping @Sendable () -> Void) {
      self.buffer = buffer
      self.onEnd = onEnd
    }

    deinit { onEnd() }
  }

  private let subscription: Subscription

  init(buffer: StreamBuffer<Element>, onEnd: @escaping @Sendable () -> Void) {
    subscription = Subscription(buffer: buffer, onEnd: onEnd)
  }

  /// How many elements wait.
  var bufferedCount: Int { subscription.buffer.count }

  /// What there is now, without waiting.
  func poll() -> StreamBuffer<Element>.Poll { subscription.buffer.poll(registering: nil) }

  /// A stream that is over, of a producer that is gone.
  static func finished() -> EventStream {
    let buffer = StreamBuffer<Element>(policy: .unbounded)
    buffer.finish()
    return EventStream(buffer: buffer) {}
  }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Takes the elements of a stream one by one.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    @usableFromInline let subscription: Subscription

    init(subscription: Subscription) {
      self.subscription = subscription
    }

    /// The next element, in the caller's isolation and without suspension when one is buffered; nil at the end, or
    /// when the task is cancelled and nothing is buffered.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      await subscription.buffer.next(isolation: actor)
    }

    /// The next element; nil at the end, or when the task is cancelled and nothing is buffered.
    @inlinable
    public mutating func next() async -> Element? {
      await subscription.buffer.next(isolation: nil)
    }
  }
}

extension AsyncStream where Element: Sendable {
  /// Bridges to the standard library's type, for code that wants it.
  ///
  /// One element at a time is taken from the stream, whose own buffer and policy stay in force.
  public init(_ stream: EventStream<Element>) {
    self.init {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    }
  }
}
