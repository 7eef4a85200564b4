"""``manage.py score COLLECTION --overlap first``: score submissions with chosen scoring options."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from annotations.models import Collection
from evaluation.management.console import (
    Missing,
    add_policies,
    add_user,
    carry_out,
    collection_named,
    names,
    policies_given,
    refusals,
    summary_table,
    user_named,
)
from evaluation.models import Submission
from evaluation.scoring import services as scoring
from evaluation.scoring.policies import options_in_words
from evaluation.scoring.selectors import chosen_version


class Command(SiteCommand):
    """Skip submissions that are already scored with these options."""

    help = "Score the latest submissions of a collection, or one of them, with chosen scoring options."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument(
            "--submission", type=int, metavar="N", help="only this one; by default all latest submissions"
        )
        add_policies(parser)
        parser.add_argument("--gold", type=int, metavar="N", help="a gold version's number; by default the latest")
        parser.add_argument(
            "--measures", type=names, metavar="M,M", help="measures to compute; by default all that apply"
        )
        add_user(parser, "the owner of the runs")

    def handle(self, *args: Any, **options: Any) -> None:
        collection, user = collection_named(options["collection"]), user_named(options["user"])
        policies = policies_given(options)
        with refusals("The request"):
            version = chosen_version(collection, options["gold"])
            chosen = {"user": user, "measures": options["measures"]}
            if options["submission"] is None:
                done = scoring.score_latest(version, policies, everybody=True, **chosen)
            else:
                found = _submission(collection, options["submission"])
                done = scoring.score_submission(found, version, policies, **chosen)
        if not done.queued:
            self.stdout.write(done.words)
            return
        scored = [carry_out(run, f"Scoring {run.submission.algorithm}") for run in done.queued if run.submission]
        self.stdout.write(f"Against {version}, {options_in_words(policies)}:")
        self.stdout.write(summary_table(scored))


def _submission(collection: Collection, number: int) -> Submission:
    found = (
        Submission.objects.filter(collection=collection, pk=number).select_related("collection", "algorithm").first()
    )
    if found is None:
        raise Missing(f"There is no submission {number} in {collection.slug}.")
    return found
