"""What the management commands share: finding things by name, progress, and how work and refusals are told."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.names import find_user
from annotations.models import Collection
from evaluation.jobs import context
from evaluation.jobs.here import run_here
from evaluation.models import Run
from evaluation.problems import LISTINGS
from evaluation.runs.errors import TooManyRuns
from evaluation.selectors.columns import columns
from evaluation.selectors.own_means import OwnMean, own_means
from evaluation.selectors.scores import queries_of
from evaluation.selectors.tables import read, table
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY
from qc4.model.noise import USUAL, noise_option
from qc4.model.policies import CHOICES, MEANINGS, Policies
from qc4.problems import InputError, Problem
from qc4.progress import Progress as Bar
from qc4.tables import Table, as_text
from qc4.text import comparison_key
from qc4.wording import did_you_mean, listed, mean_words, quoted

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
