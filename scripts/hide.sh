#!/usr/bin/env bash
#
# Runs a command on a machine that seems to lack libVLC, or only libVLC's plug-ins.
#
# Usage: scripts/hide.sh libvlc|plugins COMMAND...
#
# libvlc hides the headers, the pkg-config files, the libraries and the plug-ins; plugins hides the last alone.
# All happens in a mount namespace of the command's own: no other process notices, and nothing is to be undone.
# Exits 70 when that is not possible. The caller needs to be root, or on a system whose users may make namespaces.

set -euo pipefail
shopt -s nullglob

fail() {
  echo "hide.sh: $2" >&2
  exit "$1"
}

inside=false
if [[ ${1-} == --inside ]]; then
  inside=true
  shift
fi
[[ ($# -ge 2) && (${1-} == libvlc || ${1-} == plugins) ]] || fail 64 "usage: scripts/hide.sh libvlc|plugins COMMAND..."
mode=$1
shift

# The existing paths among the arguments, without symbolic links and each once.
real() {
  local path
  for path in "$@"; do
    [[ ! -e $path ]] || realpath "$path"
  done | sort -u
}

library_folders() { real /usr/lib /usr/lib/*-*-* /usr/lib64 /lib /lib/*-*-* /lib64 /usr/local/lib /usr/local/lib/*-*-* /usr/local/lib64; }

mapfile -t libraries < <(library_folders)
mapfile -t headers < <(real /usr/include/vlc /usr/include/*-*-*/vlc /usr/local/include/vlc)
objects=() plugins=()
for folder in "${libraries[@]}"; do
  objects+=("$folder"/libvlc.so* "$folder"/libvlccore.so*)
  if [[ $mode == libvlc ]]; then plugins+=("$folder"/vlc/); else plugins+=("$folder"/vlc/plugins/); fi
done
mapfile -t objects < <(real ${objects[@]+"${objects[@]}"})
mapfile -t plugins < <(real ${plugins[@]+"${plugins[@]}"})

searched="${PKG_CONFIG_PATH-}:${PKG_CONFIG_LIBDIR-}:$(pkg-config --variable pc_path pkg-config 2>/dev/null || :)"
IFS=: read -ra searched <<<"$searched"
descriptions=()
for folder in "${searched[@]}" "${libraries[@]/%//pkgconfig}" /usr/share/pkgconfig /usr/local/share/pkgconfig; do
  [[ -z $folder || (! -e $folder/libvlc.pc && ! -e $folder/vlc-plugin.pc) ]] || descriptions+=("$folder")
done
mapfile -t descriptions < <(real ${descriptions[@]+"${descriptions[@]}"})

# Prints what can still be seen; nothing when all is hidden.
visible() {
  local path found
  for path in ${plugins[@]+"${plugins[@]}"}; do
    [[ ! -d $path ]] || found="$(find "$path" -name '*_plugin.so' -print -quit)"
    [[ -z ${found-} ]] || echo "$found"
  done
  [[ $mode == libvlc ]] || return 0
  for path in ${headers[@]+"${headers[@]/%//vlc.h}"} /usr/include/vlc/vlc.h; do
    [[ ! -e $path ]] || echo "$path"
  done
  for path in ${objects[@]+"${objects[@]}"}; do
    [[ ! -s $path ]] || echo "$path"
  done
  if command -v pkg-config >/dev/null && pkg-config --exists libvlc; then echo "libvlc of pkg-config"; fi
}

unset VLC_PLUGIN_PATH

if ! $inside; then
  [[ -n "$(visible)" ]] || exec "$@" # There is nothing to hide.
  for options in -m -rm; do
    if unshare "$options" true 2>/dev/null; then
      exec unshare "$options" "$BASH" "${BASH_SOURCE[0]}" --inside "$mode" "$@"
    fi
  done
  fail 70 "no private mount namespace can be made here (unshare -m, unshare -rm), so $mode cannot be hidden."
fi

cover() { mount -t tmpfs -o mode=755 tmpfs "$1" || fail 70 "$1 cannot be hidden: mounting over it failed."; }

for folder in ${plugins[@]+"${plugins[@]}"}; do cover "$folder"; done
if [[ $mode == libvlc ]]; then
  for folder in ${headers[@]+"${headers[@]}"}; do cover "$folder"; done
  for object in ${objects[@]+"${objects[@]}"}; do
    mount --bind /dev/null "$object" || fail 70 "$object cannot be hidden: mounting over it failed."
  done
  # A pkg-config folder is replaced by a copy of it without libVLC's files.
  stage="$(mktemp -d)"
  cover "$stage"
  for folder in ${descriptions[@]+"${descriptions[@]}"}; do
    copy="$(mktemp -d "$stage/XXXXXX")"
    chmod 755 "$copy"
    cp -RL "$folder/." "$copy"
    rm -f "$copy/libvlc.pc" "$copy/vlc-plugin.pc"
    mount --bind "$copy" "$folder" || fail 70 "$folder cannot be hidden: mounting over it failed."
  done
  umount -l "$stage"
  rmdir "$stage"
fi

left="$(visible)"
[[ -z $left ]] || fail 70 "hiding $mode did not work; this is still there: ${left//$'\n'/, }"
exec "$@"
