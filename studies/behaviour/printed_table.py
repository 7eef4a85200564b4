"""The printed values of the paper's Table 1, and the explanations of our differing cells."""

from __future__ import annotations

# Group -> the columns of `studies.behaviour.column.paper_columns` that pass it. The table's header stacks AP WP AR WR
# (4th column), AE WE AR WR (5th), WP WR (6th) and WE WR (7th).
_PASSED: dict[str, tuple[str, ...]] = {
    "overlapping-clusters": ("QC4",),
    "hierarchical-clusterings": ("QC4",),
    "perfect-clustering": ("QC4", "F", "AP+WP+AR+WR", "AE+WE+AR+WR", "WP+WR", "WE+WR", "AP", "WP", "AE", "WE"),
    "separate-measures": ("QC4", "AP+WP+AR+WR", "AE+WE+AR+WR", "WP+WR", "WE+WR"),
    "large-bias": ("QC4", "MI", "AP+WP+AR+WR", "AE+WE+AR+WR", "AR"),
    "small-bias": ("QC4",),
    "random-clustering": ("QC4", "MI", "AE+WE+AR+WR", "WE+WR", "AE", "WE"),
    "split-cluster": ("QC4", "MI"),
}
_COLUMNS = ("QC4", "MI", "F", "AP+WP+AR+WR", "AE+WE+AR+WR", "WP+WR", "WE+WR", "AP", "WP", "AR", "WR", "AE", "WE")


def printed_cell(group: str, column: str) -> bool | None:
    """Return True if the paper prints Y in this cell, False if it prints –, None if it has no such cell."""
    if group not in _PASSED or column not in _COLUMNS:
        return None
    return column in _PASSED[group]


EXPLANATIONS: dict[tuple[str, str], str] = {
    ("split-cluster", "F"): (
        "The paper prints –, but F as the paper defines it falls whenever a perfect cluster is split into disjoint "
        "pieces that are not topics. Each piece has F < 1 (a piece with p of its topic's t pages has 2p / (p + t)), "
        "while the whole cluster has F = 1, and the pieces together have the same weight. So F passes our cases and "
        "any others of this kind. The paper does not show its cases."
    ),
}
"""(group, column) -> explanation, for exactly the cells that differ from the printed ones."""
