#if LibVLC
import Foundation
import MediaFixtures
import Testing
import VLCNative

extension RealLibraryTests {
  @Suite struct DialogTests {
    @Test func `a login is posted and opens the source`() throws {
      let server = try vault()
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      let media = try play(stage, server)
      let call = try recorder.calls.first("a login dialog")
      guard case .login(let dialog, let title, let text, let userName, let asksToStore) = call else {
        Issue.record("not a login: \(call)")
        return
      }
      #expect(title == "HTTP authentication")
      #expect(text == "Please enter a valid login name and a password for realm The vault.")
      #expect(userName == "")
      #expect(asksToStore, "there is a key store to store it in")
      #expect(library.postLogin(dialog, userName: "Ada", password: "engine", store: false))
      try stage.events.wait(for: .playing)
      #expect(library.mediaTracks(media).map(\.type) == [.audio])
      stage.close()
      try server.close()
      #expect(server.authorizations.entries.contains { $0.isEmpty })
      #expect(server.authorizations.entries.last?.hasSuffix("Basic QWRhOmVuZ2luZQ==") == true)
      withExtendedLifetime(recorder) {}
    }

    @Test func `a wrong login asks again in another dialog, and dismissing it ends in an error`() throws {
      let server = try vault()
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      try play(stage, server)
      let first = try login(recorder, number: 0)
      #expect(library.postLogin(first, userName: "Ada", password: "wrong", store: false))
      let second = try login(recorder, number: 1)
      #expect(first != second)
      #expect(library.dismiss(second))
      // Another access of libVLC's has a try, and asks for itself.
      #expect(library.dismiss(try login(recorder, number: 2)))
      try stage.events.wait(for: .encounteredError)
      #expect(!stage.events.entries.contains(.playing))
      stage.close()
      try server.close()
      withExtendedLifetime(recorder) {}
    }

    @Test func `a question is answered with an action, whose progress is shown and cancelled at its end`()
      throws
    {
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      try withUnindexedMovie { path in
        let media = try stage.keep(library.newMedia(stage.instance, path: path))
        library.setMedia(stage.player, media)
        #expect(library.play(stage.player))
        let call = try recorder.calls.first("a question")
        guard case .question(let dialog, let title, _, let severity, let actions) = call else {
          Issue.record("not a question: \(call)")
          return
        }
        #expect(title == "Broken or missing Index")
        #expect(severity == .normal)
        #expect(actions == ["Do not play", "Build index then play", "Play as is"])
        #expect(library.postAction(dialog, action: 1))
        try stage.events.wait(for: .playing)
        let cancelled = try recorder.calls.first("the end of the progress") { call in
          if case .cancel = call { true } else { false }
        }
        let progress = try recorder.calls.first("a progress dialog") { call in
          if case .progress = call { true } else { false }
        }
        guard case .progress(let shown, let name, _, let isIndeterminate, let cancel) = progress else {
          return
        }
        #expect(name == "Broken or missing AVI Index")
        #expect(!isIndeterminate)
        #expect(cancel == "Cancel")
        #expect(cancelled == .cancel(shown))
        #expect(library.dismiss(shown))
      }
      stage.close()
      withExtendedLifetime(recorder) {}
    }

    @Test func `a dialog has the same identifier each time it is named`() throws {
      let server = try vault()
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      try play(stage, server)
      let dialog = try login(recorder, number: 0)
      #expect(library.dialog(at: dialog.address) == dialog)
      #expect(library.dialog(at: dialog.address).identifier == dialog.identifier)
      #expect(library.dismiss(dialog))
      #expect(library.dismiss(try login(recorder, number: 1)))
      try stage.events.wait(for: .encounteredError)
      stage.close()
      try server.close()
      withExtendedLifetime(recorder) {}
    }

    @Test func `a stop cancels the dialog that waits, and returns when it is dismissed`() throws {
      let server = try vault()
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      try play(stage, server)
      let dialog = try login(recorder, number: 0)
      let player = stage.player
      let stopped = Record<Bool>()
      Thread.detachNewThread {
        library.stop(player)
        stopped.append(true)
      }
      try recorder.calls.wait(for: .cancel(dialog))
      #expect(library.dismiss(dialog))
      try stopped.first("the stop's return")
      #expect(stage.events.entries.states == [.opening, .stopped])
      stage.close()
      try server.close()
      withExtendedLifetime(recorder) {}
    }

    @Test(arguments: [NativeParseOptions.network, [.network, .interact]])
    func `a parse asks only when it may`(options: NativeParseOptions) throws {
      let server = try vault()
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      let media = try stage.keep(
        library.newMedia(stage.instance, location: "http://127.0.0.1:\(server.port)/silence.wav"))
      let parsed = try EventRecorder(.media(media), [.mediaParsedChanged])
      #expect(library.parseMedia(stage.instance, media, options: options, timeoutMilliseconds: 15_000))
      if options.contains(.interact) {
        let dialog = try login(recorder, number: 0)
        #expect(library.postLogin(dialog, userName: "Ada", password: "engine", store: false))
      }
      try parsed.events.wait(for: .mediaParsedChanged(options.contains(.interact) ? .done : .failed))
      parsed.detach()
      stage.close()
      try server.close()
      #expect(recorder.calls.entries.isEmpty != options.contains(.interact))
    }

    @Test func `what cannot be opened is told as an error`() throws {
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      let media = try stage.keep(library.newMedia(stage.instance, path: "/nowhere/at-all.mkv"))
      library.setMedia(stage.player, media)
      #expect(library.play(stage.player))
      let call = try recorder.calls.first("an error") { call in
        if case .error(_, let text) = call { text.contains("/nowhere/at-all.mkv") } else { false }
      }
      guard case .error(let title, _) = call else { return }
      #expect(!title.isEmpty)
      stage.close()
      withExtendedLifetime(recorder) {}
    }

    @Test func `without callbacks nobody is asked`() throws {
      let server = try vault()
      let recorder = DialogRecorder()
      let stage = try stage(recorder)
      library.setDialogCallbacks(stage.instance, nil, opaque: nil)
      try play(stage, server)
      try stage.events.wait(for: .encounteredError)
      stage.close()
      try server.close()
      #expect(recorder.calls.entries.isEmpty)
    }

    @Test func `the numbers of a question's severity are the library's`() {
      #expect((0...2).map(library.dialogSeverity(raw:)) == [.normal, .warning, .critical])
      #expect(library.dialogSeverity(raw: 0) == .normal)
    }

    private func vault() throws -> LoginServer {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: MediaFixtures.path("silence.wav")))
      return try LoginServer([UInt8](bytes), userName: "Ada", password: "engine")
    }

    private func stage(_ recorder: DialogRecorder) throws -> Stage {
      // Without a key store of its own libVLC looks for the desktop's, and waits for a session bus for ever.
      let stage = try Stage(quietArguments + ["--keystore=memory"])
      library.setDialogCallbacks(stage.instance, DialogRecorder.callbacks, opaque: recorder.opaque)
      return stage
    }

    @discardableResult
    private func play(_ stage: Stage, _ server: LoginServer) throws -> NativeMedia {
      let media = try stage.keep(
        library.newMedia(stage.instance, location: "http://127.0.0.1:\(server.port)/silence.wav"))
      library.setMedia(stage.player, media)
      #expect(library.play(stage.player))
      return media
    }

    private func login(_ recorder: DialogRecorder, number: Int) throws -> NativeDialog {
      try recorder.calls.wait(until: "login \(number)") { calls in
        let dialogs = calls.compactMap { call in
          if case .login(let dialog, _, _, _, _) = call { dialog } else { nil }
        }
        return dialogs.count > number ? dialogs[number] : nil
      }
    }

    private func withUnindexedMovie(_ body: (String) throws -> Void) throws {
      let path = FileManager.default.temporaryDirectory.path + "/unindexed-\(UUID().uuidString).avi"
      try Data(UnindexedMovie.bytes).write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      try body(path)
    }
  }
}
#endif
