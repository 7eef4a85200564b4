#!/usr/bin/env bash
# Creates or updates the virtual environment. Usage: scripts/environment.sh [run|test]
# It is fast if nothing has changed: a stamp file contains the checksum of the installed requirements.
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-run}
venv=.venv

apt_install() { # apt command, packages; prints output only if it fails
  local apt=$1 log; shift
  if ! log=$($apt update -qq 2>&1 && $apt install -y -qq --no-install-recommends "$@" 2>&1); then
    echo "$log" >&2; return 1
  fi
}

need_root() { # prints the apt command; prints nothing if we cannot install packages
  if [ "$(id -u)" = 0 ]; then echo "env DEBIAN_FRONTEND=noninteractive apt-get"; return; fi
  if sudo -n true 2>/dev/null; then echo "sudo -n env DEBIAN_FRONTEND=noninteractive apt-get"; fi
}

find_python() {
  for candidate in python3.11 python3.12 python3.13 python3; do
    if command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"; return
    fi
  done
  echo "QC4 Bench needs Python 3.11 or newer. On Debian 12: sudo apt-get install python3 python3-venv" >&2
  exit 1
}

make_venv() {
  local python; python=$(find_python)
  if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    local apt; apt=$(need_root)
    if [ -z "$apt" ]; then
      echo "Python's venv module is missing, and only root can install it. On Debian 12: sudo apt-get install python3-venv" >&2
      exit 1
    fi
    echo "Installing python3-venv (a separate package on Debian) ..."
    if ! apt_install "$apt" python3-venv; then
      echo "python3-venv could not be installed. Install it yourself: apt-get install python3-venv" >&2; exit 1
    fi
  fi
  "$python" -m venv "$venv"
}

install() { # lock file, target folder, install command
  local stamp="$2/.$(basename "$1").sha256" sum
  sum=$(sha256sum "$1" | cut -d' ' -f1)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ]; then return; fi
  echo "Installing the packages of $1 (pinned, checked by hash) ..."
  "${@:3}"
  echo "$sum" > "$stamp"
}

install_requirements() { # file
  install "$1" "$venv" \
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-warn-script-location --require-hashes -r "$1"
}

# requirements-dev.txt installs Node.js and npm as a wheel.
install_script_tools() {
  install package-lock.json node_modules \
    env PATH="$PWD/$venv/bin:$PATH" npm ci --loglevel=error
}

install_chromium() {
  local browsers=("") packages=() apt browser
  if ! scripts/find_chromium.sh >/dev/null; then
    browsers=(chromium-headless-shell chromium) # not every system has the first one
    packages+=(fonts-dejavu-core)
  fi
  # Playwright's Node.js drives the browser. It needs a library that a minimal Debian lacks.
  if [ -x /sbin/ldconfig ] && [[ $(/sbin/ldconfig -p) != *libatomic.so.1* ]]; then packages+=(libatomic1); fi
  if [ ${#packages[@]} = 0 ]; then return; fi
  apt=$(need_root)
  if [ -z "$apt" ] || ! command -v apt-get >/dev/null; then
    echo "Browser tests will be skipped, because only root can install the packages they need." \
      "On Debian: sudo apt-get install ${browsers[0]} ${packages[*]}" >&2
    return
  fi
  for browser in "${browsers[@]}"; do
    echo "Installing packages for browser tests: $browser ${packages[*]} ..."
    if apt_install "$apt" ${browser:+"$browser"} "${packages[@]}"; then return; fi
  done
  echo "The packages could not be installed, so browser tests will be skipped." >&2
}

install_firefox() {
  local apt
  if scripts/find_firefox.sh >/dev/null; then return; fi
  apt=$(need_root)
  if [ -n "$apt" ] && command -v apt-get >/dev/null; then
    echo "Installing firefox-esr, the second browser for tests ..."
    if apt_install "$apt" firefox-esr; then return; fi
  fi
  echo "The test in Firefox will be skipped. On Debian: sudo apt-get install firefox-esr" >&2
}

install_nginx() {
  local apt sudo=""
  if command -v nginx >/dev/null || [ -x /usr/sbin/nginx ]; then return; fi
  apt=$(need_root)
  if [ -n "$apt" ] && command -v apt-get >/dev/null; then
    echo "Installing nginx for tests of the reverse proxy ..."
    if apt_install "$apt" nginx; then
      # Debian starts a server on port 80. The tests start their own, so stop it.
      if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
      if command -v systemctl >/dev/null; then $sudo systemctl disable --quiet --now nginx 2>/dev/null || true; fi
      return
    fi
  fi
  echo "Tests of the reverse proxy will be skipped. On Debian: sudo apt-get install nginx" >&2
}

if [ ! -x "$venv/bin/python" ]; then rm -rf "$venv"; make_venv; fi
install_requirements requirements.txt
if [ "$purpose" = test ]; then
  install_requirements requirements-dev.txt
  install_script_tools
  install_chromium
  install_firefox
  install_nginx
fi
if [ ! -f .env ]; then
  umask 077
  key=$("$venv/bin/python" -c 'import secrets; print(secrets.token_urlsafe(50))')
  (umask 077; sed "s|^SECRET_KEY=.*|SECRET_KEY=$key|" .env.example > .env)
fi
