#if LibVLC
import LibVLC
import Testing
import VLCNative

@Suite struct VersionTests {
  @Test func `the library is libVLC 3.0`() {
    #expect(LibVLCLibrary().version.hasPrefix("3.0."))
  }
}
#endif
