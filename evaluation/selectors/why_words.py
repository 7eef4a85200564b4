"""One plain sentence per cluster: what kept it from a quality of 1."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.selectors.explanation import ClusterView, Share

NEARLY_NOTHING = 0.005
OUTLIERS = "outliers"


def sentence(view: ClusterView, elsewhere: str, n_elsewhere: int) -> str:
    """The largest loss decides what is said.

    Args:
        elsewhere: label of the other cluster that holds most of the best topic's other pages, "" if none does.
        n_elsewhere: how many it holds.
    """
    losses = {name: before - after for name, before, after in view.steps}
    biggest = max(losses, key=lambda name: losses[name])
    size = view.quality.size
    if losses[biggest] < NEARLY_NOTHING:
        return _ideal(view)
    if biggest == "entropy":
        others = [share for share in view.mix if share.path != view.best]
        return f"Mixed: {view.in_best} of its {_pages(size)} are of {view.best}{_others(others)}."
    if biggest == "recall":
        are = "is" if n_elsewhere == 1 else "are"
        rest = f"; {n_elsewhere} of the rest {are} in “{elsewhere}”" if n_elsewhere else ""
        start = "Mostly pure" if view.foreign else "Pure"
        return f"{start}, but it holds only {view.in_best} of the {_pages(view.best_size)} of {view.best}{rest}."
    return f"Hardly better than {_pages(size)} picked at random: too few to show that it found {view.best}."


def _ideal(view: ClusterView) -> str:
    if view.foreign:
        return f"As good as a cluster gets: it follows the topics around {view.best}."
    if view.in_best == view.best_size:
        return f"Exactly the {_pages(view.best_size)} of {view.best}."
    return f"Pure: {view.in_best} of the {_pages(view.best_size)} of {view.best} and nothing else."


def _others(shares: Sequence[Share]) -> str:
    return f"; {' and '.join(map(_part, shares[:2]))}" if shares else ""


def _part(share: Share) -> str:
    if share.path == OUTLIERS:
        return f"{share.pages} {'is an outlier' if share.pages == 1 else 'are outliers'}"
    return f"{share.pages} of {share.path}"


def _pages(n: int) -> str:
    return f"{n} page{'' if n == 1 else 's'}"
