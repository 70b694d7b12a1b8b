import CInterleaving

// How an execution ends when nothing can go on, and who is to blame.
extension Scheduler {
  /// Nothing can run and no time is left to pass: -1, with a finding where somebody still waits.
  @inline(never)
  func quiescent() -> Int {
    if state.pointee.waiting.pointee > 0 { foundDeadlock() }
    return -1
  }

  /// Follows who waits for whom from each that waits: a circle where there is one, else everyone who waits.
  private func foundDeadlock() {
    var sentences: [String] = []
    var stuck: [Int] = []
    var rest = state.pointee.live
    while rest != 0 {
      let number = rest.trailingZeroBitCount
      rest &= rest &- 1
      guard state.pointee.entities[number].wanted >= 0 else { continue }
      if let circle = circle(from: number) {
        stuck = circle
        break
      }
      stuck.append(number)
    }
    for number in stuck {
      let entity = state.pointee.entities[number]
      let resource = state.pointee.resources[entity.wanted]
      let name = name(of: entity.wanted)
      if resource.owner >= 0 {
        let owner = state.pointee.entities[Int(resource.owner)].name
        sentences.append("\(entity.name) waits for \(name), which \(owner) holds")
      } else {
        sentences.append("\(entity.name) waits for \(name), and nobody is left to wake it")
      }
    }
    found(.deadlock, sentences.joined(separator: "; "))
    state.pointee.finding?.stacks = stuck.compactMap { state.pointee.entities[$0].stack }
  }

  private func circle(from start: Int) -> [Int]? {
    var path: [Int] = []
    var number = start
    while true {
      if let first = path.firstIndex(of: number) { return Array(path[first...]) }
      path.append(number)
      let wanted = state.pointee.entities[number].wanted
      guard wanted >= 0 else { return nil }
      let owner = state.pointee.resources[wanted].owner
      guard owner >= 0 else { return nil }
      number = Int(owner)
    }
  }

  /// What an execution that ended without a finding leaves behind.
  func judgeEnd() {
    guard !state.pointee.isOver else { return }
    if let left = state.pointee.chooser?.leftOver, left > 0 {
      found(.differs, "the execution ended with \(left) recorded choices left over")
    } else if state.pointee.hasTasks, state.pointee.tasks.heldBack > 0 {
      found(
        .foreignEnqueue,
        "a thread outside the world resumed or enqueued \(state.pointee.tasks.heldBack) of its tasks, which were "
          + "held back: do in the world what resumes them, by spawn, a task or a queue")
    } else if state.pointee.hasTasks, !state.pointee.tasks.isEmpty || !state.pointee.isBodyDone {
      found(.neverReturns, state.pointee.tasks.description(isBodyDone: state.pointee.isBodyDone))
    } else if let message = state.pointee.order.message {
      found(.lockOrder, message)
    } else if let pair = state.pointee.order.keep(label: { state.pointee.resources[$0].label }) {
      found(
        .lockOrder,
        "\(name(of: pair.wanted)) is taken while \(name(of: pair.held)) is held, "
          + "and an earlier execution took them the other way round")
    }
  }

  // MARK: Starvation

  func resetBypassed() {
    for number in 0..<World.mostEntities {
      let entity = state.pointee.entities + number
      entity.pointee.bypassed = 0
      if entity.pointee.wanted >= 0 {
        entity.pointee.takenBefore = state.pointee.resources[entity.pointee.wanted].taken
      }
    }
  }

  /// One that was woken again and again for a lock, and each time found it taken.
  func starvedEntity(after steps: Int) -> String? {
    let entities = (0..<World.mostEntities).map { state.pointee.entities + $0 }
    guard steps > 0,
      let entity = entities.first(where: {
        state.pointee.live & $0.bit != 0 && timesBypassed($0) > max(16, steps / 100)
      })
    else { return nil }
    let name = entity.pointee.wanted < 0 ? "a lock" : name(of: entity.pointee.wanted)
    return
      "\(entity.pointee.name) waited for \(name) \(timesBypassed(entity)) times, and each time another had it"
  }

  private func timesBypassed(_ entity: Entity) -> Int {
    let wanted = entity.pointee.wanted
    guard wanted >= 0, state.pointee.resources[wanted].kind == .guarded else {
      return entity.pointee.bypassed
    }
    return state.pointee.resources[wanted].taken - entity.pointee.takenBefore
  }
}
