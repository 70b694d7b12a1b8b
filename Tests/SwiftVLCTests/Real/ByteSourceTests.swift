import ConcurrencySeam
import Foundation
import MediaFixtures
import TestSupport
import Testing

@testable import SwiftVLC

extension RealLibVLC {
  @MainActor @Suite struct ByteSourceTests {
    @Test func `a byte source plays, is opened anew for a replay, and each reader is closed once`()
      async throws
    {
      let source = try FileSource("base.mp4")
      let player = Player(instance: try instance())
      var outcomes = player.terminalOutcomes.makeAsyncIterator()
      let media = Media(source: source)
      try media.addOption(":stop-time=0.5")
      try player.play(media)
      #expect(await outcomes.next()?.cause == .naturalEnd)
      #expect(media.tracks().count == 2 && media.statistics()?.decodedVideo ?? 0 > 0)
      try player.play()
      #expect(await outcomes.next()?.cause == .naturalEnd)
      player.stop()
      try player.load(RealLibVLC.media("silence.wav"))
      await until { player.state == .idle }
      #expect(source.log.withLock { $0.opened } == 2)
      #expect(source.log.withLock { $0.closed } == [1, 1])
    }

    @Test func `a read that blocks is made to return before a stop, a load and a drop`() async throws {
      for ending in [Ending.stop, .load, .drop] {
        let source = try FileSource("tour.mkv", blocksAfter: 200_000)
        var player: Player? = Player(instance: try instance())
        let outcomes = try #require(player).terminalOutcomes
        try player?.play(Media(source: source))
        await source.blocked()
        switch ending {
        case .stop: player?.stop()
        case .load: try player?.load(media("silence.wav"))
        case .drop: player = nil
        }
        let outcome = try #require(await within { await outcomes.first { _ in true } })
        // The closed reader is told as an error before the stop is: what was asked for counts.
        let expected: PlaybackTerminalCause =
          switch ending {
          case .stop: .requestedStop
          case .load: .replacement
          case .drop: .cancellation
          }
        #expect(outcome.cause == expected)
        player = nil
        // Whose players there are beside it is of no account.
        let isClosed = await within { () -> Bool in
          while source.log.withLock({ $0.closed.isEmpty }) { try? await Task.sleep(for: .milliseconds(1)) }
          return true
        }
        #expect(isClosed == true)
        #expect(source.log.withLock { $0.closed } == [1])
      }
    }

    private enum Ending { case stop, load, drop }

    @Test func `a source that does not open, or breaks in the middle, fails`() async throws {
      let player = Player(instance: try instance())
      var outcomes = player.terminalOutcomes.makeAsyncIterator()
      try player.play(Media(source: try FileSource("base.mp4", fails: .open)))
      #expect(await outcomes.next()?.cause == .failure(.cannotOpen))
      try player.play(Media(source: try FileSource("base.mp4", fails: .firstRead)))
      let second = try #require(await outcomes.next())
      guard case .failure = second.cause else {
        Issue.record("a read error was told as \(second.cause)")
        return
      }
    }

    @Test func `libVLC 3 does not parse a byte source, and says so`() async throws {
      let media = Media(source: try FileSource("base.mp4"))
      await #expect { try await media.parse(instance: instance()) } throws: { error in
        (error as? VLCError)?.parseFailed?.contains("play") == true
      }
    }

    @Test func `a descriptor plays from its beginning each time, and twice at once`() async throws {
      let descriptor = open(MediaFixtures.path("base.mp4"), O_RDONLY)
      let media = try Media(fileDescriptor: descriptor)
      close(descriptor)
      try media.addOption(":stop-time=0.5")
      let instance = try instance()
      let players = [Player(instance: instance), Player(instance: instance)]
      let outcomes = players.map(\.terminalOutcomes)
      for player in players { try player.play(media) }
      for stream in outcomes { #expect(await stream.first { _ in true }?.cause == .naturalEnd) }
      var again = players[0].terminalOutcomes.makeAsyncIterator()
      try players[0].play()
      let outcome = try #require(await again.next())
      #expect(outcome.cause == .naturalEnd)
      #expect(players[0].statistics?.demuxCorrupted == 0)
      #expect(try await media.parse(instance: instance).duration != nil)
      #expect(throws: VLCError.self) { try Media(fileDescriptor: -1) }
    }
  }
}

/// A fixture's bytes, read from memory, with a log of what was called.
private final class FileSource: ByteSource {
  struct Failure: Error {}
  enum Fails { case open, firstRead }
  struct Log {
    var opened = 0
    var closed: [Int] = []
    var blocked: CheckedContinuation<Void, Never>?
    var isBlocked = false
  }

  let log = Guarded(Log())
  private let bytes: [UInt8]
  private let fails: Fails?
  private let blocksAfter: Int?

  init(_ name: String, fails: Fails? = nil, blocksAfter: Int? = nil) throws {
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: MediaFixtures.path(name))))
    self.fails = fails
    self.blocksAfter = blocksAfter
  }

  /// Returns when a reader blocks.
  func blocked() async {
    await withCheckedContinuation { continuation in
      let isBlocked = log.withLock { log in
        if !log.isBlocked { log.blocked = continuation }
        return log.isBlocked
      }
      if isBlocked { continuation.resume() }
    }
  }

  fileprivate func noteBlocked() {
    let waiter = log.withLock { log in
      log.isBlocked = true
      return log.blocked.take()
    }
    waiter?.resume()
  }

  func open() throws -> any ByteReader {
    if fails == .open { throw Failure() }
    let number = log.withLock { log in
      log.opened += 1
      log.closed.append(0)
      return log.opened - 1
    }
    return Reader(self, number: number, bytes: bytes, fails: fails == .firstRead, blocksAfter: blocksAfter)
  }

  private final class Reader: ByteReader {
    private let source: FileSource
    private let number: Int
    private let bytes: [UInt8]
    private let fails: Bool
    private let blocksAfter: Int?
    private let place = Guarded(0)
    private let gate = DispatchSemaphore(value: 0)

    init(_ source: FileSource, number: Int, bytes: [UInt8], fails: Bool, blocksAfter: Int?) {
      self.source = source
      self.number = number
      self.bytes = bytes
      self.fails = fails
      self.blocksAfter = blocksAfter
    }

    var byteCount: UInt64? { UInt64(bytes.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      if fails { throw Failure() }
      let start = place.withLock { $0 }
      if let blocksAfter, start >= blocksAfter {
        source.noteBlocked()
        gate.wait()
        throw Failure()
      }
      let count = min(buffer.count, bytes.count - start)
      bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
      place.withLock { $0 += count }
      return count
    }

    func seek(to offset: UInt64) throws {
      place.withLock { $0 = min(Int(clamping: offset), bytes.count) }
    }

    func close() {
      source.log.withLock { $0.closed[number] += 1 }
      gate.signal()
    }
  }
}
