"""Upper limits on the work that the engine does, and the check that enforces them.

Each bound limits the quantity that determines the running time: memberships or pages for most measures, and pairs or
products for measures that are quadratic by definition. At its bound a measure takes an estimated second to a minute;
CMM takes ten minutes for a time step and an hour for a run. Sizes are checked before the expensive work begins.
"""

from __future__ import annotations

from dataclasses import dataclass

from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class Bound:
    """The upper limit for one kind of work.

    Attributes:
        most: the largest accepted size.
        unit: the unit of the size, in the plural: "pairs of pages".
        why: the reason for the bound, as a clause after "because".
        fix: a sentence that says what to do about an input above the bound.
    """

    most: int
    unit: str
    why: str
    fix: str

    def problem(self, size: int, where: str, given: str = "") -> Problem | None:
        """Return the problem ``too-large`` if the size is above the bound.

        Args:
            size: the size of the input, in units of this bound.
            where: the place of the input: "vectors".
            given: the quantities that the size was computed from, if they are not obvious: "602 pages, 301 clusters".
        """
        if size <= self.most:
            return None
        found = f"{size:,} {self.unit}" + (f" ({given})" if given else "")
        return Problem("too-large", where, found, f"at most {self.most:,}, because {self.why}", self.fix)

    def check(self, size: int, where: str, given: str = "") -> None:
        """Raise InputError if the size is above the bound. The arguments are those of `problem`."""
        if problem := self.problem(size, where, given):
            raise InputError([problem])


_FEWER = "Score fewer pages, or omit this measure."
_LESS_OVERLAP = "Score clusters that overlap less, or omit this measure."
_SHORTER = "Use a shorter horizon or fewer dimensions."
_SMALLER_RUN = "Use a shorter horizon, fewer snapshots or fewer dimensions."

QC4_PAGES = Bound(2**25, "pages", "QC4 compares F exactly up to this size", "Score fewer pages at a time.")
"""Up to this size floats compare F exactly. Two different fractions with numerators up to n and denominators up to 2n
differ by at least 1 / 2n^2 = 2^-51 in relative terms, so rounding to 53 bits does not make them equal."""

LINKAGE = Bound(50_000_000, "memberships", "every merge becomes a cluster", "Use the argument cut or clusters.")
"""The total number of pages in all clusters; a chain of merges has nearly n^2 / 2."""

DISTANCES = Bound(20_000, "pages", "the distances of all pairs of pages are computed", _FEWER)
RANKED_DISTANCES = Bound(8_192, "pages", "the distances of all pairs of pages are sorted in 256 MiB", _FEWER)
CENTRES = Bound(2_500, "clusters", "scikit-learn holds three clusters x clusters tables", _FEWER)
MASKED_PAGES = Bound(2_000_000_000, "pages x clusters", "scikit-learn scans all pages once per cluster", _FEWER)
CDBW_CLUSTERS = Bound(300, "clusters", "every pair of clusters is compared", _FEWER)
CDBW_PAGES = Bound(
    20_000_000, "pages x clusters", "the pages of each cluster are compared with every other cluster", _FEWER
)

PAGE_GROUPS = Bound(2_000_000_000, "pairs of groups of pages", "overlapping pages are compared in pairs", _LESS_OVERLAP)
LINKED_SETS = Bound(
    5_000, "topics or clusters linked by common pages", "they form one system of equations", _LESS_OVERLAP
)
"""A system of this size takes 600 MB."""
PURITY_PAIRS = Bound(200_000_000, "pairs of pages", "overlapping pages are compared in pairs", _LESS_OVERLAP)
TRIPLETS = Bound(844, "pages", "siblings overlap, so every triple of pages is examined", _LESS_OVERLAP)
"""A query of this size has 100 million triples."""
LABEL_PAIRS = Bound(50_000_000, "pairs of labels with a word in common", "every pair is compared", "Use fewer labels.")

CMM_PLACES = Bound(200_000_000, "points x classes x dimensions", "every point is compared with every class", _SHORTER)
CMM_NEIGHBOURS = Bound(
    200_000_000_000, "points x points x dimensions", "with many dimensions every distance is computed", _SHORTER
)
RUN_PLACES = Bound(
    1_200_000_000, "points x classes x dimensions", "every point is compared with every class", _SMALLER_RUN
)
RUN_NEIGHBOURS = Bound(
    1_200_000_000_000, "points x points x dimensions", "with many dimensions every distance is computed", _SMALLER_RUN
)
