#if LibVLC
import CLibVLC
import ConcurrencySeam
import VLCNative

/// Copies a string that stays the library's.
func borrowed(_ text: UnsafePointer<CChar>?) -> String? {
  text.map { String(cString: $0) }
}

/// Copies a string that the library gave away, and frees it.
func owned(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text else { return nil }
  defer { libvlc_free(text) }
  return String(cString: text)
}

/// The elements of one of the library's linked lists, in order.
func linked<Node, Element>(
  _ head: UnsafeMutablePointer<Node>?, next: KeyPath<Node, UnsafeMutablePointer<Node>?>,
  _ element: (Node) -> Element
) -> [Element] {
  var elements: [Element] = []
  var node = head
  while let current = node {
    elements.append(element(current.pointee))
    node = current.pointee[keyPath: next]
  }
  return elements
}

/// The elements of an array of pointers that the library made; a negative count is an error of its.
func array<Count: BinaryInteger, Node, Element>(
  _ nodes: UnsafeMutablePointer<UnsafeMutablePointer<Node>?>?, count: Count, _ element: (Node) -> Element
) -> [Element] {
  guard let nodes, count > 0 else { return [] }
  return (0..<Int(count)).compactMap { nodes[$0].map { element($0.pointee) } }
}

/// A number of the caller's as the library takes it: out of range becomes the nearest, never a trap.
func clamped<Number: FixedWidthInteger>(_ value: some BinaryInteger) -> Number {
  Number(clamping: value)
}

/// Gives media their identifiers, which live in the media's own user data.
enum MediaNames {
  // Two threads may meet a media of the library's own (a list's, a sub-item) for the first time at once.
  private static let naming = Guarded<Void>(())

  /// The media at an address, by the identifier that it has or gets now.
  static func reference(_ address: OpaquePointer) -> NativeMedia {
    naming.withLock { _ in
      if let kept = libvlc_media_get_user_data(address) {
        // A number that was put there, not a pointer: the slot has a pointer's type.
        let number = UInt64(UInt(bitPattern: kept))
        return NativeMedia(address: address, identifier: NativeIdentifier(number: number))
      }
      let identifier = NativeIdentifier.next()
      libvlc_media_set_user_data(address, UnsafeMutableRawPointer(bitPattern: UInt(identifier.number)))
      return NativeMedia(address: address, identifier: identifier)
    }
  }
}

extension NativeState {
  init(_ raw: libvlc_state_t) {
    self =
      switch raw {
      case libvlc_Opening: .opening
      case libvlc_Buffering: .buffering
      case libvlc_Playing: .playing
      case libvlc_Paused: .paused
      case libvlc_Stopped: .stopped
      case libvlc_Ended: .ended
      case libvlc_Error: .error
      default: .nothingSpecial
      }
  }
}

extension NativeTrackType {
  init(_ raw: libvlc_track_type_t) {
    self =
      switch raw {
      case libvlc_track_audio: .audio
      case libvlc_track_video: .video
      case libvlc_track_text: .text
      default: .unknown
      }
  }

  var raw: libvlc_track_type_t {
    switch self {
    case .unknown: libvlc_track_unknown
    case .audio: libvlc_track_audio
    case .video: libvlc_track_video
    case .text: libvlc_track_text
    }
  }

  /// The identifier that a track of 3.0 gets, which has only a number.
  func identifier(_ number: Int32) -> String {
    switch self {
    case .unknown: "unknown/\(number)"
    case .audio: "audio/\(number)"
    case .video: "video/\(number)"
    case .text: "spu/\(number)"
    }
  }
}

extension NativeMetadataKey {
  static let byRaw: [UInt32: NativeMetadataKey] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.raw.rawValue, $0) })

  var raw: libvlc_meta_t {
    switch self {
    case .title: libvlc_meta_Title
    case .artist: libvlc_meta_Artist
    case .genre: libvlc_meta_Genre
    case .copyright: libvlc_meta_Copyright
    case .album: libvlc_meta_Album
    case .trackNumber: libvlc_meta_TrackNumber
    case .description: libvlc_meta_Description
    case .rating: libvlc_meta_Rating
    case .date: libvlc_meta_Date
    case .setting: libvlc_meta_Setting
    case .url: libvlc_meta_URL
    case .language: libvlc_meta_Language
    case .nowPlaying: libvlc_meta_NowPlaying
    case .publisher: libvlc_meta_Publisher
    case .encodedBy: libvlc_meta_EncodedBy
    case .artworkURL: libvlc_meta_ArtworkURL
    case .trackID: libvlc_meta_TrackID
    case .trackTotal: libvlc_meta_TrackTotal
    case .director: libvlc_meta_Director
    case .season: libvlc_meta_Season
    case .episode: libvlc_meta_Episode
    case .showName: libvlc_meta_ShowName
    case .actors: libvlc_meta_Actors
    case .albumArtist: libvlc_meta_AlbumArtist
    case .discNumber: libvlc_meta_DiscNumber
    case .discTotal: libvlc_meta_DiscTotal
    }
  }
}

extension NativeMediaType {
  init(_ raw: libvlc_media_type_t) {
    self =
      switch raw {
      case libvlc_media_type_file: .file
      case libvlc_media_type_directory: .directory
      case libvlc_media_type_disc: .disc
      case libvlc_media_type_stream: .stream
      case libvlc_media_type_playlist: .playlist
      default: .unknown
      }
  }
}

extension NativeParsedStatus {
  init(_ raw: libvlc_media_parsed_status_t) {
    self =
      switch raw {
      case libvlc_media_parsed_status_skipped: .skipped
      case libvlc_media_parsed_status_failed: .failed
      case libvlc_media_parsed_status_timeout: .timeout
      case libvlc_media_parsed_status_done: .done
      default: .none
      }
  }
}

extension NativeParseOptions {
  var raw: libvlc_media_parse_flag_t {
    var bits: UInt32 = 0
    if contains(.network) { bits |= libvlc_media_parse_network.rawValue }
    if contains(.fetchLocal) { bits |= libvlc_media_fetch_local.rawValue }
    if contains(.fetchNetwork) { bits |= libvlc_media_fetch_network.rawValue }
    if contains(.interact) { bits |= libvlc_media_do_interact.rawValue }
    return libvlc_media_parse_flag_t(rawValue: bits)
  }
}

extension NativeSlaveType {
  init(_ raw: libvlc_media_slave_type_t) {
    self = raw == libvlc_media_slave_type_audio ? .audio : .subtitle
  }

  var raw: libvlc_media_slave_type_t {
    switch self {
    case .subtitle: libvlc_media_slave_type_subtitle
    case .audio: libvlc_media_slave_type_audio
    }
  }
}

extension NativeOrientation {
  init(_ raw: libvlc_video_orient_t) {
    self =
      switch raw {
      case libvlc_video_orient_top_right: .topRight
      case libvlc_video_orient_bottom_left: .bottomLeft
      case libvlc_video_orient_bottom_right: .bottomRight
      case libvlc_video_orient_left_top: .leftTop
      case libvlc_video_orient_left_bottom: .leftBottom
      case libvlc_video_orient_right_top: .rightTop
      case libvlc_video_orient_right_bottom: .rightBottom
      default: .topLeft
      }
  }
}

extension NativeProjection {
  init(_ raw: libvlc_video_projection_t) {
    self =
      switch raw {
      case libvlc_video_projection_equirectangular: .equirectangular
      case libvlc_video_projection_cubemap_layout_standard: .cubemap
      default: .rectangular
      }
  }
}

extension NativeOverlayPosition {
  /// For the title display, which takes the library's enumeration.
  var raw: libvlc_position_t {
    switch self {
    case .disabled: libvlc_position_disable
    case .center: libvlc_position_center
    case .left: libvlc_position_left
    case .right: libvlc_position_right
    case .top: libvlc_position_top
    case .topLeft: libvlc_position_top_left
    case .topRight: libvlc_position_top_right
    case .bottom: libvlc_position_bottom
    case .bottomLeft: libvlc_position_bottom_left
    case .bottomRight: libvlc_position_bottom_right
    }
  }

  /// For marquee and logo, whose filters take a sum: 1 left, 2 right, 4 top, 8 bottom.
  var sum: Int32 {
    switch self {
    case .disabled: -1
    case .center: 0
    case .left: 1
    case .right: 2
    case .top: 4
    case .topLeft: 5
    case .topRight: 6
    case .bottom: 8
    case .bottomLeft: 9
    case .bottomRight: 10
    }
  }
}

extension NativeRole {
  static let byRaw: [UInt32: NativeRole] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.raw.rawValue, $0) })

  var raw: libvlc_media_player_role {
    switch self {
    case .none: libvlc_role_None
    case .music: libvlc_role_Music
    case .video: libvlc_role_Video
    case .communication: libvlc_role_Communication
    case .game: libvlc_role_Game
    case .notification: libvlc_role_Notification
    case .animation: libvlc_role_Animation
    case .production: libvlc_role_Production
    case .accessibility: libvlc_role_Accessibility
    case .test: libvlc_role_Test
    }
  }
}

extension NativeNavigation {
  var raw: libvlc_navigate_mode_t {
    switch self {
    case .activate: libvlc_navigate_activate
    case .up: libvlc_navigate_up
    case .down: libvlc_navigate_down
    case .left: libvlc_navigate_left
    case .right: libvlc_navigate_right
    case .popup: libvlc_navigate_popup
    }
  }
}
#endif
