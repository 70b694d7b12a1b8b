import VLCNative

#if LibVLC
import LibVLC
#endif

/// The libVLC of the system, where the package was built with it.
func defaultNativeLibrary() -> (any NativeLibrary)? {
  #if LibVLC
  LibVLCLibrary()
  #else
  nil
  #endif
}
