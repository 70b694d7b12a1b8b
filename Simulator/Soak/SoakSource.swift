import Foundation
import SwiftVLC

/// The host's own bytes, which fail as such may.
final class SoakSource: ByteSource {
  private let chooser: Chooser

  init(_ chooser: Chooser) { self.chooser = chooser }

  struct Broken: Error {}

  func open() throws -> any ByteReader {
    if chooser.draw(8) == 7 {
      chooser.mark(.sourceDoesNotOpen)
      throw Broken()
    }
    return SoakReader(chooser)
  }
}

/// Is closed exactly once, and returns from a read that blocks when it is.
final class SoakReader: ByteReader, @unchecked Sendable {
  // Unchecked: behind the condition.
  private let chooser: Chooser
  private let condition = NSCondition()
  private var left: Int
  private var isClosed = false
  private var isReading = false
  private let breaksAt: Int
  private let blocksAt: Int

  let byteCount: UInt64? = 800_000

  init(_ chooser: Chooser) {
    self.chooser = chooser
    left = 800_000
    let fault = chooser.draw(6)
    breaksAt = fault == 4 ? 300_000 : -1
    blocksAt = fault == 5 ? 300_000 : -1
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
      while !isClosed { condition.wait() }
      chooser.mark(.readClosed)
      throw SoakSource.Broken()
    }
    let count = min(left, buffer.count)
    left -= count
    return count
  }

  func seek(to offset: UInt64) throws {
    condition.lock()
    left = 800_000 - Int(min(offset, 800_000))
    condition.unlock()
  }

  func close() {
    condition.lock()
    let isSecond = isClosed
    isClosed = true
    condition.broadcast()
    condition.unlock()
    if isSecond { chooser.fail(Violation(.commands, "a reader is closed twice")) }
  }

  deinit {
    if !isClosed { chooser.fail(Violation(.ledger, "a reader is gone that was not closed")) }
  }
}
