"""Scales, ticks and an SVG canvas for charts, in a style for papers and one for pages."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Literal, get_args

from qc4.problems import ProblemList
from qc4.wording import printable


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from ``low`` to ``high`` on places from ``start`` to ``end``; what is beyond stays on the border."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        return self.start + (self.end - self.start) * min(1.0, max(0.0, share))


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many."""
    raw = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def path(places: Iterable[tuple[float, float] | None]) -> str:
    """The ``d`` of an SVG path through places; it breaks where there is none."""
    drawn, pen = [], "M"
    for place in places:
        if place is not None:
            drawn.append(f"{pen}{place[0]:.1f} {place[1]:.1f}")
        pen = "M" if place is None else "L"
    return "".join(drawn)


# An SVG under construction, for a paper or for a page. ``paper``: stands alone, its own fonts and greys on white.
# ``page``: everything in the colour of the text around it, so that dark pages need nothing, with a class for each
# part, so that style sheets can do what they like.

Style = Literal["paper", "page"]
STYLES: tuple[Style, ...] = get_args(Style)
FONT = 12
LONGEST_NAME = 28
NAME_ROOM = 360.0
"""Pixels: how wide names beside a plot may get before they are shortened."""
_NARROWEST = 0.38
_WIDTHS = dict.fromkeys("iIjl.,:;'|!() -/", _NARROWEST) | dict.fromkeys('frt"[]', 0.44) | dict.fromkeys("mwMW@%…—", 1.0)
"""Letter -> width in ems, of the widest sans-serif fonts in use (DejaVu Sans, Verdana): nothing is clipped in any."""
_LETTER, _CAPITAL, _IDEOGRAPH, _BOLD = 0.62, 0.7, 1.0, 1.14
"""Widths of the other letters, and by how much bold ones are wider."""

_ROLES: dict[str, tuple[str, str]] = {
    "name": ('fill="#000"', 'fill="currentColor"'),
    "faint": ('fill="#555"', 'fill="currentColor" fill-opacity=".7"'),
    "grid": ('stroke="#ddd"', 'stroke="currentColor" stroke-opacity=".15"'),
    "axis": ('stroke="#000"', 'stroke="currentColor"'),
    "margin": ('fill="#eee"', 'fill="currentColor" fill-opacity=".08"'),
    "interval": ('stroke="#333" stroke-width="1.5"', 'stroke="currentColor" stroke-width="1.5"'),
    "solid": ('fill="#000" stroke="#000"', 'fill="currentColor" stroke="currentColor"'),
    "hollow": ('fill="#fff" stroke="#000" stroke-width="1.3"', 'fill="none" stroke="currentColor" stroke-width="1.3"'),
    "group": ('stroke="#000" stroke-width="4"', 'stroke="currentColor" stroke-width="4"'),
    "cell": ('fill="#000" stroke="#ccc"', 'fill="currentColor" stroke="currentColor" stroke-opacity=".2"'),
    "faint-line": ('fill="none" stroke="#bbb"', 'fill="none" stroke="currentColor" stroke-opacity=".3"'),
    "line-thin": ('fill="none" stroke="#000"', 'fill="none" stroke="currentColor"'),
    "figure-bar": ('fill="#8aa4c8"', 'fill="currentColor" fill-opacity=".4"'),
    "figure-aside": ('fill="#fff" stroke="#8aa4c8"', 'fill="none" stroke="currentColor" stroke-opacity=".6"'),
    "line": ('fill="none" stroke="#000" stroke-width="1.5"', 'fill="none" stroke="currentColor" stroke-width="1.5"'),
    "line-heavy": ('fill="none" stroke="#000" stroke-width="3"', 'fill="none" stroke="currentColor" stroke-width="3"'),
    "line-pale": (
        'fill="none" stroke="#888" stroke-width="1.5"',
        'fill="none" stroke="currentColor" stroke-opacity=".5" stroke-width="1.5"',
    ),
    "pale": ('fill="#999"', 'fill="currentColor" fill-opacity=".4"'),
}
"""Part of a picture -> how it looks in a paper, and on a page."""


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that is not wider than so many letters, its middle left out: names of variants differ at their ends."""
    name = printable(name)
    if columns(name) <= longest:
        return name
    end = ""
    for letter in reversed(name):
        if columns(letter + end) > longest // 3:
            break
        end = letter + end
    start = ""
    for letter in name:
        if columns(f"{start}{letter}…{end}") > longest:
            break
        start += letter
    return f"{start.rstrip()}…{end.lstrip()}"


def fitted(name: str, room: float = NAME_ROOM, size: float = FONT) -> str:
    """Return the whole name if it is no wider than the room there is for it, in pixels; otherwise shorten it."""
    shown = printable(name)
    longest = int(room / (_NARROWEST * size))
    while text_width(shown, size) > room and longest > 1:
        shown = short(name, longest)
        longest -= 1
    return shown


def columns(text: str) -> int:
    """Width of a text in letters; those of East Asia are two wide."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def text_width(text: str, size: float = FONT, *, bold: bool = False) -> float:
    """How wide a text is drawn at most."""
    return sum(map(_ems, text)) * size * (_BOLD if bold else 1.0)


def _ems(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    return _IDEOGRAPH if columns(letter) > 1 else _CAPITAL if letter.isupper() else _LETTER


@dataclass
class Canvas:
    """What has been drawn so far, in order; places are in pixels from the upper left."""

    style: Style
    _parts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            problems = ProblemList()
            problems.error("unknown-choice", "style", repr(self.style), f"one of {', '.join(STYLES)}")
            problems.refuse_errors()

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        role: str = "name",
        anchor: Literal["start", "middle", "end"] = "start",
        size: float = FONT,
        bold: bool = False,
        turn: int = 0,
        whole: str = "",
    ) -> None:
        """Text at its baseline; ``whole`` is what a shortened text stands for, ``turn`` degrees."""
        more = "" if anchor == "start" else f' text-anchor="{anchor}"'
        more += "" if size == FONT else f' font-size="{size:g}"'
        more += ' font-weight="bold"' if bold else ""
        more += f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        title = f"<title>{escaped(whole)}</title>" if whole and printable(whole) != text else ""
        self._parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {self._look(role)}{more}>{title}{escaped(text)}</text>')

    def path(self, d: str, role: str, *, dash: str = "", whole: str = "") -> None:
        more = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(f'<path d="{d}" {self._look(role)}{more}{_closed("path", whole)}')

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        role: str,
        *,
        opacity: float | None = None,
        whole: str = "",
    ) -> None:
        more = "" if opacity is None else f' fill-opacity="{opacity:.3f}"'
        look = self._look(role)
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        self._parts.append(f"<rect {place} {look}{more}{_closed('rect', whole)}")

    def bar(
        self, x: float, y: float, width: float, height: float, role: str, *, whole: str = "", link: str = ""
    ) -> None:
        """A box that may lead somewhere; keys and screen readers get there by the table beside the picture."""
        before = f'<a href="{escaped(link)}" tabindex="-1">' if link else ""
        self._parts.append(before)
        self.box(x, y, width, height, role, whole=whole)
        self._parts.append("</a>" if link else "")

    def dot(self, x: float, y: float, radius: float, role: str, whole: str = "") -> None:
        self._parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {self._look(role)}{_closed("circle", whole)}'
        )

    def add(self, part: str) -> None:
        """What is SVG already: shapes or colours that only one picture has."""
        self._parts.append(part)

    def svg(self, width: float, height: float, title: str, description: str) -> str:
        """The whole picture, which says in words what it shows."""
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        head += f'aria-label="{escaped(title)}" font-size="{FONT}" width="{width:.0f}" height="{height:.0f}"'
        if self.style == "paper":
            head += ' font-family="Helvetica, Arial, sans-serif">'
        else:
            head += ' class="comparison-picture" font-family="inherit">'
        about = [f"<title>{escaped(title)}</title>", f"<desc>{escaped(description)}</desc>"]
        ground = ['<rect width="100%" height="100%" fill="#fff"/>'] if self.style == "paper" else []
        return "\n".join([head, *about, *ground, *self._parts, "</svg>"]) + "\n"

    def _look(self, role: str) -> str:
        paper, page = _ROLES[role]
        return paper if self.style == "paper" else f'class="{role}" {page}'


def escaped(text: str) -> str:
    """Text as XML takes it; control characters are shown as escapes."""
    return escape(printable(text))


def _closed(tag: str, whole: str) -> str:
    return f"><title>{escaped(whole)}</title></{tag}>" if whole else "/>"
