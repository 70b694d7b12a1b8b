import SimulatedVLC
import SwiftVLC

extension Workload {
  static let parser = Workload(
    "parser", "parses at once, leaves and is out of time", needsQuiet: true
  ) { host in
    for parse in host.startParses(count: 3 + host.draw(6), isQuiet: true) { await parse.value }
  }

  static let logReaders = Workload("logs", "reads the log, for a while", needsQuiet: true) { host in
    var readers = [host.readLog()]
    guard let subject = host.makeSubject() else { return }
    subject.load(host.anyMedium, plays: true)
    for _ in 0..<(2 + host.draw(4)) {
      await host.pass()
      switch host.draw(3) {
      case 0: readers.append(host.readLog())
      case 1: readers[host.draw(readers.count)].cancel()
      default: host.act(subject)
      }
    }
    switch host.draw(3) {
    case 0:
      // The last reader may end as the instance goes, at once where no player has it.
      if host.draw(2) == 1 {
        await subject.drop()
        await host.look { host.stage.library.livingObjects <= 1 }
        // Nothing is told any more that could end it by itself.
        readers.append(host.readLog())
        await host.pass([0, 40])
      }
      host.leave(readers)
      for reader in readers { reader.cancel() }
    case 1:
      for reader in readers { reader.cancel() }
      await host.expectLogLine(subject)
      for reader in readers { await reader.value }
      await host.expectNoLog()
    default:
      for reader in readers {
        reader.cancel()
        await reader.value
      }
      await host.expectNoLog()
    }
  }
}

extension Host {
  /// A reader who stays gets a line, since something is played until it does.
  func expectLogLine(_ subject: Subject) async {
    stage.library.endFaults()
    guard subject.hasNativePlayer, let stream = instance?.logStream(minimumLevel: .debug) else { return }
    let line = Task.detached { for await _ in stream { break } }
    let isDone = Flag()
    let watch = Task {
      await line.value
      isDone.raise()
    }
    var plays = 0
    while !isDone.isRaised, plays < 40 {
      subject.load(.soundSource, plays: true)
      try? await Task.sleep(for: .seconds(7))
      plays += 1
    }
    stage.check(isDone.isRaised ? nil : Violation(.streams, "who reads the log gets no line"))
    await watch.value
  }

  /// Nobody reads: nothing is installed, after a while.
  func expectNoLog() async {
    let isRemoved = await look { self.stage.library.installedLogs == 0 }
    stage.check(
      isRemoved ? nil : Violation(.memory, "a log is installed that nobody reads"))
  }

  /// Parses of a few media, some of which share one, are cancelled, or are out of time; and readings of chapters.
  ///
  /// - Parameter isQuiet: whether time passes only when nobody can run, so that half a minute is enough for whatever has no fault.
  func startParses(count: Int, isQuiet: Bool = false) -> [Task<Void, Never>] {
    guard let instance else { return [] }
    let choices = (0..<2).map { _ in SoakMedium.all[draw(SoakMedium.all.count)] }
    let media = choices.compactMap { choice in (try? Media(mrl: choice.location)).map { ($0, choice) } }
    let shared = Shared()
    return (0..<count).map { _ in
      if draw(6) == 5 { return startChapters(instance) }
      let (media, choice) = media[draw(media.count)]
      let timeout = [Duration.milliseconds(5), .milliseconds(50), .seconds(30)][draw(3)]
      // Some come when others leave.
      let delay = [Duration.zero, .zero, .milliseconds(5), .milliseconds(50)][draw(4)]
      let parse = Task { [chooser, stage] in
        if delay > .zero { try? await Task.sleep(for: delay) }
        let isFirst = await shared.enter(media)
        if !isFirst { chooser.mark(.sharedParse) }
        let start = ContinuousClock.now
        let result: Result<Metadata, VLCError>
        do throws(VLCError) {
          result = .success(try await media.parse(timeout: timeout, instance: instance))
        } catch {
          result = .failure(error)
        }
        await shared.leave(media)
        switch result {
        case .failure(.parseTimeout): chooser.mark(.timedOutParse)
        case .failure(.cancelled): chooser.mark(.cancelledParse)
        default: break
        }
        stage.check(
          CommandsChecker().parsed(
            result, of: choice.facts, fails: choice.parseFails,
            faults: stage.may(.parsingFails, .parsingIsSkipped, .mediaIsNil, .attachFails),
            isCancelled: Task.isCancelled,
            isOutOfTime: ContinuousClock.now - start >= timeout
              && (!isQuiet || timeout < .seconds(30) || stage.may(.parsingIsSlow))))
      }
      return maybeCancel(parse)
    }
  }

  private func startChapters(_ instance: VLCInstance) -> Task<Void, Never> {
    let chapters = SoakMedium.all.first { !$0.medium.chapters.isEmpty }
    let media: Media
    let expected: Int
    if draw(2) == 0, let chapters, let made = try? Media(mrl: chapters.location) {
      (media, expected) = (made, chapters.medium.chapters.count)
    } else {
      (media, expected) = (Media(source: SoakSource(chooser, isSound: true)), 0)
    }
    let timeout = [Duration.milliseconds(40), .seconds(30)][draw(2)]
    return maybeCancel(
      Task { [stage] in
        let start = ContinuousClock.now
        let result: Result<Int, VLCError>
        do throws(VLCError) {
          result = .success(try await media.chapters(timeout: timeout, instance: instance).count)
        } catch {
          result = .failure(error)
        }
        stage.check(
          CommandsChecker().chaptersRead(
            result, expected: expected, faults: stage.mayFail, isCancelled: Task.isCancelled,
            isOutOfTime: ContinuousClock.now - start >= timeout))
      })
  }

  private func maybeCancel(_ task: Task<Void, Never>) -> Task<Void, Never> {
    guard draw(3) == 2 else { return task }
    let delay = Duration.milliseconds(draw(4) * 3)
    return Task {
      try? await Task.sleep(for: delay)
      task.cancel()
      await task.value
    }
  }

  /// Who parses what now.
  private actor Shared {
    private var running: [ObjectIdentifier: Int] = [:]
    func enter(_ media: Media) -> Bool {
      running[ObjectIdentifier(media), default: 0] += 1
      return running[ObjectIdentifier(media)] == 1
    }
    func leave(_ media: Media) { running[ObjectIdentifier(media), default: 0] -= 1 }
  }

  /// Reads lines of the log until it is cancelled, or has enough.
  func readLog() -> Task<Void, Never> {
    guard let stream = instance?.logStream(minimumLevel: .debug) else { return Task {} }
    let most = 1 + draw(6)
    return Task.detached { [chooser] in
      var count = 0
      for await _ in stream {
        count += 1
        if count == most { break }
      }
      if count == most { chooser.mark(.logEndsInLine) }
    }
  }
}

/// Something that has happened.
final class Flag: Sendable {
  private let state = CheckerState(false)
  var isRaised: Bool { state.withValue { $0 } }
  func raise() { state.withValue { $0 = true } }
}
