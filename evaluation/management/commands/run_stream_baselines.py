"""``manage.py run_stream_baselines COLLECTION STREAM``: run the true clusters and K-means, for comparison."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.management.console import (
    add_settings,
    add_user,
    carry_out,
    collection_named,
    medians_table,
    names,
    refusals,
    settings_from,
    stream_named,
    user_named,
)
from evaluation.models import StreamSubmission
from evaluation.runs.scheduling import UNFINISHED
from evaluation.streams import services as stream_baselines


class Command(SiteCommand):
    """Execute one baselines run, then the runs that measure its submissions."""

    help = "Run baselines on a stream, and measure them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument("stream", help="the name of the stream")
        parser.add_argument("--only", type=names, metavar="B,B", help=f"some of: {', '.join(STREAM_BASELINES)}")
        add_settings(parser)
        parser.add_argument("--seed", type=int, default=0, help="seed of baselines that use random numbers (default 0)")
        add_user(parser, "the owner")

    def handle(self, *args: Any, **options: Any) -> None:
        collection, user = collection_named(options["collection"]), user_named(options["user"])
        stream = stream_named(collection, options["stream"])
        with refusals("The request"):
            settings = settings_from(options)
            run = stream_baselines.enqueue_baselines(
                stream=stream, keys=options["only"], settings=settings, seed=options["seed"], user=user
            )
        run = carry_out(run, "Clustering")
        made = run.options["made"]["submissions"].values()
        submissions = list(StreamSubmission.objects.filter(pk__in=made).select_related("algorithm").order_by("pk"))
        for submission in submissions:
            for queued in submission.runs.filter(state__in=UNFINISHED):
                carry_out(queued, f"Measuring {submission.algorithm.name}")
        self.stdout.write(medians_table(submissions, settings))
