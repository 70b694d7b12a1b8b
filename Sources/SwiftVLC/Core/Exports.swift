// Capabilities, metadata keys and the protocol of other libraries are the seam's, and part of this module's interface.
@_exported public import VLCNative
