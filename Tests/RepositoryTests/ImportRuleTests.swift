import TestSupport
import Testing

/// Who may import whom, read from the sources.
@Suite(.tags(.logic)) struct ImportRuleTests {
  private let sources = Repository.files(in: "Sources", ending: ".swift")

  private func importers(of module: String) -> Set<String> {
    Set(sources.filter { $0.imports.contains(module) }.map(\.path))
  }

  @Test func `the sources are found, and imports are read`() {
    #expect(sources.count > 40)
    #expect(importers(of: "VLCNative").count > 10)
  }

  @Test func `each C library has one importer`() {
    let libVLC = importers(of: "CLibVLC")
    #expect(!libVLC.isEmpty && libVLC.allSatisfy { $0.hasPrefix("Sources/LibVLC/") })
    #expect(importers(of: "CGetopt") == ["Sources/CommandOptions/CommandLineOptions.swift"])
    #expect(importers(of: "CConcurrencySeam").allSatisfy { $0.hasPrefix("Sources/ConcurrencySeam/") })
  }

  @Test func `one file of the engine names the real conformer`() {
    let importers = importers(of: "LibVLC").filter { !$0.hasPrefix("Sources/LibVLC/") }
    #expect(importers == ["Sources/SwiftVLC/Core/DefaultLibrary.swift"])
  }

  @Test func `shipping code knows nothing of the simulator or of tests`() {
    let forbidden = [
      "Interleaving", "CInterleaving", "InterleavingTesting", "SimulatedVLC", "Soak", "Testing", "XCTest",
      "TestSupport", "MediaFixtures",
    ]
    for module in forbidden { #expect(importers(of: module) == [], "\(module)") }
  }

  @Test func `the seam and the concurrency seam depend on nothing above them`() {
    for file in sources {
      let allowed: Set<String>? =
        switch file.path.split(separator: "/")[1] {
        case "VLCNative": ["CLibVLCSupport", "Synchronization"]
        case "CommandOptions": ["CGetopt", "Glibc"]
        case "ConcurrencySeam": ["CConcurrencySeam", "Synchronization"]
        case "LibVLC": ["CLibVLC", "CLibVLCSupport", "ConcurrencySeam", "Glibc", "VLCNative"]
        default: nil
        }
      guard let allowed else { continue }
      #expect(file.imports.isSubset(of: allowed), "\(file.path)")
    }
  }

  @Test func `the kernel knows nothing of libVLC`() {
    // The simulated libVLC, its soak and its command stand on the kernel.
    let others = ["SimulatedVLC", "Soak", "SimulatorCommand"].map { "Simulator/\($0)/" }
    let kernel = Repository.files(in: "Simulator", ending: ".swift").filter { file in
      !others.contains { file.path.hasPrefix($0) }
    }
    #expect(kernel.count > 4)
    let allowed: Set = [
      "CConcurrencySeam", "CInterleaving", "ConcurrencySeam", "Interleaving", "Synchronization",
    ]
    // Its command, its reports and its trait are programs and tests.
    let more: Set = [
      "CommandOptions", "Dispatch", "InterleavingReports", "Foundation", "Glibc", "Observation", "Testing",
    ]
    for file in kernel {
      let isLibrary = file.path.hasPrefix("Simulator/Interleaving/")
      #expect(file.imports.isSubset(of: isLibrary ? allowed : allowed.union(more)), "\(file.path)")
      #expect(!file.text.lowercased().contains("vlc"), "\(file.path)")
    }
    for file in Repository.files(in: "Simulator", ending: ".c")
      + Repository.files(in: "Simulator", ending: ".h")
    {
      #expect(!file.text.lowercased().contains("vlc"), "\(file.path)")
    }
  }

  @Test func `the simulated conformer knows the seam and the kernel, and no libVLC`() {
    let allowed: Set = ["ConcurrencySeam", "Foundation", "Interleaving", "Synchronization", "VLCNative"]
    let files = Repository.files(in: "Simulator/SimulatedVLC", ending: ".swift")
    #expect(files.count > 10)
    for file in files { #expect(file.imports.isSubset(of: allowed), "\(file.path)") }
  }

  @Test func `every file of the real conformer is inside its trait`() {
    for file in sources where file.path.hasPrefix("Sources/LibVLC/") {
      #expect(file.text.hasPrefix("#if LibVLC\n") && file.text.hasSuffix("#endif\n"), "\(file.path)")
    }
  }

  @Test func `shipping code takes no bare lock, no global queue, no real sleep and no chance`() {
    let forbidden = ["DispatchQueue.global", "usleep(", "Thread.sleep", ".random(", "Date()", "NSLock"]
    for file in sources where !file.path.hasPrefix("Sources/ConcurrencySeam/") {
      for word in forbidden { #expect(!file.text.contains(word), "\(file.path): \(word)") }
      #expect(!file.text.contains("Mutex("), "\(file.path)")
    }
  }

  @Test func `the C shim says why Swift cannot`() {
    for file in Repository.files(in: "Sources/CLibVLCSupport", ending: ".h") {
      #expect(file.text.contains("Swift cannot"))
      #expect(!file.text.contains("#include <vlc"), "it includes no header of libVLC")
    }
  }
}

#if os(Linux)
import Foundation

/// What the headers of another libVLC do to the build.
@Suite(.tags(.logic), .timeLimit(.minutes(10))) struct HeaderCheckTests {
  @Test(arguments: [(4, 1), (3, 0)])
  func `headers of libVLC 4 stop the build with one sentence, those of 3 do not`(
    major: Int, errors: Int
  ) async throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "/headers-\(UUID().uuidString)/vlc")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    try "#define LIBVLC_VERSION_MAJOR (\(major))\n".write(
      to: folder.appendingPathComponent("libvlc_version.h"), atomically: true, encoding: .utf8)
    try "".write(to: folder.appendingPathComponent("vlc.h"), atomically: true, encoding: .utf8)
    let clang = try ChildProcess(
      "/usr/bin/env",
      [
        "clang", "-fsyntax-only", "-nostdinc", "-I", folder.deletingLastPathComponent().path,
        Repository.root.appendingPathComponent("Sources/CLibVLC/shim.h").path,
      ])
    let complaint = await clang.errors.everything { _ in true }
    let status = await clang.status()
    #expect((status != 0) == (errors > 0), "\(complaint)")
    #expect(complaint.components(separatedBy: "error:").count - 1 == errors, "\(complaint)")
    if errors > 0 { #expect(complaint.contains("needs the headers of libVLC 3.0")) }
  }
}
#endif
