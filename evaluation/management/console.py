"""What management commands share: finding objects by name, options of submissions, progress and messages."""

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
from evaluation.algorithms.forms import AboutAlgorithm
from evaluation.models import Run, StreamResult, StreamSubmission, Submission
from evaluation.problems import LISTINGS
from evaluation.ranking.own_means import OwnMean, own_means
from evaluation.runs import context
from evaluation.runs.errors import TooManyRuns
from evaluation.runs.execution import run_here
from evaluation.scoring.columns import columns
from evaluation.scoring.effective import last_by
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
# Escape sequences and text-direction marks of a file never reach the terminal.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Refused(CommandError):  # noqa: N818  # its name is what the person reads first
    """The input is bad: every problem on a line of its own; exit status 2."""

    def __init__(self, problems: Sequence[Problem], what: str) -> None:
        count = f"{len(problems):,} problem{'' if len(problems) == 1 else 's'}"
        lines = "\n".join(f"  {printable(str(problem.told(LISTINGS)))}" for problem in problems)
        super().__init__(f"{what} was not taken in, {count}:\n{lines}", returncode=2)


class Missing(CommandError):  # noqa: N818  # as above
    """Something the command line names does not exist; exit status 2."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, returncode=2)


class Stopped(CommandError):  # noqa: N818  # as above
    """The input is good and the work still did not end well; exit status 1."""


@contextmanager
def refusals(what: str) -> Iterator[None]:
    """Tells people what services refuse.

    Raises:
        Refused: the input is bad.
        Stopped: the queue is full.
    """
    try:
        yield
    except InputError as error:
        raise Refused(error.problems, what) from None
    except TooManyRuns as error:
        raise Stopped(f"{error.sentence} {error.fix}") from None


def printable(text: str) -> str:
    """Text of a file, made safe for a terminal."""
    return _UNPRINTABLE.sub("\ufffd", text)


def tell_warnings(command: BaseCommand, warnings: Sequence[Problem]) -> None:
    """The first warnings, and how many more there are: a collection of topics of one page has hundreds."""
    for problem in warnings[:SHOWN_WARNINGS]:
        command.stderr.write(f"Warning: {printable(problem.on_the_command_line())}")
    if len(warnings) > SHOWN_WARNINGS:
        command.stderr.write(f"And {len(warnings) - SHOWN_WARNINGS:,} warnings more.")


def add_policies(parser: CommandParser, words: str = "") -> None:
    """An option for each policy; ``words`` stand before what it does."""
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
    """``--user``, which `user_named` finds."""
    parser.add_argument("--user", metavar="USERNAME", help=f"{whose}; by default the only account there is")


def policies_given(options: Mapping[str, Any]) -> Policies:
    """What the options of `add_policies` came to."""
    return Policies(**{name: options[name] for name in CHOICES})


# --- Things by name ---------------------------------------------------------------------------------------------------


def collection_named(text: str) -> Collection:
    """The collection with this slug, or this name in whatever case it is written.

    Raises:
        Missing: there is none; says which there are.
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
    """The account of that name; without a name the only account there is, or None.

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
    """What is private and nobody's would be seen by nobody in the browser, and nobody could change that.

    Args:
        shown: whether everybody sees it; ``option`` asks for that.

    Raises:
        Missing: there are accounts, and none of them was named.
    """
    if user is None and not shown and (accounts := User.objects.order_by("username")):
        there = listed([account.get_username() for account in accounts])
        raise Missing(
            f"Whose is it? Name somebody with --user, one of: {there}; or let everybody see it with {option}."
        )


def names(value: str) -> list[str]:
    """An argument type: a comma-separated list. Commas inside the parentheses of measures are no separators."""
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
    """The engine's bar, with words of files made safe for the terminal."""

    def __call__(self, done: int, total: int, step: str) -> None:
        super().__call__(done, total, printable(step))


def carry_out(run: Run, label: str) -> Run:
    """Do a run here, or follow it where a worker has it, until it has ended well; with a bar of its own.

    Raises:
        Stopped: as `carry_out_with`.
    """
    with Progress(label) as progress:
        return carry_out_with(run, progress)


def carry_out_with(run: Run, progress: context.Progress) -> Run:
    """As `carry_out`, telling somebody else's progress.

    Raises:
        Stopped: it failed or was cancelled, or was interrupted here (then it stays queued).
    """
    try:
        run_here(run, progress)
    except KeyboardInterrupt:
        raise Stopped(f"Interrupted. Run {run.pk} stays queued: a worker goes on with it.", returncode=130) from None
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
    """Return a table of algorithms with the means of `SUMMARY` that their pages show, the best QC4-F first."""
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


def _means(run: Run) -> dict[str, OwnMean]:
    assert run.gold_version is not None  # it is an evaluation
    shown = columns(SUMMARY, "", 1, Policies.parse(run.policies))
    stored, queries = read([run], shown), queries_of([run.gold_version])[run.gold_version.pk]
    return {column.key: own_means(table(column, [(run,)], stored, queries))[0] for column in shown}


# Options of commands that submit: who does it, who is to see it, and what is said of the algorithm. These last are
# named as the fields of its form.

FROM_FILE = "bibtex"
"""Said in a file."""


def _add_about(parser: CommandParser) -> None:
    """An option for each thing that may be said; what is left out stays as it is."""
    group = parser.add_argument_group("about the algorithm (what is left out stays as its page has it)")
    for name, field in AboutAlgorithm.base_fields.items():
        kind: Any = float if isinstance(field, forms.FloatField) else Path if name == FROM_FILE else str
        metavar = {float: "NUMBER", Path: "FILE", str: "TEXT"}[kind]
        group.add_argument(_option(name), dest=f"about_{name}", type=kind, metavar=metavar, help=str(field.help_text))


def add_provenance(parser: CommandParser) -> None:
    """The options that `provenance_given` reads."""
    _add_about(parser)
    parser.add_argument(
        "--publish",
        action="store_true",
        help="everybody who sees the collection sees it; by default you and its owners. In a challenge a participant's "
        "submission takes part in the final results in either case",
    )
    add_user(parser, "who submits")


def provenance_given(options: Mapping[str, Any]) -> Provenance:
    """What the options of `add_provenance` came to.

    Raises:
        Missing: nobody would see it; there is no such account; a file they name cannot be read.
    """
    user = user_named(options["user"])
    refuse_unseen(user, options["publish"], "--publish")
    about = _about_given(options)
    return Provenance(user, Submission.Origin.COMMAND, published=options["publish"], about=about)


def _about_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the options of `_add_about` say.

    Raises:
        Missing: the file with BibTeX cannot be read.
    """
    given = {name: options[f"about_{name}"] for name in AboutAlgorithm.base_fields}
    found = {name: value for name, value in given.items() if value is not None}
    if FROM_FILE in found:
        found[FROM_FILE] = text_of(found[FROM_FILE])
    return found


def text_of(path: Path) -> str:
    """What a small file says.

    Raises:
        Missing: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Missing(f"{path} cannot be read: {reason}.") from None


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


# What the commands about streams share: their settings, finding a stream, and how results are told.


def add_settings(parser: ArgumentParser) -> None:
    """The options of every command that measures a stream; named as those of ``python -m qc4 stream``."""
    parser.add_argument("--last", type=int, metavar="N", help=f"the last N points count, all alike (default {LAST:,})")
    parser.add_argument("--decay", type=float, metavar="L", help="instead: a point weighs 2^(-L x age)")
    parser.add_argument("--threshold", type=float, metavar="X", help="with --decay: lighter points count no longer")
    parser.add_argument("--k", type=int, default=K, help="neighbours that connectivity looks at (default %(default)s)")
    parser.add_argument(
        "--tau", type=float, default=TAU, help="classes connected more than this are merged (default %(default)s)"
    )


def settings_from(options: Mapping[str, Any]) -> StreamSettings:
    """The settings on the command line; raises as `StreamSettings.of`."""
    return StreamSettings.of(**{name: options[name] for name in NAMES})


def stream_named(collection: Collection, key: str) -> Stream:
    """The stream of that key, or of that text if no other one has it.

    Raises:
        Missing: there is none; says which there are.
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
    """Algorithm, the medians of CMM and its parts over moments, and the moments, as measured with these settings."""
    found = StreamResult.objects.filter(submission__in=submissions, settings_sha256=settings.sha256)
    latest = last_by(with_medians(found).order_by("pk"), lambda result: result.submission_id)
    rows = [["algorithm", *PARTS, "moments"]]
    for row in submissions:
        of = latest.get(row.pk)
        medians: dict[str, float] = (of.medians if of else None) or {}
        moments = "-" if of is None else count_words(of.counted, of.total) or f"{of.total:,}"
        cells = [f"{medians[part]:.4f}" if part in medians else "-" for part in PARTS]
        rows.append([printable(row.algorithm.name), *cells, moments])
    return as_text([Table(rows, range(1, len(rows[0])))])
