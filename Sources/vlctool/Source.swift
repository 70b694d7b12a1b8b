import Glibc
import SwiftVLC

/// What a person named on the command line.
struct Source {
  let text: String

  /// The scheme of a location; nil for a path.
  var scheme: String? {
    guard let range = text.firstRange(of: "://"), range.lowerBound != text.startIndex else { return nil }
    let scheme = text[..<range.lowerBound]
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      ? String(scheme) : nil
  }

  func media() throws(VLCError) -> Media {
    if scheme == nil { try Media(path: text) } else { try Media(mrl: text) }
  }

  /// Why it could not be opened, as far as the file system knows, and what to do.
  func explanation(_ kind: PlaybackFailureKind) -> String {
    switch kind {
    case .cannotOpen: openFailure
    case .nothingToPlay:
      isDirectory
        ? "\"\(text)\" is a directory: name the files in it."
        : "\"\(text)\" holds nothing that can be played: it is damaged or of an unknown format."
    case .interrupted: "\"\(text)\" broke off in the middle: check the file or the connection, and try again."
    case .startRejected: "libVLC refused to start \"\(text)\": see `vlctool doctor`."
    }
  }

  private var openFailure: String {
    if let scheme {
      return scheme == "file"
        ? "\"\(text)\" could not be opened: check that the file is there and can be read."
        : "\"\(text)\" could not be opened: check the address, and that libVLC has a module for \(scheme)://."
    }
    var status = stat()
    guard stat(text, &status) == 0 else {
      let reason = errno == ENOENT ? "there is no such file" : String(cString: strerror(errno))
      return "\"\(text)\" could not be opened: \(reason). Check the path."
    }
    if isDirectory { return "\"\(text)\" is a directory: name the files in it." }
    if status.st_size == 0 { return "\"\(text)\" is empty: there is nothing to play." }
    guard access(text, R_OK) == 0 else {
      return "\"\(text)\" could not be opened: \(String(cString: strerror(errno))). Check its permissions."
    }
    return "\"\(text)\" could not be opened: it is damaged or of an unknown format."
  }

  private var isDirectory: Bool {
    var status = stat()
    return stat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
