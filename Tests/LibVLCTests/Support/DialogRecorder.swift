#if LibVLC
import VLCNative

/// What the library asked or told a person.
enum DialogCall: Hashable, Sendable {
  case error(title: String, text: String)
  case login(NativeDialog, title: String, text: String, userName: String, asksToStore: Bool)
  case question(NativeDialog, title: String, text: String, NativeDialogSeverity, actions: [String])
  case progress(NativeDialog, title: String, text: String, isIndeterminate: Bool, cancel: String?)
  case update(NativeDialog, position: Float)
  case cancel(NativeDialog)
}

/// Receives an instance's dialogs and remembers them, by dialogs' identifiers.
final class DialogRecorder: Sendable {
  let calls = Record<DialogCall>()

  /// The opaque pointer to set with `callbacks`; the recorder has to outlive them.
  var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let callbacks = NativeDialogCallbacks(
    displayError: { opaque, title, text in
      append(opaque, .error(title: string(title), text: string(text)))
    },
    displayLogin: { opaque, dialog, title, text, userName, asksToStore in
      guard let dialog else { return }
      append(
        opaque,
        .login(
          library.dialog(at: dialog), title: string(title), text: string(text), userName: string(userName),
          asksToStore: asksToStore))
    },
    displayQuestion: { opaque, dialog, title, text, severity, cancel, first, second in
      guard let dialog else { return }
      append(
        opaque,
        .question(
          library.dialog(at: dialog), title: string(title), text: string(text),
          library.dialogSeverity(raw: severity), actions: [cancel, first, second].map(string)))
    },
    displayProgress: { opaque, dialog, title, text, isIndeterminate, _, cancel in
      guard let dialog else { return }
      append(
        opaque,
        .progress(
          library.dialog(at: dialog), title: string(title), text: string(text),
          isIndeterminate: isIndeterminate, cancel: cancel.map(string)))
    },
    cancel: { opaque, dialog in
      guard let dialog else { return }
      append(opaque, .cancel(library.dialog(at: dialog)))
    },
    updateProgress: { opaque, dialog, position, _ in
      guard let dialog else { return }
      append(opaque, .update(library.dialog(at: dialog), position: position))
    })

  private static func append(_ opaque: UnsafeMutableRawPointer?, _ call: DialogCall) {
    guard let opaque else { return }
    Unmanaged<DialogRecorder>.fromOpaque(opaque).takeUnretainedValue().calls.append(call)
  }

  private static func string(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}
#endif
