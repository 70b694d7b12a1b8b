#if LibVLC
import Foundation
import Glibc

/// A system bus with nobody on it but an Avahi that knows one speaker: a renderer without a network.
///
/// libVLC's renderer discovery asks Avahi over D-Bus. This answers the few calls that it makes, for one peer.
final class SpeakerAnnouncer: Sendable {
  /// What to set `DBUS_SYSTEM_BUS_ADDRESS` to.
  let address: String
  /// The members that were called, in order.
  let calls = Record<String>()
  private let listener: Int32
  private let folder: String
  private let wire = Record<Wire>()

  /// The one connection and the path of its browser.
  private enum Wire: Sendable {
    case connection(Int32)
    case browser(String)
    case sent
  }

  private static let service = "Speaker-1"
  /// Its name for people, its icon, and that it takes pictures (1) and sound (4).
  private static let facts = ["fn=Kitchen", "ic=/icon.png", "ca=5"]

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/announcer-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/bus"
    address = "unix:path=" + path
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
    let descriptor = listener
    let status = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 1) == 0
      }
    }
    guard status else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    Thread.detachNewThread { [self] in
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      wire.append(.connection(connection))
      serve(connection)
    }
  }

  /// Says that the speaker went away.
  func withdraw() throws {
    let path = try wire.wait(until: "a browser") { entries in
      entries.compactMap { if case .browser(let path) = $0 { path } else { nil } }.first
    }
    send(BusMessage(signal: "ItemRemove", interface: browserInterface, path: path, Self.item))
  }

  func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  private let browserInterface = "org.freedesktop.Avahi.ServiceBrowser"
  private let resolverInterface = "org.freedesktop.Avahi.ServiceResolver"

  private func serve(_ connection: Int32) {
    var bytes: [UInt8] = []
    var isTalking = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
      bytes += buffer.prefix(count)
      while !isTalking, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        if line.contains("AUTH EXTERNAL") { write(connection, "OK 0123456789abcdef0123456789abcdef\r\n") }
        if line.contains("NEGOTIATE") { write(connection, "ERROR\r\n") }
        isTalking = line.hasPrefix("BEGIN")
      }
      while isTalking, let size = BusMessage.size(bytes), bytes.count >= size {
        answer(BusMessage(Array(bytes.prefix(size))))
        bytes.removeFirst(size)
      }
    }
  }

  private func answer(_ call: BusMessage) {
    guard call.kind == .call, let member = call.member else { return }
    calls.append(member)
    var body = BusBody()
    switch member {
    case "Hello": body.append(":1.7")
    case "NameHasOwner": body.append(UInt32(1), as: "b")
    case "GetAPIVersion": body.append(UInt32(0x0203))
    case "GetState": body.append(Int32(2))  // It runs.
    case "ServiceBrowserPrepare", "ServiceBrowserNew": body.append("/browser", as: "o")
    case "ServiceResolverPrepare", "ServiceResolverNew": body.append("/resolver", as: "o")
    default: break
    }
    send(BusMessage(replyTo: call, body))
    switch (member, call.path) {
    case ("Start", "/browser"), ("ServiceBrowserNew", _):
      wire.append(.browser("/browser"))
      send(BusMessage(signal: "ItemNew", interface: browserInterface, path: "/browser", Self.item))
    case ("Start", "/resolver"), ("ServiceResolverNew", _):
      send(BusMessage(signal: "Found", interface: resolverInterface, path: "/resolver", Self.resolution))
    default: break
    }
  }

  /// The interface, the protocol (IPv4), and the service's name, type and domain.
  private static var identity: BusBody {
    var body = BusBody()
    body.append(Int32(1))
    body.append(Int32(0))
    for text in [service, "_googlecast._tcp", "local"] { body.append(text) }
    return body
  }

  /// What a browser tells of the service.
  private static var item: BusBody {
    var body = identity
    body.append(UInt32(0))
    return body
  }

  /// What a resolver tells: host, address, port, facts and flags as well.
  private static var resolution: BusBody {
    var body = identity
    body.append("speaker.local")
    body.append(Int32(0))
    body.append("192.0.2.7")
    body.append(UInt16(8009))
    body.append(facts)
    body.append(UInt32(0))
    return body
  }

  private func send(_ message: BusMessage) {
    let connection = wire.entries.compactMap { if case .connection(let number) = $0 { number } else { nil } }
    wire.append(.sent)
    guard let descriptor = connection.first else { return }
    write(descriptor, message.bytes(serial: UInt32(wire.count)))
  }

  private func write(_ connection: Int32, _ text: String) { write(connection, Array(text.utf8)) }

  private func write(_ connection: Int32, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}

extension BusBody {
  fileprivate mutating func append(_ value: UInt32, as letter: String) {
    append(value)
    signature = signature.dropLast() + letter
  }
}
#endif
