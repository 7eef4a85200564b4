"""Run baselines with many settings: what model selection chooses among (docs/users/pac-mdl.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotations.models import Gold, Query
from annotations.selectors.gold import latest_golds
from annotations.selectors.page_lists import page_list
from evaluation import cases
from evaluation.baselines import BASELINES, Baseline
from evaluation.baselines import run as run_baseline
from evaluation.jobs.context import JobContext
from evaluation.models import Run, Submission
from evaluation.services.baselines import algorithm_name
from evaluation.services.submissions import submission_sha256, submit
from qc4.clustering.clustering import Clustering, SubmissionDocument
from qc4.problems import ProblemList


@dataclass(frozen=True, slots=True)
class Place:
    """One setting of a sweep; the seed tells starts apart."""

    baseline: Baseline
    clusters: int
    seed: int

    @property
    def key(self) -> str:
        return f"{self.baseline.key}/{self.clusters}/{self.seed}"

    @property
    def parameters(self) -> dict[str, Any]:
        """Of the baseline: a start is a single start, or there would be nothing left to choose among starts."""
        single = {"restarts": 1} if "restarts" in self.baseline.defaults else {}
        return {**self.baseline.defaults, "k": self.clusters, **single}

    @property
    def words(self) -> str:
        return f"{self.baseline.title}, {self.clusters} clusters, seed {self.seed}"


def places(options: dict[str, Any]) -> Iterator[Place]:
    """The settings of a sweep, in the order they are run."""
    for key in options["algorithms"]:
        for clusters in options["clusters"]:
            for start in range(options["initialisations"]):
                yield Place(BASELINES[key], clusters, options["seed"] + start)


def execute(context: JobContext) -> None:
    """Do a sweep: one setting after the other, each committed by itself; started again, it goes on after the last.

    Raises:
        InputError: no query has what any of the algorithms needs.
    """
    run = context.run
    if run.collection is None:
        raise ValueError("a sweep has a collection")
    if run.options.get("made", {}).get("run") != run.pk:  # the options of a repeated run come with its forerunner's
        run.options["made"] = {"run": run.pk, "submissions": {}}
    made = run.options["made"]["submissions"]
    queries, golds = list(run.collection.queries.all()), latest_golds(run.collection)
    asked = list(places(run.options))
    total = len(asked) * len(queries)
    for number, place in enumerate(asked):
        if place.key in made:
            continue
        answers = _answers(context, place, queries, golds, (number * len(queries), total))
        context.commit(lambda: _keep(run, place, answers), done=(number + 1) * len(queries), total=total)  # noqa: B023  # called at once
    if not any(made.values()):
        _refuse_nothing(asked, queries)
    context.finish(f"{sum(pk is not None for pk in made.values())} of {len(asked)} settings answered.")


def _answers(
    context: JobContext, place: Place, queries: Sequence[Query], golds: dict[int, Gold], progress: tuple[int, int]
) -> list[Clustering]:
    """The clusterings of the queries that have what the baseline needs."""
    done, total = progress
    answers = []
    for number, query in enumerate(queries):
        context.checkpoint(done + number, total, f"{place.words}: {query.key}")
        document, gold = page_list(query), golds.get(query.pk)
        if place.baseline.missing(document, gold is not None):
            continue
        standard = cases.gold_standard(gold) if gold is not None and place.baseline.needs_gold else None
        answers.append(run_baseline(place.baseline.key, document, standard, place.seed, place.parameters))
    return answers


def _keep(run: Run, place: Place, answers: list[Clustering]) -> None:
    """Store the answers, unless an earlier sweep gave the same, and note in the run that this setting is done."""
    submission = (_unchanged(run, place, answers) or _submit(run, place, answers)) if answers else None
    run.options["made"]["submissions"][place.key] = submission.pk if submission else None
    Run.objects.filter(pk=run.pk).update(options=run.options)


def _unchanged(run: Run, place: Place, answers: list[Clustering]) -> Submission | None:
    sha256 = submission_sha256({answer.query: cases.content_sha256(answer) for answer in answers})
    same = Submission.objects.filter(collection=run.collection, sweep__isnull=False, sha256=sha256, seed=place.seed)
    return same.filter(algorithm__baseline=place.baseline.key, parameters__k=place.clusters).order_by("-pk").first()


def _submit(run: Run, place: Place, answers: list[Clustering]) -> Submission:
    assert run.collection is not None  # seen to by execute
    return submit(
        collection=run.collection,
        algorithm_name=algorithm_name(run.collection, place.baseline),
        document=SubmissionDocument(tuple(answers), place.baseline.title),
        user=run.created_by,
        origin=Submission.Origin.BASELINE,
        published=True,
        parameters={"baseline": place.baseline.key, **place.parameters, "initialisation": place.seed},
        seed=place.seed,
        baseline=place.baseline.key,
        sweep=run,
    )[0]


def _refuse_nothing(asked: Sequence[Place], queries: Sequence[Query]) -> None:
    problems = ProblemList()
    for baseline in dict.fromkeys(place.baseline.key for place in asked):
        lacking = BASELINES[baseline].missing(page_list(queries[0]), has_gold=False) or "pages"
        problems.error("baseline-needs", f"algorithm {baseline}", f"no query with {lacking}", lacking)
    problems.refuse_errors()
