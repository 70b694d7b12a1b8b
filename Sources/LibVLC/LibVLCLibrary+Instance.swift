#if LibVLC
import CLibVLC
import Glibc
public import CLibVLCSupport
public import VLCNative

extension LibVLCLibrary {
  public var version: String { String(cString: libvlc_get_version()) }
  public var compiler: String { String(cString: libvlc_get_compiler()) }
  public var changeset: String { String(cString: libvlc_get_changeset()) }
  public var abiVersion: Int? { nil }
  public var clock: Int64 { libvlc_clock() }

  public func errorMessage() -> String? { borrowed(libvlc_errmsg()) }
  public func clearErrorMessage() { libvlc_clearerr() }

  public func newInstance(arguments: [String]) -> NativeInstance? {
    let texts = arguments.map { $0.withCString { strdup($0) } }
    defer { for text in texts { free(text) } }
    let constants = texts.map { UnsafePointer($0) }
    return libvlc_new(Int32(clamping: constants.count), constants).map { NativeInstance(address: $0) }
  }

  public func retainInstance(_ instance: NativeInstance) { libvlc_retain(instance.address) }
  public func releaseInstance(_ instance: NativeInstance) { libvlc_release(instance.address) }

  public func setUserAgent(_ instance: NativeInstance, name: String, http: String) {
    libvlc_set_user_agent(instance.address, name, http)
  }

  public func setAppID(_ instance: NativeInstance, id: String, version: String, icon: String) {
    libvlc_set_app_id(instance.address, id, version, icon)
  }

  public func audioFilters(_ instance: NativeInstance) -> [NativeModule] {
    modules(libvlc_audio_filter_list_get(instance.address))
  }

  public func videoFilters(_ instance: NativeInstance) -> [NativeModule] {
    modules(libvlc_video_filter_list_get(instance.address))
  }

  private func modules(_ list: UnsafeMutablePointer<libvlc_module_description_t>?) -> [NativeModule] {
    defer { libvlc_module_description_list_release(list) }
    return linked(list, next: \.p_next) {
      NativeModule(
        name: borrowed($0.psz_name) ?? "", shortName: borrowed($0.psz_shortname),
        longName: borrowed($0.psz_longname), help: borrowed($0.psz_help))
    }
  }

  public func audioOutputs(_ instance: NativeInstance) -> [NativeNamed] {
    let list = libvlc_audio_output_list_get(instance.address)
    defer { libvlc_audio_output_list_release(list) }
    return linked(list, next: \.p_next) {
      NativeNamed(name: borrowed($0.psz_name) ?? "", description: borrowed($0.psz_description))
    }
  }

  public func audioOutputDevices(_ instance: NativeInstance, output: String) -> [NativeNamed] {
    devices(libvlc_audio_output_device_list_get(instance.address, output))
  }

  func devices(_ list: UnsafeMutablePointer<libvlc_audio_output_device_t>?) -> [NativeNamed] {
    defer { libvlc_audio_output_device_list_release(list) }
    return linked(list, next: \.p_next) {
      NativeNamed(name: borrowed($0.psz_device) ?? "", description: borrowed($0.psz_description))
    }
  }
}

extension LibVLCLibrary {
  public func setLog(_ instance: NativeInstance, context: UnsafeMutablePointer<NativeLogContext>) {
    // The C function has exactly libvlc_log_cb's type; Swift has no name for it, because of its va_list.
    let callback = unsafeBitCast(libvlc_support_log_callback(), to: libvlc_log_cb.self)
    libvlc_log_set(instance.address, callback, context)
  }

  public func unsetLog(_ instance: NativeInstance) { libvlc_log_unset(instance.address) }

  public func logOrigin(level: Int32, origin: UnsafeRawPointer?) -> NativeLogOrigin {
    var module: UnsafePointer<CChar>?
    var file: UnsafePointer<CChar>?
    var line: UInt32 = 0
    if let origin { libvlc_log_get_context(OpaquePointer(origin), &module, &file, &line) }
    let named: NativeLogLevel =
      switch UInt32(bitPattern: level) {
      case LIBVLC_ERROR.rawValue: .error
      case LIBVLC_WARNING.rawValue: .warning
      case LIBVLC_NOTICE.rawValue: .notice
      default: .debug
      }
    return NativeLogOrigin(level: named, module: borrowed(module), file: borrowed(file), line: line)
  }
}

extension LibVLCLibrary {
  public func setDialogCallbacks(
    _ instance: NativeInstance, _ callbacks: NativeDialogCallbacks?, opaque: UnsafeMutableRawPointer?
  ) {
    guard let callbacks else {
      libvlc_dialog_set_callbacks(instance.address, nil, nil)
      return
    }
    var table = libvlc_dialog_cbs()
    table.pf_display_error = callbacks.displayError
    table.pf_display_login = callbacks.displayLogin
    // The severity is a C enumeration there and a plain number here: the same four bytes.
    table.pf_display_question = unsafeBitCast(
      callbacks.displayQuestion, to: type(of: table.pf_display_question))
    table.pf_display_progress = callbacks.displayProgress
    table.pf_cancel = callbacks.cancel
    table.pf_update_progress = callbacks.updateProgress
    // Copied by the library before the call returns.
    libvlc_dialog_set_callbacks(instance.address, &table, opaque)
  }

  public func dialog(at address: OpaquePointer) -> NativeDialog {
    // The library serialises the callbacks of one dialog, so nobody names it at the same time.
    if let kept = libvlc_dialog_get_context(address) {
      return NativeDialog(
        address: address, identifier: NativeIdentifier(number: UInt64(UInt(bitPattern: kept))))
    }
    let dialog = NativeDialog(address: address)
    libvlc_dialog_set_context(address, UnsafeMutableRawPointer(bitPattern: UInt(dialog.identifier.number)))
    return dialog
  }

  public func dialogSeverity(raw: UInt32) -> NativeDialogSeverity {
    switch raw {
    case LIBVLC_DIALOG_QUESTION_WARNING.rawValue: .warning
    case LIBVLC_DIALOG_QUESTION_CRITICAL.rawValue: .critical
    default: .normal
    }
  }

  public func postLogin(_ dialog: NativeDialog, userName: String, password: String, store: Bool) -> Bool {
    libvlc_dialog_post_login(dialog.address, userName, password, store) == 0
  }

  public func postAction(_ dialog: NativeDialog, action: Int) -> Bool {
    libvlc_dialog_post_action(dialog.address, clamped(action)) == 0
  }

  public func dismiss(_ dialog: NativeDialog) -> Bool { libvlc_dialog_dismiss(dialog.address) == 0 }
}
#endif
