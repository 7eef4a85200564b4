"""``manage.py audit_log``: show security-relevant actions with their time, account and network address."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.dateparse import parse_date

from accounts import audit
from accounts.audit import Kind, of_account, of_collection
from accounts.console import SiteCommand
from accounts.models import AuditEntry
from evaluation.management.console import collection_named, printable, user_named


class Command(SiteCommand):
    """List entries, the latest first, or delete old ones."""

    help = "Show the audit log: signing in, tokens, roles, invitations, publications, deletions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", metavar="USERNAME", help="actions of this account, and actions that affected it")
        parser.add_argument("--collection", metavar="COLLECTION", help="slug or name")
        parser.add_argument("--kind", action="append", choices=Kind.values, help="may be given several times")
        parser.add_argument("--address", metavar="ADDRESS", help="the IP address; for IPv6 the beginning of its /64")
        parser.add_argument("--since", metavar="DAY", help="2027-01-31, in UTC")
        parser.add_argument(
            "--most", type=int, default=200, metavar="N", help="maximum number of entries; 200 by default"
        )
        parser.add_argument(
            "--forget-before",
            metavar="DAY",
            help="delete older entries and show none; entries expire after a year anyway",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["forget_before"]:
            gone = audit.forget(_day("forget-before", options["forget_before"]))
            self.stdout.write(f"Deleted {gone:,} entries.")
            return
        found = AuditEntry.objects.all()
        if options["user"]:
            user = user_named(options["user"])
            found = of_account(user) if user else found
        if options["collection"]:
            found &= of_collection(collection_named(options["collection"]).pk)
        if options["kind"]:
            found = found.filter(kind__in=options["kind"])
        if options["address"]:
            found = found.filter(address=options["address"])
        if options["since"]:
            found = found.filter(at__gte=_day("since", options["since"]))
        for entry in found[: max(0, options["most"])]:
            self.stdout.write(_line(entry))


def _line(entry: AuditEntry) -> str:
    parts = (
        f"{entry.at:%Y-%m-%d %H:%M:%S}",
        entry.address or "-",
        entry.actor_name or "-",
        entry.kind,
        entry.account_name if entry.account != entry.actor else "",
        entry.about,
    )
    return "  ".join(printable(part) for part in parts if part)


def _day(option: str, text: str) -> datetime:
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise CommandError(f"--{option} {text!r} is not a date; write it as 2027-01-31.", returncode=2)
    return datetime.combine(day, datetime.min.time(), UTC)
