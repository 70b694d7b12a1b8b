import CommandOptions
import Glibc
import SwiftVLC
import VLCNative

/// `vlctool doctor`: what is there, what is missing, and what to install.
enum DoctorCommand {
  static func check(_ arguments: [String]) throws(UsageError) {
    let parsed = try CommandLineOptions(arguments, options: [])
    if let operand = parsed.operands.first { throw UsageError(reason: "doctor takes no \"\(operand)\"") }
  }

  static func run() -> ExitStatus {
    let output = Output.standard
    let instance: VLCInstance
    do throws(VLCError) {
      instance = try VLCInstance(arguments: VLCInstance.defaultArguments + ["--vout=dummy", "--aout=adummy"])
    } catch {
      output.line("libVLC: not usable")
      Output.complain(error.description)
      return .unavailable
    }
    output.line("libVLC: \(instance.version), built by \(instance.compiler)")
    let capabilities = instance.capabilities
    output.line("can: \(capabilities)")
    let missing = NativeCapabilities.named.filter { !capabilities.contains($0.capability) }.map(\.name)
    output.line("cannot: \(missing.joined(separator: ", "))")
    output.line("audio outputs: \(instance.audioOutputs().map(\.name).joined(separator: ", "))")
    output.line("display: \(Surroundings.hasDisplay ? "yes" : "none, video goes to a dummy output")")
    output.line("sound: \(Surroundings.hasSoundCard ? "yes" : "none, sound goes to a dummy output")")
    reportPlugins(output)
    return .success
  }

  private static func reportPlugins(_ output: Output) {
    guard let folder = Surroundings.pluginFolder else {
      output.line("plug-ins: not found beside libVLC; install vlc-plugin-base")
      return
    }
    let plugins = Surroundings.plugins(in: folder)
    output.line("plug-ins: \(plugins.count) in \(folder)")
    let wanted: [(file: String, purpose: String, package: String)] = [
      ("libavcodec_plugin.so", "most codecs", "vlc-plugin-base"),
      ("libmkv_plugin.so", "Matroska", "vlc-plugin-base"),
      ("libalsa_plugin.so", "sound through ALSA", "vlc-plugin-base"),
      ("libpulse_plugin.so", "sound through PulseAudio", "vlc-plugin-base"),
      ("libxcb_window_plugin.so", "a window under X11", "vlc-plugin-video-output"),
      ("libgl_plugin.so", "video through OpenGL", "vlc-plugin-video-output"),
      ("libsmb_plugin.so", "files on Windows shares", "vlc-plugin-samba"),
    ]
    for plugin in wanted where !plugins.contains(plugin.file) {
      output.line("missing: \(plugin.purpose); install \(plugin.package)")
    }
  }
}

/// What the machine offers.
enum Surroundings {
  static var hasDisplay: Bool { isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") }

  static var hasSoundCard: Bool {
    if isSet("PULSE_SERVER") { return true }
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    if let runtime, access("\(runtime)/pulse/native", F_OK) == 0 { return true }
    return access("/dev/snd/controlC0", F_OK) == 0
  }

  private static func isSet(_ name: String) -> Bool {
    getenv(name).map { $0.pointee != 0 } ?? false
  }

  /// The plug-ins' folder beside the libVLC that this process has loaded.
  static var pluginFolder: String? {
    guard let file = fopen("/proc/self/maps", "r") else { return nil }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
      guard let path = text.split(separator: " ").last, path.contains("/libvlc.so") else { continue }
      let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/vlc/plugins"
      return access(String(folder), F_OK) == 0 ? String(folder) : nil
    }
    return nil
  }

  /// The file names below a folder.
  static func plugins(in folder: String) -> Set<String> {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: Set<String> = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".so") {
        names.insert(name)
      } else if !name.hasPrefix("."), !name.contains(".") {
        names.formUnion(plugins(in: "\(folder)/\(name)"))
      }
    }
    return names
  }
}
