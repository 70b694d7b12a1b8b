/// What an exploration found, and how much it looked at.
public struct Exploration: Sendable {
  public internal(set) var executions = 0
  public internal(set) var steps = 0
  /// Findings of the kernel's own: executions whose repetition was another.
  public internal(set) var digestMismatches = 0
  public internal(set) var finding: Finding?
  /// The line that replays the finding.
  public internal(set) var artefact: Artefact?
}

extension World {
  /// Runs a body under many schedules, until something is found.
  ///
  /// Each failing execution is run again from its recorded choices, and must be the same.
  ///
  /// - Parameters:
  ///   - name: names the body in the artefact line; without blanks.
  ///   - executions: how many at most.
  ///   - seed: from which all schedules follow.
  ///   - makeStrategy: a strategy for each execution's seed.
  public func explore(
    _ name: String, executions: Int, seed: UInt64 = 1,
    strategy makeStrategy: (UInt64) -> Strategy = { .random(SeededRandom(seed: $0)) },
    body: @escaping (World) -> Void
  ) -> Exploration {
    precondition(!name.contains(" "), "a body's name stands in a line of words")
    var exploration = Exploration()
    for execution in 0..<UInt64(executions) {
      let found = run(makeStrategy(seed &+ execution &* 0x9E37_79B9), body: body)
      exploration.executions += 1
      exploration.steps += steps
      guard let found else { continue }
      let recorded = choices
      let first = digest
      exploration.finding = found
      exploration.artefact = Artefact(
        body: name, seed: seed &+ execution &* 0x9E37_79B9, finding: found.kind, digest: first,
        choices: recorded)
      // A lock-order inversion is told once over all executions, so its repetition need not tell it again.
      guard found.kind != .lockOrder else { break }
      let again = run(.strictReplay(Replay(recorded)), body: body)
      if again?.kind != found.kind || digest != first { exploration.digestMismatches += 1 }
      break
    }
    return exploration
  }

  /// Runs a body from an artefact's choices.
  ///
  /// - Parameter isStrict: whether a choice that is not possible any more is a finding, or is skipped.
  public func replay(_ artefact: Artefact, isStrict: Bool = true, body: @escaping (World) -> Void) -> Finding?
  {
    let replay = Replay(artefact.choices)
    return run(isStrict ? .strictReplay(replay) : .tolerantReplay(replay), body: body)
  }
}
