"""``manage.py challenge COLLECTION --hide all --closes 2027-01-31T12:00``: make a collection a challenge."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.dateparse import parse_date, parse_datetime

from accounts.console import SiteCommand
from annotations.collections.selectors import queries_named
from annotations.models import Challenge, Collection, Query
from evaluation.challenges import services as challenges
from evaluation.challenges.final_results import results_csv
from evaluation.challenges.selectors import challenge_summary
from evaluation.management.console import Stopped, add_user, collection_named, printable, refusals, user_named
from qc4.problems import ProblemList
from qc4.wording import mean_words


class Command(SiteCommand):
    """Set the given options; the other settings of an existing challenge stay unchanged."""

    help = "Make a collection a challenge, or change its challenge. Without options, show its rules and final results."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument("--hide", choices=Challenge.Hides.values, help="the queries whose gold standard is hidden")
        parser.add_argument(
            "--show", action="append", metavar="QUERY", help="hide all but these queries; may be given several times"
        )
        parser.add_argument("--opens", metavar="TIME", help="2027-01-31T12:00, in UTC if no time zone is given")
        parser.add_argument("--closes", metavar="TIME", help="as --opens; later submissions are rejected")
        parser.add_argument(
            "--per-day", type=int, metavar="N", help="submissions per person and day (UTC); 0 for no limit"
        )
        parser.add_argument("--in-all", type=int, metavar="N", help="submissions per person in total; 0 for no limit")
        parser.add_argument("--measure", metavar="KEY", help="the measure that ranks the final results")
        for name, words in SWITCHES.items():
            no = f"--no-{name}"
            parser.add_argument(f"--{name}", action="store_true", default=None, dest=name.replace("-", "_"), help=words)
            parser.add_argument(no, action="store_false", dest=name.replace("-", "_"), help=f"the opposite of --{name}")
        parser.add_argument("--results", type=Path, metavar="FILE", help="write the final results to this CSV file")
        add_user(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        collection = collection_named(options["collection"])
        with refusals(collection.slug):
            challenge = challenges.freeze_results_if_due(collection)
            facts, shown = _facts(options), _shown(collection, challenge, options["show"])
            if facts or options["show"]:
                _save(collection, challenge, facts, shown, options)
                challenge = challenges.freeze_results_if_due(collection)
        if challenge is None:
            raise CommandError(
                f"{printable(collection.name)} is not a challenge; use --hide, --closes and others to make it one."
            )
        if options["results"] is not None:
            _write(challenge, options["results"])
        self._tell(challenge)

    def _tell(self, challenge: Challenge) -> None:
        user = challenge.collection.created_by
        face = challenge_summary(challenge, user) if user else None
        self.stdout.write(f"{printable(challenge.collection.name)}: {face.title if face else challenge.state()}.")
        for rule in face.rules if face else ():
            self.stdout.write(f"- {rule}")
        for row in challenge.final.content["rows"] if challenge.final else ():
            mean = row["means"].get(challenge.measure)
            score = mean_words(mean["value"], mean["counted"], mean["total"], digits=4) if mean else "–"
            self.stdout.write(
                f"{row['rank'] or '–'!s:>4}  {score:>8}  {printable(row['algorithm'])} ({row['by'] or 'the site'})"
            )


def _write(challenge: Challenge, path: Path) -> None:
    if challenge.final is None:
        raise Stopped("There are no final results yet. The challenge must close, and its submissions must be scored.")
    try:
        path.write_text(results_csv(challenge.final.content), encoding="utf-8", newline="")
    except OSError as error:
        raise Stopped(f"{path}: {error.strerror}") from None


SWITCHES = {
    "hide-board": "until the challenge has closed, people see only their own submissions",
    "reveal": "everyone sees all gold standards after the challenge has closed",
    "show-streams": "streams stay visible while gold standards are hidden",
}
FIELDS = {"hide_board": "board_hidden", "reveal": "reveals", "show_streams": "streams_shown"}


def _facts(options: dict[str, Any]) -> dict[str, Any]:
    """The given options, by the fields of `Challenge`."""
    facts: dict[str, Any] = {field: options[name] for name, field in FIELDS.items() if options[name] is not None}
    if options["show"] or options["hide"]:
        facts["hides"] = options["hide"] or Challenge.Hides.SOME
    facts |= {f"{name}_at": _moment(name, options[name]) for name in ("opens", "closes") if options[name]}
    facts |= {name: options[name] or None for name in ("per_day", "in_all") if options[name] is not None}
    return facts | ({"measure": options["measure"]} if options["measure"] else {})


def _save(
    collection: Collection,
    challenge: Challenge | None,
    facts: dict[str, Any],
    shown: list[Query],
    options: dict[str, Any],
) -> None:
    kept = {name: getattr(challenge, name) for name in KEPT} if challenge else {}
    challenges.save(collection, user=user_named(options["user"]), shown=shown, **{**kept, **facts})


KEPT = (
    "hides", "streams_shown", "reveals", "board_hidden", "opens_at", "closes_at", "per_day", "in_all", "measure",
)  # fmt: skip


def _shown(collection: Collection, challenge: Challenge | None, names: list[str] | None) -> list[Query]:
    if names is None:
        return list(challenge.shown.all()) if challenge else []
    problems = ProblemList()
    shown = queries_named(collection, names, "--show", problems)
    problems.refuse_errors()
    return shown


def _moment(name: str, text: str) -> datetime:
    try:
        day = parse_date(text)
        found = parse_datetime(text) or (datetime.combine(day, datetime.min.time()) if day else None)
    except ValueError:
        found = None
    if found is None:
        raise CommandError(f"--{name} {text!r} is not a date and time; write it as 2027-01-31T12:00.")
    return found if found.tzinfo else found.replace(tzinfo=UTC)
