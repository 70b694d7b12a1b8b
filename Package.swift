// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SwiftVLC",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "VLCNative", targets: ["VLCNative"]),
    .library(name: "ConcurrencySeam", targets: ["ConcurrencySeam"]),
  ],
  traits: [
    .trait(name: "LibVLC", description: "The real libVLC 3.0 of the system, linked dynamically."),
    .default(enabledTraits: ["LibVLC"]),
  ],
  targets: [
    .systemLibrary(name: "CLibVLC", pkgConfig: "libvlc", providers: [.apt(["libvlc-dev"])]),
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
      name: "MediaFixtures", path: "Fixtures", exclude: ["generate.sh", "manifest.py"],
      resources: [.copy("media"), .copy("manifest.json")], swiftSettings: strict),
    .testTarget(
      name: "LibVLCTests",
      dependencies: [
        "LibVLC", "VLCNative", "MediaFixtures", "ConcurrencySeam", "CLibVLCSupport",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
