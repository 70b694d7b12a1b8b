import VLCNative

/// Dialogs: S18.
let dialogRules: [Rule] = [
  Rule("S18.thread", "A login is asked for on a library's thread, and a posted one opens the source.") {
    stage in
    let (_, dialog) = try asking(stage)
    try stage.expect(
      stage.library.postLogin(dialog, userName: "Ada", password: "engine", store: false), is: true,
      "the answer")
    try stage.wait(for: .playing)
    let asked = try stage.require(stage.entries.first { $0.content == .dialog("login", dialog) }, "login")
    if case .library = asked.lane {} else { throw stage.violation("it came on \(asked.lane)") }
  },
  Rule("S18.dismiss", "A dialog that is dismissed ends in an error.") { stage in
    let (_, dialog) = try asking(stage)
    try stage.expect(stage.library.dismiss(dialog), is: true, "the answer")
    // Another access of the library's has a try, and asks for itself.
    try stage.expect(stage.library.dismiss(waitForLogin(stage, number: 1)), is: true, "the answer")
    try stage.wait(for: .encounteredError)
    try stage.expect(!stage.events().contains(.playing), "it does not play")
  },
  Rule("S18.stop", "stop cancels the dialog that is shown, which is to be dismissed then.") { stage in
    let (player, dialog) = try asking(stage)
    stage.spawn { stage.stop(player) }
    try stage.wait(until: "the cancellation") { $0.first { $0.content == .dialog("cancel", dialog) } }
    try stage.expect(stage.library.dismiss(dialog), is: true, "the answer")
    try stage.wait(until: "the stop's return") { $0.first { $0.content == .returned("stop") } }
    try stage.expect(stage.events().states, is: [.opening, .stopped], "the states")
  },
  Rule("S18.none", "Without callbacks nobody is asked, and what asks fails.") { stage in
    let sink = try withDialogs(stage)
    stage.library.setDialogCallbacks(try stage.instance(), nil, opaque: nil)
    let player = try stage.makePlayer()
    let server = try stage.harness.media.makeLoginServer()
    stage.setMedia(
      player, try stage.keep(stage.library.newMedia(stage.instance(), location: server.location)))
    stage.play(player)
    try stage.wait(for: .encounteredError)
    stage.stop(player)
    let asked = stage.entries.contains { if case .dialog = $0.content { true } else { false } }
    try stage.expect(!asked, "nobody was asked")
    withExtendedLifetime(sink) {}
    server.close()
  },
]

/// Notes an instance's dialogs in the trace, and the servers that ask.
private final class DialogSink: Sendable {
  private let trace: Trace
  private let library: any NativeLibrary

  init(_ trace: Trace, _ library: any NativeLibrary) {
    self.trace = trace
    self.library = library
  }

  private static func note(_ opaque: UnsafeMutableRawPointer?, _ name: String, _ dialog: OpaquePointer?) {
    guard let opaque, let dialog else { return }
    let sink = Unmanaged<DialogSink>.fromOpaque(opaque).takeUnretainedValue()
    sink.trace.append(.dialog(name, sink.library.dialog(at: dialog)))
  }

  static let callbacks = NativeDialogCallbacks(
    displayError: { _, _, _ in },
    displayLogin: { opaque, dialog, _, _, _, _ in note(opaque, "login", dialog) },
    displayQuestion: { opaque, dialog, _, _, _, _, _, _ in note(opaque, "question", dialog) },
    displayProgress: { opaque, dialog, _, _, _, _, _ in note(opaque, "progress", dialog) },
    cancel: { opaque, dialog in note(opaque, "cancel", dialog) },
    updateProgress: { _, _, _, _ in })
}

private func withDialogs(_ stage: Stage) throws -> DialogSink {
  // Without a key store of its own libVLC looks for the desktop's, and waits for a session bus for ever.
  stage.arguments += ["--keystore=memory"]
  let sink = stage.keep(object: DialogSink(stage.trace, stage.library))
  stage.library.setDialogCallbacks(
    try stage.instance(), DialogSink.callbacks, opaque: Unmanaged.passUnretained(sink).toOpaque())
  return sink
}

/// A player that waits for a login, and the dialog.
private func asking(_ stage: Stage) throws -> (NativePlayer, NativeDialog) {
  _ = try withDialogs(stage)
  let player = try stage.makePlayer()
  let server = stage.keep(object: Serving(try stage.harness.media.makeLoginServer()))
  stage.setMedia(
    player, try stage.keep(stage.library.newMedia(stage.instance(), location: server.server.location)))
  stage.play(player)
  return (player, try waitForLogin(stage, number: 0))
}

private func waitForLogin(_ stage: Stage, number: Int) throws -> NativeDialog {
  try stage.wait(until: "login \(number)") { entries in
    let dialogs = entries.compactMap { entry in
      if case .dialog("login", let dialog) = entry.content { dialog } else { nil }
    }
    return dialogs.count > number ? dialogs[number] : nil
  }
}

/// Closes a server with the stage.
private final class Serving {
  let server: any LoginServer
  init(_ server: any LoginServer) { self.server = server }
  deinit { server.close() }
}
