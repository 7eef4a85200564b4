"""Start adjudications of submitted drafts."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from django.db import transaction

from accounts.models import User
from annotations.agreement import MINIMUM, concepts, sides
from annotations.agreement.desk.start import started
from annotations.limits import COMPARED_DRAFTS, NAME_CHARS
from annotations.models import Adjudication, ComparedDraft, Draft, Query
from annotations.selectors.adjudication.finding import existing
from annotations.selectors.agreement import documents_within, names_of
from annotations.selectors.drafts import states
from annotations.services.drafts.starting import start as start_draft
from qc4.io import write_gold
from qc4.problems import ProblemList
from qc4.wording import clipped, quoted

FEWEST = 2
_JOINED = " + "


def start(*, query: Query, drafts: Sequence[Draft], user: User, minimum: float = MINIMUM) -> Draft:
    """The adjudication draft of two or more submitted drafts, in their order; the one there is, if somebody has
    started it.

    Raises:
        InputError: too few or too many, one twice, not of this query, or one that is not submitted; together too large.
    """
    with transaction.atomic():
        # Held, so that none is opened again meanwhile and two people do not start at once.
        rows = Draft.objects.select_for_update().filter(pk__in=[draft.pk for draft in drafts]).order_by("pk")
        held = {row.pk: row for row in rows}
        chosen = [held[draft.pk] for draft in drafts]
        _check(query, chosen)
        return existing(chosen) or _new(query, chosen, user, minimum)


def share(n: int) -> int:
    """How many characters of each name the name of an adjudication of so many drafts has room for."""
    return NAME_CHARS // n - len(_JOINED)


def _check(query: Query, drafts: Sequence[Draft]) -> None:
    problems = ProblemList()
    if not FEWEST <= len(drafts) <= COMPARED_DRAFTS:
        problems.error("number-of-drafts", "drafts", f"{len(drafts)}", f"{FEWEST} to {COMPARED_DRAFTS} drafts")
    if len({draft.pk for draft in drafts}) < len(drafts):
        problems.error("same-draft", "drafts", "a draft twice", "different drafts of this query")
    for draft in drafts:
        name = f"the draft {quoted(draft.name)}"
        if draft.query_id != query.pk:
            problems.error("other-query", "drafts", f"{name} of another query", "drafts of this query")
        elif draft.status != Draft.Status.SUBMITTED or draft.archived_at is not None:
            state = "archived" if draft.archived_at is not None else draft.status
            fix = "Adjudication compares what people have finished: submit it first."
            problems.error("not-submitted", "drafts", f"{name}, which is {state}", "submitted drafts", fix)
    problems.refuse_errors()


def _new(query: Query, drafts: Sequence[Draft], user: User, minimum: float) -> Draft:
    documents, names = documents_within(drafts), names_of(drafts)
    found = sides(documents, names)
    state = started(found, concepts(found, minimum))
    words = " and ".join(map(repr, names))
    draft = start_draft(
        query=query,
        user=user,
        kind=Draft.Kind.ADJUDICATION,
        state=state,
        started_from={"from": "adjudication", "drafts": [each.pk for each in drafts], "words": f"the drafts {words}"},
        name=_JOINED.join(clipped(name, share(len(drafts))) for name in names),
    )
    adjudication = Adjudication.objects.create(
        draft=draft, minimum=minimum, n_agreed=len(state.placed()) + len(state.outliers), created_by=user
    )
    ComparedDraft.objects.bulk_create(
        ComparedDraft(
            adjudication=adjudication,
            position=position,
            draft=source,
            name=name,
            document=zlib.compress(write_gold(document)),
            notes=states.current(source).state.notes,
        )
        for position, (source, name, document) in enumerate(zip(drafts, names, documents, strict=True))
    )
    return draft
