import CInterleaving

/// What an execution did, event by event, for people: made by running it again.
public struct Trace: Sendable {
  /// A thread of control, in the order of coming.
  public struct Lane: Hashable, Sendable {
    public let name: String
  }

  public struct Event: Hashable, Sendable {
    /// The place of the lane that it is in; nil where time passes for all.
    public let lane: Int?
    /// How many steps the execution had made.
    public let step: Int
    /// The world's time.
    public let time: Duration
    public let action: Action
    /// What it is done to; of others, what they say.
    public let object: String
    /// Whether another could have gone on, and this one was chosen: an explicit choice of the schedule.
    public let isChosen: Bool
    /// Whether the lane before could have gone on.
    public let isPreemption: Bool

    /// What happens, in a few words.
    public var text: String {
      switch action {
      case .takes: "takes \(object)"
      case .gives: "gives \(object) back"
      case .waits: "waits for \(object)"
      case .touches: "touches \(object)"
      case .reads: "reads \(object)"
      case .starts: "starts \(object)"
      case .says, .notes, .finds: object
      }
    }
  }

  public enum Action: Int, Hashable, Sendable {
    case takes, gives, waits, touches, reads, starts, says
    /// The body tells something.
    case notes
    /// It is wrong here.
    case finds
  }

  public internal(set) var lanes: [Lane] = []
  public internal(set) var events: [Event] = []
  /// Switches away from an entity that could have gone on.
  public internal(set) var preemptions = 0
  /// Choices that are not what a schedule without any would do: go on where possible, the first of each queue, no time early.
  public internal(set) var choices = 0

  public init() {}
}

// What a traced execution leaves in its record, ahead of what it leads to: whatever ends the process, it is there.
extension Trace {
  private static let preemption: UInt32 = 1 << 16
  fileprivate static let step: UInt32 = 1 << 17

  static func clear(_ record: UnsafeMutablePointer<ci_record>) {
    record.pointee.steps_taken = 0
    record.pointee.events_length = 0
  }

  static func add(step key: UInt64, isPreemption: Bool, to record: UnsafeMutablePointer<ci_record>) {
    add(ci_step(key: key, kind: step | (isPreemption ? preemption : 0), answer: 0), to: record)
  }

  static func add(_ kind: ChoiceKind, answer: Int, to record: UnsafeMutablePointer<ci_record>) {
    add(
      ci_step(key: 0, kind: UInt32(kind.rawValue), answer: UInt32(truncatingIfNeeded: answer)), to: record)
  }

  private static func add(_ step: ci_step, to record: UnsafeMutablePointer<ci_record>) {
    let taken = Int(record.pointee.steps_taken)
    guard taken < Int(CI_STEPS_ROOM) else { return }
    ci_record_steps(record)[taken] = step
    record.pointee.steps_taken = UInt32(taken + 1)
  }

  static func add(_ event: Event, in lanes: [Lane], to record: UnsafeMutablePointer<ci_record>) {
    let lane = event.lane.map { "\($0)\t\(lanes[$0].name)" } ?? "-1\t"
    let nanoseconds = Int64(event.time / .nanoseconds(1))
    let flags = (event.isChosen ? 1 : 0) + (event.isPreemption ? 2 : 0)
    let bytes = Array(
      "\(lane)\t\(event.step)\t\(nanoseconds)\t\(flags)\t\(event.action.rawValue)\t\(event.object)\n".utf8)
    let length = Int(record.pointee.events_length)
    guard length + bytes.count <= Int(CI_EVENTS_ROOM), let events = ci_record_events(record) else { return }
    for (offset, byte) in bytes.enumerated() { events[length + offset] = CChar(bitPattern: byte) }
    record.pointee.events_length = UInt32(length + bytes.count)
  }

  init(in record: UnsafeMutablePointer<ci_record>) {
    for place in 0..<Int(record.pointee.steps_taken) {
      let step = ci_record_steps(record)[place]
      if step.kind & Self.preemption != 0 { preemptions += 1 }
    }
    choices =
      ChoiceSequence(recorded: ci_record_choices(record), count: Int(record.pointee.count)).explicitCount
    let bytes = UnsafeRawBufferPointer(
      start: ci_record_events(record), count: Int(record.pointee.events_length))
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false)
      guard words.count == 7, let action = Int(words[5]).flatMap({ Action(rawValue: $0) }),
        let lane = Int(words[0]), let step = Int(words[2]), let time = Int64(words[3]),
        let flags = Int(words[4])
      else { continue }
      if lane >= lanes.count { lanes.append(Lane(name: String(words[1]))) }
      events.append(
        Event(
          lane: lane < 0 ? nil : lane, step: step, time: .nanoseconds(time), action: action,
          object: String(words[6]),
          isChosen: flags & 1 != 0, isPreemption: flags & 2 != 0))
    }
  }
}

extension Plan {
  init(in record: UnsafeMutablePointer<ci_record>) {
    for place in 0..<Int(record.pointee.steps_taken) {
      let step = ci_record_steps(record)[place]
      if step.kind & Trace.step == 0, let kind = ChoiceKind(rawValue: UInt8(truncatingIfNeeded: step.kind)) {
        others.append(Other(kind: kind, answer: Int(step.answer)))
      } else {
        append(step.key)
      }
    }
  }
}

/// Asks another chooser, and notes in the record what happens: `Trace` and `Plan` read it there.
final class Tracer: Chooser, @unchecked Sendable {
  private var inner: Chooser
  private var scheduler: Scheduler?
  private var lanes: [Trace.Lane] = []
  /// By entity, the place of its lane.
  private var places = [Int?](repeating: nil, count: World.mostEntities)
  private var last = -1
  private var isChosen = false
  private var isPreemption = false
  private let wantsEvents: Bool
  /// Whether the entity that runs was told of since it began to.
  private var hasEvent = false
  private var isSettling = false

  init(_ inner: Chooser, wantsEvents: Bool) {
    self.inner = inner
    self.wantsEvents = wantsEvents
  }

  override var observes: Bool { true }
  override var leftOver: Int { inner.leftOver }
  override var difference: String? {
    get { inner.difference }
    set { inner.difference = newValue }
  }

  override func begin(_ scheduler: Scheduler) {
    self.scheduler = scheduler
    Trace.clear(scheduler.state.pointee.record)
    lanes = []
    places = Array(repeating: nil, count: World.mostEntities)
    last = -1
    hasEvent = false
    isSettling = false
    inner.begin(scheduler)
  }

  override func settled() -> Chooser {
    inner = inner.settled()
    isSettling = true
    return self
  }

  override func answer(_ point: ChoicePoint) -> Int {
    let answer = inner.answer(point)
    if isSettling { return answer }
    let isDefault = answer == point.defaultAnswer
    if point.kind == .entity {
      isChosen = !isDefault
    } else if let record = scheduler?.state.pointee.record {
      Trace.add(point.kind, answer: answer, to: record)
    }
    lastIsDefault = isDefault
    return answer
  }

  /// Whether the last answer is what goes without saying.
  private(set) var lastIsDefault = false

  override func began(_ entity: Int, enabled: UInt64) -> Bool {
    // A step between two points that nobody tells of is something as well.
    if entity != last, last >= 0, !hasEvent { happened(last, .says, "runs") }
    if entity != last { hasEvent = false }
    isPreemption = !isSettling && last >= 0 && entity != last && enabled & (1 << UInt64(last)) != 0
    if let scheduler, !isSettling {
      Trace.add(
        step: scheduler.state.pointee.entities[entity].key, isPreemption: isPreemption,
        to: scheduler.state.pointee.record)
    }
    last = entity
    return inner.began(entity, enabled: enabled)
  }

  override func made(_ entity: Int, by parent: Int) {
    inner.made(entity, by: parent)
    // The entity's number may have been another's.
    places[entity] = nil
    if let scheduler, parent >= 0 {
      happened(parent, .starts, scheduler.state.pointee.entities[entity].name)
    }
  }

  override func touched(_ object: Int, _ kind: AccessKind) {
    inner.touched(object, kind)
    guard wantsEvents, let scheduler, object >= 0 else { return }
    let name = scheduler.name(of: object)
    switch kind {
    case .acquires: happened(last, .takes, name)
    case .releases: happened(last, .gives, name)
    case .writes: happened(last, .touches, name)
    case .reads: happened(last, .reads, name)
    }
  }

  override func timePassed() {
    inner.timePassed()
    if let scheduler { happened(nil, .says, "it is \(Self.time(scheduler))") }
  }

  private static func time(_ scheduler: Scheduler) -> Duration {
    .nanoseconds(Int64(scheduler.state.pointee.now - Scheduler.start))
  }

  override func happened(_ entity: Int?, _ action: Trace.Action, _ object: String) {
    guard wantsEvents, let scheduler else { return }
    hasEvent = true
    let lane = entity.map { laneNumber(of: $0, scheduler) }
    let event = Trace.Event(
      lane: lane, step: scheduler.state.pointee.steps, time: Self.time(scheduler), action: action,
      object: object, isChosen: isChosen, isPreemption: isPreemption)
    Trace.add(event, in: lanes, to: scheduler.state.pointee.record)
    isChosen = false
    isPreemption = false
  }

  private func laneNumber(of entity: Int, _ scheduler: Scheduler) -> Int {
    if let known = places[entity] { return known }
    let name = scheduler.state.pointee.entities[entity].name
    // One of the same name that ended leaves its lane to the next.
    var place = lanes.indices.first { lanes[$0].name == name && !places.contains($0) }
    if place == nil {
      lanes.append(Trace.Lane(name: name))
      place = lanes.count - 1
    }
    places[entity] = place
    return place ?? 0
  }
}
