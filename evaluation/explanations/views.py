"""The page that explains a submission's score on one query, alone or beside another submission."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import Person
from annotations.challenges.access import require_visible_gold
from annotations.gold.selectors import gold_tree
from annotations.gold.services import record_gold_exposure
from annotations.models import Gold
from common.parameters import VERSION_DIGITS, parse_number
from evaluation.access import get_clustering, get_submission
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.explanations.clusters import OUTLIERS
from evaluation.explanations.matrix import SHADES, PagesInputs
from evaluation.explanations.selectors import (
    AGAINST_PREFIX,
    PAGE_PARAMETERS,
    ClusteringExplanation,
    ListPage,
    Part,
    load_part,
    related_pages,
)
from evaluation.explanations.similarity import Similarity, alike
from evaluation.explanations.what_if import CHANGES, ExplanationOptions
from evaluation.limits import DRAWN_CELLS
from evaluation.models import Clustering, Submission
from evaluation.problems import problems_to_json
from qc4.model.policies import CHOICES, MEANINGS, Policies
from qc4.problems import InputError, Problem


@require_safe
def why(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Explain a score by cluster and by topic, against the latest gold version or ``?gold=N``.

    Every option is in the URL. Invalid options are reported above the page, which ignores them. Parts that are still
    being computed are loaded later.
    """
    submission = get_submission(request.user, pk)
    row = get_clustering(request.user, submission, key)
    require_visible_gold(request.user, row.query)
    gold, number = _gold(row, request.GET.get("gold", ""))
    other = _other(request.user, row, request.GET.get("against", ""))
    frame = _base_context(request, row, other, number)
    if gold is None:
        likeness = _similarity(row, other, Policies())
        pending = "#alike" if likeness and likeness.pending else ""
        return render(request, "explanations/explanation.html", {**frame, "alike": likeness, "pending": pending})
    record_gold_exposure(request.user, submission.collection, [gold])
    sides, problems = _sides([row, other] if other else [row], gold, request.GET)
    choices = sides[0].choices
    compared = next((side for side in sides if side.key == request.GET.get("side")), sides[0])
    common = _common_pages(compared, request.GET)
    likeness = _similarity(row, other, choices.policies)
    pending = _pending(sides, compared, likeness, common)  # starts every part before the page waits for any
    depths = range(1, max(side.why.depth for side in sides) + 1)
    return render(
        request,
        "explanations/explanation.html",
        {
            **frame,
            "problems": problems_to_json(problems),
            "sides": sides,
            "why": sides[0].why,
            "topics": list(zip(*(side.topics.rows for side in sides), strict=True)) if other else [],
            "compared": compared,
            "alike": likeness,
            "pending": pending,
            "common": common,
            "choices": choices,
            "shades": SHADES,
            "depths": depths,
            "kept": _kept_options(request.GET, *PAGE_PARAMETERS),
            "plain": _query_string(dict(_kept_options(request.GET))),
            "without_told": _query_string(_without(request.GET, "told")),
            "without_level": _query_string(_without(request.GET, "level")).lstrip("?"),
            "policies": [
                (name, getattr(choices.policies, name), words, MEANINGS[name]) for name, words in CHOICES.items()
            ],
            "in_effect": json.dumps(choices.policies.to_dict()),
            "changes": CHANGE_WORDS,
            "pagers": "".join(f",#{listed.element}" for side in sides for listed in side.lists),
            "most_drawn": DRAWN_CELLS,
        },
        status=400 if problems else 200,
    )


CHANGE_WORDS = {
    "drop": "remove the cluster",
    "merge": "make one cluster of all that are ticked here",
    "complete": "add the missing pages of its best topic",
    "clean": "remove its foreign pages, those outside its best topic",
}
"""The changes that can be ticked, and their effects."""


def _base_context(
    request: HttpRequest, row: Clustering, other: Clustering | None, number: int | None
) -> dict[str, Any]:
    submission, query = row.submission, row.query
    return {
        "submission": submission,
        "other": other.submission if other else None,
        "collection": submission.collection,
        "query": query,
        "version": number,
        "marks": marks(submission.collection),
        "others": related_pages(request.user, row, other),
        "carried": urlencode(_kept_options(request.GET, *CHOICES)),
        "kept_beside": _options_for_others(request.GET),
        "pair": _pair(submission, other.submission, number) if other else "",
        "trail": trail(
            submission.collection,
            (query.text or query.key, reverse("query", args=[submission.collection.slug, query.key])),
            (f"{submission.algorithm.name} #{submission.pk}", reverse("submission", args=[submission.pk])),
            ("why this score", ""),
        ),
    }


def _sides(
    rows: list[Clustering], gold: Gold, given: QueryDict
) -> tuple[list[ClusteringExplanation], tuple[Problem, ...]]:
    """Return the clusterings with the requested options and changes, and the problems; invalid ones are ignored."""
    problems: list[Problem] = []
    try:
        choices = ExplanationOptions.of({name: str(given[name]) for name in given}, gold.n_levels)
    except InputError as error:
        problems.extend(error.problems)
        choices = ExplanationOptions.of({}, gold.n_levels)
    sides = [
        ClusteringExplanation(row, gold, choices, given, prefix)
        for row, prefix in zip(rows, ("", AGAINST_PREFIX), strict=False)
    ]
    for side in sides:
        try:
            side.change()
        except InputError as error:
            problems.extend(error.problems)
    return sides, tuple(problems)


def _similarity(row: Clustering, other: Clustering | None, policies: Policies) -> Part[Similarity] | None:
    return load_part(lambda: Similarity.of(alike(row, other, policies))) if other else None


def _pending(
    sides: list[ClusteringExplanation],
    compared: ClusteringExplanation,
    likeness: Part[Similarity] | None,
    common: CommonPages | None,
) -> str:
    """Return the ids of the page's elements that are still being computed, as a CSS selector."""
    parts: list[tuple[str, Part[Any] | None]] = []
    for side in sides:
        parts += [(f"{name}-{side.key}", getattr(side, name)) for name in ("explanation", "chance", "alone", "classic")]
        parts += [("answer", side.what_if), ("what-if-said", side.what_if)]
    parts += [("matrix", compared.matrix), ("alike", likeness), ("common", common.pages if common else None)]
    return ",".join(dict.fromkeys(f"#{name}" for name, of in parts if of is not None and of.pending))


@dataclass(frozen=True, slots=True)
class CommonPages:
    """Common pages of a cluster and a topic, or foreign pages of a cluster."""

    words: str
    pages: Part[ListPage]


def _common_pages(side: ClusteringExplanation, given: QueryDict) -> CommonPages | None:
    """Return the common pages of the topic (empty: the outliers) and cluster in the URL, or the foreign pages.

    Return None if the URL has no cluster.
    """
    topic, cluster = given.get("topic", ""), given.get("cluster", "")
    if not cluster:
        return None
    if cluster not in side.names:
        raise Http404("This topic or cluster does not exist.")
    name = f"“{side.names[cluster]}”"
    if given.get("foreign"):
        asked = PagesInputs(side.of, cluster, foreign=True)
        return CommonPages(f"Foreign pages of {name}", side.pages(asked))
    paths = {"": OUTLIERS} | {node.id: node.path for node in gold_tree(side.gold).nodes}
    if topic not in paths:
        raise Http404("This topic or cluster does not exist.")
    asked = PagesInputs(side.of, cluster, topic or None)
    return CommonPages(f"{paths[topic]} and {name}", side.pages(asked))


def _kept_options(given: QueryDict, *more: str) -> list[tuple[str, str]]:
    """Return the options that no field of the form shows, and further ones by name."""
    names = ("gold", "against", "measures", "level", *more)
    return [(name, str(given[name])) for name in names if given.get(name)]


def _options_for_others(given: QueryDict) -> list[tuple[str, str]]:
    """Return the options that stay when another algorithm or gold version is chosen: all that do not depend on them."""
    gone = {
        "against",
        "gold",
        "side",
        "topic",
        "cluster",
        "foreign",
        *PAGE_PARAMETERS,
        *(AGAINST_PREFIX + name for name in CHANGES),
    }
    return [(name, value) for name, values in given.lists() if name not in gone for value in values if value]


def _pair(one: Submission, other: Submission, number: int | None) -> str:
    """Return the URL that compares the two algorithms on all queries; empty for two submissions of one algorithm."""
    if one.algorithm_id == other.algorithm_id:
        return ""
    ids = f"{one.algorithm_id},{other.algorithm_id}"
    options = urlencode({"algorithms": ids, "pair": ids, **({"gold": number} if number else {})}, safe=",")
    return f"{reverse('compare', args=[one.collection.slug])}?{options}#differences"


def _query_string(given: QueryDict | dict[str, str]) -> str:
    """Return a query string to which more parameters can be appended."""
    text = given.urlencode() if isinstance(given, QueryDict) else urlencode(given)
    return f"?{text}&" if text else "?"


def _without(given: QueryDict, name: str) -> QueryDict:
    """Return the URL parameters without one of them."""
    found = given.copy()
    found.pop(name, None)
    return found


def _other(person: Person, row: Clustering, wanted: str) -> Clustering | None:
    """Return the other submission's clustering of the same query, if this person may see it."""
    if not wanted:
        return None
    submission = get_submission(person, _number(wanted, "There is no such submission."))
    if submission.collection != row.submission.collection:
        raise Http404("The other submission belongs to another collection.")
    return get_clustering(person, submission, row.query.key)


def _gold(row: Clustering, wanted: str) -> tuple[Gold | None, int | None]:
    entries = row.query.gold_entries.select_related("gold", "version").order_by("-version__number")
    if wanted:
        entries = entries.filter(version__number=_number(wanted, "There is no such gold version."))
    entry = entries.first()
    if entry is None and wanted:
        raise Http404("This query has no such gold version.")
    return (entry.gold, entry.version.number) if entry else (None, None)


def _number(text: str, otherwise: str) -> int:
    number = parse_number(text, VERSION_DIGITS)
    if number is None:
        raise Http404(otherwise)
    return number
