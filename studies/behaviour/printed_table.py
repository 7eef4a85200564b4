"""Table 1 as the paper prints it, and why some of our cells differ."""

from __future__ import annotations

# Which groups each column passes, by the columns of `studies.behaviour.column.paper_columns`. Facts read off the
# table: its header stacks AP WP AR WR (4th column), AE WE AR WR (5th), WP WR (6th) and WE WR (7th).
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


def printed(group: str, column: str) -> bool | None:
    """Whether the paper prints Y; None where it prints nothing."""
    if group not in _PASSED or column not in _COLUMNS:
        return None
    return column in _PASSED[group]


EXPLANATIONS: dict[tuple[str, str], str] = {
    ("split-cluster", "F"): (
        "The paper prints –, but F as the paper defines it falls whenever a perfect cluster is split into disjoint "
        "pieces that are no topics themselves: each piece has F < 1 where the whole had 1 (a piece of p of its topic's "
        "t pages has 2p / (p + t)), and together they weigh what the whole weighed. So F passes, on our cases as on "
        "any of this kind. The paper does not show its cases."
    ),
}
"""(group, column) -> why ours differs from the printed cell; exactly the cells that differ."""
