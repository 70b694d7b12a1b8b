import CommandOptions
import Foundation
import Glibc
import Interleaving
import SimulatedVLC
import Synchronization
import VLCNative

/// `vlcsim bench`.
enum Bench {
  private struct Row: Encodable {
    let name: String
    let figure: Double
    let unit: String
    let goal: Double
    let met: Bool
  }
  private struct Report: Encodable { let rows: [Row] }
  private static let names = ["player.life", "playback.day"]

  static func run(_ arguments: [String]) async throws -> SimulatorCommand.Status {
    let parsed = try CommandLineOptions(arguments, options: ["json", "only:"])
    if let operand = parsed.operands.first { throw UsageError(reason: "bench takes no \"\(operand)\"") }
    var isJSON = false
    var only = names
    for (name, value) in parsed.options {
      if name == "json" { isJSON = true } else { only = value.split(separator: ",").map(String.init) }
    }
    if let unknown = only.first(where: { !names.contains($0) }) {
      throw UsageError(
        reason: "\"\(unknown)\" is no row: there are \(names.joined(separator: ", "))")
    }
    var rows: [Row] = []
    if only.contains("player.life") { rows.append(try await life()) }
    if only.contains("playback.day") { rows.append(try await day()) }
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(Report(rows: rows)), as: UTF8.self))
    } else {
      for row in rows {
        print(
          "\(row.name)\t\(Int(row.figure)) \(row.unit)\tgoal \(Int(row.goal))\t\(row.met ? "met" : "missed")")
      }
    }
    return .clean
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private static func explored(_ name: String, _ executions: Int, _ body: @escaping @Sendable (World) -> Void)
    async throws -> Double
  {
    var options = ExplorationOptions(executions: executions)
    options.world.steps = 10_000_000
    options.world.settling = 10_000_000
    let start = processorTime()
    let done = await explore(name, options, body: body)
    if let finding = done.finding { throw Failed(description: "\(name): \(finding)") }
    return processorTime() - start
  }

  private static func life() async throws -> Row {
    _ = try await explored("life", 200, Stage.live)
    let executions = 20_000
    let rate = Double(executions) / (try await explored("life", executions, Stage.live))
    return Row(
      name: "player.life", figure: rate, unit: "executions/CPU-second", goal: 5_000, met: rate >= 5_000)
  }

  private static func day() async throws -> Row {
    let seconds = try await explored("day", 1) { world in
      Stage.playADay(world)
    }
    return Row(name: "playback.day", figure: seconds, unit: "seconds", goal: 60, met: seconds <= 60)
  }
}

/// A player of a simulated library, with somebody who listens to all of it.
private final class Stage: Sendable {
  private struct Seen {
    var isPlaying = false
    var isPaused = false
    var times = 0
    var isStopped = false
  }
  let library = SimulatedLibrary()
  private let seen = Mutex(Seen())
  private let condition = NSCondition()
  private let instance: NativeInstance
  private let player: NativePlayer
  private let kinds: [NativeEventKind]

  init?(_ location: String) {
    guard let instance = library.newInstance(arguments: []), let player = library.newPlayer(instance),
      let media = library.newMedia(instance, location: location)
    else { return nil }
    self.instance = instance
    self.player = player
    kinds = NativeEventKind.ofPlayers.filter(library.eventKinds.contains)
    for kind in kinds { _ = library.attach(.player(player), kind, Self.note, context: context) }
    library.setMedia(player, media)
    library.releaseMedia(media)
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static let note: NativeEventCallback = { event, context in
    guard let event, let context else { return }
    let stage = Unmanaged<Stage>.fromOpaque(context).takeUnretainedValue()
    let decoded = stage.library.decode(event)
    switch decoded {
    case .playing, .paused, .timeChanged, .stopped: break
    default: return
    }
    stage.condition.lock()
    stage.seen.withLock { seen in
      switch decoded {
      case .playing: seen.isPlaying = true
      case .paused: seen.isPaused = true
      case .timeChanged: seen.times += 1
      default: seen.isStopped = true
      }
    }
    stage.condition.broadcast()
    stage.condition.unlock()
  }

  private func wait(_ isTrue: (Seen) -> Bool) {
    condition.lock()
    while !seen.withLock({ isTrue($0) }) { condition.wait() }
    condition.unlock()
  }

  private func close(_ world: World) {
    for kind in kinds { library.detach(.player(player), kind, Self.note, context: context) }
    library.releasePlayer(player)
    library.releaseInstance(instance)
    if library.livingObjects > 0 { world.fail("left: \(library.livingObjectDescriptions)") }
  }

  static func live(_ world: World) {
    guard let stage = Stage("fake://film") else { return world.fail("no player") }
    _ = stage.library.play(stage.player)
    stage.wait { $0.isPlaying }
    stage.library.setPause(stage.player, true)
    stage.wait { $0.isPaused }
    stage.library.setPause(stage.player, false)
    _ = stage.library.setTime(stage.player, milliseconds: 1_500, fast: false)
    stage.wait { $0.times > 0 }
    stage.close(world)
  }

  static func playADay(_ world: World) {
    guard let stage = Stage("fake://day") else { return world.fail("no player") }
    _ = stage.library.play(stage.player)
    stage.wait { $0.isStopped }
    let times = stage.seen.withLock { $0.times }
    if times < 4 * 86_400 - 8 { world.fail("only \(times) times were told") }
    stage.library.stop(stage.player)
    stage.close(world)
  }
}
