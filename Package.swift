// swift-tools-version: 6.3
import PackageDescription

// Deep mode, which `make deep` builds: code outside the kernel is instrumented as for ThreadSanitizer, and the kernel has the
// functions that it calls. A package that others depend on may have no unsafe flags, and has none without this.
let isDeep = Context.environment["INTERLEAVING_DEEP"] != nil

let plain: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let strict = plain + (isDeep ? [.unsafeFlags(["-sanitize=thread"])] : [])

let package = Package(
  name: "SwiftVLC",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "SwiftVLC", targets: ["SwiftVLC"]),
    .library(name: "VLCNative", targets: ["VLCNative"]),
    .library(name: "ConcurrencySeam", targets: ["ConcurrencySeam"]),
    .executable(name: "vlctool", targets: ["vlctool"]),
    .library(name: "Interleaving", targets: ["Interleaving"]),
    .library(name: "InterleavingReports", targets: ["InterleavingReports"]),
    .library(name: "InterleavingTesting", targets: ["InterleavingTesting"]),
    .library(name: "SimulatedVLC", targets: ["SimulatedVLC"]),
    .executable(name: "interleave", targets: ["interleave"]),
    .executable(name: "conformance", targets: ["ConformanceCommand"]),
    .executable(name: "traces", targets: ["TracesCommand"]),
  ],
  traits: [
    .trait(name: "LibVLC", description: "The real libVLC 3.0 of the system, linked dynamically."),
    .default(enabledTraits: ["LibVLC"]),
  ],
  targets: [
    .systemLibrary(name: "CLibVLC", pkgConfig: "libvlc", providers: [.apt(["libvlc-dev"])]),
    .systemLibrary(name: "CGetopt"),
    .target(name: "CLibVLCSupport"),
    .target(name: "CConcurrencySeam"),
    .target(name: "ConcurrencySeam", dependencies: ["CConcurrencySeam"], swiftSettings: strict),
    .target(name: "VLCNative", dependencies: ["CLibVLCSupport"], swiftSettings: strict),
    .target(
      name: "LibVLC",
      dependencies: [
        "VLCNative", "ConcurrencySeam", "CLibVLCSupport",
        .target(name: "CLibVLC", condition: .when(traits: ["LibVLC"])),
      ],
      swiftSettings: strict),
    .target(
      name: "SwiftVLC",
      dependencies: [
        "ConcurrencySeam", "VLCNative", .target(name: "LibVLC", condition: .when(traits: ["LibVLC"])),
      ],
      swiftSettings: strict),
    .target(name: "CommandOptions", dependencies: ["CGetopt"], swiftSettings: plain),
    .executableTarget(
      name: "vlctool", dependencies: ["SwiftVLC", "VLCNative", "CommandOptions"], swiftSettings: strict),
    .target(
      name: "MediaFixtures", path: "Fixtures",
      exclude: ["generate.sh", "manifest.py", "traces.txt", "schedules"],
      resources: [.copy("media"), .copy("manifest.json"), .copy("recordings")], swiftSettings: strict),
    .target(
      name: "CInterleaving", path: "Simulator/CInterleaving",
      cSettings: isDeep ? [.define("INTERLEAVING_DEEP")] : []),
    .target(
      name: "Interleaving", dependencies: ["CInterleaving", "ConcurrencySeam", "CConcurrencySeam"],
      path: "Simulator/Interleaving", swiftSettings: plain),
    .target(
      name: "InterleavingTesting", dependencies: ["Interleaving"], path: "Simulator/InterleavingTesting",
      swiftSettings: plain),
    .target(
      name: "InterleavingReports", dependencies: ["Interleaving"], path: "Simulator/InterleavingReports",
      swiftSettings: plain),
    .target(
      name: "SimulatedVLC", dependencies: ["VLCNative", "Interleaving", "ConcurrencySeam"],
      path: "Simulator/SimulatedVLC", swiftSettings: strict),
    .target(
      name: "Soak", dependencies: ["SwiftVLC", "SimulatedVLC", "VLCNative", "Interleaving"],
      path: "Simulator/Soak", swiftSettings: strict),
    .executableTarget(
      name: "vlcsim",
      dependencies: [
        "Soak", "SimulatedVLC", "VLCNative", "Interleaving", "InterleavingReports", "CommandOptions",
      ],
      path: "Simulator/SimulatorCommand", swiftSettings: strict),
    .testTarget(
      name: "SoakTests",
      dependencies: [
        "Soak", "vlcsim", "SwiftVLC", "SimulatedVLC", "VLCNative", "Interleaving", "MediaFixtures",
        "TestSupport",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "interleave",
      dependencies: [
        "Interleaving", "InterleavingReports", "CInterleaving", "ConcurrencySeam", "CommandOptions",
      ],
      path: "Simulator/Command", swiftSettings: strict),
    .testTarget(
      name: "InterleavingTests",
      dependencies: ["Interleaving", "InterleavingReports", "interleave", "ConcurrencySeam", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "InterleavingTestingTests",
      dependencies: ["InterleavingTesting", "Interleaving", "ConcurrencySeam", "TestSupport"],
      swiftSettings: strict),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "SwiftVLC", "ConcurrencySeam", .target(name: "LibVLC", condition: .when(traits: ["LibVLC"])),
      ], path: "Benchmarks",
      exclude: ["reference.c", "baseline.json", "Player"], swiftSettings: strict),
    .executableTarget(
      name: "benchmark-player", dependencies: ["SwiftVLC"], path: "Benchmarks/Player", swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
    .testTarget(
      name: "ConcurrencySeamTests", dependencies: ["ConcurrencySeam", "CConcurrencySeam", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SwiftVLCTests",
      dependencies: [
        "SwiftVLC", "VLCNative", "ConcurrencySeam", "Interleaving", "InterleavingTesting", "SimulatedVLC",
        "SimulatedFixtures", "MediaFixtures", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "VLCToolTests", dependencies: ["vlctool", "MediaFixtures", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "SwiftVLC", "ConcurrencySeam", "Interleaving", "InterleavingTesting", "SimulatedVLC", "MediaFixtures",
        "TestSupport",
      ],
      swiftSettings: strict),
    .target(
      name: "SimulatedFixtures", dependencies: ["SimulatedVLC", "MediaFixtures", "VLCNative"],
      path: "Tests/SimulatedFixtures", swiftSettings: strict),
    .testTarget(
      name: "SimulatedVLCTests",
      dependencies: ["SimulatedVLC", "SwiftVLC", "VLCNative", "Interleaving", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .target(
      name: "Conformance", dependencies: ["VLCNative", "ConcurrencySeam", "CLibVLCSupport"],
      path: "Tests/Conformance", swiftSettings: strict),
    .executableTarget(
      name: "ConformanceCommand",
      dependencies: [
        "Conformance", "VLCNative", "MediaFixtures", "SimulatedVLC", "SimulatedFixtures", "Interleaving",
        .target(name: "LibVLC", condition: .when(traits: ["LibVLC"])),
      ],
      path: "Tests/ConformanceCommand", swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["Conformance", "ConformanceCommand", "Interleaving", "SimulatedVLC", "TestSupport"],
      swiftSettings: strict),
    .target(
      name: "Traces", dependencies: ["Conformance", "VLCNative", "Interleaving"], path: "Tests/Traces",
      swiftSettings: strict),
    .executableTarget(
      name: "TracesCommand",
      dependencies: [
        "Traces", "VLCNative", "MediaFixtures", "SimulatedVLC", "SimulatedFixtures",
        .target(name: "LibVLC", condition: .when(traits: ["LibVLC"])),
      ],
      path: "Tests/TracesCommand", swiftSettings: strict),
    .testTarget(
      name: "TracesTests", dependencies: ["Traces", "TracesCommand", "Interleaving", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LibVLCTests",
      dependencies: [
        "LibVLC", "VLCNative", "MediaFixtures", "ConcurrencySeam", "CLibVLCSupport",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// Of these, what holds no kernel cannot be linked with code that wants its functions, and the kernel's own tests count the points
// of ordinary code.
if isDeep {
  let others = [
    "vlctool", "benchmarks", "benchmark-player", "VLCToolTests", "RepositoryTests", "LibVLCTests",
    "ConformanceTests", "ConformanceCommand", "TracesTests", "TracesCommand",
    "ExampleTests", "InterleavingTests", "InterleavingTestingTests", "SoakTests",
  ]
  package.targets.removeAll { others.contains($0.name) }
  package.products.removeAll { ["vlctool", "conformance", "traces"].contains($0.name) }
  package.targets.append(
    .testTarget(name: "DeepModeTests", dependencies: ["Interleaving"], swiftSettings: strict))
}
