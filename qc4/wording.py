"""Formatting of values, numbers and lists in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def printable(text: str) -> str:
    """Return text with control and text-direction characters as escape sequences."""
    return text if text.isprintable() else repr(text)[1:-1]


def quoted(value: str, width: int = 60) -> str:
    """Return a string in quotes, shortened, with control and text-direction characters as escape sequences."""
    return repr(clipped(value, width))


def clipped(text: str, width: int) -> str:
    """Return a text of at most ``width`` characters, ending in an ellipsis if it was longer."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def shortened(text: str, width: int) -> str:
    """Return a text for a message, cut after ``width`` characters, with the number of characters that follow."""
    return text if len(text) <= width else f"{text[:width]}… ({len(text) - width:,} more characters)"


def listed(ids: Sequence[str], most: int = 20) -> str:
    """Return a list of ids for a message: the first ones, and the number of the others."""
    shown = ", ".join(quoted(value) for value in ids[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most:,} more"


def join_names(names: Sequence[str], last: str = "and", most: int = 5) -> str:
    """Join names in a sentence: "A, B and C". A long list shows the first names and the number of the others."""
    if len(names) > most:
        return f"{', '.join(names[:most])} {last} {len(names) - most:,} more"
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def did_you_mean(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the question "Did you mean 'x'?" with the known name nearest to an unknown one, or "" if none is near.

    A name that differs only in case is the nearest. A known name needs no question.

    Args:
        likeness: minimum `difflib` ratio that counts as near, from 0 to 1.
    """
    folded: dict[str, str] = {}
    for one in known:
        if one == name:
            return ""
        folded.setdefault(one.casefold(), one)
    close = get_close_matches(name.casefold(), folded, 1, likeness)
    return f"Did you mean {quoted(folded[close[0]])}?" if close else ""


def type_with_article(value: object) -> str:
    """Return the type of a value with an article: "an int", "a DataFrame"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: "1 page", "2,176 pages"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percentage(part: float, whole: float = 1, digits: int = 0) -> str:
    """Return a share in percent, such as "37 %", "<1 %" or ">99.9 %"; "–" if the whole is 0.

    Rounding never gives 0 % or 100 %: only an empty share is 0 %, and only the whole is 100 %.

    Args:
        digits: number of decimals.
    """
    if not whole:
        return "–"
    share = 100 * part / whole
    text, step = f"{share:.{digits}f}", 10.0**-digits
    if share > 0 and not float(text):
        return f"<{step:.{digits}f} %"
    if share < 100 and float(text) >= 100:
        return f">{100 - step:.{digits}f} %"
    return f"{text} %"


MINUS = "−"
"""The minus sign in text for people. Files for programs use a hyphen."""


def decimals(value: float, digits: int = 3) -> str:
    """Return a number with ``digits`` decimals and no leading zero: ".512", "1.000", "−.042"; never "−.000"."""
    text = f"{abs(value):.{digits}f}".removeprefix("0")
    return f"{MINUS}{text}" if value < 0 and float(text) else text


def full_decimals(value: float, digits: int = 4) -> str:
    """Return a number for tables with a leading zero: "0.5120", "−0.0420"; never "−0.0000"."""
    text = f"{abs(value):.{digits}f}"
    return f"{MINUS}{text}" if value < 0 and float(text) else text


def count_words(counted: int, total: int) -> str:
    """Return "28 of 44" for a mean over 28 of 44 queries, and "" for a mean over all of them."""
    return "" if counted == total else f"{counted:,} of {total:,}"


def mean_words(value: float | None, counted: int, total: int, digits: int = 3) -> str:
    """Return a mean with its count: ".732" over all queries, ".732 (28 of 44)" over some, a dash for no mean."""
    if value is None:
        return "–"
    count = count_words(counted, total)
    return decimals(value, digits) + (f" ({count})" if count else "")


def signed(value: float, digits: int = 3) -> str:
    """Return a difference with its sign: "+.031", "−.012"; "+.000" if it rounds to zero."""
    text = decimals(value, digits)
    return text if text.startswith(MINUS) else f"+{text}"
