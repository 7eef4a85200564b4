"""Values, numbers and lists as sentences show them: quoted, shortened, counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def printable(text: str) -> str:
    """Text of the input, with control and text-direction characters as escapes."""
    return text if text.isprintable() else repr(text)[1:-1]


def quoted(value: str, width: int = 60) -> str:
    """A string of the input in quotes, shortened; control and text-direction characters appear as escapes."""
    return repr(clipped(value, width))


def clipped(text: str, width: int) -> str:
    """Return a text of at most ``width`` characters, ending in an ellipsis if it was longer."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def shortened(text: str, width: int) -> str:
    """A text for a message, cut where it is endless: what follows is counted."""
    return text if len(text) <= width else f"{text[:width]}… ({len(text) - width:,} more characters)"


def listed(ids: Sequence[str], most: int = 20) -> str:
    """Ids for a message: the first ones, and how many more there are."""
    shown = ", ".join(quoted(value) for value in ids[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most:,} more"


def join_names(names: Sequence[str], last: str = "and", most: int = 5) -> str:
    """Join names in a sentence: "A, B and C"; of many only the first, and how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} {last} {len(names) - most:,} more"
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def did_you_mean(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the question "Did you mean 'x'?" with the known name nearest to an unknown one; "" if none is near.

    A name that differs in upper and lower case alone is the nearest. A known name needs no question.

    Args:
        likeness: the smallest ratio of `difflib` that counts as near, from 0 to 1.
    """
    folded: dict[str, str] = {}
    for one in known:
        if one == name:
            return ""
        folded.setdefault(one.casefold(), one)
    close = get_close_matches(name.casefold(), folded, 1, likeness)
    return f"Did you mean {quoted(folded[close[0]])}?" if close else ""


def kind_of(value: object) -> str:
    """What kind of thing a value is: "an int", "a DataFrame"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 page", "2,176 pages"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percentage(part: float, whole: float = 1, digits: int = 0) -> str:
    """A share in percent, such as "37 %", "<1 %" or ">99.9 %"; "–" if the whole is 0.

    Only a share of nothing is 0 %, and only a share of everything is 100 %: rounding never says so.

    Args:
        digits: decimals.
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
"""The sign of negative numbers in what people read; files for programs have the hyphen."""


def decimals(value: float, digits: int = 3) -> str:
    """A number with so many decimals and no leading zero: ".512", "1.000", "−.042"; never "−.000"."""
    text = f"{abs(value):.{digits}f}".removeprefix("0")
    return f"{MINUS}{text}" if value < 0 and float(text) else text


def full_decimals(value: float, digits: int = 4) -> str:
    """A number for tables in full: "0.5120", "−0.0420"; never "−0.0000"."""
    text = f"{abs(value):.{digits}f}"
    return f"{MINUS}{text}" if value < 0 and float(text) else text


def count_words(counted: int, total: int) -> str:
    """Return "28 of 44" for a mean over 28 of 44 queries, and nothing for a mean over all of them."""
    return "" if counted == total else f"{counted:,} of {total:,}"


def mean_words(value: float | None, counted: int, total: int, digits: int = 3) -> str:
    """Return a mean with its count: ".732" over all queries, ".732 (28 of 44)" over some, a dash for no mean."""
    if value is None:
        return "–"
    count = count_words(counted, total)
    return decimals(value, digits) + (f" ({count})" if count else "")


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign: "+.031", "−.012"; "+.000" where it rounds to nothing."""
    text = decimals(value, digits)
    return text if text.startswith(MINUS) else f"+{text}"
