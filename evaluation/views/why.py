"""Why a submission scores as it does on one query, what would change it, and how another one does beside it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import Person
from annotations.access import require_gold
from annotations.models import Gold
from annotations.selectors.gold_tree import gold_tree
from annotations.services.sights import note_gold
from common.numbers import VERSION_DIGITS, number_in
from evaluation import cases
from evaluation.access import get_clustering, get_submission
from evaluation.limits import DRAWN_CELLS, LISTED_CELLS
from evaluation.models import Clustering, Submission
from evaluation.problems import told
from evaluation.questions import Question, policies_of
from evaluation.selectors.marks import marks
from evaluation.selectors.run_status import status
from evaluation.selectors.stored_explanations import ROWS, shown, stored_explanation
from evaluation.selectors.why_alike import alike
from evaluation.selectors.why_choices import CHANGES, Choices
from evaluation.selectors.why_matrix import SHADES, in_common
from evaluation.selectors.why_others import others
from evaluation.selectors.why_side import AGAINST, Side, Standard
from evaluation.selectors.why_size import counts_of, is_too_large, refuse_what_is_too_large
from evaluation.services.explanations import ask_for
from evaluation.views.trails import trail
from qc4.measures.calibration import Calibration
from qc4.problems import InputError, Problem
from qc4.views.policies import CHOICES, MEANINGS, Policies


@require_safe
def why(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Cluster by cluster and topic by topic, computed now, against the latest gold version or ``?gold=N``.

    Every choice is in the address; one that does not exist is said above the page without it.
    """
    submission = get_submission(request.user, pk)
    row = get_clustering(request.user, submission, key)
    require_gold(request.user, row.query)
    gold, number = _gold(row, request.GET.get("gold", ""))
    other = _other(request.user, row, request.GET.get("against", ""))
    if gold is None:
        likeness = alike(row, other, Policies()) if other else None
        return render(request, "boards/why.html", {**_frame(request, row, other, number), "alike": likeness})
    note_gold(request.user, submission.collection, [gold])
    if is_too_large(row, gold):
        return _by_a_worker(request, row, gold, number or 0)
    try:
        sides, problems = _sides([row, other] if other else [row], gold, request.GET)
    except InputError as error:
        too_large = {"too_large": error.problems[0]}
        return render(request, "boards/why.html", {**_frame(request, row, other, number), **too_large})
    if (target := request.headers.get("HX-Target", "")).startswith("chance-"):
        chosen = next((side for side in sides if target == f"chance-{side.key}"), sides[0])
        context = {"side": chosen, "chance": _chance(chosen, compute=True)}
        return render(request, "boards/why_chance.html", {**context, "other": other})
    compared = next((side for side in sides if side.key == request.GET.get("side")), sides[0])
    return render(
        request,
        "boards/why.html",
        {
            **_frame(request, row, other, number),
            "problems": told(problems),
            "sides": sides,
            "why": sides[0].why,
            "chances": [(side, _chance(side, compute="chance" in request.GET)) for side in sides],
            "topics": list(zip(*(side.why.topics for side in sides), strict=True)) if other else [],
            "compared": compared,
            "alike": alike(row, other, sides[0].choices.policies) if other else None,
            "common": _common(compared, request.GET),
            "choices": sides[0].choices,
            "shades": SHADES,
            "depths": range(1, max((topic.depth for topic in sides[0].why.topics), default=0) + 1),
            "kept": _kept(request.GET),
            "plain": _address(dict(_kept(request.GET))),
            "same": _address(request.GET),
            "without_level": _address(_without(request.GET, "level")).lstrip("?"),
            "policies": [
                (name, getattr(sides[0].choices.policies, name), choices, MEANINGS[name])
                for name, choices in CHOICES.items()
            ],
            "in_effect": json.dumps(sides[0].choices.policies.to_dict()),
            "changes": CHANGE_WORDS,
            "one_by_one": request.GET.get("clusters") == "all",
            "listed": LISTED_CELLS,
            "most_drawn": DRAWN_CELLS,
        },
        status=400 if problems else 200,
    )


def _by_a_worker(request: HttpRequest, row: Clustering, gold: Gold, number: int) -> HttpResponse:
    """What a worker said of it, in parts; how far that is, or who may have it done."""
    question = Question(row.sha256, gold.sha256, policies_of({name: str(request.GET[name]) for name in request.GET}))
    context = {**_frame(request, row, None, number), "counts": counts_of(row, gold)}
    found = stored_explanation(question)
    if found is not None:
        names = {node.id: node.path for node in gold_tree(gold).nodes}
        labels = {cluster.id: cluster.label or cluster.id for cluster in cases.clustering(row).clusters}
        pages = {
            "clusters": Paginator(range(found.n_clusters), ROWS["clusters"]).get_page(request.GET.get("page")),
            "topics": Paginator(range(found.n_topics), ROWS["topics"]).get_page(request.GET.get("topics")),
        }
        context |= {
            "pages": pages,
            "found": shown(found, pages["clusters"].number, pages["topics"].number, names, labels),
            "carried": f"&{kept}" if (kept := urlencode(_kept(request.GET, *CHOICES))) else "",
        }
    elif request.user.is_authenticated:
        version = row.submission.collection.gold_versions.get(number=number)
        run = ask_for(question, row, version, request.user)
        context |= {"run": run, "status": status(run)}
    return render(request, "boards/why_large.html", context)


CHANGE_WORDS = {
    "drop": "leave the cluster out",
    "merge": "make one cluster of all that are ticked here",
    "complete": "give it the pages of its best topic that it lacks",
    "clean": "take out its foreign pages, those outside its best topic",
}
"""What can be ticked, and what it does."""


def _frame(request: HttpRequest, row: Clustering, other: Clustering | None, number: int | None) -> dict[str, Any]:
    submission, query = row.submission, row.query
    return {
        "submission": submission,
        "other": other.submission if other else None,
        "collection": submission.collection,
        "query": query,
        "version": number,
        "marks": marks(submission.collection),
        "others": others(request.user, row, other),
        "carried": urlencode({name: value for name, value in _kept(request.GET, *CHOICES) if name != "clusters"}),
        "kept_beside": _kept_beside(request.GET),
        "pair": _pair(submission, other.submission, number) if other else "",
        "trail": trail(
            submission.collection,
            (query.text or query.key, reverse("query", args=[submission.collection.slug, query.key])),
            (f"{submission.algorithm.name} #{submission.pk}", reverse("submission", args=[submission.pk])),
            ("why this score", ""),
        ),
    }


def _sides(rows: list[Clustering], gold: Gold, given: QueryDict) -> tuple[list[Side], tuple[Problem, ...]]:
    """The submissions as they are asked about; what cannot be done is left out, and said.

    InputError: one of them is too large to be explained."""
    problems: list[Problem] = []
    for row in rows:
        refuse_what_is_too_large(row, gold)
    standard = cases.gold_standard(gold)
    try:
        choices = Choices.of({name: str(given[name]) for name in given}, standard)
    except InputError as error:
        problems.extend(error.problems)
        choices = Choices.of({}, standard)
    held = Standard(gold)
    sides = [Side(row, held, choices, prefix) for row, prefix in zip(rows, ("", AGAINST), strict=False)]
    for side in sides:
        try:
            side.change(given.getlist)
        except InputError as error:
            problems.extend(error.problems)
    return sides, tuple(problems)


def _chance(side: Side, compute: bool) -> Calibration | None:
    """The chance level if it is known or may be worked out now."""
    return side.chance() if compute and side.may_shuffle else side.known_chance


def _common(side: Side, given: QueryDict) -> dict[str, object] | None:
    """The pages of the cell asked for: a topic (none: the outliers) and a cluster."""
    topic, cluster = given.get("topic", ""), given.get("cluster", "")
    if not cluster:
        return None
    try:
        pages = in_common(side.case, side.document, topic or None, cluster)
    except KeyError:
        raise Http404("There is no such topic or cluster.") from None
    paths = {node.id: node.path for node in side.matrix.topics}
    return {"topic": paths.get(topic or None, topic), "cluster": side.name(cluster), "pages": pages}


def _kept(given: QueryDict, *more: str) -> list[tuple[str, str]]:
    """Choices that no field of the form shows, and more of them by name."""
    names = ("gold", "against", "measures", "level", "clusters", *more)
    return [(name, str(given[name])) for name in names if given.get(name)]


def _kept_beside(given: QueryDict) -> list[tuple[str, str]]:
    """What stays when another algorithm is set beside, or another gold version under: all but what belongs to them."""
    gone = {"against", "gold", "side", "topic", "cluster", *(AGAINST + name for name in CHANGES)}
    return [(name, value) for name, values in given.lists() if name not in gone for value in values if value]


def _pair(one: Submission, other: Submission, number: int | None) -> str:
    """The page that compares the two algorithms on all queries; empty for two submissions of one."""
    if one.algorithm_id == other.algorithm_id:
        return ""
    ids = f"{one.algorithm_id},{other.algorithm_id}"
    options = urlencode({"algorithms": ids, "pair": ids, **({"gold": number} if number else {})}, safe=",")
    return f"{reverse('compare', args=[one.collection.slug])}?{options}#differences"


def _address(given: QueryDict | dict[str, str]) -> str:
    """An address to be continued."""
    text = given.urlencode() if isinstance(given, QueryDict) else urlencode(given)
    return f"?{text}&" if text else "?"


def _without(given: QueryDict, name: str) -> QueryDict:
    """The same address without one parameter."""
    found = given.copy()
    found.pop(name, None)
    return found


def _other(person: Person, row: Clustering, wanted: str) -> Clustering | None:
    """The answer of the submission to compare with: one this person may see, to the same query."""
    if not wanted:
        return None
    submission = get_submission(person, _number(wanted, "There is no such submission."))
    if submission.collection != row.submission.collection:
        raise Http404("That submission is to another collection.")
    return get_clustering(person, submission, row.query.key)


def _gold(row: Clustering, wanted: str) -> tuple[Gold | None, int | None]:
    entries = row.query.gold_entries.select_related("gold", "version").order_by("-version__number")
    if wanted:
        entries = entries.filter(version__number=_number(wanted, "There is no such gold version."))
    entry = entries.first()
    if entry is None and wanted:
        raise Http404("There is no such gold version of this query.")
    return (entry.gold, entry.version.number) if entry else (None, None)


def _number(text: str, otherwise: str) -> int:
    number = number_in(text, VERSION_DIGITS)
    if number is None:
        raise Http404(otherwise)
    return number
