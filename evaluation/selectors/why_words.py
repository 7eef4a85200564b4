"""One plain sentence per cluster: what kept it from a quality of 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluation.selectors.why import ClusterView, Share

NEARLY_NOTHING = 0.005
OUTLIERS = "outliers"


def sentence(view: ClusterView, n_missing: int, elsewhere: str, n_elsewhere: int) -> str:
    """The largest loss decides what is said.

    Args:
        n_missing: pages of the best topic that are not in the cluster.
        elsewhere: label of the other cluster that holds most of them, "" if none does.
        n_elsewhere: how many it holds.
    """
    losses = {name: before - after for name, before, after in view.steps}
    biggest = max(losses, key=lambda name: losses[name])
    best, size = view.best, view.quality.size
    if losses[biggest] < NEARLY_NOTHING:
        return _ideal(view, n_missing)
    if biggest == "entropy":
        others = [share for share in view.mix if share.path != best.path]
        return f"Mixed: {best.common} of its {_pages(size)} are of {best.path}{_others(others)}."
    if biggest == "recall":
        rest = f"; {n_elsewhere} of the rest are in “{elsewhere}”" if n_elsewhere else ""
        start = "Pure" if not view.foreign else "Mostly pure"
        return f"{start}, but it holds only {best.common} of the {_pages(best.size)} of {best.path}{rest}."
    return (
        f"Hardly better than {_pages(size)} picked at random would be: too few pages to show that it found {best.path}."
    )


def _ideal(view: ClusterView, n_missing: int) -> str:
    best = view.best
    if not view.foreign and not n_missing:
        return f"Exactly the {_pages(best.size)} of {best.path}."
    if not view.foreign:
        return f"Pure: {best.common} of the {_pages(best.size)} of {best.path} and nothing else."
    return f"As good as a cluster gets: it follows the topics around {best.path}."


def _others(shares: Sequence[Share]) -> str:
    if not shares:
        return ""
    named = [_part(share) for share in shares[:2]]
    return f"; {' and '.join(named)}"


def _part(share: Share) -> str:
    if share.path == OUTLIERS:
        return f"{share.common} {'is an outlier' if share.common == 1 else 'are outliers'}"
    return f"{share.common} of {share.path}"


def _pages(n: int) -> str:
    return f"{n} page{'' if n == 1 else 's'}"
