#if LibVLC
/// A message of D-Bus, little-endian, with what a server of one peer needs of it.
struct BusMessage: Sendable {
  enum Kind: UInt8, Sendable { case call = 1, reply, error, signal }

  var kind = Kind.call
  var serial: UInt32 = 1
  var replySerial: UInt32?
  var path: String?
  var interface: String?
  var member: String?
  var body = BusBody()

  /// The whole message's size when enough of it is there to tell, nil otherwise.
  static func size(_ bytes: some Collection<UInt8>) -> Int? {
    guard bytes.count >= 16 else { return nil }
    let head = Array(bytes.prefix(16))
    let fields = Int(word(head, 12))
    return 16 + (fields + 7) / 8 * 8 + Int(word(head, 4))
  }

  /// Reads the header of a whole message; its body is left out.
  init(_ bytes: [UInt8]) {
    kind = Kind(rawValue: bytes[1]) ?? .call
    serial = Self.word(bytes, 8)
    let end = 16 + Int(Self.word(bytes, 12))
    var offset = 16
    while offset < end {
      offset = (offset + 7) / 8 * 8
      let field = bytes[offset]
      let signature = bytes[offset + 2]
      offset += 4  // The field, the signature's length, its letter and the zero.
      switch signature {
      case UInt8(ascii: "g"): offset += Int(bytes[offset]) + 2
      case UInt8(ascii: "u"): offset += 4
      default:
        let length = Int(Self.word(bytes, offset))
        let text = String(decoding: bytes[(offset + 4)..<(offset + 4 + length)], as: UTF8.self)
        switch field {
        case 1: path = text
        case 2: interface = text
        case 3: member = text
        default: break
        }
        offset += length + 5
      }
    }
  }

  init(replyTo call: BusMessage, _ body: BusBody = BusBody()) {
    kind = .reply
    replySerial = call.serial
    self.body = body
  }

  init(signal member: String, interface: String, path: String, _ body: BusBody) {
    kind = .signal
    self.member = member
    self.interface = interface
    self.path = path
    self.body = body
  }

  /// The message as it goes over the wire.
  func bytes(serial: UInt32) -> [UInt8] {
    var fields = BusBody()
    if let path { fields.field(1, "o", path) }
    if let interface { fields.field(2, "s", interface) }
    if let member { fields.field(3, "s", member) }
    if let replySerial { fields.field(5, replySerial) }
    if !body.signature.isEmpty { fields.field(8, signature: body.signature) }
    var whole = BusBody()
    whole.bytes = [UInt8(ascii: "l"), kind.rawValue, 0, 1]
    for value in [UInt32(body.bytes.count), serial, UInt32(fields.bytes.count)] { whole.append(value) }
    whole.bytes += fields.bytes
    whole.align(8)
    return whole.bytes + body.bytes
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << ($1 * 8) }
  }
}

/// Values in D-Bus's encoding, each aligned to its own size.
struct BusBody: Sendable {
  var bytes: [UInt8] = []
  var signature = ""

  mutating func align(_ size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  mutating func append(_ value: UInt32) {
    align(4)
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
    signature += "u"
  }

  mutating func append(_ value: Int32) {
    append(UInt32(bitPattern: value))
    signature = signature.dropLast() + "i"
  }

  mutating func append(_ value: UInt16) {
    align(2)
    bytes += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
    signature += "q"
  }

  mutating func append(_ text: String, as letter: String = "s") {
    append(UInt32(text.utf8.count))
    bytes += Array(text.utf8) + [0]
    signature = signature.dropLast() + letter
  }

  /// An array of arrays of bytes.
  mutating func append(_ texts: [String]) {
    var content = BusBody()
    for text in texts {
      content.append(UInt32(text.utf8.count))
      content.bytes += Array(text.utf8)
    }
    append(UInt32(content.bytes.count))
    bytes += content.bytes
    signature = signature.dropLast() + "aay"
  }

  mutating func field(_ number: UInt8, _ letter: String, _ text: String) {
    variant(number, letter)
    append(text, as: letter)
  }

  mutating func field(_ number: UInt8, _ value: UInt32) {
    variant(number, "u")
    append(value)
  }

  mutating func field(_ number: UInt8, signature text: String) {
    variant(number, "g")
    bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
  }

  private mutating func variant(_ number: UInt8, _ letter: String) {
    align(8)
    bytes += [number, 1] + Array(letter.utf8) + [0]
  }
}
#endif
