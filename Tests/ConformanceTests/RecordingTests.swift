import TestSupport
import Testing

@testable import Conformance

/// How recordings are read and compared.
@Suite(.tags(.logic)) struct RecordingTests {
  private static let text = """
    ### v4 example
        55.21 main                     MP MediaChanged md=0x55d3
        55.24 main                   > libvlc_media_player_play(mp)
        55.28 main                   < libvlc_media_player_play(mp) state=Stopped
        55.38 T1(vlc-input)            MP Opening 
        55.39 T1(vlc-input)            MP Buffering 0
        57.61 T1(vlc-input)            MP ESAdded type=1 id=video/0
        57.62 T1(vlc-input)                md MediaMetaChanged 
        57.63 T1(vlc-input)                md MediaParsedChanged status=5
        58.08 T1(vlc-input)            MP Playing 
                ... (+2 more)
        58.20 T2(vlc-dec-video)        MP Vout n=1
        58.31 T1(vlc-input)            MP ESUpdated type=0 id=audio/1
        58.41 T1(vlc-input)            MP ESUpdated type=0 id=audio/1
        59.00 T1(vlc-input)            MP ESSelected type=1 unsel=video/0 sel=-
        60.00 T3(vlc-player-end)       MP Stopped 
        61.00 main                   state=Stopped
    --- done
    rc=0
    """

  private func heard(_ number: String, _ thread: String, _ text: String) -> Recording.Heard {
    Recording.Heard(thread: thread, number: number, text: text)
  }

  private var expected: [Recording.Heard] {
    [
      heard("main", "main", "player MediaChanged media 1"), heard("main", "main", "> play"),
      heard("T1", "vlc-input", "player Opening"), heard("T1", "vlc-input", "player ESAdded video 0"),
      heard("T1", "vlc-input", "md MediaParsedChanged done"), heard("T1", "vlc-input", "player Playing"),
      heard("T1", "vlc-input", "player ESUpdated audio 1"), heard("T2", "vlc-dec-video", "player Vout 1"),
      heard("T1", "vlc-input", "player ESSelected video none"),
      heard("T3", "vlc-player-end", "player Stopped"),
      heard("main", "main", "state=Stopped"),
    ]
  }

  @Test func `a recording is read without what repeats`() {
    #expect(Recording(Self.text).heard == expected)
  }

  @Test func `what is the same but for the numbers of threads is no difference`() {
    let other = expected.map {
      heard($0.number == "main" ? "main" : "L" + $0.number.dropFirst(), $0.thread, $0.text)
    }
    #expect(Recording(Self.text).difference(from: other) == nil)
  }

  @Test func `each deviation is a difference`() {
    let recording = Recording(Self.text)
    for place in expected.indices {
      var missing = expected
      missing.remove(at: place)
      #expect(recording.difference(from: missing) != nil, "without \(expected[place])")
      var doubled = expected
      doubled.insert(expected[place], at: place)
      #expect(recording.difference(from: doubled) != nil, "twice \(expected[place])")
      var moved = expected
      moved[place] = heard("main", "another", expected[place].text)
      #expect(recording.difference(from: moved) != nil, "\(expected[place]) on another kind of thread")
      if place + 1 < expected.count {
        var swapped = expected
        swapped.swapAt(place, place + 1)
        #expect(recording.difference(from: swapped) != nil, "\(expected[place]) later")
      }
    }
    var split = expected
    split[5] = heard("T9", "vlc-input", "player Playing")
    #expect(recording.difference(from: split) != nil, "two threads for one")
    var joined = expected
    joined[9] = heard("T1", "vlc-player-end", "player Stopped")
    #expect(recording.difference(from: joined) != nil, "one thread for two")
  }
}
