"""How much work of each kind the engine does at most, and the one check of it.

A bound counts what the work grows with: memberships or pages where the time grows with these, and pairs or products
where a measure is quadratic by definition. The bounds are the sizes that earlier limits of time allowed: by their
estimates a second to a minute for a measure, and for each bound of CMM ten minutes for a time step and an hour for a
run. Sizes are counted before the work that grows with them begins.
"""

from __future__ import annotations

from dataclasses import dataclass

from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class Bound:
    """The largest amount of one kind of work.

    Attributes:
        most: the largest size that is accepted.
        unit: what is counted, in the plural: "pairs of pages".
        why: the reason for the bound, as a clause after "because".
        fix: what to do about an input above the bound, as a sentence.
    """

    most: int
    unit: str
    why: str
    fix: str

    def problem(self, size: int, where: str, given: str = "") -> Problem | None:
        """Return the problem ``too-large`` if the size is above the bound.

        Args:
            size: how much of the unit there is.
            where: the place of the input: "vectors".
            given: what makes the size, where one cannot see it: "602 pages, 301 clusters".
        """
        if size <= self.most:
            return None
        found = f"{size:,} {self.unit}" + (f" ({given})" if given else "")
        return Problem("too-large", where, found, f"at most {self.most:,}, because {self.why}", self.fix)

    def check(self, size: int, where: str, given: str = "") -> None:
        """Raise InputError if the size is above the bound; arguments as for `problem`."""
        if problem := self.problem(size, where, given):
            raise InputError([problem])


_FEWER = "Score fewer pages, or leave this measure out."
_LESS_OVERLAP = "Score clusters that overlap less, or leave this measure out."
_SHORTER = "Use a shorter horizon or fewer dimensions."
_SMALLER_RUN = "Use a shorter horizon, fewer snapshots or fewer dimensions."

QC4_PAGES = Bound(2**25, "pages", "QC4 compares F exactly up to there", "Score fewer pages at a time.")
"""Floats compare F exactly: two different fractions with numerators up to n and denominators up to 2n differ by a
relative 1 / 2n^2 = 2^-51 or more, which rounding to 53 bits keeps apart."""

LINKAGE = Bound(50_000_000, "memberships", "every merge becomes a cluster", "Give cut or clusters.")
"""Pages of all clusters together; a chain of merges has nearly n^2 / 2."""

DISTANCES = Bound(20_000, "pages", "the distances of all pairs of pages are computed", _FEWER)
RANKED_DISTANCES = Bound(8_192, "pages", "the distances of all pairs of pages are sorted in 256 MiB", _FEWER)
CENTRES = Bound(2_500, "clusters", "scikit-learn holds three clusters x clusters tables", _FEWER)
MASKED_PAGES = Bound(2_000_000_000, "pages x clusters", "scikit-learn looks at all pages once per cluster", _FEWER)
CDBW_CLUSTERS = Bound(300, "clusters", "every two clusters are compared", _FEWER)
CDBW_PAGES = Bound(20_000_000, "pages x clusters", "the pages of each cluster are compared with every other", _FEWER)

PAGE_GROUPS = Bound(2_000_000_000, "pairs of groups of pages", "overlapping pages are compared in pairs", _LESS_OVERLAP)
LINKED_SETS = Bound(5_000, "topics or clusters linked by common pages", "all are solved for at once", _LESS_OVERLAP)
"""600 MB."""
PURITY_PAIRS = Bound(200_000_000, "pairs of pages", "overlapping pages are looked at in pairs", _LESS_OVERLAP)
TRIPLETS = Bound(844, "pages", "siblings overlap, so triples of pages are looked at one by one", _LESS_OVERLAP)
"""100 million triples."""
LABEL_PAIRS = Bound(50_000_000, "pairs of labels with a word in common", "each is compared", "Use fewer labels.")

CMM_PLACES = Bound(200_000_000, "points x classes x dimensions", "every point is compared with every class", _SHORTER)
CMM_NEIGHBOURS = Bound(
    200_000_000_000, "points x points x dimensions", "many dimensions leave no short way to neighbours", _SHORTER
)
RUN_PLACES = Bound(
    1_200_000_000, "points x classes x dimensions", "every point is compared with every class", _SMALLER_RUN
)
RUN_NEIGHBOURS = Bound(
    1_200_000_000_000, "points x points x dimensions", "many dimensions leave no short way to neighbours", _SMALLER_RUN
)
