import VLCNative

/// How grave a log line is, in ascending order.
public enum LogLevel: Int, Comparable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// What only somebody who looks for a fault in libVLC wants to know; hundreds of lines a second of playback.
  case debug
  /// Something worth knowing that is no fault.
  case notice
  /// Something that may become a fault, or an error that the noise filter knows to be harmless.
  case warning
  /// Something that failed; playback may go on in another way.
  case error

  init(_ level: NativeLogLevel) {
    self =
      switch level {
      case .debug: .debug
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      }
  }

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

  public var description: String {
    switch self {
    case .debug: "debug"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

/// A line of libVLC's log, of any length.
public struct LogEntry: Hashable, Sendable, CustomStringConvertible {
  /// How grave it is, after the noise filter.
  public let level: LogLevel
  /// The line as libVLC formatted it, without level and module.
  public let message: String
  /// The part of libVLC that wrote it, such as "mkv"; nil when libVLC does not name it.
  public let module: String?

  /// Makes a line, for tests and for code that collects lines of its own.
  public init(level: LogLevel, message: String, module: String?) {
    self.level = level
    self.message = message
    self.module = module
  }

  public var description: String { "[\(level)] \(module.map { "\($0): " } ?? "")\(message)" }
}

/// Errors of libVLC's that are known to harm nothing, and that are told as warnings.
enum LogNoiseFilter {
  private static let harmless: [(module: String?, beginning: String)] = [
    // Each way to decode in hardware that a machine has not is an "error", before software decodes.
    (nil, "Failed to open VDPAU"), (nil, "Could not open the X11 display"),
    (nil, "vaInitialize"), (nil, "glconv_vaapi"),
    // No screen: the outputs that need one say so before the next is tried.
    ("xcb_window", "cannot connect to X server"), ("xcb_x11", "cannot connect to X server"),
    // A session bus is a comfort for other modules.
    ("dbus", "Failed to connect to the D-Bus"),
  ]

  static func level(of entry: LogEntry) -> LogLevel {
    guard entry.level == .error else { return entry.level }
    let isHarmless = harmless.contains { noise in
      (noise.module == nil || noise.module == entry.module) && entry.message.hasPrefix(noise.beginning)
    }
    return isHarmless ? .warning : .error
  }
}
