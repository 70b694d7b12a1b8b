import CInterleaving

/// What deep mode knows of each word of memory: who read and wrote its bytes, as far as that is not ordered before what came
/// later.
final class Shadow {
  private struct Access {
    /// Which of the word's bytes.
    let bytes: UInt8
    let isWrite: Bool
    let strand: Int
    /// How findings call who it was.
    let entity: Int
    let time: UInt32
    let caller: UInt
    /// Where the entity was, while stacks are collected.
    let stack: Finding.Stack?
  }
  private var words: [UInt: [Access]] = [:]
  private static let mostBytes = 64 * 1024
  /// A bit for every so many lines of memory: where none is set, nothing is known. Most of what is freed nobody looked at.
  private let marks = UnsafeMutablePointer<UInt64>.allocate(capacity: markWords)
  private static let markWords = 256
  private static let lineBits: UInt = 9

  init() { marks.initialize(repeating: 0, count: Self.markWords) }
  deinit { marks.deallocate() }

  func removeAll() {
    words.removeAll(keepingCapacity: words.count < 4096)
    marks.update(repeating: 0, count: Self.markWords)
  }

  private func mark(_ address: UInt) {
    let line = Int((address >> Self.lineBits) % UInt(Self.markWords * 64))
    marks[line / 64] |= 1 << UInt64(line % 64)
  }

  private func mayKnow(_ memory: UInt, _ size: Int) -> Bool {
    let last = (memory &+ UInt(max(size, 1)) &- 1) >> Self.lineBits
    let first = memory >> Self.lineBits
    guard last - first < UInt(Self.markWords * 64) else { return true }
    for line in first...last {
      let line = Int(line % UInt(Self.markWords * 64))
      if marks[line / 64] & 1 << UInt64(line % 64) != 0 { return true }
    }
    return false
  }

  func forget(_ memory: UInt, _ size: Int) {
    guard !words.isEmpty, mayKnow(memory, size) else { return }
    if size / 8 > words.count {
      words = words.filter { $0.key &* 8 < memory || $0.key &* 8 >= memory &+ UInt(size) }
    } else {
      for word in stride(from: memory / 8, to: (memory &+ UInt(size) &+ 7) / 8, by: 1) { words[word] = nil }
    }
  }

  /// Notes an access of the running entity; the sentence and the other's stack where nothing orders it and an earlier one.
  func note(
    _ me: Entity, _ address: UInt, _ size: Int, isWrite: Bool, caller: UInt, _ clocks: VectorClocks
  ) -> Finding? {
    let scheduler = me.pointee.scheduler
    let mine = clocks.strand(of: me)
    let collects = scheduler.state.pointee.collectsStacks
    let end = address &+ UInt(min(size, Self.mostBytes))
    var start = address
    while start < end {
      let word = start / 8
      let next = min(end, (word + 1) * 8)
      let bytes = UInt8(truncatingIfNeeded: ((1 << (next - start)) - 1) << (start - word * 8))
      var known = words[word] ?? []
      if let other = known.first(where: {
        $0.bytes & bytes != 0 && ($0.isWrite || isWrite) && $0.strand != mine
          && !clocks.isBefore($0.strand, $0.time, me)
      }) {
        return race(me, isWrite, caller, other)
      }
      // What comes before this one and is covered by it says no more than it.
      known.removeAll {
        $0.bytes & ~bytes == 0 && (isWrite || !$0.isWrite)
          && ($0.strand == mine || clocks.isBefore($0.strand, $0.time, me))
      }
      known.append(
        Access(
          bytes: bytes, isWrite: isWrite, strand: mine, entity: me.pointee.number,
          time: clocks.time(of: me), caller: caller,
          stack: collects ? Finding.Stack(entity: me.pointee.name, frames: StackFrames.here()) : nil))
      words[word] = known
      mark(start)
      start = next
    }
    return nil
  }

  private func race(_ me: Entity, _ isWrite: Bool, _ caller: UInt, _ other: Access) -> Finding {
    let name = me.pointee.scheduler.state.pointee.entities[other.entity].name
    var finding = Finding(
      .race,
      "\(me.pointee.name) \(isWrite ? "writes" : "reads") in \(StackFrames.name(of: caller)) what \(name) "
        + "\(other.isWrite ? "wrote" : "read") in \(StackFrames.name(of: other.caller)): nothing orders the two"
    )
    finding.stacks =
      [Finding.Stack(entity: me.pointee.name, frames: StackFrames.here())] + [other.stack].compactMap { $0 }
    return finding
  }
}

extension Scheduler {
  /// The running entity reads or writes memory, in code that was instrumented; in the kernel.
  func accessed(_ me: Entity, _ address: UInt, _ size: Int, isWrite: Bool, caller: UInt) {
    // The first execution makes what is made once: it tells of no races.
    guard let shadow = state.pointee.shadow, let clocks, state.pointee.execution > 1, !state.pointee.isOver
    else {
      return
    }
    if let race = shadow.note(me, address, size, isWrite: isWrite, caller: caller, clocks) {
      found(.race, race.message)
      state.pointee.finding?.stacks = race.stacks
      leave(me)
    }
  }

  /// The running entity is about to do an atomic operation: a point, and what its memory order says.
  func atomic(_ me: Entity, _ address: UInt, _ operation: ci_atomic, acquires: Bool, releases: Bool) {
    // The host makes the body's task as the main thread, which does not run.
    guard state.pointee.running >= 0 else { return }
    let object = resource(at: address, .object)
    me.pointee.next = Int32(truncatingIfNeeded: object)
    point(me)
    touch(me, object, operation == CI_LOADS ? .reads : .writes)
    guard let clocks else { return }
    if acquires { clocks.acquire(me, object) }
    // A store begins anew: who reads it knows nothing of what an earlier one released.
    if operation == CI_STORES { clocks.clear(object) }
    if releases { clocks.release(me, object) }
  }
}
