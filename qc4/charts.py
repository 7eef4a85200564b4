"""Scales, ticks and an SVG canvas for charts, with one style for papers and one for pages."""

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
    """A linear scale that maps ``low`` to ``start`` and ``high`` to ``end``. Values outside this range are clipped."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        return self.start + (self.end - self.start) * min(1.0, max(0.0, share))


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from low to high, at most ``most`` of them."""
    raw = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def path(places: Iterable[tuple[float, float] | None]) -> str:
    """Return the ``d`` attribute of an SVG path through points. The line breaks at each None."""
    drawn, pen = [], "M"
    for place in places:
        if place is not None:
            drawn.append(f"{pen}{place[0]:.1f} {place[1]:.1f}")
        pen = "M" if place is None else "L"
    return "".join(drawn)


# An SVG under construction. The style ``paper`` is self-contained, with its own fonts and greys on white. The style
# ``page`` uses the text colour of the page around it, so that it also works on dark pages; each part has a class for
# style sheets.

Style = Literal["paper", "page"]
STYLES: tuple[Style, ...] = get_args(Style)
FONT = 12
MAX_NAME_LETTERS = 28
MAX_NAME_WIDTH = 360.0
"""Maximum width in pixels of names beside a plot. Longer names are shortened."""
_NARROWEST = 0.38
_WIDTHS = dict.fromkeys("iIjl.,:;'|!() -/", _NARROWEST) | dict.fromkeys('frt"[]', 0.44) | dict.fromkeys("mwMW@%…—", 1.0)
"""Letter -> width in ems in the widest common sans-serif fonts (DejaVu Sans, Verdana), so that no font is clipped."""
_LETTER, _CAPITAL, _IDEOGRAPH, _BOLD = 0.62, 0.7, 1.0, 1.14
"""Widths of the other letters, and the factor by which bold letters are wider."""

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
"""Role of a shape -> its SVG attributes in a paper and on a page."""


def shorten_middle(name: str, longest: int = MAX_NAME_LETTERS) -> str:
    """Return a name of at most ``longest`` letters. The middle is cut, because names of variants differ at the end."""
    name = printable(name)
    if letter_columns(name) <= longest:
        return name
    end = ""
    for letter in reversed(name):
        if letter_columns(letter + end) > longest // 3:
            break
        end = letter + end
    start = ""
    for letter in name:
        if letter_columns(f"{start}{letter}…{end}") > longest:
            break
        start += letter
    return f"{start.rstrip()}…{end.lstrip()}"


def fit_text(name: str, room: float = MAX_NAME_WIDTH, size: float = FONT) -> str:
    """Return the name, shortened if it is wider than ``room`` pixels."""
    shown = printable(name)
    longest = int(room / (_NARROWEST * size))
    while text_width(shown, size) > room and longest > 1:
        shown = shorten_middle(name, longest)
        longest -= 1
    return shown


def letter_columns(text: str) -> int:
    """Return the width of a text in letters. East Asian letters are two wide."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def text_width(text: str, size: float = FONT, *, bold: bool = False) -> float:
    """Return the maximum width of a text in pixels."""
    return sum(map(_ems, text)) * size * (_BOLD if bold else 1.0)


def _ems(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    return _IDEOGRAPH if letter_columns(letter) > 1 else _CAPITAL if letter.isupper() else _LETTER


@dataclass
class Canvas:
    """An SVG under construction. Positions are in pixels from the upper left corner."""

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
        """Add text at its baseline. ``whole`` is the full text if this one is shortened; ``turn`` is a rotation in
        degrees.
        """
        more = "" if anchor == "start" else f' text-anchor="{anchor}"'
        more += "" if size == FONT else f' font-size="{size:g}"'
        more += ' font-weight="bold"' if bold else ""
        more += f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        title = f"<title>{escape_xml(whole)}</title>" if whole and printable(whole) != text else ""
        self._parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {self._look(role)}{more}>{title}{escape_xml(text)}</text>')

    def path(self, d: str, role: str, *, dash: str = "", whole: str = "") -> None:
        more = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(f'<path d="{d}" {self._look(role)}{more}{_close_tag("path", whole)}')

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
        self._parts.append(f"<rect {place} {look}{more}{_close_tag('rect', whole)}")

    def bar(
        self, x: float, y: float, width: float, height: float, role: str, *, whole: str = "", link: str = ""
    ) -> None:
        """Add a box, which may be a link. Keyboard and screen-reader users find the same link in the table beside the
        chart.
        """
        before = f'<a href="{escape_xml(link)}" tabindex="-1">' if link else ""
        self._parts.append(before)
        self.box(x, y, width, height, role, whole=whole)
        self._parts.append("</a>" if link else "")

    def dot(self, x: float, y: float, radius: float, role: str, whole: str = "") -> None:
        self._parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {self._look(role)}{_close_tag("circle", whole)}'
        )

    def add(self, part: str) -> None:
        """Add SVG markup, for shapes or colours that only one chart has."""
        self._parts.append(part)

    def svg(self, width: float, height: float, title: str, description: str) -> str:
        """Return the finished SVG, with a title and a description."""
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        head += f'aria-label="{escape_xml(title)}" font-size="{FONT}" width="{width:.0f}" height="{height:.0f}"'
        if self.style == "paper":
            head += ' font-family="Helvetica, Arial, sans-serif">'
        else:
            head += ' class="comparison-picture" font-family="inherit">'
        about = [f"<title>{escape_xml(title)}</title>", f"<desc>{escape_xml(description)}</desc>"]
        ground = ['<rect width="100%" height="100%" fill="#fff"/>'] if self.style == "paper" else []
        return "\n".join([head, *about, *ground, *self._parts, "</svg>"]) + "\n"

    def _look(self, role: str) -> str:
        paper, page = _ROLES[role]
        return paper if self.style == "paper" else f'class="{role}" {page}'


def escape_xml(text: str) -> str:
    """Escape text for XML, with control characters as escape sequences."""
    return escape(printable(text))


def _close_tag(tag: str, whole: str) -> str:
    return f"><title>{escape_xml(whole)}</title></{tag}>" if whole else "/>"
