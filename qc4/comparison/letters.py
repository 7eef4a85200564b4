"""Compact letter display: two systems share a letter exactly if they are not significantly different.

Source: Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, J. Computational and
Graphical Statistics 13, 2004. His "insert and absorb" finds every group of systems of which no two differ and to which
none can be added. These are the maximal cliques of a graph, which Bron and Kerbosch find much faster (Algorithm 457,
Communications of the ACM 16, 1973; the pivot is from Tomita, Tanaka and Takahashi, Theoretical Computer Science 363,
2006).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def compact_letter_display(n: int, separated: Iterable[tuple[int, int]]) -> list[str]:
    """Return the letters of n systems, a for the group of the first; with more than 26 groups commas separate them.

    Args:
        separated: pairs of places, 0 to n - 1, of systems that are significantly different.
    """
    together = [(1 << n) - 1 & ~(1 << place) for place in range(n)]
    for one, other in separated:
        together[one] &= ~(1 << other)
        together[other] &= ~(1 << one)
    members = sorted([place for place in range(n) if group >> place & 1] for group in _largest_groups(together))
    between = "," if len(members) > 26 else ""
    found: list[list[str]] = [[] for _ in range(n)]
    for number, group_members in enumerate(members):
        for place in group_members:
            found[place].append(letter(number))
    return [between.join(each) for each in found]


def _largest_groups(together: Sequence[int]) -> Iterator[int]:
    """Yield the maximal cliques of a graph as sets of places, written as bits.

    Args:
        together: for each place the bits of the places that may be in one group with it.
    """
    todo = [(0, (1 << len(together)) - 1, 0)]
    while todo:
        group, candidates, used = todo.pop()
        if not candidates:
            if not used:
                yield group
            continue
        # Every group that is still to be found holds the pivot or one of the candidates that differ from it.
        branches = min((candidates & ~together[place] for place in _places(candidates | used)), key=int.bit_count)
        for place in _places(branches):
            bit = 1 << place
            todo.append((group | bit, candidates & together[place], used & together[place]))
            candidates ^= bit
            used |= bit


def _places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def letter(number: int) -> str:
    """Return the name of a group: a, b, .., z, aa, ab, .."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
