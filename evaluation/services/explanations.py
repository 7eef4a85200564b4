"""Have workers explain what is too large for a request, once for everybody, and keep what they say."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.db import transaction

from accounts.models import User
from annotations.models import Gold, GoldVersion
from evaluation.models import Clustering, Explanation, ExplanationPart, Run
from evaluation.questions import Question
from evaluation.selectors.stored_explanations import HEAD, ROWS, explanation_key, last_run
from evaluation.services import runs
from qc4.measures.result import ScoreResult


def ask_for(question: Question, row: Clustering, version: GoldVersion, user: User) -> Run:
    """The run that works out an explanation: the one there is of this submission, also where it failed, else a new
    one.

    Raises:
        TooManyRuns: a limit on unfinished runs is reached.
    """
    with transaction.atomic():
        # Who asks at the same time waits here, and finds what the first one queued.
        list(Gold.objects.select_for_update().filter(sha256=question.gold_sha256).values_list("pk"))
        known = last_run(question, row.submission)
        if known is not None and known.state not in (Run.State.DONE, Run.State.CANCELLED):
            return known
        run = Run(
            kind=Run.Kind.EXPLANATION,
            collection=row.submission.collection,
            submission=row.submission,
            gold_version=version,
            options={"query": row.query.key, "key": explanation_key(question), **question.policies.to_dict()},
        )
        return runs.enqueue(run, user)


def keep(question: Question, parts: list[tuple[str, int, bytes]], result: ScoreResult) -> None:
    """Store an explanation; nothing happens where it is stored already."""
    counts = {"n_clusters": len(result.clusters or ()), "n_topics": len(result.topics or ())}
    found, made = Explanation.objects.get_or_create(key=explanation_key(question), defaults=counts)
    if made:
        rows = [ExplanationPart(explanation=found, field=of, number=n, packed=packed) for of, n, packed in parts]
        ExplanationPart.objects.bulk_create(rows, batch_size=50)


def packed(result: ScoreResult) -> Iterator[tuple[str, int, bytes]]:
    """An explained result in parts: of which list, which number, and its JSON, compressed."""
    yield HEAD, 1, _compressed(replace(result, clusters=None, topics=None, page_coverage=None).to_dict())
    for field in ROWS:
        rows = getattr(result, field) or ()
        for number, start in enumerate(range(0, len(rows), ROWS[field]), 1):
            yield field, number, _compressed(rows[start : start + ROWS[field]])


def _compressed(content: Any) -> bytes:
    return zlib.compress(json.dumps(content).encode(), 6)
