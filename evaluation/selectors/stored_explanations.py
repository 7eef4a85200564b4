"""Explanations that workers made: found by content, read in parts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.models import Explanation, ExplanationPart, Run, Submission
from evaluation.questions import Question
from qc4.measures.registry import REGISTRY
from qc4.version import ENGINE_VERSION

HEAD = "head"
ROWS = {"clusters": 100, "topics": 100, "page_coverage": 20_000}
"""The lists of an explanation in the order of the answer, and how many rows of each a part holds."""


def explanation_key(question: Question) -> str:
    """What an explanation follows from."""
    text = json.dumps([ENGINE_VERSION, question.key], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def stored_explanation(question: Question) -> Explanation | None:
    return Explanation.objects.filter(key=explanation_key(question)).first()


def last_run(question: Question, submission: Submission) -> Run | None:
    """The latest run that was to work it out for this submission: others' with the same content are theirs to see."""
    runs = submission.runs.filter(kind=Run.Kind.EXPLANATION, options__key=explanation_key(question))
    return runs.order_by("-pk").first()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of an explanation: its scores, and some clusters and topics."""

    scores: list[dict[str, Any]]
    removed: list[str]
    clusters: list[dict[str, Any]]
    topics: list[dict[str, Any]]


def shown(found: Explanation, clusters: int, topics: int, names: Mapping[str, str], labels: Mapping[str, str]) -> Shown:
    """The parts of these numbers, from 1.

    Args:
        names: what topics are called, by their ids.
        labels: what clusters are called.
    """
    head = _content(found, HEAD, 1)
    return Shown(
        [score | {"title": REGISTRY.get(score["measure"]).title} for score in head["scores"]],
        head["removed_clusters"],
        [
            part | {"topic": names[part["best_topic"]], "label": labels[part["id"]]}
            for part in _content(found, "clusters", clusters)
        ],
        [part | {"topic": names[part["id"]]} for part in _content(found, "topics", topics)],
    )


def as_json(found: Explanation, before: dict[str, Any]) -> Iterator[bytes]:
    """All of it as one JSON object, piece by piece: what comes before, what is no list, then the lists."""
    head = before | _content(found, HEAD, 1)
    yield json.dumps(head).encode()[:-1]
    for field in ROWS:
        yield f', "{field}": ['.encode()
        for part in found.parts.filter(field=field).order_by("number").iterator(1):
            yield (b", " if part.number > 1 else b"") + part.content[1:-1]
        yield b"]"
    yield b"}"


def _content(found: Explanation, field: str, number: int) -> Any:
    part = ExplanationPart.objects.filter(explanation=found, field=field, number=number).first()
    return json.loads(part.content) if part else []
