"""``manage.py serve``: the whole site with one command."""

from __future__ import annotations

import fcntl
import hashlib
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand

from accounts.models import User
from accounts.signup_policy import SignUp, sign_up
from evaluation.collections import demo
from evaluation.management.commands.work import add_pool_argument, tell_private
from evaluation.management.console import user_named
from evaluation.management.database import wait_for_database
from evaluation.management.listening import Listening
from qc4site import web
from work.sources import QUEUES
from work.supervisor import Child, Supervisor
from work.worker import run_worker
from work.workers import Pool

GRACE_SECONDS = 10.0
"""Seconds for responses that are being computed when the site is stopped."""


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
        site = Child("web", web.main, self._say, grace=GRACE_SECONDS)
        announce = partial(self._announce_once, listening, account)
        if options["no_worker"]:
            Supervisor([site], announce).run()
        else:
            run_worker(Pool(QUEUES, options["workers"]), self._say, other_children=[site], on_tick=announce)
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
