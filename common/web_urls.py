"""Which addresses of the web the site links to, and the host they lead to."""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from urllib.parse import unquote, urlsplit

import idna

IN_TEXT = re.compile(r"https?://[^\s<>\"'`]+", re.IGNORECASE)
"""An address within a text, with whatever stands right behind it."""
_ENDS = ".,;:!?…”’"
_PAIRS = {")": "(", "]": "[", "}": "{"}


_WRITTEN = re.compile(r"https?://[^/?#]", re.IGNORECASE)
# Browsers take a backslash for a slash and leave controls out, so that another host follows than one reads.
_MISLEADING = re.compile(r"[\s<>\"\\\x00-\x20\x7f]")
_NO_HOST = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]")
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)\.?")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_web_address(text: str) -> bool:
    """Whether it is an http or https address with a host: other schemes are never linked."""
    return bool(ascii_host(text))


def host_of(text: str) -> str:
    """The host an address leads to, to show; empty where the address is not linked.

    Not what stands before an @, and with the port where it is not the usual one. A name with other letters than a to z
    has its form for machines beside it, and only that where a part of it mixes scripts.
    """
    found = ascii_host(text)
    if "xn--" not in found:
        return found
    name, colon, port = found.partition(":")
    try:
        readable = idna.decode(name)
    except idna.IDNAError:
        return found
    return found if any(map(_mixes_scripts, readable.split("."))) else f"{readable}{colon}{port} ({found})"


def ascii_host(text: str) -> str:
    """Host and port of an http or https address as a browser has them; empty for anything else.

    `hostOf` in `static/js/common/elements.js` is the same; both are tested with `tests/scripts/hosts.json`.
    """
    text = text.strip()
    if not _WRITTEN.match(text) or _MISLEADING.search(text):
        return ""
    try:
        parts = urlsplit(text)
        host = _ascii(parts.hostname or "", is_bracketed="[" in parts.netloc)
        port = parts.port
    except ValueError:
        return ""
    return host if not host or port in {None, _DEFAULT_PORTS[parts.scheme]} else f"{host}:{port}"


def _ascii(host: str, is_bracketed: bool) -> str:
    """Raises ValueError for what is no host."""
    if is_bracketed:
        if "%" in host:  # an interface of the machine
            raise ValueError(host)
        return f"[{ipaddress.IPv6Address(host).compressed}]"
    host = unquote(host, errors="strict")
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode()
        except idna.IDNAError:  # such as emoji, which browsers let through
            host = host.encode("idna").decode()
    host = host.lower()
    if _NO_HOST.search(host) or not host.strip("."):
        raise ValueError(host)
    if _NUMBER.fullmatch(host.removesuffix(".").rpartition(".")[2]):
        try:
            return socket.inet_ntoa(socket.inet_aton(host.removesuffix(".")))
        except OSError as error:
            raise ValueError(host) from error
    return host


def _mixes_scripts(label: str) -> bool:
    scripts = {re.split("[ -]", unicodedata.name(letter, "?"))[0] for letter in label if letter.isalpha()}
    return len(scripts - {"HIRAGANA", "KATAKANA"}) > 1


def parted(found: str) -> tuple[str, str]:
    """An address that was found in a text, and the punctuation behind it: a full stop, a bracket never opened."""
    address, rest = found, ""
    while address:
        last = address[-1]
        is_stray = last in _PAIRS and address.count(last) > address.count(_PAIRS[last])
        if last not in _ENDS and not is_stray:
            break
        address, rest = address[:-1], last + rest
    return address, rest
