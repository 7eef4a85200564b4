"""Small things every page needs."""

from __future__ import annotations

from urllib.parse import urlsplit

from django import template

from qc4.problems.wording import decimals, signed
from qc4.version import ENGINE_VERSION

register = template.Library()


@register.simple_tag
def engine_version() -> str:
    return ENGINE_VERSION


@register.filter
def web_address(url: str | None) -> str:
    """The address if it is http(s), else nothing: other schemes are never linked."""
    try:
        parts = urlsplit((url or "").strip())
        return (url or "").strip() if parts.scheme in {"http", "https"} and parts.netloc else ""
    except ValueError:
        return ""


@register.filter
def host(url: str | None) -> str:
    """The host of an http(s) address, for people."""
    address = web_address(url)
    return urlsplit(address).netloc.rpartition("@")[2].removeprefix("www.") if address else ""


@register.filter
def score(value: float | None, digits: int = 3) -> str:
    """A score with a fixed number of decimals and no leading zero: .512, 1.000, −.042."""
    return "–" if value is None else decimals(value, digits)


@register.filter
def difference(value: float | None, digits: int = 3) -> str:
    """A difference of two scores with its sign: +.031, −.012."""
    return "–" if value is None else signed(value, digits)


@register.filter
def minus(value: float, other: float) -> float:
    return value - other


@register.filter
def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


@register.filter
def get(mapping: dict[str, object] | None, key: str) -> object:
    """A value of a mapping whose key is only known while rendering."""
    return (mapping or {}).get(key)


@register.filter
def seconds(value: float | None) -> str:
    """A duration in words: 0.4 s, 40 s, 2 min 10 s, 1 h 5 min."""
    if value is None:
        return "–"
    if value < 9.95:
        return f"{max(0.0, value):.1f} s"
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest and minutes < 10 else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
