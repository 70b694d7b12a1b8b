import Foundation
import SwiftVLC

/// The host's own bytes, which fail as such may; sound ones may block, and no more.
final class SoakSource: ByteSource {
  private let chooser: Chooser
  private let isSound: Bool
  private let blocks: Flag

  /// - Parameter blocks: raised when a read blocks.
  init(_ chooser: Chooser, isSound: Bool, blocks: Flag = Flag()) {
    self.chooser = chooser
    self.isSound = isSound
    self.blocks = blocks
  }

  struct Broken: Error {}

  func open() throws -> any ByteReader {
    if !isSound, chooser.draw(8) == 7 {
      chooser.mark(.sourceDoesNotOpen)
      throw Broken()
    }
    if chooser.draw(4) == 3 {
      chooser.mark(.sourceOpensSlowly)
      Thread.sleep(forTimeInterval: 0.3)
    }
    return SoakReader(chooser, isSound: isSound, blocks: blocks)
  }
}

/// Is closed exactly once, and returns from a read that blocks when it is.
final class SoakReader: ByteReader, @unchecked Sendable {
  // Unchecked: behind the condition.
  private let chooser: Chooser
  private let condition = NSCondition()
  private var left = size
  private var isClosed = false
  private var isReading = false
  private let breaksAt: Int
  private let blocksAt: Int
  private let blocks: Flag

  private static let size = 800_000
  let byteCount: UInt64? = UInt64(size)

  init(_ chooser: Chooser, isSound: Bool, blocks: Flag) {
    self.chooser = chooser
    self.blocks = blocks
    let fault = chooser.draw(5)
    breaksAt = !isSound && fault == 2 ? Self.size / 2 : -1
    blocksAt = fault > 2 ? Self.size / 2 : -1
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else { throw SoakSource.Broken() }
    if isReading { chooser.fail(Violation(.commands, "a reader is read twice at once")) }
    isReading = true
    defer { isReading = false }
    if left <= breaksAt {
      chooser.mark(.sourceBreaks)
      throw SoakSource.Broken()
    }
    if left <= blocksAt {
      chooser.mark(.sourceBlocks)
      blocks.raise()
      while !isClosed { condition.wait() }
      chooser.mark(.readClosed)
      throw SoakSource.Broken()
    }
    let count = min(left, buffer.count)
    left -= count
    return count
  }

  func seek(to offset: UInt64) throws {
    condition.withLock { left = Self.size - Int(min(offset, UInt64(Self.size))) }
  }

  func close() {
    let isSecond = condition.withLock { () -> Bool in
      defer { isClosed = true }
      condition.broadcast()
      return isClosed
    }
    if isSecond { chooser.fail(Violation(.commands, "a reader is closed twice")) }
  }

  deinit {
    if !isClosed { chooser.fail(Violation(.ledger, "a reader is gone that was not closed")) }
  }
}
