import Foundation
import SimulatedVLC
import SwiftVLC

/// An application: an instance, its players, and what it does with them.
@MainActor
final class Host {
  let stage: Stage
  private(set) var instance: VLCInstance?
  private weak var dropped: VLCInstance?
  private let isForGood: Bool
  private(set) var subjects: [Subject] = []
  var chooser: Chooser { stage.chooser }

  /// Nil where no instance is made, which faults alone may bring about.
  init?(_ stage: Stage) {
    self.stage = stage
    // As the shared one, of which nobody waits for the end.
    isForGood = stage.chooser.draw(4) == 3
    do {
      instance = try VLCInstance([], library: stage.library, isCounted: !isForGood)
    } catch {
      stage.check(stage.may(.instanceIsNil) ? nil : Violation(.commands, "no instance was made: \(error)"))
      return nil
    }
    dropped = instance
  }

  func draw(_ count: Int) -> Int { chooser.draw(count) }

  /// What is waited for when all is gone.
  func leave(_ tasks: [Task<Void, Never>]) { left += tasks }
  private var left: [Task<Void, Never>] = []

  func makeSubject() -> Subject? {
    guard let instance else { return nil }
    let subject = Subject(stage, instance)
    subjects.append(subject)
    return subject
  }

  /// Goes on when the main actor comes to it, or a moment later; sometimes the main actor is blocked meanwhile.
  func pass(_ lengths: [Int] = [0, 0, 1, 40, 300, 700]) async {
    if draw(24) == 23 {
      chooser.mark(.mainActorStalls)
      stall()
    }
    let length = lengths[draw(lengths.count)]
    if length == 0 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(length)) }
  }

  private func stall() { Thread.sleep(forTimeInterval: 2.5) }

  var anyMedium: SoakMedium {
    let media = SoakMedium.all + [.source, .soundSource]
    return media[draw(media.count)]
  }

  /// Something that somebody at a remote control may do.
  func act(_ subject: Subject) {
    // Now and then several commands come in one turn of the main actor.
    for _ in 0..<(draw(6) == 5 ? 4 : 1) { command(subject) }
    subject.look()
  }

  private func command(_ subject: Subject) {
    switch draw(15) {
    case 0, 1: subject.load(anyMedium, plays: true)
    case 2: subject.load(anyMedium, plays: false)
    case 3: subject.resumeOrPlay()
    case 4: subject.pause()
    case 5: subject.resume()
    case 6: subject.toggle()
    case 7: subject.stop()
    case 8: subject.seek(to: .milliseconds(draw(4) * 700))
    case 9: subject.seek(to: PlaybackPosition(Double(draw(5)) / 4))
    case 10: subject.setRate([0.5, 1, 2, 4][draw(4)])
    case 11: subject.setSound([0, 0.5, 1.5][draw(3)], isMuted: draw(2) == 1)
    case 12: subject.selectTracks()
    case 13: subject.playNearItsEnd()
    default: subject.readBriefly()
    }
  }

  /// Nothing goes wrong any more, everything is dropped, and all that was pending comes to its end.
  func end() async {
    if draw(3) == 2 { await settle() }
    stage.library.endFaults()
    if draw(2) == 1 { instance = nil }
    for subject in subjects { await subject.drop() }
    instance = nil
    if stage.countsProcess { await countProcess() }
    await look { self.isGone }
    if stage.library.livingObjects > 0 {
      stage.check(SettlingChecker().left(stage.library.livingObjectDescriptions))
    }
    stage.check(MemoryChecker().kept(kept))
    stage.ended()
    for subject in subjects { await subject.end() }
    for task in left { await task.value }
  }

  /// What was asked for and what is agree in the end, whatever went wrong before.
  func settle() async {
    stage.library.endFaults()
    guard subjects.count == 1, let subject = subjects.first else { return }
    guard await !look({ subject.disagreement == nil }) else { return }
    stage.check(subject.disagreement)
  }

  /// The engine's own counts, where the process has no other host: at nought nothing native lives, and each waits for its own nought.
  private func countProcess() async {
    await NativeObjects.allReleased()
    // A media's parse may hold it a while longer.
    let alive = stage.library.livingObjectDescriptions.filter {
      !$0.hasPrefix("media") && !(isForGood && $0.hasPrefix("instance"))
    }
    if !alive.isEmpty {
      stage.check(Violation(.ledger, "released as counted, and alive: \(alive.joined(separator: ", "))"))
    }
    guard draw(8) == 7, let again = try? VLCInstance(arguments: [], library: stage.library) else { return }
    withExtendedLifetime(again) {}
    await Task.yield()
  }

  /// Looks until something is so, at intervals that grow, or as often as is enough; whether it was.
  @discardableResult
  func look(_ isSo: () -> Bool) async -> Bool {
    for look in 0..<SettlingChecker.looks {
      if isSo() { return true }
      try? await Task.sleep(for: .milliseconds(10) * (1 << min(look, 8)))
    }
    return false
  }

  private var kept: [String] {
    (dropped == nil ? [] : ["the instance"]) + (subjects.contains(where: \.isKept) ? ["a player"] : [])
  }
  private var isGone: Bool { stage.library.livingObjects == 0 && kept.isEmpty && stage.contextsLeft == 0 }
}
