@_exported public import CLibVLCSupport

// C-shaped callbacks. All are called on the library's own threads: form them in nonisolated code only, where the
// type keeps a closure from inheriting an actor that its thread is not on.

/// Receives an event: the library's own event, good during the call, and the context given at attach.
public typealias NativeEventCallback =
  @convention(c) @Sendable (_ event: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?) -> Void

/// What a log callback's data points at: a function and its opaque pointer, owned by the engine.
public typealias NativeLogContext = libvlc_support_log_context

/// The dialog callbacks of an instance; every one gets the opaque pointer that was set with them.
public struct NativeDialogCallbacks: Sendable {
  public typealias Text = UnsafePointer<CChar>
  public typealias DisplayError = @convention(c) @Sendable (UnsafeMutableRawPointer?, Text?, Text?) -> Void
  public typealias DisplayLogin =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutableRawPointer?, _ dialog: OpaquePointer?, _ title: Text?, _ text: Text?,
      _ userName: Text?, _ asksToStore: Bool
    ) -> Void
  /// `severity` is the library's own number: `dialogSeverity(raw:)` decodes it.
  public typealias DisplayQuestion =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutableRawPointer?, _ dialog: OpaquePointer?, _ title: Text?, _ text: Text?,
      _ severity: UInt32, _ cancel: Text?, _ first: Text?, _ second: Text?
    ) -> Void
  public typealias DisplayProgress =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutableRawPointer?, _ dialog: OpaquePointer?, _ title: Text?, _ text: Text?,
      _ isIndeterminate: Bool, _ position: Float, _ cancel: Text?
    ) -> Void
  public typealias Cancel = @convention(c) @Sendable (UnsafeMutableRawPointer?, OpaquePointer?) -> Void
  public typealias UpdateProgress =
    @convention(c) @Sendable (UnsafeMutableRawPointer?, OpaquePointer?, Float, Text?) -> Void

  public var displayError: DisplayError
  public var displayLogin: DisplayLogin
  public var displayQuestion: DisplayQuestion
  public var displayProgress: DisplayProgress
  public var cancel: Cancel
  public var updateProgress: UpdateProgress

  public init(
    displayError: @escaping DisplayError, displayLogin: @escaping DisplayLogin,
    displayQuestion: @escaping DisplayQuestion, displayProgress: @escaping DisplayProgress,
    cancel: @escaping Cancel, updateProgress: @escaping UpdateProgress
  ) {
    self.displayError = displayError
    self.displayLogin = displayLogin
    self.displayQuestion = displayQuestion
    self.displayProgress = displayProgress
    self.cancel = cancel
    self.updateProgress = updateProgress
  }
}

/// A byte source's callbacks: open, read and seek may come on different threads, close once an open.
public struct NativeMediaCallbacks: Sendable {
  /// Returns 0, or another number when the source cannot be opened; a size of `UInt64.max` is unknown.
  public typealias Open =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutableRawPointer?, _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      _ size: UnsafeMutablePointer<UInt64>?
    ) -> Int32
  /// Returns the count of bytes read, 0 at the end, -1 for an error.
  public typealias Read =
    @convention(c) @Sendable (
      _ data: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ length: Int
    ) -> Int
  /// Returns 0, or -1 for an error.
  public typealias Seek = @convention(c) @Sendable (UnsafeMutableRawPointer?, UInt64) -> Int32
  public typealias Close = @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void

  public var open: Open?
  public var read: Read
  public var seek: Seek?
  public var close: Close?

  public init(open: Open?, read: @escaping Read, seek: Seek?, close: Close?) {
    self.open = open
    self.read = read
    self.seek = seek
    self.close = close
  }
}

/// The picture callbacks of a player (vmem); an output copies them when it opens and keeps the copy.
public struct NativeVideoCallbacks: Sendable {
  public typealias Planes = UnsafeMutablePointer<UnsafeMutableRawPointer?>
  public typealias Lock =
    @convention(c) @Sendable (_ opaque: UnsafeMutableRawPointer?, _ planes: Planes?) ->
    UnsafeMutableRawPointer?
  public typealias Unlock =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutableRawPointer?, _ picture: UnsafeMutableRawPointer?,
      _ planes: UnsafePointer<UnsafeMutableRawPointer?>?
    ) -> Void
  public typealias Display =
    @convention(c) @Sendable (_ opaque: UnsafeMutableRawPointer?, _ picture: UnsafeMutableRawPointer?) -> Void
  /// Returns the count of picture buffers, 0 to refuse; may replace the opaque pointer of this output.
  public typealias Setup =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ chroma: UnsafeMutablePointer<CChar>?,
      _ width: UnsafeMutablePointer<UInt32>?, _ height: UnsafeMutablePointer<UInt32>?,
      _ pitches: UnsafeMutablePointer<UInt32>?, _ lines: UnsafeMutablePointer<UInt32>?
    ) -> UInt32
  public typealias Cleanup = @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void

  public var lock: Lock
  public var unlock: Unlock?
  public var display: Display?

  public init(lock: @escaping Lock, unlock: Unlock?, display: Display?) {
    self.lock = lock
    self.unlock = unlock
    self.display = display
  }
}

/// The sample callbacks of a player (amem); times are of the library's clock, in microseconds.
public struct NativeAudioCallbacks: Sendable {
  public typealias Play =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutableRawPointer?, _ samples: UnsafeRawPointer?, _ count: UInt32, _ time: Int64
    ) -> Void
  public typealias Moment = @convention(c) @Sendable (UnsafeMutableRawPointer?, Int64) -> Void
  public typealias Drain = @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
  public typealias SetVolume = @convention(c) @Sendable (UnsafeMutableRawPointer?, Float, Bool) -> Void
  public typealias Setup =
    @convention(c) @Sendable (
      _ opaque: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ format: UnsafeMutablePointer<CChar>?,
      _ rate: UnsafeMutablePointer<UInt32>?, _ channels: UnsafeMutablePointer<UInt32>?
    ) -> Int32
  public typealias Cleanup = @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void

  public var play: Play
  public var pause: Moment?
  public var resume: Moment?
  public var flush: Moment?
  public var drain: Drain?

  public init(play: @escaping Play, pause: Moment?, resume: Moment?, flush: Moment?, drain: Drain?) {
    self.play = play
    self.pause = pause
    self.resume = resume
    self.flush = flush
    self.drain = drain
  }
}

/// The callbacks of the output clock's timer; they may call nothing of the player. libVLC 4.0.
public struct NativeTimerCallbacks: Sendable {
  public typealias Update = @convention(c) @Sendable (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Void
  public typealias Discontinuity = @convention(c) @Sendable (Int64, UnsafeMutableRawPointer?) -> Void
  public var update: Update
  public var discontinuity: Discontinuity?
  public init(update: @escaping Update, discontinuity: Discontinuity?) {
    self.update = update
    self.discontinuity = discontinuity
  }
}
