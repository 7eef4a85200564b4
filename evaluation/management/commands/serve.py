"""``manage.py serve``: the whole site with one command."""

from __future__ import annotations

import errno
import hashlib
import http.client
import os
import socket
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from accounts.models import User
from accounts.vouchers import SignUp, sign_up
from evaluation.console import user_named
from evaluation.jobs.supervisor import Child, Supervisor
from evaluation.management.worker_child import add_pool_argument, tell_private, worker_child
from evaluation.services import demo

GUNICORN = ("gunicorn", "-c", str(Path(settings.BASE_DIR) / "deploy" / "gunicorn.conf.py"), "qc4site.wsgi:application")


class Command(BaseCommand):
    """Database up to date, static files, web server and worker; restarts what dies; ends on Ctrl-C."""

    help = "Start the web server and a worker, keep them running, and say where the site is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-worker", action="store_true", help="web server only; workers run elsewhere")
        add_pool_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = os.environ.get("HOST") or "127.0.0.1", int(os.environ.get("PORT") or 8000)
        _refuse_taken_port(host, port)
        tell_private(self._say)
        call_command("migrate", verbosity=0)
        if not settings.DEBUG:
            self._collect_static()
        account = _how_to_log_in()
        connections.close_all()
        children = [Child("web", [sys.executable, "-m", *GUNICORN], self._say)]
        if not options["no_worker"]:
            children.append(worker_child(self._say, name=f"port{port}", processes=options["workers"]))
        address = f"http://{'localhost' if host in {'127.0.0.1', '0.0.0.0'} else host}:{port}/"  # noqa: S104  # compared with, not bound to
        Supervisor(children, lambda: self._announce(port, address, account)).run()
        self._say("Stopped.")

    def _announce(self, port: int, address: str, account: str) -> bool:
        if not _answers(port):
            return False
        self._say(f"\n  QC4 Bench is ready at {address}\n  {account}\n  Stop it with Ctrl-C.\n")
        return True

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _collect_static(self) -> None:
        """Collect only when a file changed: compressing them takes longer than the rest of the start."""
        stamp = Path(settings.STATIC_ROOT) / ".collected"
        state = _static_state()
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


def _refuse_taken_port(host: str, port: int) -> None:
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            reason = "is in use by another program" if error.errno == errno.EADDRINUSE else f"cannot be used ({error})"
            raise CommandError(f"Port {port} on {host} {reason}. Choose another one: PORT={port + 1}") from None


def _answers(port: int) -> bool:
    web = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        web.request("GET", "/", headers={"Host": "localhost"})
        return web.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        web.close()
