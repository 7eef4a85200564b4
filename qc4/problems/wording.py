"""How messages show values of the input: quoted, shortened, and never an endless list."""

from __future__ import annotations

from collections.abc import Sequence


def quoted(value: str, width: int = 60) -> str:
    """A string of the input in quotes, shortened; control and text-direction characters appear as escapes."""
    return repr(value if len(value) <= width else value[: width - 1] + "…")


def shortened(text: str, width: int) -> str:
    """A text for a message, cut where it is endless: what follows is counted."""
    return text if len(text) <= width else f"{text[:width]}… ({len(text) - width:,} more characters)"


def listed(ids: Sequence[str], most: int = 20) -> str:
    """Ids for a message: the first ones, and how many more there are."""
    shown = ", ".join(quoted(value) for value in ids[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most:,} more"


def kind_of(value: object) -> str:
    """What kind of thing a value is: "an int", "a DataFrame"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 page", "2,176 pages"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


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
