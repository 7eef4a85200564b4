"""Warnings about texts that are not what they look like: invisible characters, Unicode forms, HTML entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from qc4.problems.problem import Problem
from qc4.problems.wording import counted, quoted
from qc4.text import IGNORED, JOINERS, are_ascii, code_points, comparison_key, difference, first_entity, invisible_in

_SHOWN = 3


def spelling_warnings(what: str, texts: Sequence[str]) -> Iterator[Problem]:
    """Yield warnings about texts that differ only in Unicode form, and about invisible characters.

    Args:
        what: the texts, in the plural: "topic names". They name the place, too.
    """
    if are_ascii(texts):
        return
    different = dict.fromkeys(texts)
    yield from form_warnings(what, different)
    yield from _invisible(what, [text for text in different if set(IGNORED) & set(text)], IGNORED)
    yield from _invisible(what, [text for text in different if set(JOINERS) & set(text)], JOINERS)


def form_warnings(what: str, texts: Iterable[str]) -> Iterator[Problem]:
    """Yield warnings about texts that differ only in Unicode form.

    Args:
        texts: different texts.
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(comparison_key(text), []).append(text)
    for group in [group for group in groups.values() if len(group) > 1][:_SHOWN]:
        found = f"{quoted(group[0])} in {len(group)} Unicode forms: {difference(group[0], group[1])}"
        fix = f"{_SAME} If they mean different things, change one of them."
        yield Problem("unicode-form", what, found, "one form for each name", fix, "warning")


def entity_warning(what: str, texts: Sequence[str]) -> Problem:
    """Return the warning about texts that hold HTML entities; at least one text."""
    entity = quoted(first_entity(texts[0]))
    found = f"HTML entities in {len(texts):,} of the {what}, such as {entity} in {quoted(texts[0])}"
    fix = "If they are not meant, choose how to decode HTML entities (keep, once or twice) when you import the file."
    return Problem("html-entities", what, found, "plain text", fix, "warning")


def respelled_warning(where: str, pairs: Sequence[tuple[str, str]]) -> Problem:
    """Return the warning about page ids that a clustering writes in another Unicode form than the page list.

    Args:
        pairs: the id in the clustering and the id in the page list; at least one pair.
    """
    written, known = pairs[0]
    found = f"{counted(len(pairs), 'page id')} in another Unicode form than in the page list, such as {quoted(written)}"
    return Problem(
        "unicode-form", where, f"{found}: {difference(known, written)}", "the ids of the page list", _SAME, "warning"
    )


_SAME = "They count as the same."


def _invisible(what: str, texts: Sequence[str], characters: str) -> Iterator[Problem]:
    if not texts:
        return
    named = code_points("".join(each for each in invisible_in("".join(texts)) if each in characters))
    found = f"invisible characters ({named}) in {len(texts):,} of the {what}, such as {quoted(texts[0])}"
    meaning = (
        "They mean something in some scripts and in emoji, so they count"
        if characters == JOINERS
        else "They do not count"
    )
    fix = f"{meaning} when names are compared. Remove them if they are not meant."
    yield Problem("invisible-character", what, found, "visible characters", fix, "warning")
