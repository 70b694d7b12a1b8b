import Foundation
import MediaFixtures
import TestSupport
import Testing

@testable import SwiftVLC

#if LibVLC
extension RealLibVLC {
  /// Each in a process of its own, where nothing else makes native objects, threads or descriptors.
  @Suite struct LifetimeTests {
    @Test func `a thousand players dropped, one in ten while playing, leave nothing behind`() async {
      await #expect(processExitsWith: .success) { try await LifetimeBodies.dropAThousand() }
    }

    @Test func `players dropped from many tasks at once leave nothing behind`() async {
      await #expect(processExitsWith: .success) { try await LifetimeBodies.dropFromManyTasks() }
    }

    @Test func `a process that ends while something plays stops it first`() async {
      await #expect(processExitsWith: .exitCode(7)) { try await LifetimeBodies.exitWhilePlaying() }
    }
  }
}

#endif

/// What runs in the child processes, and of it on the simulated library what counts no threads and descriptors.
enum LifetimeBodies {
  /// What was left behind, as an exit status: a parent sees no more of a child that failed.
  private enum Left: Int32 {
    case players = 11
    case media, objects, descriptors, threads
  }

  private static func require(_ condition: Bool, _ left: Left) {
    if !condition { exit(left.rawValue) }
  }

  @MainActor
  static func dropAThousand() async throws {
    let instance = try RealLibVLC.instance()
    // A first round for what libVLC, Dispatch (its idle workers) and the runtime keep for good.
    try await drop(200, instance)
    require(await Stage.releasesAll(but: 1), .objects)
    let before = ProcessResources.now()
    try await drop(1_000, instance)
    require(await Stage.releasesAll(but: 1), .objects)
    let after = ProcessResources.now()
    require(NativeObjects.count(of: .player) == 0, .players)
    require(NativeObjects.count(of: .media) == 0, .media)
    require(after.descriptors <= before.descriptors, .descriptors)
    require(after.threads <= before.threads, .threads)
  }

  /// One in ten while it plays.
  @MainActor
  static func drop(_ count: Int, _ instance: VLCInstance) async throws {
    for number in 0..<count {
      if number.isMultiple(of: 10) {
        try await dropOnePlaying(instance)
      } else {
        _ = Player(instance: instance)
      }
    }
  }

  @MainActor
  private static func dropOnePlaying(_ instance: VLCInstance) async throws {
    let player = Player(instance: instance)
    let transitions = player.stateTransitions
    try player.play(RealLibVLC.media("base.mp4"))
    _ = await transitions.first { $0 == .playing }
  }

  static func dropFromManyTasks() async throws {
    await dropFromManyTasks(try RealLibVLC.instance())
    // The instance is gone, too.
    require(await Stage.releasesAll(but: 0), .objects)
  }

  static func dropFromManyTasks(_ instance: VLCInstance) async {
    let path = MediaFixtures.path("base.mp4")
    await withTaskGroup { group in
      for number in 0..<32 {
        group.addTask {
          let player = await Player(instance: instance)
          if number.isMultiple(of: 2) { try? await player.play(Media(path: path)) }
          if number.isMultiple(of: 3) { try? await Task.sleep(for: .milliseconds(number)) }
          // The last reference goes here, on whatever thread this is.
        }
      }
    }
  }

  @MainActor
  static func exitWhilePlaying() async throws {
    let player = Player(instance: try RealLibVLC.instance())
    let transitions = player.stateTransitions
    try player.play(RealLibVLC.media("tour.mkv"))
    _ = await transitions.first { $0 == .playing }
    exit(7)
  }
}
