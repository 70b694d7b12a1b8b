import Dispatch
import Glibc

/// Keys from a terminal, and the signals that end a command.
@MainActor
final class Console {
  enum Key { case space, left, right, up, down, quit }

  private var settings: termios?
  private var keys: (any DispatchSourceRead)?
  private var signals: [Int32: any DispatchSourceSignal] = [:]
  private let onKey: (Key) -> Void

  /// Takes keys one by one where standard input is a terminal, and takes INT, TERM and HUP as a wish to quit.
  init(onKey: @escaping (Key) -> Void) {
    self.onKey = onKey
    for number in [SIGINT, SIGTERM, SIGHUP] { takeSignal(number) }
    takeKeys()
  }

  /// Gives the terminal back as it was.
  func restore() {
    keys?.cancel()
    for (number, source) in signals {
      source.cancel()
      // From here on a signal ends the process as it would any.
      signal(number, SIG_DFL)
    }
    signals = [:]
    if var settings { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    settings = nil
  }

  private func takeSignal(_ number: Int32) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    var count = 0
    source.setEventHandler {
      MainActor.assumeIsolated {
        // Asked twice, somebody is in a hurry: the exit handler still stops what plays.
        count += 1
        if count > 1 {
          self.restore()
          exit(128 + number)
        }
        self.onKey(.quit)
      }
    }
    source.resume()
    signals[number] = source
  }

  private func takeKeys() {
    guard isatty(STDIN_FILENO) == 1 else { return }
    var now = termios()
    guard tcgetattr(STDIN_FILENO, &now) == 0 else { return }
    settings = now
    // Signals keep working from the keyboard.
    now.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &now)
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated { self.readKeys() }
    }
    source.resume()
    keys = source
  }

  private func readKeys() {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      // The terminal went away, and would say so again and again.
      keys?.cancel()
      onKey(.quit)
      return
    }
    var bytes = buffer[..<count]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: " "): onKey(.space)
      case UInt8(ascii: "q"): onKey(.quit)
      case 0x1B where bytes.first == UInt8(ascii: "["):
        bytes.removeFirst()
        switch bytes.popFirst() {
        case UInt8(ascii: "A"): onKey(.up)
        case UInt8(ascii: "B"): onKey(.down)
        case UInt8(ascii: "C"): onKey(.right)
        case UInt8(ascii: "D"): onKey(.left)
        default: break
        }
      default: break
      }
    }
  }
}
