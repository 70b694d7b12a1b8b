import SwiftVLC

extension Workload {
  static let parser = Workload("parser", "parses at once, leaves and is out of time") { host in
    for parse in host.startParses(count: 3 + host.draw(6)) { await parse.value }
  }

  static let logReaders = Workload("logs", "reads the log, for a while") { host in
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
    if host.draw(2) == 1 { await subject.drop() }
    for reader in readers {
      reader.cancel()
      await reader.value
    }
  }
}

extension Host {
  /// Parses of a few media, some of which share one, are cancelled, or are out of time.
  func startParses(count: Int) -> [Task<Void, Never>] {
    guard let instance else { return [] }
    let choices = (0..<2).map { _ in SoakMedium.all[draw(SoakMedium.all.count)] }
    let media = choices.compactMap { choice in (try? Media(mrl: choice.location)).map { ($0, choice) } }
    let shared = Shared()
    return (0..<count).map { _ in
      let (media, choice) = media[draw(media.count)]
      let timeout = [Duration.milliseconds(5), .milliseconds(50), .seconds(30)][draw(3)]
      let parse = Task { [chooser, stage] in
        let isFirst = await shared.enter(media)
        if !isFirst { chooser.mark(.sharedParse) }
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
            result, of: choice.facts, fails: choice.parseFails, faults: stage.hasFaults,
            isCancelled: Task.isCancelled))
      }
      if draw(3) == 2 {
        let delay = Duration.milliseconds(draw(4) * 3)
        return Task {
          try? await Task.sleep(for: delay)
          parse.cancel()
          await parse.value
        }
      }
      return parse
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
