#!/usr/bin/env bash
# Prints the Firefox that browser tests drive; fails where there is none. QC4_FIREFOX says another one.
set -euo pipefail
if [ -n "${QC4_FIREFOX:-}" ]; then echo "$QC4_FIREFOX"; exit; fi
for name in firefox-esr firefox; do
  if command -v "$name"; then exit; fi
done
exit 1
