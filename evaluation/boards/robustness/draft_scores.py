"""Scores of clusterings against curators' own drafts, as if these were the gold standard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import nan

import numpy as np

from annotations.drafts.selectors.documents import documents_of
from annotations.models import Draft
from evaluation.models import Clustering
from evaluation.ranking.entries import Entry
from evaluation.scoring import cases
from evaluation.scoring.columns import BoardColumn
from qc4.arrays import FloatArray
from qc4.inputs.undefined import Undefined
from qc4.inputs.view import Level
from qc4.model.case import Case
from qc4.model.gold_document import GoldDocument
from qc4.model.policies import Policies
from qc4.model.rules import prepare
from qc4.problems import InputError
from qc4.stats.scores import Missing
from work.answers import InputsDeleted


@dataclass(frozen=True, slots=True)
class OwnDraft:
    """A curator's own draft at a revision. Its log is append-only, so the head identifies the content.

    Attributes:
        size: number of pages and placements.
    """

    id: int
    curator: str
    revision: int
    head: str
    size: int

    @classmethod
    def of(cls, draft: Draft) -> OwnDraft:
        size = sum(draft.summary.get(name, 0) for name in ("pages", "placements"))
        curator = draft.curator.get_username() if draft.curator else ""
        return cls(draft.pk, curator, draft.revision, str(draft.head), size)


@dataclass(frozen=True, slots=True, eq=False)
class DraftTable:
    """Scores against the drafts of one curator.

    Attributes:
        name: the curator's name.
        queries: keys of the queries with a draft.
        scores: (algorithms, queries); NaN if there is no value or if some pages of the draft are unassigned.
        incomplete: number of drafts with unassigned pages.
    """

    name: str
    queries: tuple[str, ...]
    scores: FloatArray
    incomplete: int


def draft_tables(
    drafts: Sequence[OwnDraft], pair: Sequence[Entry], column: BoardColumn, policies: Policies, missing: Missing
) -> list[DraftTable]:
    """Return the scores of some algorithms against drafts, by curator; repeats are averaged, as on leaderboards.

    Args:
        drafts: drafts, grouped by curator.

    Raises:
        Gone: a draft was deleted or changed since.
    """
    if not drafts:
        return []
    rows, documents = _load(drafts)
    submissions = [[run.submission_id or 0 for run in entry.runs] for entry in pair]
    wanted = Clustering.objects.filter(
        submission__in=[pk for of_one in submissions for pk in of_one],
        query__in={draft.query_id for draft in rows.values()},
    )
    given = {(one.submission_id, one.query_id): one for one in wanted.select_related("file", "query")}
    found = []
    for name, some in groupby(drafts, key=lambda one: one.curator):
        own = [rows[one.id] for one in some]
        scores, incomplete = np.full((len(pair), len(own)), nan), 0
        for place, draft in enumerate(own):
            try:
                gold = prepare(documents[draft.pk])
            except InputError:
                incomplete += 1
                continue
            for row, repeats in enumerate(submissions):
                answers = [given.get((pk, draft.query_id)) for pk in repeats]
                nothing = column.worst if missing == "worst" else None
                values = [
                    nothing if answer is None else _value(cases.case_against(gold, answer), column, policies)
                    for answer in answers
                ]
                scores[row, place] = np.mean([nan if value is None else value for value in values])
        found.append(DraftTable(name, tuple(draft.query.key for draft in own), scores, incomplete))
    return found


def _load(drafts: Sequence[OwnDraft]) -> tuple[dict[int, Draft], Mapping[int, GoldDocument]]:
    """Return the rows and documents of drafts by id, at their revisions."""
    rows = Draft.objects.select_related("query").in_bulk([one.id for one in drafts])
    if len(rows) < len(drafts):
        raise InputsDeleted
    documents = dict(zip(rows, documents_of(list(rows.values())), strict=True))
    if any((rows[one.id].revision, str(rows[one.id].head)) != (one.revision, one.head) for one in drafts):
        raise InputsDeleted
    return rows, documents


def _value(case: Case, column: BoardColumn, policies: Policies) -> float | None:
    level: Level = int(column.level) if column.level.isdigit() else "all" if column.level else None
    if isinstance(level, int) and level > case.gold.hierarchy.n_levels:
        return None
    try:
        return column.measure.compute(case, level, policies, column.depth or None)
    except Undefined:
        return None
