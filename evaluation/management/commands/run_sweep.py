"""``manage.py run_sweep COLLECTION``: run baselines with many numbers of clusters and initialisations."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from evaluation.management.console import add_user, carry_out, collection_named, names, refusals, user_named
from evaluation.selection import services as sweeps


class Command(SiteCommand):
    """Execute one parameter sweep, as one run."""

    help = "Run baselines with many numbers of clusters and random initialisations, for the model selection page."

    def add_arguments(self, parser: CommandParser) -> None:
        known = ", ".join(baseline.key for baseline in sweeps.SWEEPABLE)
        parser.add_argument("collection", help="slug or name")
        parser.add_argument(
            "--algorithms", type=names, default=list(sweeps.DEFAULT_ALGORITHMS), metavar="A,A", help=f"some of: {known}"
        )
        parser.add_argument(
            "--clusters",
            type=_numbers,
            default=list(sweeps.DEFAULT_CLUSTERS),
            metavar="K,K",
            help=f"numbers of clusters (default {','.join(map(str, sweeps.DEFAULT_CLUSTERS))})",
        )
        parser.add_argument(
            "--initialisations",
            type=int,
            default=sweeps.DEFAULT_INITIALISATIONS,
            metavar="N",
            help="random initialisations per algorithm and number of clusters (default %(default)s)",
        )
        parser.add_argument(
            "--seed", type=int, default=0, help="seed of the first initialisation; the others follow (default 0)"
        )
        add_user(parser, "the owner")

    def handle(self, *args: Any, **options: Any) -> None:
        collection, user = collection_named(options["collection"]), user_named(options["user"])
        chosen = {name: options[name] for name in ("algorithms", "clusters", "initialisations", "seed")}
        with refusals("The request"):
            run = sweeps.enqueue(collection=collection, user=user, **chosen)
        run = carry_out(run, "Sweeping")
        made = [pk for pk in run.options["made"]["submissions"].values() if pk is not None]
        self.stdout.write(
            f"{len(made)} submissions for model selection: see /c/{collection.slug}/model-selection/. "
            "Leaderboards and lists exclude them."
        )


def _numbers(value: str) -> list[int]:
    """Parse an argument that is a list of whole numbers separated by commas."""
    try:
        return [int(part) for part in names(value)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected whole numbers separated by commas, found {value!r}") from None
