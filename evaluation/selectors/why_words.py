"""One plain sentence per cluster: what it is, and what kept it from a quality of 1.

What a cluster is called follows from shares of its pages alone, by the limits here, so that no sentence contradicts
the figures beside it; what cost it most only decides what is added.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.selectors.explanation import ClusterView, Share

NEARLY_NOTHING = 0.005
"""A loss of quality below this is not told."""
MOSTLY = 0.8
"""From this share of its pages in its best topic on a cluster is mostly of it; all of them make it pure."""
MIXED = 0.5
"""Below this share it is not of its best topic at all: mixed. Between the two, partly of it."""
OUTLIERS = "outliers"


def sentence(view: ClusterView, elsewhere: str, n_elsewhere: int) -> str:
    """What share of the cluster is of its best topic, then the largest loss.

    Args:
        elsewhere: label of the other cluster that holds most of the best topic's other pages, "" if none does.
        n_elsewhere: how many it holds.
    """
    losses = {name: before - after for name, before, after in view.steps}
    biggest = max(losses, key=lambda name: losses[name])
    if losses[biggest] < NEARLY_NOTHING:
        return f"{_what(view, nothing_lost=True)}."
    said = _what(view)
    if biggest == "random":
        return f"{said}; hardly better than {_pages(view.quality.size)} picked at random."
    if biggest == "recall" and view.in_best < view.best_size:
        return f"{said}{_missing(view, elsewhere, n_elsewhere)}."
    return f"{said}."


def kind(in_best: int, size: int) -> str:
    """What a cluster is called by how many of its pages are of its best topic."""
    if in_best == size:
        return "Pure"
    if in_best >= MOSTLY * size:
        return "Mostly pure"
    return "Partly mixed" if in_best >= MIXED * size else "Mixed"


def _what(view: ClusterView, *, nothing_lost: bool = False) -> str:
    size, best = view.quality.size, view.best
    if not view.foreign:
        if view.in_best < view.best_size:
            return f"Pure: {view.in_best} of the {_pages(view.best_size)} of {best} and nothing else"
        return f"Exactly the {_pages(size)} of {best}" if size > 1 else f"Exactly the only page of {best}"
    called = "As good as a cluster gets" if nothing_lost else kind(view.in_best, size)
    are = "is" if view.in_best == 1 else "are"
    others = [share for share in view.mix if share.path != best and not best.startswith(f"{share.path} › ")]
    return f"{called}: {view.in_best} of its {_pages(size)} {are} of {best}{_others(others)}"


def _missing(view: ClusterView, elsewhere: str, n_elsewhere: int) -> str:
    """The pages of the best topic that it lacks, and where most of them are."""
    missing = view.best_size - view.in_best
    if view.foreign:
        said = f"; {missing} of the {_pages(view.best_size)} of that topic {'is' if missing == 1 else 'are'} missing"
    elif not n_elsewhere:
        return ""
    else:
        said = f"; the other {missing}" if missing > 1 else "; the other one"
    if not n_elsewhere:
        return said
    if n_elsewhere == missing:
        return f"{said}{',' if view.foreign else ' are' if missing > 1 else ' is'} in “{elsewhere}”"
    are = "is" if n_elsewhere == 1 else "are"
    start = f"{said}, {n_elsewhere} of them" if view.foreign else f"; {n_elsewhere} of the other {missing}"
    return f"{start} {are} in “{elsewhere}”"


def _others(shares: Sequence[Share]) -> str:
    return f", {' and '.join(map(_part, shares[:2]))}" if shares else ""


def _part(share: Share) -> str:
    if share.path == OUTLIERS:
        return f"{share.pages} {'is an outlier' if share.pages == 1 else 'are outliers'}"
    return f"{share.pages} of {share.path}"


def _pages(n: int) -> str:
    return f"{n} page{'' if n == 1 else 's'}"
