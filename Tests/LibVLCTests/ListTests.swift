#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct ListTests {
    @Test func `media are appended, inserted, found and removed`() throws {
      try withList { instance, list in
        try withMedia(library.newMedia(instance, path: "/a")) { first in
          try withMedia(library.newMedia(instance, path: "/b")) { second in
            library.lockMediaList(list)
            defer { library.unlockMediaList(list) }
            #expect(library.mediaListCount(list) == 0)
            #expect(library.appendMedia(list, first))
            #expect(library.insertMedia(list, second, at: 0))
            #expect(library.mediaListCount(list) == 2)
            #expect(library.index(list, of: first) == 1)
            #expect(library.index(list, of: second) == 0)
            let kept = try #require(library.retainedMedia(list, at: 1))
            #expect(kept == first)
            library.releaseMedia(kept)
            #expect(library.removeMedia(list, at: 0))
            #expect(library.index(list, of: second) == nil)
            #expect(library.removeMedia(list, at: 5) == false)
            #expect(library.retainedMedia(list, at: 5) == nil)
            #expect(library.mediaListCount(list) == 1)
          }
        }
      }
    }

    @Test func `a list of one's own can be written, and has no media that it belongs to`() throws {
      try withList { instance, list in
        #expect(!library.isReadOnly(list))
        #expect(library.retainedMedia(of: list) == nil)
        try withMedia(library.newMedia(instance, nodeNamed: "Owner")) { owner in
          library.setMedia(of: list, owner)
          let kept = try #require(library.retainedMedia(of: list))
          #expect(kept == owner)
          library.releaseMedia(kept)
        }
      }
    }

    @Test func `a list of sub-items is read-only and belongs to its media`() throws {
      try withInstance { instance in
        try withMedia(library.newMedia(instance, nodeNamed: "Owner")) { owner in
          let list = try #require(library.mediaSubItems(owner))
          library.lockMediaList(list)
          #expect(library.appendMedia(list, owner) == false)
          library.unlockMediaList(list)
          #expect(library.isReadOnly(list))
          library.releaseMediaList(list)
        }
      }
    }

    @Test func `a list lives until its last count is given back`() throws {
      try withList { _, list in
        library.retainMediaList(list)
        library.releaseMediaList(list)
        #expect(library.mediaListCount(list) == 0)
      }
    }

    @Test func `a list keeps its media alive`() throws {
      try withList { instance, list in
        let media = try #require(library.newMedia(instance, path: "/a"))
        library.lockMediaList(list)
        #expect(library.appendMedia(list, media))
        library.unlockMediaList(list)
        library.releaseMedia(media)
        library.lockMediaList(list)
        let kept = try #require(library.retainedMedia(list, at: 0))
        library.unlockMediaList(list)
        #expect(kept == media)
        #expect(library.mediaMRL(kept) == "file:///a")
        library.releaseMedia(kept)
      }
    }

    @Test func `a lock keeps another thread out until it is given back`() throws {
      try withList { _, list in
        library.lockMediaList(list)
        let order = Record<String>()
        let other = Record<Int>()
        Thread.detachNewThread {
          order.append("waits")
          library.lockMediaList(list)
          order.append("enters")
          other.append(library.mediaListCount(list))
          library.unlockMediaList(list)
        }
        try order.wait(for: "waits")
        order.append("leaves")
        library.unlockMediaList(list)
        #expect(try other.first("the other thread") == 0)
        #expect(order.entries == ["waits", "leaves", "enters"])
      }
    }

    private func withList(_ body: (NativeInstance, NativeMediaList) throws -> Void) throws {
      try withInstance { instance in
        let list = try #require(library.newMediaList(instance))
        defer { library.releaseMediaList(list) }
        try body(instance, list)
      }
    }
  }
}
#endif
