#if LibVLC
import Foundation
import Glibc
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct DiscoveryTests {
    @Test func `each category lists its services, and no service is in two`() throws {
      try withInstance { instance in
        let lists = NativeDiscoveryCategory.allCases.map { library.mediaDiscoverers(instance, $0) }
        let names = lists.joined().map(\.name)
        #expect(Set(names).count == names.count)
        let local = library.mediaDiscoverers(instance, .localDirectories)
        #expect(local.map(\.name).sorted() == ["audio_dir", "picture_dir", "video_dir"])
        #expect(local.contains(NativeNamed(name: "video_dir", description: "My Videos")))
        #expect(library.mediaDiscoverers(instance, .lan).contains { $0.name == "sap" })
        #expect(library.mediaDiscoverers(instance, .podcasts).contains { $0.name == "podcast" })
      }
    }

    @Test func `a discoverer runs from its start to its stop, and its list is read-only`() throws {
      try withInstance { instance in
        let discoverer = try #require(library.newMediaDiscoverer(instance, name: "video_dir"))
        #expect(!library.isRunning(discoverer))
        #expect(library.start(discoverer))
        #expect(library.isRunning(discoverer))
        let list = try #require(library.retainedList(of: discoverer))
        #expect(library.isReadOnly(list))
        library.releaseMediaList(list)
        library.stop(discoverer)
        #expect(!library.isRunning(discoverer))
        library.releaseMediaDiscoverer(discoverer)
      }
    }

    @Test func `a discoverer with an unknown name is made, and does not start`() throws {
      try withInstance { instance in
        let discoverer = try #require(library.newMediaDiscoverer(instance, name: "no such service"))
        #expect(library.start(discoverer) == false)
        #expect(!library.isRunning(discoverer))
        library.releaseMediaDiscoverer(discoverer)
      }
    }

    @Test func `a renderer discoverer with an unknown name is made, and does not start`() throws {
      try withInstance { instance in
        let discoverer = try #require(library.newRendererDiscoverer(instance, name: "no such service"))
        #expect(library.start(discoverer) == false)
        library.releaseRendererDiscoverer(discoverer)
      }
    }

    @Test func `Avahi's renderer discoverer is listed`() throws {
      try withInstance { instance in
        let services = library.rendererDiscoverers(instance)
        #expect(
          services.contains { $0.name == "avahi_renderer" && $0.description?.contains("Avahi") == true })
      }
    }

    @Test func `an announced speaker is found, held, used and lost`() async {
      // In a process of its own: where the system bus is comes from the environment, and is read once.
      await #expect(processExitsWith: .success) {
        let announcer = try SpeakerAnnouncer()
        defer { announcer.removeFolder() }
        setenv("DBUS_SYSTEM_BUS_ADDRESS", announcer.address, 1)
        try DiscoveryTests.discover(announcer)
      }
    }

    @Test func `without a system bus a discoverer does not start`() async {
      await #expect(processExitsWith: .success) {
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/at-all", 1)
        try withInstance { instance in
          let discoverer = try #require(library.newRendererDiscoverer(instance, name: "avahi_renderer"))
          #expect(library.start(discoverer) == false)
          library.releaseRendererDiscoverer(discoverer)
        }
      }
    }

    private static func discover(_ announcer: SpeakerAnnouncer) throws {
      try withInstance { instance in
        let discoverer = try #require(library.newRendererDiscoverer(instance, name: "avahi_renderer"))
        let source = NativeEventSource.rendererDiscoverer(discoverer)
        let held = Record<NativeRendererItem>()
        let context = Unmanaged.passUnretained(held).toOpaque()
        try #require(library.attach(source, .rendererItemAdded, hold, context: context))
        let recorder = try EventRecorder(source, [.rendererItemAdded, .rendererItemDeleted])
        try #require(library.start(discoverer))

        let item = try held.first("a renderer")
        #expect(library.rendererName(item) == "Kitchen")
        #expect(library.rendererType(item) == "chromecast")
        #expect(library.rendererIconURI(item) == "http://192.0.2.7:8008/icon.png")
        #expect(library.rendererAbilities(item) == [.audio, .video])
        try recorder.events.wait(for: .rendererItemAdded(address: NativeAddress(item.address)))

        let player = try #require(library.newPlayer(instance))
        #expect(library.setRenderer(player, item))
        #expect(library.setRenderer(player, nil))
        library.releasePlayer(player)

        try announcer.withdraw()
        try recorder.events.wait(for: .rendererItemDeleted(address: NativeAddress(item.address)))
        #expect(library.rendererName(item) == "Kitchen", "a held renderer outlives its announcement")

        recorder.detach()
        library.detach(source, .rendererItemAdded, hold, context: context)
        library.stop(discoverer)
        library.releaseRendererDiscoverer(discoverer)
        library.releaseRenderer(item)
      }
    }
  }
}

/// Holds the renderer inside the callback, as the seam demands.
private let hold: NativeEventCallback = { event, context in
  guard let event, let context, case .rendererItemAdded(let address) = library.decode(event) else { return }
  Unmanaged<Record<NativeRendererItem>>.fromOpaque(context).takeUnretainedValue()
    .append(library.holdRenderer(at: address))
}
#endif
