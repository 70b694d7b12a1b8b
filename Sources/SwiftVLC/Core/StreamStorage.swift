/// What a stream keeps for a consumer that has not come yet.
enum StreamPolicy<Element>: Sendable {
  /// Every element, at the cost of memory for a slow consumer.
  case unbounded
  /// The newest of all elements, up to a count.
  case newest(Int)
  /// The newest element of each kind from 0 ..< count; elements without a kind are all kept.
  case newestOfEachKind(count: Int, kind: @Sendable (Element) -> Int?)
}

/// The elements that wait for one consumer, in the order in which they came.
struct StreamStorage<Element> {
  private var queue: RingBuffer<Element>
  private let limit: Int
  private let kind: (@Sendable (Element) -> Int?)?
  private var slots: [(order: UInt64, element: Element)?]
  private var filledSlots = 0
  private var order: UInt64 = 0
  // The order of the queue's elements, kept only where slots must be merged with them.
  private var queueOrders = RingBuffer<UInt64>()

  init(_ policy: StreamPolicy<Element>) {
    queue = RingBuffer()
    switch policy {
    case .unbounded:
      limit = .max
      kind = nil
      slots = []
    case .newest(let count):
      precondition(count > 0, "a stream keeps at least one element")
      limit = count
      kind = nil
      slots = []
    case .newestOfEachKind(let count, let kind):
      limit = .max
      self.kind = kind
      slots = Array(repeating: nil, count: count)
    }
  }

  var count: Int { queue.count + filledSlots }

  mutating func append(_ element: Element) {
    guard let kind else {
      if queue.count == limit { queue.removeFirst() }
      queue.append(element)
      return
    }
    order += 1
    guard let slot = kind(element) else {
      queue.append(element)
      queueOrders.append(order)
      return
    }
    if slots[slot] == nil { filledSlots += 1 }
    slots[slot] = (order, element)
  }

  mutating func popFirst() -> Element? {
    guard filledSlots > 0, let slot = oldestSlot() else {
      if !queueOrders.isEmpty { queueOrders.removeFirst() }
      return queue.popFirst()
    }
    if let first = queueOrders.first, first < slot.order {
      queueOrders.removeFirst()
      return queue.popFirst()
    }
    defer { slots[slot.index] = nil }
    filledSlots -= 1
    return slots[slot.index]?.element
  }

  private func oldestSlot() -> (index: Int, order: UInt64)? {
    var oldest: (index: Int, order: UInt64)?
    for (index, slot) in slots.enumerated() {
      if let slot, slot.order < oldest?.order ?? .max { oldest = (index, slot.order) }
    }
    return oldest
  }
}

/// A queue in a ring that grows when it is full.
struct RingBuffer<Element> {
  private var elements: ContiguousArray<Element?> = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var first: Element? { count == 0 ? nil : elements[head] }

  mutating func append(_ element: Element) {
    if count == elements.count { grow() }
    var index = head + count
    if index >= elements.count { index -= elements.count }
    elements[index] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count { head = 0 }
    count -= 1
    return element
  }

  mutating func removeFirst() {
    _ = popFirst()
  }

  private mutating func grow() {
    var grown = ContiguousArray<Element?>()
    grown.reserveCapacity(Swift.max(8, elements.count * 2))
    for offset in 0..<count { grown.append(elements[(head + offset) % elements.count].take()) }
    grown.append(contentsOf: repeatElement(nil, count: grown.capacity - count))
    elements = grown
    head = 0
  }
}
