import Foundation
import Synchronization

/// A server on the loopback that keeps the first request and answers each with 404.
public final class HTTPServer: Sendable {
  /// Where it listens.
  public let port: UInt16
  private let listener: Int32
  private let requests: AsyncStream<String>

  /// Listens on a free port of the loopback.
  public init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    requests = stream
    Thread.detachNewThread { [listener] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = recv(connection, &buffer, buffer.count, 0)
        continuation.yield(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
        let answer = Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The first request, as it came.
  public func firstRequest() async -> String {
    for await request in requests { return request }
    return ""
  }
}
