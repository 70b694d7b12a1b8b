#if LibVLC
import CLibVLCSupport
import VLCNative

/// A line of the library's log.
struct LogLine: Sendable {
  let origin: NativeLogOrigin
  let message: String
}

/// Receives an instance's log and remembers it; must be closed after `unsetLog` or the instance's end.
final class LogRecorder {
  let lines = Record<LogLine>()
  let context = UnsafeMutablePointer<NativeLogContext>.allocate(capacity: 1)

  init() {
    context.initialize(
      to: NativeLogContext(function: receiveLine, opaque: Unmanaged.passRetained(lines).toOpaque()))
  }

  func close() {
    Unmanaged.passUnretained(lines).release()
    context.deinitialize(count: 1)
    context.deallocate()
  }
}

private let receiveLine:
  @convention(c) @Sendable (
    UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, UnsafePointer<CChar>?
  ) -> Void = { opaque, level, origin, message in
    guard let opaque, let message else { return }
    let line = LogLine(
      origin: library.logOrigin(level: level, origin: origin), message: String(cString: message))
    Unmanaged<Record<LogLine>>.fromOpaque(opaque).takeUnretainedValue().append(line)
  }
#endif
