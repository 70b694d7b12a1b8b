import CInterleaving

@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>?, _ length: UInt, _ output: UnsafeMutablePointer<CChar>?,
  _ outputLength: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// The names of the functions that a thread of control is in.
enum StackFrames {
  /// The calling one's, innermost first; in the kernel, whose own frames are left out.
  @inline(never)
  static func here() -> [String] {
    var addresses = [UInt](repeating: 0, count: 48)
    let count = addresses.withUnsafeMutableBufferPointer { ci_stack_here($0.baseAddress, $0.count, 1) }
    return names(of: addresses.prefix(count))
  }

  /// Of another thread of the process.
  static func of(thread: Int32) -> [String] {
    var addresses = [UInt](repeating: 0, count: 48)
    let count = addresses.withUnsafeMutableBufferPointer { ci_stack_of(thread, $0.baseAddress, $0.count) }
    return names(of: addresses.prefix(count))
  }

  private static func names(of addresses: some Sequence<UInt>) -> [String] {
    addresses.compactMap { address in isKernels(address) ? nil : name(of: address) }
  }

  /// Whether a frame is the scheduler's, or the lock's on the way to it: it says nothing of the body.
  private static func isKernels(_ address: UInt) -> Bool {
    guard let symbol = symbol(at: address) else { return false }
    return ["ci_", "concurrency_seam", "$s12Interleaving", "$s15ConcurrencySeam"].contains {
      symbol.hasPrefix($0)
    }
  }

  private static func symbol(at address: UInt) -> String? {
    var name: UnsafePointer<CChar>?
    var file: UnsafePointer<CChar>?
    var base: UInt = 0
    guard ci_symbol(address, &name, &file, &base) else { return nil }
    return name.map { String(cString: $0) } ?? SymbolTable.ofImage(at: base).name(of: address - base - 1)
  }

  /// The function at a return address; its image and place there, where it has no name that the system knows.
  static func name(of address: UInt) -> String {
    if let symbol = symbol(at: address) { return demangled(symbol) }
    var name: UnsafePointer<CChar>?
    var file: UnsafePointer<CChar>?
    var base: UInt = 0
    guard ci_symbol(address, &name, &file, &base), let file else { return "0x" + String(address, radix: 16) }
    let image = String(cString: file).split(separator: "/").last.map(String.init) ?? ""
    return "\(image)+0x\(String(address - base, radix: 16))"
  }

  private static func demangled(_ name: String) -> String {
    name.withCString { start in
      guard let text = demangle(start, UInt(name.utf8.count), nil, nil, 0) else { return name }
      defer { ci_free(text) }
      return String(cString: text)
    }
  }
}
