"""Shared by management commands: lookup of objects by name, options of submissions, progress and messages."""

from __future__ import annotations

import argparse
import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django import forms
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.names import find_user
from annotations.models import Collection, Stream
from evaluation.algorithms.forms import DescribeAlgorithm
from evaluation.models import Run, StreamResult, StreamSubmission, Submission
from evaluation.problems import LISTINGS
from evaluation.ranking.own_means import SubmissionMean, submission_means
from evaluation.runs import context
from evaluation.runs.errors import TooManyRuns
from evaluation.runs.execution import run_here
from evaluation.scoring.columns import columns
from evaluation.scoring.effective import last_by_key
from evaluation.scoring.scores import queries_of
from evaluation.scoring.tables import read, table
from evaluation.stream_settings import LAST, NAMES, TAU, K, StreamSettings
from evaluation.streams.selectors import with_medians
from evaluation.submissions.services import Provenance
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY
from qc4.model.noise import USUAL, noise_option
from qc4.model.policies import CHOICES, MEANINGS, Policies
from qc4.model.query_names import QueryNames
from qc4.problems import InputError, Problem
from qc4.progress import Progress as Bar
from qc4.streams.measure import PARTS
from qc4.tables import Table, as_text
from qc4.text import comparison_key
from qc4.wording import count_words, did_you_mean, listed, mean_words, quoted

SHOWN_WARNINGS = 10
SUMMARY = ("quality", "coverage", "qc4", "qc4_f")
# Escape sequences and text-direction marks in files must never reach the terminal.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Refused(CommandError):  # noqa: N818  # users read the name first
    """The input was rejected, with one problem per line; exit status 2."""

    def __init__(self, problems: Sequence[Problem], what: str) -> None:
        count = f"{len(problems):,} problem{'' if len(problems) == 1 else 's'}"
        lines = "\n".join(f"  {printable(str(problem.told(LISTINGS)))}" for problem in problems)
        super().__init__(f"{what} was rejected, {count}:\n{lines}", returncode=2)


class Missing(CommandError):  # noqa: N818  # as above
    """An object named on the command line does not exist; exit status 2."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, returncode=2)


class Stopped(CommandError):  # noqa: N818  # as above
    """The input is valid but the work did not finish successfully; exit status 1."""


@contextmanager
def refusals(what: str) -> Iterator[None]:
    """Turn errors of services into errors of the command.

    Raises:
        Refused: the input is invalid.
        Stopped: the queue is full.
    """
    try:
        yield
    except InputError as error:
        raise Refused(error.problems, what) from None
    except TooManyRuns as error:
        raise Stopped(f"{error.sentence} {error.fix}") from None


def printable(text: str) -> str:
    """Replace the control characters of text from a file, so that it is safe to print."""
    return _UNPRINTABLE.sub("\ufffd", text)


def tell_warnings(command: BaseCommand, warnings: Sequence[Problem]) -> None:
    """Print the first warnings and the number of the others; some collections have hundreds."""
    for problem in warnings[:SHOWN_WARNINGS]:
        command.stderr.write(f"Warning: {printable(problem.on_the_command_line())}")
    if len(warnings) > SHOWN_WARNINGS:
        command.stderr.write(f"{len(warnings) - SHOWN_WARNINGS:,} more warnings.")


def add_policies(parser: CommandParser, words: str = "") -> None:
    """Add an option for each scoring option; ``words`` come first in its help text."""
    for name, choices in CHOICES.items():
        told = f"{words}{MEANINGS[name]} (default {choices[0]})"
        parser.add_argument(f"--{name}", choices=choices, default=choices[0], help=told)


def add_noise(parser: CommandParser) -> None:
    """Add ``--noise``; its value is a list of labels, or None for the usual ones."""
    parser.add_argument(
        "--noise",
        type=_labels,
        metavar="LABELS",
        help="labels that mean 'in no cluster', separated by commas, or a JSON list; '[]' if every label is a "
        f"cluster (default: {USUAL})",
    )


def _labels(text: str) -> list[Any] | None:
    try:
        return noise_option(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_user(parser: CommandParser, whose: str = "who does it") -> None:
    """Add ``--user``, which `user_named` resolves."""
    parser.add_argument("--user", metavar="USERNAME", help=f"{whose}; by default the site's only account")


def policies_given(options: Mapping[str, Any]) -> Policies:
    """Return the scoring options given by the options of `add_policies`."""
    return Policies(**{name: options[name] for name in CHOICES})


# --- Objects by name --------------------------------------------------------------------------------------------------


def collection_named(text: str) -> Collection:
    """Return the collection with this slug, or with this name regardless of case.

    Raises:
        Missing: there is no such collection; the message lists the existing ones.
    """
    found = Collection.objects.filter(slug=text).first()
    if found is not None:
        return found
    key = comparison_key(text)
    named = list(Collection.objects.filter(name=key) or Collection.objects.filter(name__iexact=key))
    if len(named) == 1:
        return named[0]
    if named:
        slugs = listed([collection.slug for collection in named])
        raise Missing(f"{len(named)} collections are called {quoted(text)}. Use a slug: {slugs}.")
    known = {name: slug for slug, name in Collection.objects.values_list("slug", "name")}
    raise Missing(_unknown("collection", text, [*known.values(), *known], sorted(known.values())))


def user_named(name: str | None) -> User | None:
    """Return the account of that name; without a name, the only account there is, or None.

    Raises:
        Missing: there is no such account.
    """
    if name is None:
        some = list(User.objects.filter(is_active=True)[:2])
        return some[0] if len(some) == 1 else None
    found = find_user(name)
    if found is None:
        names = list(User.objects.order_by("username").values_list("username", flat=True))
        raise Missing(_unknown("account", name, names, names))
    return found


def refuse_unseen(user: User | None, shown: bool, option: str) -> None:
    """Reject private data without an owner: nobody could see it in the browser or publish it.

    Args:
        shown: True if everyone can see it; ``option`` is the option that makes it so.

    Raises:
        Missing: there are accounts, and none of them was named.
    """
    if user is None and not shown and (accounts := User.objects.order_by("username")):
        there = listed([account.get_username() for account in accounts])
        raise Missing(
            f"No owner given. Name an account with --user, one of: {there}; or show it to everyone with {option}."
        )


def names(value: str) -> list[str]:
    """Parse an argument that is a comma-separated list. Commas inside the parentheses of measures do not separate."""
    found = split_measures(value)
    if not found:
        raise argparse.ArgumentTypeError("expected at least one name")
    return found


def _unknown(kind: str, text: str, candidates: Sequence[str], shown: Sequence[str]) -> str:
    hint = did_you_mean(text, candidates)
    there = f" There are: {listed(shown)}." if shown else f" There is no {kind} yet."
    return f"There is no {kind} {quoted(text)}.{hint and f' {hint}'}{there}"


# --- Work -------------------------------------------------------------------------------------------------------------


class Progress(Bar):
    """The engine's progress bar, with text from files made safe for the terminal."""

    def __call__(self, done: int, total: int, step: str) -> None:
        super().__call__(done, total, printable(step))


def carry_out(run: Run, label: str) -> Run:
    """Execute a run here, or follow it if a worker has claimed it, until it has finished; show a progress bar.

    Raises:
        Stopped: as in `carry_out_with`.
    """
    with Progress(label) as progress:
        return carry_out_with(run, progress)


def carry_out_with(run: Run, progress: context.Progress) -> Run:
    """Do the same as `carry_out`, with the caller's progress bar.

    Raises:
        Stopped: the run failed, was cancelled, or was interrupted here (then it stays queued).
    """
    try:
        run_here(run, progress)
    except KeyboardInterrupt:
        raise Stopped(
            f"Interrupted. Run {run.pk} stays queued, and a worker will continue it.", returncode=130
        ) from None
    if run.state == Run.State.CANCELLED:
        raise Stopped(f"Run {run.pk} was cancelled.")
    if run.state == Run.State.FAILED:
        error: dict[str, Any] = run.error or {}
        problems = [f"  {item['where']}: found {item['found']}; expected {item['expected']}"
                    for item in error.get("problems", [])]  # fmt: skip
        lines = [f"Run {run.pk} failed. {error.get('sentence', '')} {error.get('fix', '')}".strip(), *problems]
        raise Stopped(printable("\n".join(lines)), returncode=2 if problems else 1)
    return run


def summary_table(finished: Iterable[Run]) -> str:
    """Return a table of algorithms with the means of `SUMMARY` as on their pages, by falling QC4-F."""
    rows = [
        (str(run.submission.algorithm), run.queries.values("query").distinct().count(), run.total, _means(run))
        for run in finished
        if run.submission
    ]
    rows.sort(key=lambda row: -(row[3]["qc4_f"].value or 0.0))
    cells = [
        [printable(name), f"{scored}/{total}", *(mean_words(*means[key], digits=4) for key in SUMMARY)]
        for name, scored, total, means in rows
    ]
    head = ["algorithm", "queries", *(REGISTRY.get(key).title for key in SUMMARY)]
    return as_text([Table([head, *cells], range(1, len(head)))])


def _means(run: Run) -> dict[str, SubmissionMean]:
    assert run.gold_version is not None  # it is an evaluation
    shown = columns(SUMMARY, "", 1, Policies.parse(run.policies))
    stored, queries = read([run], shown), queries_of([run.gold_version])[run.gold_version.pk]
    return {column.key: submission_means(table(column, [(run,)], stored, queries))[0] for column in shown}


# --- Options of commands that submit: submitter, visibility, and details of the algorithm (named as its form's fields)
# ---

FROM_FILE = "bibtex"
"""The option whose value is read from a file."""


def _add_about(parser: CommandParser) -> None:
    """Add an option for each detail of the algorithm; omitted details stay unchanged."""
    group = parser.add_argument_group("about the algorithm (omitted details stay unchanged)")
    for name, field in DescribeAlgorithm.base_fields.items():
        kind: Any = float if isinstance(field, forms.FloatField) else Path if name == FROM_FILE else str
        metavar = {float: "NUMBER", Path: "FILE", str: "TEXT"}[kind]
        group.add_argument(_option(name), dest=f"about_{name}", type=kind, metavar=metavar, help=str(field.help_text))


def add_provenance(parser: CommandParser) -> None:
    """Add the options that `provenance_given` reads."""
    _add_about(parser)
    parser.add_argument(
        "--publish",
        action="store_true",
        help="everyone who can see the collection can see it; by default only you and its owners. In a challenge, "
        "a participant's submission takes part in the final results in either case",
    )
    add_user(parser, "the submitter")


def provenance_given(options: Mapping[str, Any]) -> Provenance:
    """Return the provenance given by the options of `add_provenance`.

    Raises:
        Missing: nobody would be able to see the submission; the account does not exist; or a named file cannot be read.
    """
    user = user_named(options["user"])
    refuse_unseen(user, options["publish"], "--publish")
    about = _about_given(options)
    return Provenance(user, Submission.Origin.COMMAND, published=options["publish"], about=about)


def _about_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details given by the options of `_add_about`.

    Raises:
        Missing: the file with BibTeX cannot be read.
    """
    given = {name: options[f"about_{name}"] for name in DescribeAlgorithm.base_fields}
    found = {name: value for name, value in given.items() if value is not None}
    if FROM_FILE in found:
        found[FROM_FILE] = text_of(found[FROM_FILE])
    return found


def text_of(path: Path) -> str:
    """Return the contents of a small text file.

    Raises:
        Missing: the file cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Missing(f"{path} cannot be read: {reason}.") from None


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


# --- Shared by commands about streams: settings, lookup, and tables of results ---


def add_settings(parser: ArgumentParser) -> None:
    """Add the options of every command that measures a stream, named as in ``python -m qc4 stream``."""
    parser.add_argument("--last", type=int, metavar="N", help=f"the last N points count equally (default {LAST:,})")
    parser.add_argument("--decay", type=float, metavar="L", help="instead: a point has weight 2^(-L x age)")
    parser.add_argument(
        "--threshold", type=float, metavar="X", help="with --decay: points of lower weight do not count"
    )
    parser.add_argument("--k", type=int, default=K, help="number of neighbours for connectivity (default %(default)s)")
    parser.add_argument(
        "--tau", type=float, default=TAU, help="merge classes with a connectivity above this (default %(default)s)"
    )


def settings_from(options: Mapping[str, Any]) -> StreamSettings:
    """Return the settings on the command line. Raises as `StreamSettings.of` does."""
    return StreamSettings.of(**{name: options[name] for name in NAMES})


def stream_named(collection: Collection, key: str) -> Stream:
    """Return the stream with exactly this key, or with this key in another case.

    Raises:
        Missing: there is no such stream; the message lists the existing ones.
    """
    streams = {stream.key: stream for stream in collection.streams.select_related("collection")}
    found = streams.get(QueryNames({stream.key: stream.text for stream in streams.values()}).key(key))
    if found is not None:
        return found
    keys = list(streams)
    hint = did_you_mean(key, keys)
    there = f" There are: {listed(keys)}." if keys else " The collection has no stream yet (manage.py import_stream)."
    raise Missing(f"There is no stream {quoted(key)}.{hint and f' {hint}'}{there}")


def medians_table(submissions: Sequence[StreamSubmission], settings: StreamSettings) -> str:
    """Return a table of algorithms: medians of CMM and its components over time, and the number of time steps."""
    found = StreamResult.objects.filter(submission__in=submissions, settings_sha256=settings.sha256)
    latest = last_by_key(with_medians(found).order_by("pk"), lambda result: result.submission_id)
    rows = [["algorithm", *PARTS, "moments"]]
    for row in submissions:
        of = latest.get(row.pk)
        medians: dict[str, float] = (of.medians if of else None) or {}
        moments = "-" if of is None else count_words(of.counted, of.total) or f"{of.total:,}"
        cells = [f"{medians[part]:.4f}" if part in medians else "-" for part in PARTS]
        rows.append([printable(row.algorithm.name), *cells, moments])
    return as_text([Table(rows, range(1, len(rows[0])))])
