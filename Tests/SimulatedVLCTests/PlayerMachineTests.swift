import TestSupport
import Testing
import VLCNative

@testable import SimulatedVLC

/// What a player of libVLC 4.0 decides.
@Suite(.tags(.logic)) struct PlayerMachineTests {
  /// A machine with a media whose playback has come to Playing.
  private static func playing() -> PlayerMachine {
    var machine = PlayerMachine()
    _ = machine.mediaSet(true)
    _ = machine.playAsked()
    _ = machine.entered(.opening, 1)
    _ = machine.entered(.playing, 1)
    return machine
  }

  @Test func `4.setMedia: the first media is the player's at once, and has a playback that does not run`() {
    var machine = PlayerMachine()
    #expect(machine.mediaSet(true) == [.changeMedia, .make(1), .tellMedia])
    #expect(machine.state == .stopped && machine.phases == [1: .made])
    #expect(machine.mediaSet(true) == [.drop(1), .changeMedia, .make(2), .tellMedia])
    #expect(machine.playAsked() == [.start(2)])
  }

  @Test func `4.stop: the player's thread tells what a stop begins and ends with`() {
    var machine = Self.playing()
    let isTaken = machine.stopAsked()
    #expect(isTaken && machine.state == .playing, "nothing is told yet")
    let again = machine.stopAsked()
    #expect(!again && machine.playAsked() == nil, "while it drains")
    #expect(machine.turn == .stop(1))
    #expect(machine.stopBegan(1) == [.tell(.stopping), .tell(.mediaStopping(.user)), .halt(1)])
    #expect(
      machine.entered(.paused, 1) == [] && machine.entered(.stopping, 1) == [], "it tells no more states")
    machine.died(1)
    #expect(machine.turn == .bury(1))
    #expect(machine.buried(1) == [.tell(.stopped)])
    #expect(machine.turn == nil && machine.playAsked() == [.make(2), .start(2)])
  }

  @Test func `4.end: a natural end tells Stopping, and Stopped when it is buried`() {
    var machine = Self.playing()
    #expect(machine.entered(.stopping, 1) == [.tell(.stopping)])
    let isTaken = machine.stopAsked()
    #expect(!isTaken && machine.turn == nil)
    machine.died(1)
    #expect(machine.buried(1) == [.tell(.stopped)])
  }

  @Test func `4.end: an end that comes before the player's thread stops it needs no stop`() {
    var machine = Self.playing()
    _ = machine.stopAsked()
    #expect(machine.entered(.stopping, 1) == [.tell(.stopping)])
    #expect(machine.turn == nil, "no reason is told")
    machine.died(1)
    #expect(machine.buried(1) == [.tell(.stopped)])
  }

  @Test func `4.setMedia: one media follows another without a state of the player's`() {
    var machine = Self.playing()
    #expect(machine.mediaSet(true) == [])
    #expect(machine.stopBegan(1) == [.tell(.mediaStopping(.user)), .halt(1)])
    machine.died(1)
    #expect(machine.buried(1) == [.changeMedia, .make(2), .tellMedia, .start(2)])
    #expect(machine.entered(.opening, 2) == [] && machine.entered(.playing, 2) == [])
    #expect(machine.state == .playing)
  }

  @Test func `4.setMedia: no media stops what plays, and is told before Stopped`() {
    var machine = Self.playing()
    #expect(machine.mediaSet(false) == [])
    #expect(machine.stopBegan(1) == [.tell(.stopping), .tell(.mediaStopping(.user)), .halt(1)])
    machine.died(1)
    #expect(machine.buried(1) == [.changeMedia, .tellMedia, .tell(.stopped)])
    #expect(machine.playAsked() == nil)
  }

  @Test func `4.pause: what cannot be paused is stopped, and what does not play is not resumed`() {
    var machine = Self.playing()
    #expect(machine.pauseAsked(canPause: false) == .stop)
    #expect(machine.pauseAsked(canPause: true) == .send(1))
    _ = machine.stopAsked()
    #expect(machine.resumeAsked() == .nothing)
  }

  @Test func `4.missing: an error is told and is no state, and not of what is stopped anyway`() {
    var machine = PlayerMachine()
    _ = machine.mediaSet(true)
    _ = machine.playAsked()
    _ = machine.entered(.opening, 1)
    #expect(machine.entered(.error, 1) == [.tell(.encounteredError)] && machine.state == .opening)
    _ = machine.stopAsked()
    #expect(machine.entered(.error, 1) == [])
  }

  @Test(arguments: UInt64(1)...200)
  func `in whatever order: what starts was made and is buried once, and Stopped leaves nothing that plays`(
    seed: UInt64
  ) {
    var random = Random(state: seed)
    var machine = PlayerMachine()
    var made: Set<Int> = []
    var started: Set<Int> = []
    var gone: Set<Int> = []
    func take(_ actions: [PlayerMachine.Action]) {
      for action in actions {
        switch action {
        case .make(let playback): #expect(made.insert(playback).inserted)
        case .start(let playback):
          #expect(made.contains(playback) && started.insert(playback).inserted, "\(playback)")
        case .drop(let playback): #expect(!started.contains(playback) && gone.insert(playback).inserted)
        case .halt(let playback): #expect(started.contains(playback))
        case .tell(.stopped): #expect(!machine.isStarted && machine.state == .stopped)
        case .tell, .changeMedia, .tellMedia: break
        }
      }
    }
    func step(asks: Bool) {
      switch random.draw(asks ? 9 : 4) {
      case 0, 1:
        switch machine.turn {
        case .stop(let playback): take(machine.stopBegan(playback))
        case .bury(let playback):
          take(machine.buried(playback))
          #expect(started.contains(playback) && gone.insert(playback).inserted)
        case nil: break
        }
      case 2:
        if let playback = machine.phases.first(where: { $0.value == .stopping })?.key {
          machine.died(playback)
        }
      case 3:
        let running = machine.phases.filter { [.running, .asked].contains($0.value) }.keys.sorted()
        guard let playback = running.first else { break }
        let states: [NativeState] = asks ? [.opening, .playing, .paused, .error, .stopping] : [.stopping]
        take(machine.entered(states[random.draw(states.count)], playback))
      case 4: take(machine.mediaSet(random.draw(4) > 0))
      case 5, 6: take(machine.playAsked() ?? [])
      case 7: _ = machine.stopAsked()
      default: #expect(machine.current.map { machine.phases[$0] != nil } ?? true)
      }
      #expect(machine.phases.values.filter { $0 == .running || $0 == .made }.count <= 1)
    }
    for _ in 0..<400 { step(asks: true) }
    take(machine.released())
    for _ in 0..<100 { step(asks: false) }
    #expect(machine.phases.isEmpty && made == gone && machine.state == .stopped)
  }

  private struct Random {
    var state: UInt64
    mutating func draw(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
  }
}
