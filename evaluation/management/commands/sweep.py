"""``manage.py sweep``: run the recovery task once; web and worker processes run it regularly."""

from __future__ import annotations

from typing import Any

from accounts.console import SiteCommand
from work.background import sweep, tidy


class Command(SiteCommand):
    """Recover stuck runs once: queue them again or mark them as failed."""

    help = "Recover every stuck run, and remove evaluations that nothing refers to."

    def handle(self, *args: Any, **options: Any) -> None:
        done = sweep()
        done["tidied"] = tidy()
        changes = [f"{number} {what.replace('_', ' ')}" for what, number in done.items() if number]
        self.stdout.write(", ".join(changes) or "Nothing to do.")
