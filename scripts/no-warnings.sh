#!/usr/bin/env bash
#
# Runs a command, passes its output on, and fails when a line of it holds `warning:`.
#
# Usage: scripts/no-warnings.sh COMMAND...

set -euo pipefail

log="$(mktemp)"
trap 'rm -f "$log"' EXIT

"$@" 2>&1 | tee "$log"
if grep -q 'warning:' "$log"; then
  echo "no-warnings.sh: there were warnings, which count as errors here:" >&2
  grep 'warning:' "$log" | sort -u >&2
  exit 1
fi
