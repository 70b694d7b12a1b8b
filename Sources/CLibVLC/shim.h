// The headers of the system's libVLC, and the one check that nothing else can make: the seam's real
// conformer is written against 3.0, whose numeric enums and signatures are not those of 4.0.
#include <vlc/libvlc_version.h>

#if LIBVLC_VERSION_MAJOR != 3
#error "SwiftVLC's LibVLC target needs the headers of libVLC 3.0 (Debian: libvlc-dev 3.0.x), and these are of another version: install libVLC 3.0, or build with --disable-default-traits."
#endif

#include <vlc/vlc.h>
