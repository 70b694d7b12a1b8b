import CLibVLCSupport
import Synchronization
import VLCNative

/// Instances and their logs: S16 and S17.
let instanceRules: [Rule] = [
  Rule("S16.released", "An instance that is released lives on with its player, which plays on.") { stage in
    let (player, media) = try stage.playing("tour.mkv")
    // One more, which is given back while the player lives.
    let instance = try stage.require(
      stage.library.newInstance(arguments: stage.arguments), "a second instance")
    let other = try stage.require(stage.library.newPlayer(instance), "a player")
    let trace = stage.trace
    let listener = stage.makeListener(.player(other), [.playing, .timeChanged]) {
      trace.append(.event("other", $0))
    }
    listener.attachAll()
    stage.library.setMedia(other, media)
    _ = stage.library.play(other)
    try stage.wait(for: .playing, of: "other")
    let call = stage.call("release instance") { stage.library.releaseInstance(instance) }
    try stage.wait(for: "a time", of: "other", from: call.end) { $0.isTime }
    try stage.expect(stage.library.state(other), is: .playing, "the state")
    stage.library.stop(other)
    listener.detachAll()
    stage.library.releasePlayer(other)
    stage.stop(player)
  },
  Rule("S16.argument", "An argument that is not known gives no instance.") { stage in
    try stage.expect(
      stage.library.newInstance(arguments: ["--no-such-option-anywhere"]), is: nil, "the instance")
  },
  Rule("S16.counted", "An instance lives until its last count is given back.") { stage in
    let instance = try stage.instance()
    stage.library.retainInstance(instance)
    stage.library.releaseInstance(instance)
    _ = try stage.makePlayer()
  },

  Rule("S17.lines", "A log gets lines, and none after it was unset.") { stage in
    let log = stage.keep(object: LogSink(stage.trace))
    let player = try stage.makePlayer()
    let instance = try stage.instance()
    stage.library.setLog(instance, context: log.context)
    try stage.start(player, stage.makeMedia("tour.mkv"))
    try stage.expect(log.count > 0, "lines")
    stage.library.unsetLog(instance)
    let count = log.count
    stage.stop(player)
    let mark = stage.mark
    stage.play(player)
    try stage.wait(for: .playing, from: mark)
    try stage.expect(log.count, is: count, "lines after it was unset")
  },
  Rule("S17.caller", "A log's lines come on the callers of the library, too.") { stage in
    let log = stage.keep(object: LogSink(stage.trace, marks: true))
    let player = try stage.makePlayer()
    let instance = try stage.instance()
    let media = try stage.makeMedia("silence.wav")
    stage.library.setLog(instance, context: log.context)
    try stage.start(player, media)
    stage.stop(player)
    stage.library.unsetLog(instance)
    let lanes = Set(stage.entries.filter { $0.content == .mark("line") }.map(\.lane))
    try stage.expect(lanes.contains(.caller), "on the caller")
    try stage.expect(lanes.count > 1, "and on others")
  },
  Rule("S17.unset", "unset waits for the line that is being received.") { stage in
    let log = stage.keep(object: LogSink(stage.trace, waits: true))
    let player = try stage.makePlayer()
    let instance = try stage.instance()
    stage.setMedia(player, try stage.makeMedia("silence.wav"))
    stage.library.setLog(instance, context: log.context)
    // The first line holds the thread that logs it, whichever that is.
    stage.spawn { stage.play(player) }
    try stage.wait(mark: "line waits")
    let library = stage.library
    stage.spawn { stage.call("log_unset") { library.unsetLog(instance) } }
    try stage.wait(until: "the beginning") { $0.first { $0.content == .begins("log_unset") } }
    for _ in 0..<1_000 { _ = stage.library.state(player) }
    stage.note("opens")
    let returned = try stage.wait(until: "the return") { $0.first { $0.content == .returned("log_unset") } }
    try stage.expect(stage.wait(mark: "line goes on").number < returned.number, "the line first")
  },
]

/// Receives an instance's log: counts its lines, notes each, or holds the first.
private final class LogSink: @unchecked Sendable {
  // Unchecked: the pointer is set once and freed with the sink.
  let context: UnsafeMutablePointer<NativeLogContext>
  private let trace: Trace
  private let marks: Bool
  private let waits: Bool
  private let lines = Atomic(0)
  private let isFirst = Once()

  init(_ trace: Trace, marks: Bool = false, waits: Bool = false) {
    self.trace = trace
    self.marks = marks
    self.waits = waits
    context = .allocate(capacity: 1)
    context.initialize(
      to: NativeLogContext(
        function: { opaque, _, _, _ in
          guard let opaque else { return }
          Unmanaged<LogSink>.fromOpaque(opaque).takeUnretainedValue().receive()
        }, opaque: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    context.deinitialize(count: 1)
    context.deallocate()
  }

  var count: Int { lines.load(ordering: .relaxed) }

  private func receive() {
    lines.add(1, ordering: .relaxed)
    if marks { trace.append(.mark("line")) }
    guard waits, isFirst.take() else { return }
    trace.append(.mark("line waits"))
    trace.gate("opens")
    trace.append(.mark("line goes on"))
  }
}
