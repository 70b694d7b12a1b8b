/// A queue in a ring of raw memory, which grows when it is full or, where it is bounded, overwrites its oldest element.
@usableFromInline
struct RingBuffer<Element>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var capacity: Int
  @usableFromInline var head = 0
  @usableFromInline var count = 0
  @usableFromInline let limit: Int

  /// - Parameter limit: how many elements are kept at most; above zero.
  init(limit: Int = .max) {
    precondition(limit > 0, "a ring keeps at least one element")
    self.limit = limit
    capacity = Swift.min(limit, 8)
    base = .allocate(capacity: capacity)
  }

  @inlinable
  deinit {
    for offset in 0..<count { (base + (head + offset) % capacity).deinitialize(count: 1) }
    base.deallocate()
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity {
      if count == limit {
        base[head] = element
        head = head + 1 == capacity ? 0 : head + 1
        return
      }
      grow()
    }
    let index = head + count
    (base + (index >= capacity ? index - capacity : index)).initialize(to: element)
    count += 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = (base + head).move()
    head = head + 1 == capacity ? 0 : head + 1
    count -= 1
    return element
  }

  private mutating func grow() {
    let larger = Swift.min(limit, capacity * 2)
    let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    let untilEnd = Swift.min(count, capacity - head)
    moved.moveInitialize(from: base + head, count: untilEnd)
    (moved + untilEnd).moveInitialize(from: base, count: count - untilEnd)
    base.deallocate()
    base = moved
    capacity = larger
    head = 0
  }
}
