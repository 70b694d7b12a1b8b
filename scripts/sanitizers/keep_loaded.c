// Preloaded under AddressSanitizer: libVLC unloads its plug-ins with their instance, and a leak inside one would be
// reported, and could be suppressed, by no name but <unknown module>.
int dlclose(void *handle) {
  (void)handle;
  return 0;
}
