#!/usr/bin/env bash
#
# Installs what building and running SwiftVLC needs, and nothing when it is all there.
#
# Usage: scripts/setup.sh [--tests]
#
# --tests adds what `make test` uses besides: gdb, for the stacks of a test that hangs, and unshare.

set -euo pipefail

say() { echo "setup.sh: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

needed=(libvlc-dev vlc-plugin-base pkg-config make)
wanted=() # Things go on without these.
case "$#:${1-}" in
  0:) ;;
  1:--tests)
    needed+=(util-linux)
    wanted+=(gdb)
    ;;
  *) fail "usage: scripts/setup.sh [--tests]" ;;
esac

# Swift.

command -v swift >/dev/null || fail "swift was not found on PATH; install Swift 6.3 or later from swift.org."
version="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)"
major="${version%%.*}" minor="${version#*.}"
if [[ -z $version ]] || ((major < 6 || (major == 6 && minor < 3))); then
  fail "swift on PATH is of version ${version:-unknown}; SwiftVLC needs 6.3 or later (swift.org)."
fi

# libVLC and the rest.

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  if command -v pkg-config >/dev/null && pkg-config --exists 'libvlc >= 3.0' 'libvlc < 4.0'; then
    say "this is no Debian, and pkg-config finds libVLC $(pkg-config --modversion libvlc): going on with that."
    exit 0
  fi
  fail "this is no Debian: install libVLC 3.0 (headers, library, plug-ins) and pkg-config yourself, so that" \
    "'pkg-config --modversion libvlc' answers 3.0.x. 'swift build --disable-default-traits' needs none of it."
fi

# The packages among the arguments that are not installed, one a line.
missing() {
  local package
  for package in "$@"; do
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || echo "$package"
  done
}

mapfile -t missing_needed < <(missing "${needed[@]}")
mapfile -t missing_wanted < <(missing ${wanted[@]+"${wanted[@]}"})
missing_all=("${missing_needed[@]}" "${missing_wanted[@]}")
((${#missing_all[@]})) || exit 0

command=(env DEBIAN_FRONTEND=noninteractive apt-get -q)
if ((EUID != 0)); then
  if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
    command=(sudo "${command[@]}")
  else
    say "missing: ${missing_all[*]}. As root, run: apt-get install --no-install-recommends ${missing_all[*]}"
    ((${#missing_needed[@]} == 0)) && exit 0
    exit 1
  fi
fi

install() { "${command[@]}" install -y --no-install-recommends "$@" </dev/null; }

say "installing ${missing_all[*]}."
"${command[@]}" update </dev/null || "${command[@]}" update </dev/null ||
  say "apt-get update failed twice; trying with the package lists that are there."
if ((${#missing_needed[@]})); then
  install "${missing_needed[@]}" || fail "apt-get could not install ${missing_needed[*]}; its messages are above."
fi
if ((${#missing_wanted[@]})); then
  install "${missing_wanted[@]}" || say "going on without ${missing_wanted[*]}."
fi
