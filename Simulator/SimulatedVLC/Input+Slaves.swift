import VLCNative

/// Streams of files beside the media's own.
extension Input {
  /// Takes subtitles of a file of their own; the number of their stream.
  func addText(_ uri: String) -> Int {
    let track = state.change { state -> NativeTrack in
      let number = (state.tracks.map(\.number).max() ?? -1) + 1
      var track = NativeTrack(
        type: .text, number: number, identifier: "spu/\(number)", codec: NativeTrack.fourCharacters("subt"))
      track.name = uri.split(separator: "/").last.map(String.init)
      state.tracks.append(track)
      return track
    }
    // The media has it from now on, as it has its own.
    media.item.state.read { state in
      if !state.tracks.contains(where: { $0.number == track.number }) { state.tracks.append(track) }
    }
    return track.number
  }

  /// What belongs to the media, before it plays.
  func addSlaves() {
    for slave in media.item.state.read({ $0.slaves }) where slave.type == .subtitle {
      tell(.elementaryStreamAdded(.text, number: addText(slave.uri)))
    }
  }
}
