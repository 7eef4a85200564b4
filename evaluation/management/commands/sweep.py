"""``manage.py sweep``: one sweep by hand; web and worker processes do it by themselves."""

from __future__ import annotations

from typing import Any

from accounts.console import SiteCommand
from work.background import sweep, tidy


class Command(SiteCommand):
    """Requeue or fail what waits for it, once."""

    help = "Give every run that got stuck its exit, and remove evaluations that nothing refers to."

    def handle(self, *args: Any, **options: Any) -> None:
        done = sweep()
        done["tidied"] = tidy()
        changes = [f"{number} {what.replace('_', ' ')}" for what, number in done.items() if number]
        self.stdout.write(", ".join(changes) or "Nothing to do.")
