"""The answer of `score`: its scores, what is needed to compute them again, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Any

from qc4.clustering.case import Case
from qc4.measures.lookup import shown, value_of
from qc4.measures.parts import (
    ClassicTerms,
    ClusterParts,
    PageParts,
    TopicParts,
    classic_terms,
    cluster_parts,
    page_parts,
    scored_levels,
    topic_parts,
)
from qc4.measures.tables import (
    classic_blocks,
    heading,
    part_blocks,
    policy_line,
    removed_line,
    score_blocks,
    warning_blocks,
)
from qc4.noise import NoiseLabel
from qc4.printing import Block, as_html, as_text
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.views.policies import Policies
from qc4.views.view import Level


@dataclass(frozen=True, slots=True)
class Score(Record):
    """One measure on one level, at one depth: a value or the reason why there is none, never both.

    ``level`` is None for measures that see the whole hierarchy. ``flattened`` marks a value for which the policy
    ``overlap = first`` really counted pages for their first topic or cluster only; show the mark with the value.
    ``unit`` is nats or bits where the value is an amount of information, else None. ``depth`` is where nested clusters
    were cut for it, 1 for the outermost, and ``deepest`` the depth of the finest cut. Both are None where nothing is
    cut: for flat clusterings, and for measures that need no partition.
    """

    KEYS = "measure level depth deepest? value undefined flattened? unit?"

    measure: str
    level: Level
    value: float | None
    undefined: str | None
    flattened: bool = False
    unit: str | None = None
    depth: int | None = None
    deepest: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreResult(Record):
    """All scores of one clustering, with what is needed to compute them again.

    ``removed_clusters`` are those that QC4 does not look at, whether or not it was computed; in file order.
    ``clusters``, ``topics`` and ``page_coverage`` are QC4's parts per remaining cluster (file order), per level-1
    topic, and per page of each topic of every level; ``classic`` has the terms of the classic measures for each level
    that ``scores`` has them on. They are None unless explained. ``vectors`` says where the vectors came from; None
    without vectors. ``case`` is what was scored. ``noise`` are the labels that were read as "in no cluster", with their
    pages. As a dict it is the JSON object of
    ``python -m qc4 score --format json``; a notebook shows it as a table.
    """

    KEYS = (
        "engine query pages noise?=noise_read policies removed_clusters scores vectors? clusters? topics? classic? "
        "page_coverage?"
    )

    engine: str
    query: str
    pages: int
    policies: Policies
    removed_clusters: tuple[str, ...]
    scores: tuple[Score, ...]
    clusters: tuple[ClusterParts, ...] | None = None
    topics: tuple[TopicParts, ...] | None = None
    classic: tuple[ClassicTerms, ...] | None = None
    page_coverage: tuple[PageParts, ...] | None = None
    warnings: tuple[Problem, ...] = ()
    vectors: Mapping[str, Any] | None = None
    case: Case | None = field(default=None, repr=False, compare=False)
    noise: tuple[NoiseLabel, ...] = ()

    @property
    def noise_read(self) -> tuple[NoiseLabel, ...] | None:
        """The labels that were read as noise; None if there are none."""
        return self.noise or None

    def value(self, measure: str, level: Level = None, depth: int | None = None) -> float:
        """The value of one score.

        Args:
            level: may be left out where the measure has scores on one level only.
            depth: may be left out where it has one score there, as for every flat clustering.

        Raises:
            InputError: it was not computed; what was is named.
            Undefined: it has no value; the message says why.

        >>> from qc4 import score
        >>> score([0, 0, 1], [0, 1, 1], "ari").value("ari")
        -0.5
        """
        return value_of(self.scores, measure, level, depth)

    def table(self) -> str:
        """All scores as text in columns: measures down, levels and depths across, and the warnings below.

        >>> from qc4 import score
        >>> print(score(["a", "a", "b", "b"], [0, 0, 0, 1], ["ari", "purity"]).table())  # doctest: +ELLIPSIS
        4 pages, engine ...
        Policies: ...
        Clusters removed for QC4 (more than half outliers): none
        <BLANKLINE>
                                    level 1
        Pair counting
          ari     Adjusted Rand  ↑   0.0000
        Set matching
          purity  Purity         ↑   0.7500
        <BLANKLINE>
        """
        return as_text([*self._blocks(), *warning_blocks(self.warnings)])

    def explain(self) -> Explanation:
        """Return the parts behind these scores, computing them if they were not asked for at the time.

        Raises:
            InputError: they were not asked for, and the result no longer holds what was scored.

        >>> from qc4 import score
        >>> [part["best_topic"] for part in score(["a", "a", "b"], [0, 0, 1], "qc4").explain().clusters]
        ['a', 'b']
        """
        if (found := self._explanation()) is not None:
            return found
        if self.case is None:
            fix = "Score with explain=True."
            raise InputError([Problem("not-explained", "result", "scores alone", "the case they are of", fix)])
        return explanation(self.case, self.policies, self.scores)

    def _explanation(self) -> Explanation | None:
        """The parts that this result was made with."""
        if self.clusters is None or self.topics is None or self.classic is None or self.page_coverage is None:
            return None
        return Explanation(self.clusters, self.topics, self.classic, self.page_coverage)

    def __repr__(self) -> str:
        return shown("ScoreResult", self.scores, self.pages)

    def __copy__(self) -> ScoreResult:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> ScoreResult:
        """All its own but the case, which nothing changes."""
        own = {each.name: deepcopy(getattr(self, each.name), memo) for each in fields(self) if each.name != "case"}
        return replace(self, **own)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without the case, which is large and holds whatever measures keep. Not by ``__getstate__``, which
        Debian 12's Python 3.11.2 replaces where a dataclass has slots."""
        return type(self), tuple(None if each.name == "case" else getattr(self, each.name) for each in fields(self))

    def _repr_html_(self) -> str:
        return as_html([*self._blocks(), *warning_blocks(self.warnings)])

    def _blocks(self) -> list[Block]:
        head = heading(self.query, self.pages, self.engine) + policy_line(self.policies)
        blocks: list[Block] = [head + removed_line(self.removed_clusters), *score_blocks(self.scores, self.policies)]
        if (found := self._explanation()) is not None:
            blocks += found.blocks()
        return blocks


@dataclass(frozen=True, slots=True)
class Explanation(Record):
    """The parts behind scores, each list with exactly the terms whose mean is the score.

    It prints as tables, without the pages.

    Attributes:
        clusters: QC4's parts of the remaining clusters; AQ and WQ are means of their ``quality``.
        topics: QC4's parts of the topics of level 1; AC and WC are means of their ``coverage``.
        classic: the terms of the classic measures, one entry for each level they were scored on.
        page_coverage: PC(d, t, l) of each page of each topic.
    """

    clusters: tuple[ClusterParts, ...]
    topics: tuple[TopicParts, ...]
    classic: tuple[ClassicTerms, ...]
    page_coverage: tuple[PageParts, ...]

    def blocks(self) -> list[Block]:
        return [
            *part_blocks(self.clusters, self.topics),
            *(block for one in self.classic for block in classic_blocks(one)),
        ]

    def __str__(self) -> str:
        return as_text(self.blocks())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self.blocks())


def explanation(case: Case, policies: Policies, scores: Iterable[Score]) -> Explanation:
    """Return the parts behind these scores of a case."""
    levels = scored_levels((score.measure, score.level) for score in scores)
    return Explanation(
        cluster_parts(case, policies),
        topic_parts(case),
        tuple(classic_terms(case, level) for level in levels),
        page_parts(case),
    )
