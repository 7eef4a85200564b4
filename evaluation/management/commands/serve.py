"""``manage.py serve``: the whole site with one command."""

from __future__ import annotations

import fcntl
import hashlib
import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from accounts.models import User
from accounts.vouchers import SignUp, sign_up
from evaluation.console import user_named
from evaluation.management.commands.work import add_pool_argument, tell_private
from evaluation.management.database import wait_for_database
from evaluation.management.listening import Listening
from evaluation.services import demo
from work.supervisor import Program, Supervisor


class Command(BaseCommand):
    """Database up to date, static files, web server and worker; restarts what dies; ends on Ctrl-C."""

    help = "Start the web server and a worker, keep them running, and say where the site is."
    _announced = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-worker", action="store_true", help="web server only; workers run elsewhere")
        add_pool_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        listening = Listening.configured()
        listening.refuse_taken()
        tell_private(self._say)
        wait_for_database(self._say)
        call_command("migrate", verbosity=0)
        if not settings.DEBUG:
            self._collect_static()
        account = _how_to_log_in()
        connections.close_all()
        children = [Program("web", [sys.executable, "-m", "qc4site.web"], self._say)]
        if not options["no_worker"]:
            work = [sys.executable, sys.argv[0], "work", "--workers", str(options["workers"]), "--verbosity", "0"]
            children.append(Program("worker", work, self._say))
        Supervisor(children, partial(self._announce_once, listening, account)).run()
        self._say("Stopped.")

    def _announce_once(self, listening: Listening, account: str) -> None:
        if not self._announced and listening.answers():
            self._announced = True
            self._say(f"\n  QC4 Bench is ready at {listening.url}\n  {account}\n  Stop it with Ctrl-C.\n")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _collect_static(self) -> None:
        """Collect static files if one has changed, because compressing them takes longer than the rest of the start.

        Instances that start at the same time take turns.
        """
        stamp = Path(settings.STATIC_ROOT) / ".collected"
        state = _static_state()
        with (settings.DATA_DIR / "static.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not stamp.is_file() or stamp.read_text() != state:
                self._say("Collecting static files ...")
                call_command("collectstatic", interactive=False, verbosity=0)
                stamp.write_text(state)


def _how_to_log_in() -> str:
    """Which account to use, if that is clear, and where its password comes from: only its hash is kept."""
    account = User.objects.filter(username=demo.OWNER, is_active=True).first() or user_named(None)
    if account is not None:
        return (
            f"Sign in as {account.username} with the password printed when the account was made.\n"
            f"  Forgotten? .venv/bin/python manage.py changepassword {account.username}"
        )
    if User.objects.exists():
        return "Forgotten a password? .venv/bin/python manage.py changepassword NAME"
    if sign_up() == SignUp.OPEN:
        return "There is no account yet: sign up there."
    return "There is no account yet: .venv/bin/python manage.py ensure_user NAME makes one."


def _static_state() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            digest.update(f"{name}\t{found.st_size}\t{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
