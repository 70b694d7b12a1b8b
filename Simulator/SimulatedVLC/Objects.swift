import Foundation
import Interleaving
import VLCNative

/// How addresses of released objects come back.
public enum AddressReuse: Sendable, CaseIterable {
  /// Each object has an address of its own.
  case never
  /// The next object has the address of the last one released.
  case atOnce
  /// Chance takes a new address or one of those released.
  case bySeed
}

/// A native object: counted, with an address for calls. What is called on one that is gone ends the execution.
class SimulatedObject: @unchecked Sendable {
  let identifier = NativeIdentifier.next()
  let kind: String
  fileprivate(set) var address = 0
  fileprivate var count = 1
  let events = EventManager()

  init(_ kind: String) { self.kind = kind }

  var description: String { "\(kind) \(identifier)" }
  /// Never nought.
  var pointer: OpaquePointer { OpaquePointer(bitPattern: address).unsafelyUnwrapped }
  func reference<Object>(_ type: Object.Type = Object.self) -> NativeReference<Object> {
    NativeReference(address: pointer, identifier: identifier)
  }
}

/// Every object that lives, by address.
final class ObjectTable: Sendable {
  private struct Objects {
    var living: [Int: SimulatedObject] = [:]
    var released: [Int] = []
    var next = 0x1000_0000
  }
  private let objects = Monitor(Objects())
  private let reuse: AddressReuse
  private let chance: Chance
  private let faults: Faults
  private let observer: SimulatedObserver?

  init(
    reuse: AddressReuse, chance: Chance, faults: Faults = Faults([], Chance(seed: 1)),
    observer: SimulatedObserver? = nil
  ) {
    self.reuse = reuse
    self.chance = chance
    self.faults = faults
    self.observer = observer
  }

  /// How many objects live.
  var count: Int { objects.read { $0.living.count } }
  func all<Object: SimulatedObject>(_ type: Object.Type) -> [Object] {
    objects.read { $0.living.values.compactMap { $0 as? Object } }.sorted { $0.identifier < $1.identifier }
  }
  var descriptions: [String] { objects.read { $0.living.values.map(\.description).sorted() } }

  func add<Object: SimulatedObject>(_ object: Object) -> Object {
    object.events.prepare(object.identifier, faults, observer)
    let choices = objects.read { $0.released.count }
    let choice =
      switch reuse {
      case .never: 0
      case .atOnce: choices
      case .bySeed: chance.draw(choices + 1)
      }
    objects.read { objects in
      if choice > 0, choice <= objects.released.count {
        faults.came(.addressesComeBack)
        object.address = objects.released.remove(at: choice - 1)
      } else {
        object.address = objects.next
        objects.next += 0x100
      }
      objects.living[object.address] = object
    }
    return object
  }

  /// The object that a reference names.
  func find<Object: SimulatedObject, Kind>(
    _ reference: NativeReference<Kind>, as type: Object.Type, _ call: StaticString
  ) -> Object {
    let found = objects.read { $0.living[Int(bitPattern: reference.address)] }
    guard let object = found as? Object, object.identifier == reference.identifier else {
      misuse("\(call) of \(reference), which is released")
    }
    observer?(.called(call, object.identifier))
    return object
  }

  /// The object at an address that an event brought; nil where there is none.
  func find<Object: SimulatedObject>(at address: OpaquePointer, as type: Object.Type) -> Object? {
    objects.read { $0.living[Int(bitPattern: address)] as? Object }
  }

  func retain(_ object: SimulatedObject) { objects.read { _ in object.count += 1 } }

  /// Gives a count back; whether it was the last one.
  func release(_ object: SimulatedObject) -> Bool {
    let left = objects.read { _ -> Int in
      object.count -= 1
      return object.count
    }
    if left < 0 { misuse("a release of \(object.description) too many") }
    return left == 0
  }

  /// The object is gone: its address may be another's from now on.
  func remove(_ object: SimulatedObject) {
    objects.read { objects in
      objects.living[object.address] = nil
      objects.released.append(object.address)
    }
  }
}

/// What a host does that libVLC does not survive, or of which it says that it is not to be done.
func misuse(_ message: String) -> Never {
  World.current?.fail("misuse of libVLC: \(message)")
  FileHandle.standardError.write(Data("misuse of libVLC: \(message)\n".utf8))
  abort()
}
