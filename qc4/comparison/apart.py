"""Which systems are significantly different, in words: a sentence per system, the best mean first.

Together they give every verdict of a comparison: each system is compared with those below it, or with the baseline.
"""

from __future__ import annotations

from collections.abc import Sequence

from qc4.comparison.result import Comparison
from qc4.problems.wording import counted, join_names


def apart_sentence(found: Comparison) -> str:
    """Say how many pairs are significantly different. Empty if nothing was tested."""
    if found.note or len(found.systems) < 3 or not found.pairs:
        return ""
    apart = sum(pair.verdict == "better" for pair in found.pairs)
    family = "" if found.baseline is None else f" with {found.baseline}"
    pairs = f"{counted(len(found.pairs), 'pair')}{family}"
    share = f"All {pairs} are" if apart == len(found.pairs) else f"{apart:,} of {pairs} {'is' if apart == 1 else 'are'}"
    return f"{share if apart else f'None of {pairs} is'} significantly different."


def apart_sentences(found: Comparison) -> tuple[str, ...]:
    """Say which systems are better than which, and which are not significantly different.

    Empty if nothing was tested, for two systems (`qc4.comparison.pair_sentence` says all of them), and if no pair is
    significantly different (`apart_sentence` says that).
    """
    if found.note or len(found.systems) < 3 or not any(pair.verdict == "better" for pair in found.pairs):
        return ()
    return _against_baseline(found, found.baseline) if found.baseline else _downwards(found)


def _downwards(found: Comparison) -> tuple[str, ...]:
    names = [system.system for system in found.systems]
    sentences = []
    for place, name in enumerate(names[:-1]):
        below = names[place + 1 :]
        worse = [other for other in below if found.pair(name, other).verdict == "better"]
        sentences.append(_sentence(name, worse, [other for other in below if other not in set(worse)]))
    return tuple(sentences)


def _sentence(name: str, worse: Sequence[str], like: Sequence[str]) -> str:
    """One system and those below it: the shorter list by name, the longer by its number."""
    if not like:
        return f"{name} is better than {_all_below(worse, 'each')}."
    if not worse:
        return f"{name} is not significantly different from {_all_below(like, 'any')}."
    if len(like) <= len(worse):
        return f"{name} is not significantly different from {join_names(like, 'or')}; it is better than {_rest(worse)}."
    return f"{name} is better than {join_names(worse, 'and')}; it is not significantly different from {_rest(like)}."


def _all_below(names: Sequence[str], which: str) -> str:
    return names[0] if len(names) == 1 else f"{which} of the {len(names):,} below it"


def _rest(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"the other {len(names):,} below it"


def _against_baseline(found: Comparison, baseline: str) -> tuple[str, ...]:
    groups: dict[str, list[str]] = {"better": [], "worse": [], "like": []}
    for system in found.systems:
        if system.system != baseline:
            pair = found.pair(system.system, baseline)
            is_apart = pair.verdict == "better"
            groups[("worse" if pair.a == baseline else "better") if is_apart else "like"].append(system.system)
    words = {
        "better": f"Better than {baseline}:",
        "like": f"Not significantly different from {baseline}:",
        "worse": f"Worse than {baseline}:",
    }
    return tuple(f"{words[group]} {', '.join(groups[group])}." for group in words if groups[group])
