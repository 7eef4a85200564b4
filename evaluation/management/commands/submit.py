"""``manage.py submit COLLECTION PATH --algorithm NAME``: submit an algorithm's clusterings and score them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.console import SiteCommand
from evaluation.challenges.final_results import participation_sentence
from evaluation.limits import REPEAT_CHARS
from evaluation.management.console import (
    add_noise,
    add_policies,
    add_provenance,
    carry_out,
    collection_named,
    names,
    policies_given,
    printable,
    provenance_given,
    refusals,
    summary_table,
    tell_warnings,
)
from evaluation.scoring.policies import options_in_words
from evaluation.submissions import services as submissions
from evaluation.submissions.services import check
from evaluation.uploads import services as uploads
from qc4.model.policies import Policies
from qc4.problems import InputError


class Command(SiteCommand):
    """Check the file first, and store all of it or nothing."""

    help = "Submit an algorithm's clusterings of a collection's queries, in any format, and score them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument("path", type=Path)
        parser.add_argument("--algorithm", metavar="NAME", help="the algorithm's name; by default the name in the file")
        parser.add_argument(
            "--measures", type=names, metavar="M,M", help="measures to compute; by default all that apply"
        )
        parser.add_argument(
            "--repeat",
            default="",
            metavar="NAME",
            help="the name of this repeat, if it is one of several runs of the algorithm; repeats count together",
        )
        parser.add_argument("--seed", type=int, metavar="N", help="the seed of the algorithm's random numbers")
        add_noise(parser)
        parser.add_argument(
            "--label-separator",
            default="",
            metavar="MARK",
            help="the text between several labels of one page, such as '#'; by default each page has one label",
        )
        add_provenance(parser)
        add_policies(parser, "an additional scoring option: ")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        collection, provenance = collection_named(options["collection"]), provenance_given(options)
        if len(options["repeat"].strip()) > REPEAT_CHARS:
            raise CommandError(
                f"--repeat has {len(options['repeat'].strip())} characters; the limit is {REPEAT_CHARS}."
            )
        with refusals(str(path)):
            report = check(
                collection,
                path,
                algorithm=options["algorithm"],
                user=provenance.user,
                noise=options["noise"],
                label_separator=options["label_separator"],
            )
            if report.errors:
                raise InputError(report.errors)
            tell_warnings(self, report.warnings)
            with uploads.deleted_on_error(uploads.store_path(path, provenance.user)) as upload:
                submission, run = submissions.submit(
                    collection,
                    report,
                    provenance,
                    upload=upload,
                    seed=options["seed"],
                    repeat=options["repeat"].strip(),
                    measures=options["measures"],
                    policies=policies_given(options),
                )
        answered = f"{len(report.queries):,} of {len(report.queries) + len(report.missing):,} queries"
        self.stdout.write(f"Submission {submission.pk} of {printable(submission.algorithm.name)!r}: {answered}.")
        for query in report.queries:
            if query.noise:
                self.stdout.write(f"Query {printable(query.query)!r}: {printable(query.sentence)}.")
        if part := participation_sentence(submission, None):
            self.stdout.write(part)
        if run is None:
            self.stdout.write(
                "The submission is not scored, because the collection has no published gold standard yet."
            )
            return
        scored = carry_out(run, "Scoring")
        for other in submission.runs.exclude(pk=run.pk).order_by("pk"):
            carry_out(other, f"Scoring, {options_in_words(Policies.parse(other.policies))}")
        self.stdout.write(summary_table([scored]))
