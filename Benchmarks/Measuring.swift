/// A ratio of two costs that were measured in turns in one run: the machine's noise meets both.
struct Row: Codable {
  let name: String
  /// The median ratio.
  let figure: Double
  let unit: String
  /// What the figure is to stay under.
  let goal: Double
  var met: Bool { figure <= goal }
  /// The medians that the ratio was made of, in nanoseconds a piece.
  let subject: Double
  let reference: Double

  enum CodingKeys: String, CodingKey { case name, figure, unit, goal, subject, reference }
}

/// The time that `count` pieces of work take, in nanoseconds a piece.
func cost(of count: Int, _ work: () -> Void) -> Double {
  let clock = ContinuousClock()
  let time = clock.measure(work)
  return Double(time.components.attoseconds) / 1e9 / Double(count)
    + Double(time.components.seconds) * 1e9 / Double(count)
}

func cost(of count: Int, _ work: () async -> Void) async -> Double {
  let clock = ContinuousClock()
  let time = await clock.measure(work)
  return Double(time.components.attoseconds) / 1e9 / Double(count)
    + Double(time.components.seconds) * 1e9 / Double(count)
}

func median(_ numbers: [Double]) -> Double {
  let sorted = numbers.sorted()
  return sorted[sorted.count / 2]
}

/// Measures both sides in alternating order, and takes the median of the pairs' ratios.
func compare(
  _ name: String, goal: Double, pairs: Int = 15, subject: () async -> Double, reference: () async -> Double
) async -> Row {
  _ = await subject()
  _ = await reference()
  var subjects: [Double] = []
  var references: [Double] = []
  for pair in 0..<pairs {
    if pair.isMultiple(of: 2) {
      subjects.append(await subject())
      references.append(await reference())
    } else {
      references.append(await reference())
      subjects.append(await subject())
    }
  }
  return Row(
    name: name, figure: median(zip(subjects, references).map { $0 / $1 }), unit: "ratio", goal: goal,
    subject: median(subjects), reference: median(references))
}
