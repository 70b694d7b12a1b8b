#if LibVLC
import VLCNative

/// Takes pictures in memory, one buffer an output: an output's setup makes it and its cleanup frees it.
final class PictureSink: Sendable {
  enum Call: Hashable, Sendable {
    case setup(chroma: String, width: UInt32, height: UInt32)
    case lock, unlock
    /// How many different bytes a sample of the picture has, up to 256, and which rows have a bright pixel.
    case display(shades: Int, brightRows: [Int])
    case cleanup
  }

  let calls = Record<Call>()
  let name: String

  init(_ name: String = "sink") { self.name = name }

  /// The opaque pointer to set with `callbacks`; the sink has to outlive every output.
  var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let callbacks = NativeVideoCallbacks(
    lock: { opaque, planes in
      guard let output = output(opaque), let planes else { return nil }
      output.sink.calls.append(.lock)
      planes[0] = output.memory.baseAddress
      return output.memory.baseAddress
    },
    unlock: { opaque, _, _ in output(opaque)?.sink.calls.append(.unlock) },
    display: { opaque, picture in
      guard let output = output(opaque) else { return }
      let isOurs = picture == output.memory.baseAddress
      output.sink.calls.append(
        .display(shades: isOurs ? output.shades : -1, brightRows: output.brightRows))
    })

  /// Asks for four bytes a pixel at the size that was offered, and puts a buffer behind the opaque pointer.
  static let setup: NativeVideoCallbacks.Setup = { opaque, chroma, width, height, pitches, lines in
    guard let opaque, let chroma, let width, let height, let pitches, let lines,
      let pointer = opaque.pointee
    else { return 0 }
    let sink = Unmanaged<PictureSink>.fromOpaque(pointer).takeUnretainedValue()
    let offered = String(decoding: (0..<4).map { UInt8(bitPattern: chroma[$0]) }, as: UTF8.self)
    sink.calls.append(.setup(chroma: offered, width: width.pointee, height: height.pointee))
    for (index, character) in "RV32".utf8.enumerated() { chroma[index] = CChar(character) }
    pitches[0] = width.pointee * 4
    lines[0] = height.pointee
    let output = Output(sink, width: Int(width.pointee), height: Int(height.pointee))
    opaque.pointee = Unmanaged.passRetained(output).toOpaque()
    return 1
  }

  static let cleanup: NativeVideoCallbacks.Cleanup = { opaque in
    guard let opaque else { return }
    let output = Unmanaged<Output>.fromOpaque(opaque).takeRetainedValue()
    output.sink.calls.append(.cleanup)
  }

  /// The buffer of one output.
  ///
  /// With a fixed format there is no setup, and the test makes the only one.
  final class Output: @unchecked Sendable {
    // Unchecked: the library locks, shows and cleans up an output's pictures on one thread.
    let sink: PictureSink
    let memory: UnsafeMutableRawBufferPointer
    private let pitch: Int

    /// Four bytes a pixel, rows without padding.
    init(_ sink: PictureSink, width: Int, height: Int) {
      self.sink = sink
      pitch = width * 4
      memory = .allocate(byteCount: pitch * height, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    fileprivate var shades: Int {
      // A sample: an unoptimised build is too slow for each byte of each picture.
      var seen = [Bool](repeating: false, count: 256)
      for offset in stride(from: 0, to: memory.count, by: 97) { seen[Int(memory[offset])] = true }
      return seen.count { $0 }
    }

    fileprivate var brightRows: [Int] {
      (0..<memory.count / pitch).filter { row in
        var offset = row * pitch + 1  // The green of each pixel.
        while offset < (row + 1) * pitch {
          if memory[offset] > 200 { return true }
          offset += 4
        }
        return false
      }
    }

    deinit { memory.deallocate() }
  }

  private static func output(_ opaque: UnsafeMutableRawPointer?) -> Output? {
    opaque.map { Unmanaged<Output>.fromOpaque($0).takeUnretainedValue() }
  }
}
#endif
