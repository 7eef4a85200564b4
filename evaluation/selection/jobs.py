"""The job that runs baselines with many settings, for model selection (docs/users/pac-mdl.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from annotations.collections.selectors import page_list_document
from annotations.gold.selectors import latest_golds
from evaluation.baseline_runs.jobs import Answers, Setting, answers, nothing_to_run_on, submit_answers
from evaluation.baselines import BASELINES
from evaluation.models import Submission
from evaluation.runs.context import JobContext, make_submissions
from qc4.problems import InputError


@dataclass(frozen=True, slots=True)
class ClusterSetting(Setting):
    """One setting of a sweep; initialisations differ in their seed."""

    clusters: int

    @property
    def key(self) -> str:
        return f"{self.baseline.key}/{self.clusters}/{self.seed}"

    @property
    def words(self) -> str:
        return f"{self.baseline.title}, {self.clusters} clusters, seed {self.seed}"

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of the baseline, with a single restart: model selection chooses among the initialisations."""
        single = {"restarts": 1} if "restarts" in self.baseline.defaults else {}
        return {**self.baseline.defaults, "k": self.clusters, **single}


def settings_of_sweep(options: dict[str, Any]) -> Iterator[ClusterSetting]:
    """Return the settings of a sweep, in the order in which they are run."""
    for key in options["algorithms"]:
        for clusters in options["clusters"]:
            for start in range(options["initialisations"]):
                yield ClusterSetting(BASELINES[key], options["seed"] + start, clusters)


def execute(context: JobContext) -> None:
    """Run a sweep, one setting after the other, and commit each separately; nothing is scored.

    Raises:
        InputError: if no query has the inputs that any of the algorithms needs.
    """
    run, collection = context.run, context.collection
    queries, golds = list(collection.queries.all()), latest_golds(collection)

    def keep(place: ClusterSetting, found: Answers) -> Submission | None:
        if not found.clusterings:
            return None
        # An earlier sweep may have made the same submission.
        swept = collection.submissions.filter(sweep__isnull=False, sha256=found.sha256, seed=place.seed)
        same = swept.filter(algorithm__baseline=place.baseline.key, parameters__k=place.clusters)
        more = {"initialisation": place.seed}
        return same.order_by("-pk").first() or submit_answers(context, place, found, more, seed=place.seed, sweep=run)

    def make(place: ClusterSetting) -> Answers:
        return answers(context, place, queries, golds)

    asked = {place.key: place for place in settings_of_sweep(run.options)}
    made = make_submissions(context, asked, attrgetter("words"), make, keep, units=len(queries))
    if not any(made.values()):
        keys = dict.fromkeys(place.baseline.key for place in asked.values())
        lacking = {
            key: BASELINES[key].missing(page_list_document(queries[0]), has_gold=False) or "pages" for key in keys
        }
        raise InputError(nothing_to_run_on(f"algorithm {key}", missing) for key, missing in lacking.items())
    context.finish(f"{sum(pk is not None for pk in made.values())} of {len(asked)} settings gave clusterings.")
