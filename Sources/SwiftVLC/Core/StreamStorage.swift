/// What a stream keeps for a consumer that has not come yet.
package enum StreamPolicy<Element>: Sendable {
  /// Every element, at the cost of memory for a slow consumer.
  case unbounded
  /// The newest of all elements, up to a count.
  case newest(Int)
  /// The newest element of each kind from 0 ..< count; elements without a kind are all kept.
  case newestOfEachKind(count: Int, kind: @Sendable (Element) -> Int?)
}

/// The elements that wait for one consumer, in the order in which they came.
@usableFromInline
struct StreamStorage<Element>: ~Copyable {
  @usableFromInline var queue: RingBuffer<Element>
  @usableFromInline var kinds: KindSlots<Element>?

  init(_ policy: StreamPolicy<Element>) {
    switch policy {
    case .unbounded: queue = RingBuffer()
    case .newest(let count): queue = RingBuffer(limit: count)
    case .newestOfEachKind(let count, let kind):
      queue = RingBuffer()
      kinds = KindSlots(count: count, kind: kind)
    }
  }

  var count: Int { queue.count + (kinds?.filled ?? 0) }

  @inline(__always)
  mutating func append(_ element: Element) {
    if kinds == nil || kinds?.keep(element) == false { queue.append(element) }
  }

  @inlinable
  mutating func popFirst() -> Element? {
    if kinds == nil { return queue.popFirst() }
    return popOldest()
  }

  @usableFromInline
  mutating func popOldest() -> Element? { kinds?.takeIfOldest() ?? queue.popFirst() }
}

/// The newest element of each kind, and how they stand in order with the elements that have none.
@usableFromInline
struct KindSlots<Element> {
  private let kind: @Sendable (Element) -> Int?
  private var slots: [(order: UInt64, element: Element)?]
  private var order: UInt64 = 0
  // The orders of the elements without a kind that still wait.
  private var others: [UInt64] = []
  private var firstOther = 0
  private(set) var filled = 0

  init(count: Int, kind: @escaping @Sendable (Element) -> Int?) {
    self.kind = kind
    slots = Array(repeating: nil, count: count)
  }

  /// Keeps an element that has a kind; false for one that has none, which is only noted in the order.
  mutating func keep(_ element: Element) -> Bool {
    order += 1
    guard let slot = kind(element) else {
      others.append(order)
      return false
    }
    if slots[slot] == nil { filled += 1 }
    slots[slot] = (order, element)
    return true
  }

  /// The oldest element, if it has a kind; otherwise the first of those that have none is taken elsewhere.
  mutating func takeIfOldest() -> Element? {
    var oldest: (index: Int, order: UInt64)?
    for (index, slot) in slots.enumerated() {
      if let slot, slot.order < oldest?.order ?? .max { oldest = (index, slot.order) }
    }
    let other = firstOther < others.count ? others[firstOther] : nil
    guard let oldest, oldest.order < other ?? .max else {
      if other != nil { forgetFirstOther() }
      return nil
    }
    defer { slots[oldest.index] = nil }
    filled -= 1
    return slots[oldest.index]?.element
  }

  private mutating func forgetFirstOther() {
    firstOther += 1
    guard firstOther * 2 > others.count else { return }
    others.removeFirst(firstOther)
    firstOther = 0
  }
}
