"""Settings from the environment, read loudly: a value that cannot be used stops the start and says why."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """The variable, or ``default`` where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool) -> bool:
    """A yes/no variable: 1, true, yes, on or 0, false, no, off."""
    value = text(name).lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name}={value!r}: expected 1/0, true/false, yes/no or on/off.")


def number(name: str, default: float, minimum: float = 0) -> float:
    """A number of at least ``minimum``."""
    value = text(name)
    try:
        result = float(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r}: expected a number.") from None
    if result < minimum:
        raise ImproperlyConfigured(f"{name}={value!r}: expected at least {minimum:g}.")
    return result


def choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    """One of a few words, in capitals or not."""
    value = text(name, default).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r}: expected one of {', '.join(choices)}.")
    return value


def names(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """A comma-separated list."""
    value = text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else list(default)


def load_file(path: Path) -> None:
    """Read ``NAME=value`` lines of a ``.env`` file; variables already set win.

    Raises:
        ImproperlyConfigured: a line is neither blank, a comment nor ``NAME=value``.
    """
    if not path.is_file():
        return
    for line_number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or not name.strip().isidentifier():
            raise ImproperlyConfigured(f"{path}, line {line_number}: expected NAME=value, found {line!r}.")
        os.environ.setdefault(name.strip(), value.strip().strip("\"'"))
