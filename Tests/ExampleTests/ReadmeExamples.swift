import SwiftVLC

// The README's examples, word for word: `ExampleTests` compares.

@MainActor
func play(_ path: String) async throws {
  let player = Player()
  let outcomes = player.terminalOutcomes
  try player.play(Media(path: path))
  for await outcome in outcomes {
    print("\(outcome.cause) at \(outcome.finalTimeline.time.formatted)")
    break
  }
}

func describe(_ path: String) async throws {
  let media = try Media(path: path)
  let metadata = try await media.parse(timeout: .seconds(5))
  print(metadata.title ?? "untitled", metadata.duration?.formatted ?? "of unknown length")
  for track in media.tracks() { print(track.type, track.codec, track.language ?? "") }
  for chapter in try await media.chapters() { print(chapter.start.formatted, chapter.name ?? "") }
}

@MainActor
func follow(_ player: Player) async {
  for await event in player.controlEvents {
    if let state = event.stateChanged { print("now \(state)") }
    if event == .endReached { break }
  }
}
