"""What clusterings would score if curators' own drafts were the gold standard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import nan

import numpy as np

from accounts.capacity import slow_work
from accounts.person import Person
from annotations.models import Collection, Draft
from annotations.selectors.drafts.documents import documents_of
from annotations.selectors.drafts.lists import own_drafts_seen
from evaluation import cases
from evaluation.limits import DRAFT_CASES
from evaluation.models import Clustering
from evaluation.selectors.choice import Choice
from evaluation.selectors.columns import Column
from evaluation.selectors.entries import Entry
from evaluation.selectors.keys import Keep, contents, digest
from qc4.arrays import FloatArray
from qc4.clustering.case import Case
from qc4.gold.document import GoldDocument
from qc4.gold.rules import prepare
from qc4.measures.scoring import FROM_FILES
from qc4.problems import InputError
from qc4.views.policies import Policies
from qc4.views.undefined import Undefined
from qc4.views.view import Level


@dataclass(frozen=True, slots=True, eq=False)
class DraftTable:
    """Scores against the drafts of one curator.

    Attributes:
        name: the curator's.
        queries: keys of those with a draft.
        scores: (algorithms, queries) NaN where there is no value, and where the draft places not every page yet.
        incomplete: how many drafts do not.
    """

    name: str
    queries: tuple[str, ...]
    scores: FloatArray
    incomplete: int


@dataclass(frozen=True, slots=True)
class DraftTables:
    """A table per curator; ``pending`` where they would have to be worked out first, ``left_out`` counts the drafts
    beyond what is worked out for one page."""

    tables: tuple[DraftTable, ...] = ()
    pending: bool = False
    left_out: int = 0


def draft_tables(
    collection: Collection,
    person: Person,
    pair: Sequence[Entry],
    column: Column,
    choice: Choice,
    keep: Keep,
    *,
    wait: bool,
) -> DraftTables:
    """The scores of some algorithms against the own drafts that this person may see into, by curator.

    Worked out once for a draft at its revision: who looks again asks for four queries.

    Args:
        wait: False leaves out what is not worked out yet.
    """
    if not set(column.measure.needs) <= FROM_FILES:
        return DraftTables()
    drafts = own_drafts_seen(person, collection)
    if choice.queries:
        drafts = [draft for draft in drafts if draft.query.key in choice.queries]
    repeats = [[run.submission_id or 0 for run in entry.runs] for entry in pair]
    submissions = [pk for of_one in repeats for pk in of_one]
    most = max(1, DRAFT_CASES // max(1, len(submissions)))
    left_out, drafts = max(0, len(drafts) - most), drafts[:most]
    if not drafts:
        return DraftTables()
    rows = Clustering.objects.filter(submission__in=submissions, query__in={draft.query_id for draft in drafts})
    answers = {(submission, query): sha for submission, query, sha in rows.values_list("submission", "query", "sha256")}
    by_curator = [list(group) for _, group in groupby(drafts, key=lambda draft: draft.curator_id)]
    keys = [_key(own, submissions, answers, column, choice.policies) for own in by_curator]
    known = contents(keys)
    fresh = {}
    if wait:
        unknown = {key: own for key, own in zip(keys, by_curator, strict=True) if key not in known}
        with slow_work("scores against drafts", when=bool(unknown)):
            fresh = _scores(unknown, submissions, column, choice.policies)
    if fresh:
        keep(fresh)
    known |= fresh
    tables = tuple(
        _table(own, known[key], repeats, answers, column, choice)
        for key, own in zip(keys, by_curator, strict=True)
        if key in known
    )
    return DraftTables(tables, any(key not in known for key in keys), left_out)


def _key(
    own: Sequence[Draft],
    submissions: Sequence[int],
    answers: dict[tuple[int, int], str],
    column: Column,
    policies: Policies,
) -> str:
    """By what the scores follow from; a draft's log is append-only, so its head says what it holds."""
    cells = [
        [draft.pk, str(draft.head), draft.revision, [answers.get((pk, draft.query_id), "") for pk in submissions]]
        for draft in own
    ]
    return digest("drafts", column.key, column.measure.version, column.level, column.depth, policies.to_dict(), cells)


def _scores(
    unknown: Mapping[str, Sequence[Draft]], submissions: Sequence[int], column: Column, policies: Policies
) -> dict[str, list[list[float | None] | None]]:
    """The scores of several curators, key -> as `_score`; the drafts of all are read at once (`documents_of`)."""
    drafts = [draft for own in unknown.values() for draft in own]
    if not drafts:
        return {}
    rows = Clustering.objects.filter(submission__in=submissions, query__in={draft.query_id for draft in drafts})
    given = {(row.submission_id, row.query_id): row for row in rows.select_related("file", "query")}
    documents = dict(zip((draft.pk for draft in drafts), documents_of(drafts), strict=True))
    return {key: _score(own, documents, given, submissions, column, policies) for key, own in unknown.items()}


def _score(
    own: Sequence[Draft],
    documents: Mapping[int, GoldDocument],
    given: Mapping[tuple[int, int], Clustering],
    submissions: Sequence[int],
    column: Column,
    policies: Policies,
) -> list[list[float | None] | None]:
    """Per draft the value of each submission, None where there is none; None for a draft that is incomplete."""
    found: list[list[float | None] | None] = []
    for draft in own:
        document = documents[draft.pk]
        try:
            gold = prepare(document)
        except InputError:
            found.append(None)
            continue
        level: Level = int(column.level) if column.level.isdigit() else "all" if column.level else None
        values: list[float | None] = []
        for pk in submissions:
            row = given.get((pk, draft.query_id))
            if row is None or (isinstance(level, int) and level > gold.hierarchy.n_levels):
                values.append(None)
                continue
            case = cases.against(gold, row)
            values.append(_value(case, column, level, policies))
        found.append(values)
    return found


def _value(case: Case, column: Column, level: Level, policies: Policies) -> float | None:
    try:
        return column.measure.compute(case, level, policies, column.depth or None)
    except Undefined:
        return None


def _table(
    own: Sequence[Draft],
    content: list[list[float | None] | None],
    repeats: Sequence[Sequence[int]],
    answers: dict[tuple[int, int], str],
    column: Column,
    choice: Choice,
) -> DraftTable:
    """With the rule for queries without a clustering applied to each submission; of repeats the mean, as on boards."""
    submissions = [pk for of_one in repeats for pk in of_one]
    scores = np.full((len(submissions), len(own)), nan)
    for place, (draft, values) in enumerate(zip(own, content, strict=True)):
        for row, pk in enumerate(submissions):
            value = values[row] if values is not None else None
            if values is not None and (pk, draft.query_id) not in answers and choice.missing == "worst":
                value = column.worst
            scores[row, place] = nan if value is None else value
    ends = np.cumsum([len(of_one) for of_one in repeats])[:-1]
    scores = np.array([of_one.mean(axis=0) for of_one in np.split(scores, ends)])
    curator = own[0].curator
    name = curator.get_username() if curator else ""
    return DraftTable(name, tuple(draft.query.key for draft in own), scores, content.count(None))
