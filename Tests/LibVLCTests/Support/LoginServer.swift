#if LibVLC
import Foundation
import Glibc

/// A web server on the loopback interface that gives out its bytes to whoever knows the password.
final class LoginServer: Sendable {
  let port: UInt16
  /// The `Authorization` line of each request, empty when it had none.
  let authorizations = Record<String>()
  /// The `User-Agent` of each request.
  let userAgents = Record<String>()
  private let listener: Int32
  private let body: [UInt8]
  private let credentials: String
  private let threadEnded = Record<Bool>()

  /// Serves `body` until `close`.
  init(_ body: [UInt8], userName: String, password: String) throws {
    self.body = body
    credentials = Data("\(userName):\(password)".utf8).base64EncodedString()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard status else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        answer(connection)
        Glibc.close(connection)
      }
      threadEnded.append(true)
    }
  }

  /// Ends the thread, and returns when it ended.
  func close() throws {
    // A shutdown of a listening socket makes its accept return.
    shutdown(listener, Int32(SHUT_RDWR))
    try threadEnded.first("the end of the server's thread")
    Glibc.close(listener)
  }

  private func answer(_ connection: Int32) {
    guard let request = head(connection) else { return }
    let authorization = value("authorization", of: request)
    authorizations.append(authorization)
    userAgents.append(value("user-agent", of: request))
    guard authorization == "Basic \(credentials)" else {
      send(
        connection,
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"The vault\"\r\n"
          + "Content-Length: 0\r\nConnection: close\r\n\r\n")
      return
    }
    send(
      connection,
      "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(body.count)\r\n"
        + "Connection: close\r\n\r\n")
    send(connection, body)
  }

  /// The value of a header line, empty when the request has none.
  private func value(_ name: String, of request: String) -> String {
    let line = request.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
    return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) } ?? ""
  }

  /// The request's head, nil when the other side closed before its end.
  private func head(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer.prefix(count)
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("\r\n\r\n") { return text }
    }
  }

  private func send(_ connection: Int32, _ text: String) { send(connection, Array(text.utf8)) }

  private func send(_ connection: Int32, _ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Without a signal when the player went away in the middle.
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
#endif
