import Foundation
import VLCNative

/// A request for a thumbnail, with a thread of its own until it is answered.
///
/// 4.thumbnail: the picture, or none, comes as an event of the media's on that thread; nothing comes after the request is destroyed,
/// which waits for a callback that runs.
final class SimulatedThumbnailRequest: SimulatedObject, @unchecked Sendable {
  private struct State {
    var isCancelled = false
    var isOver = false
    var teller: UInt64?
  }
  private let library: SimulatedLibrary
  private let media: SimulatedMediaObject
  private let timeout: Duration?
  private let state = Monitor(State())

  init(_ library: SimulatedLibrary, _ media: SimulatedMediaObject, _ timeoutMilliseconds: Int) {
    self.library = library
    self.media = media
    timeout = timeoutMilliseconds > 0 ? .milliseconds(timeoutMilliseconds) : nil
    super.init("thumbnail request")
  }

  func start() { NativeThread.start(.thumbnailer) { self.run() } }

  /// No event comes after this; from inside one it is the last.
  func cancel() {
    state.change { $0.isCancelled = true }
    state.wait { $0.isOver || $0.teller == NativeThread.key ? () : nil }
  }

  private func run() {
    let needed = library.chance.duration(in: .milliseconds(7)...(.milliseconds(11)))
    let waited = state.wait(for: timeout.map { min($0, needed) } ?? needed) { $0.isCancelled ? true : nil }
    let medium = media.item.medium
    let isThere = medium.failure == nil && medium.tracks.contains { $0.type == .video }
    let isInTime = timeout.map { needed <= $0 } ?? true
    let tells =
      waited == nil
      && state.change { state -> Bool in
        guard !state.isCancelled else { return false }
        state.teller = NativeThread.key
        return true
      }
    if tells {
      media.events.send(.mediaThumbnailGenerated, picture: isThere && isInTime ? Self.picture : nil)
    }
    state.change { state in
      state.teller = nil
      state.isOver = true
    }
    library.release(media)
  }

  /// A PNG's first bytes: enough to be told from nothing.
  private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}
