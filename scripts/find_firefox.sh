#!/usr/bin/env bash
# Prints the path of the Firefox for browser tests, and fails if there is none. QC4_FIREFOX overrides the choice.
set -euo pipefail
if [ -n "${QC4_FIREFOX:-}" ]; then echo "$QC4_FIREFOX"; exit; fi
for name in firefox-esr firefox; do
  if command -v "$name"; then exit; fi
done
exit 1
