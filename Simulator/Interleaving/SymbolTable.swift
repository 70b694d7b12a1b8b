import CInterleaving

/// The functions of an executable by address, from its own symbol table: the loader knows only what is exported.
struct SymbolTable {
  private var functions: [(start: UInt, size: UInt, name: Int)] = []
  private var names: [UInt8] = []

  /// That of the process itself, read when it is first asked; of everything else, none.
  static func ofImage(at base: UInt) -> SymbolTable {
    base == ci_own_image() ? own : SymbolTable()
  }

  private static let executable: String = {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { path in
      guard let start = path.baseAddress, ci_executable(start, path.count) else { return "" }
      return String(cString: start)
    }
  }()

  private static let own: SymbolTable = {
    var size = 0
    guard let image = ci_map_file(executable, &size) else { return SymbolTable() }
    defer { ci_unmap(image, size) }
    return SymbolTable(UnsafeRawBufferPointer(start: image, count: size))
  }()

  private init() {}

  /// Reads the symbol table of a 64-bit ELF file.
  private init(_ image: UnsafeRawBufferPointer) {
    func word<T: FixedWidthInteger>(_ offset: Int, _ type: T.Type) -> Int {
      guard offset >= 0, offset + MemoryLayout<T>.size <= image.count else { return 0 }
      return Int(truncatingIfNeeded: image.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
    guard image.count > 64, image[0] == 0x7f, image[1] == 0x45, image[4] == 2 else { return }
    let sections = word(40, UInt64.self)
    let entry = word(58, UInt16.self)
    for number in 0..<word(60, UInt16.self) {
      let header = sections + number * entry
      let isSymbols = word(header + 4, UInt32.self) == 2
      guard isSymbols else { continue }
      let (offset, size) = (word(header + 24, UInt64.self), word(header + 32, UInt64.self))
      let strings = sections + word(header + 40, UInt32.self) * entry
      let (namesAt, namesSize) = (word(strings + 24, UInt64.self), word(strings + 32, UInt64.self))
      guard namesAt + namesSize <= image.count, offset + size <= image.count else { return }
      names = Array(image[namesAt..<namesAt + namesSize]) + [0]
      for symbol in stride(from: offset, to: offset + size, by: 24) where image[symbol + 4] & 15 == 2 {
        functions.append(
          (
            UInt(word(symbol + 8, UInt64.self)), UInt(word(symbol + 16, UInt64.self)),
            word(symbol, UInt32.self)
          ))
      }
    }
    functions.sort { $0.start < $1.start }
  }

  /// The symbol of the function at an address relative to where the image is loaded.
  func name(of address: UInt) -> String? {
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0,
      functions[low - 1].size == 0 || address < functions[low - 1].start + functions[low - 1].size,
      functions[low - 1].name < names.count
    else { return nil }
    let start = functions[low - 1].name
    return String(decoding: names[start...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
