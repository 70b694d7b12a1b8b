import SimulatedVLC
import SwiftVLC

extension Workload {
  static let dismisser = Workload("dismisser", "drops its player at any point") { host in
    guard let subject = host.makeSubject() else { return }
    subject.load(host.anyMedium, plays: true)
    // What was asked for last may not have begun when its player is gone.
    if host.draw(2) == 1 {
      subject.stop()
      for _ in 0..<host.draw(4) { await Task.yield() }
      return await subject.drop()
    }
    for _ in 0..<host.draw(5) {
      await host.pass()
      if host.draw(3) == 2 { host.act(subject) }
    }
    await subject.drop()
  }

  static let zapper = Workload("zapper", "goes from channel to channel") { host in
    guard let subject = host.makeSubject() else { return }
    for _ in 0..<(3 + host.draw(6)) {
      subject.load(host.anyMedium, plays: true)
      await host.pass()
      subject.look()
      if host.draw(4) == 3 { subject.stop() }
    }
    await host.pass([1_000])
    subject.look()
  }

  static let scrubber = Workload("scrubber", "seeks to and fro, then waits", needsQuiet: true) { host in
    guard let subject = host.makeSubject() else { return }
    subject.load(host.anyMedium, plays: true)
    for _ in 0..<(4 + host.draw(8)) {
      await host.pass()
      switch host.draw(6) {
      case 0: subject.seek(to: PlaybackPosition(Double(host.draw(5)) / 4))
      case 1: subject.setRate([0.5, 1, 4][host.draw(3)])
      case 2: host.act(subject)
      default: subject.seek(to: .milliseconds(host.draw(6) * 700))
      }
      subject.look()
    }
    await host.rest()
    subject.lookWhenQuiet()
  }

  static let pauseSpammer = Workload("pauser", "pauses and resumes, then waits", needsQuiet: true) { host in
    guard let subject = host.makeSubject() else { return }
    subject.load(host.anyMedium, plays: true)
    for _ in 0..<(3 + host.draw(10)) {
      switch host.draw(8) {
      case 0, 1, 2: subject.pause()
      case 3, 4: subject.resume()
      case 5: subject.toggle()
      case 6: subject.resumeOrPlay()
      default: host.act(subject)
      }
      await subject.pauseInAWait()
      subject.look()
      await host.pass()
    }
    await host.rest()
    subject.lookWhenQuiet()
  }

  static let replayer = Workload("replayer", "plays again what is about to end") { host in
    guard let subject = host.makeSubject() else { return }
    subject.load(host.draw(2) == 0 ? .short : host.anyMedium, plays: true)
    for _ in 0..<(1 + host.draw(5)) {
      for _ in 0...host.draw(3) { subject.playNearItsEnd() }
      await host.pass([0, 300, 700])
      if host.draw(4) == 3 { host.act(subject) }
    }
    await host.settle()
  }

  static let manyPlayers = Workload("players", "three players at once") { host in
    let subjects = (0..<3).compactMap { _ in host.makeSubject() }
    for _ in 0..<(4 + host.draw(8)) {
      host.act(subjects[host.draw(subjects.count)])
      await host.pass()
    }
    await subjects[host.draw(subjects.count)].drop()
  }

  static let byteSources = Workload("sources", "plays bytes of its own, which fail and block") { host in
    guard let subject = host.makeSubject() else { return }
    let source = host.draw(2) == 0 ? SoakMedium.source : .soundSource
    subject.load(source, plays: true)
    if host.draw(3) == 2 { subject.stopAtItsEnd() }
    if host.draw(2) == 1 { subject.stopWhenBlocked() }
    for _ in 0..<(1 + host.draw(6)) {
      if host.draw(3) > 0 { await host.pass() }
      switch host.draw(6) {
      case 0: subject.load(source, plays: true)
      case 1: subject.stop()
      case 2: subject.resumeOrPlay()
      case 3: subject.load(host.anyMedium, plays: true)
      default: host.act(subject)
      }
    }
  }

  static let mixture = Workload("mixture", "everything at once") { host in
    guard let first = host.makeSubject() else { return }
    let parses = host.startParses(count: 1 + host.draw(3))
    let logs = host.readLog()
    first.load(host.anyMedium, plays: true)
    for _ in 0..<(2 + host.draw(8)) {
      host.act(first)
      await host.pass()
      if host.subjects.count < 2, host.draw(8) == 7, let second = host.makeSubject() {
        second.load(host.anyMedium, plays: true)
      }
    }
    await first.drop()
    for parse in parses { await parse.value }
    logs.cancel()
    await logs.value
  }
}

extension Host {
  /// Until what is under way has come to its end, or goes on for long: in a world whose time passes when nobody can run.
  func rest() async {
    stage.library.endFaults()
    try? await Task.sleep(for: .microseconds(19_345_679))
  }
}
