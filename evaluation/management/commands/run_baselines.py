"""``manage.py run_baselines COLLECTION``: run the built-in baselines and score them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from annotations.gold.selectors import latest_version
from evaluation.baseline_runs import services as baselines
from evaluation.baselines import BASELINES
from evaluation.limits import DRAWS
from evaluation.management.console import (
    add_user,
    carry_out,
    collection_named,
    names,
    refusals,
    summary_table,
    user_named,
)
from evaluation.models import Run
from evaluation.scoring.effective import last_by_key
from qc4.model.policies import Policies


class Command(SiteCommand):
    """Execute one baselines run, then the evaluations it queued."""

    help = "Run the built-in baselines on a collection and score them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument(
            "--only",
            type=names,
            metavar="B,B",
            help=f"some of: {', '.join(BASELINES)}; with parameters as in kmeans:k=8:restarts=3",
        )
        parser.add_argument("--seed", type=int, default=0, help="seed of baselines that use random numbers (default 0)")
        parser.add_argument(
            "--draws",
            type=int,
            default=DRAWS,
            metavar="N",
            help="draws of the random baseline, with seeds from --seed on",
        )
        add_user(parser, "the owner")

    def handle(self, *args: Any, **options: Any) -> None:
        collection, user = collection_named(options["collection"]), user_named(options["user"])
        with refusals("The request"):
            chosen = {name: options[name] for name in ("seed", "draws")}
            run = baselines.enqueue(collection=collection, keys=options["only"], user=user, **chosen)
        carry_out(run, "Clustering")
        made = [pk for pk in run.options["made"]["submissions"].values() if pk is not None]
        version = latest_version(collection)
        if version is None:
            self.stdout.write(f"{len(made)} baselines completed. They are not scored: there is no gold standard yet.")
            return
        evaluations = Run.objects.filter(submission__in=made, gold_version=version).select_related(
            "submission__algorithm"
        )
        last = last_by_key(evaluations.order_by("pk"), lambda run: (Policies.parse(run.policies), run.submission_id))
        scored = [
            carry_out(evaluation, f"Scoring {evaluation.submission.algorithm}" if evaluation.submission else "Scoring")
            for evaluation in last.values()
        ]
        self.stdout.write(summary_table(run for run in scored if Policies.parse(run.policies) == Policies()))
