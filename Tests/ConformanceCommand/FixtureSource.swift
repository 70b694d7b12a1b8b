import Conformance
import Foundation
import MediaFixtures

/// The fixtures, as files.
struct FixtureSource: MediaSource {
  let missingPath = "/nowhere/at-all.mkv"

  func path(_ fixture: String) -> String { MediaFixtures.path(fixture) }

  func filmPath(milliseconds: Int) -> String { "/recorded/\(milliseconds).mkv" }

  func recording(_ name: String) throws -> String { MediaFixtures.recording("libvlc4", name) }

  func bytes(_ fixture: String) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path(fixture)) else { return [] }
    return [UInt8](data)
  }

  func outputPath(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("conformance-\(getpid())-\(name)").path
  }

  func makeStalledFile() throws -> any StalledFile { try NamedPipe() }

  func makeLoginServer() throws -> any LoginServer { try PasswordServer(bytes("silence.wav")) }
}

/// A pipe that nobody writes to.
private final class NamedPipe: StalledFile, @unchecked Sendable {
  // Unchecked: the descriptor is touched under the lock alone.
  let path: String
  private let lock = NSLock()
  private var descriptor: Int32 = -1

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/stalled-\(UUID().uuidString).mkv"
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
  }

  func waitUntilOpened() {
    // Opens when there is somebody who reads.
    let opened = open(path, O_WRONLY)
    lock.withLock { descriptor = opened }
  }

  func close() {
    lock.withLock {
      if descriptor >= 0 { Foundation.close(descriptor) }
      descriptor = -1
    }
    unlink(path)
  }
}

/// A web server on the loopback interface that gives out its bytes to whoever knows the password.
private final class PasswordServer: LoginServer, Sendable {
  let location: String
  private let listener: Int32
  private let body: [UInt8]
  private let credentials = Data("Ada:engine".utf8).base64EncodedString()

  init(_ body: [UInt8]) throws {
    self.body = body
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    location = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/silence.wav"
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        answer(connection)
        Foundation.close(connection)
      }
      Foundation.close(listener)
    }
  }

  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func answer(_ connection: Int32) {
    var request = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !request.contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      request += String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    guard request.contains("Basic \(credentials)") else {
      send(
        connection,
        Array(
          ("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"The vault\"\r\n"
            + "Content-Length: 0\r\nConnection: close\r\n\r\n").utf8))
      return
    }
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(body.count)\r\n"
      + "Connection: close\r\n\r\n"
    send(connection, Array(head.utf8) + body)
  }

  private func send(_ connection: Int32, _ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Without a signal when the player went away in the middle.
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
