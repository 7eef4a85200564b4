"""Groups of systems that cannot be separated, as letters: two systems share one exactly if no test separates them.

Source: Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, J. Computational and
Graphical Statistics 13, 2004 (insert and absorb).
"""

from __future__ import annotations

from qc4.comparison.result import Comparison


def letters(found: Comparison) -> dict[str, str]:
    """System -> its letters, a for the group of the best; nothing for one query or a family with a baseline."""
    names = [system.system for system in found.systems]
    if found.note or found.baseline is not None:
        return dict.fromkeys(names, "")
    groups = [frozenset(range(len(names)))]
    place = {name: number for number, name in enumerate(names)}
    for pair in found.pairs:
        if pair.verdict == "better":
            groups = _absorbed(_split(groups, place[pair.a], place[pair.b]))
    ordered = sorted(groups, key=lambda group: sorted(group))
    return {
        name: ",".join(letter(number) for number, group in enumerate(ordered) if place[name] in group)
        if len(ordered) > 26
        else "".join(letter(number) for number, group in enumerate(ordered) if place[name] in group)
        for name in names
    }


def letter(number: int) -> str:
    """a, b, .., z, aa, ab, .."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _split(groups: list[frozenset[int]], one: int, other: int) -> list[frozenset[int]]:
    """Groups without a pair that a test separates."""
    found = []
    for group in groups:
        if one in group and other in group:
            found += [group - {one}, group - {other}]
        else:
            found.append(group)
    return found


def _absorbed(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Groups that lie in no other."""
    kept: list[frozenset[int]] = []
    for group in sorted(set(groups), key=len, reverse=True):
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept
