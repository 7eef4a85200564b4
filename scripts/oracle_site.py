"""The part of the oracle that runs inside pytest: what the site answers, and what its commands and e-mails say.

`scripts/oracle.py` runs this file once for each part, named by ``ORACLE_PART``, and reads what it wrote to
``ORACLE_OUT``.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import os
import random
import re
import runpy
import sys
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.cache import caches
from django.core.management import get_commands, load_command_class
from django.db import connection, transaction
from django.template import Context, Engine
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from tests.fixtures import site as site_fixtures
from tests.whole_site.test_permissions import BODIES, LINES, Line, World, browser_of, built, opened, world

pytest_plugins = [site_fixtures.__name__]

__all__ = ["built", "world"]  # fixtures

PART = os.environ.get("ORACLE_PART", "private")
SENT: list[dict[str, Any]] = []
"""E-mails written since the list was last emptied."""
RECORD: dict[str, dict[str, Any]] = {}
REPLAY: dict[str, list[Any]] = {}
"""What the owner gets of each URL: status, content type and body, for a browser to load."""

HEADERS = (
    "Allow",
    "Cache-Control",
    "Content-Disposition",
    "Content-Security-Policy",
    "Content-Type",
    "Cross-Origin-Opener-Policy",
    "Deprecation",
    "HX-Redirect",
    "HX-Refresh",
    "HX-Trigger",
    "Link",
    "Location",
    "Permissions-Policy",
    "Referrer-Policy",
    "Retry-After",
    "Vary",
    "WWW-Authenticate",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "X-Robots-Tag",
)


def note(section: str, key: str, value: Any) -> None:
    RECORD.setdefault(section, {})[key] = value


@pytest.fixture(scope="module", autouse=True)
def _written() -> Iterator[None]:
    yield
    Path(os.environ["ORACLE_OUT"]).write_text(json.dumps({"record": RECORD, "replay": REPLAY}))


class Chance:
    """Stands for the operating system's random bytes: the same in each run, other ones for each request."""

    def __init__(self) -> None:
        self.begin("the world")

    def begin(self, name: str) -> None:
        self.source = random.Random(name)  # noqa: S311  # it is to be guessed
        random.seed(name)

    def __call__(self, count: int) -> bytes:
        return self.source.randbytes(count)


CHANCE = Chance()


@pytest.fixture(scope="module", autouse=True)
def _same_secrets() -> Iterator[None]:
    """Keys, tokens and ids are made of these bytes, however a module has imported what makes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", CHANCE)
        patch.setattr(random, "_urandom", CHANCE)
        yield


@pytest.fixture(autouse=True)
def _emails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record each e-mail where it is written: in a transaction that is rolled back, none is sent."""
    SENT.clear()
    written = mail.EmailMessage.__init__

    def record(self: mail.EmailMessage, *args: Any, **options: Any) -> None:
        written(self, *args, **options)
        SENT.append({"to": self.to, "subject": self.subject, "body": self.body, "headers": self.extra_headers})

    monkeypatch.setattr(mail.EmailMessage, "__init__", record)


# --- Answers to requests ----------------------------------------------------------------------------------------------


def roles_of(line: Line) -> Sequence[str]:
    """The owner, a visitor, an outsider; and somebody who gets the page, if the owner does not."""
    if line.method != "GET":
        allowed = [role for role, status in line.private.items() if status < 400]
        others = [role for role in allowed if role not in {"anonymous", "outsider", "owner"}]
        found = ["owner"] if "owner" in allowed or not others else others[-1:]
        return [*found, "anonymous"]
    statuses = line.private if PART == "private" else line.public
    found = ["owner", "anonymous", "outsider"]
    more = [role for role, status in statuses.items() if status < 300 and role not in found]
    return found if statuses["owner"] < 300 else [*found, *more[-1:]]


ASKED = tuple(line for line in LINES if (line.method == "GET") == (PART in {"private", "public"}))


@pytest.mark.skipif(PART == "rest", reason="another part")
@pytest.mark.parametrize("line", ASKED, ids=str)
def test_answers(world: World, line: Line) -> None:
    if PART == "public":
        opened(world)
    if PART == "changes":
        give_addresses()
    for role in roles_of(line):
        for each in caches.all():
            each.clear()
        SENT.clear()
        CHANCE.begin(f"{line} as {role}")
        browser = browser_of(world, role)
        with transaction.atomic():
            url = world.address(line.name, line.which)
            body = BODIES.get((line.method, line.name), dict)()
            with CaptureQueriesContext(connection) as queries:
                response = getattr(browser, line.method.lower())(url, **body)
                content = response.getvalue()
            transaction.set_rollback(True)
        key = f"{line} as {role}"
        note(f"answers {PART}", key, answer(response, content, len(queries)))
        if SENT:
            note("e-mails of requests", key, list(SENT))
        if role == "owner" and PART == "private":
            asked = response.request["PATH_INFO"] + ("?" + text if (text := response.request["QUERY_STRING"]) else "")
            kept = [response.status_code, response.headers.get("Content-Type", ""), base64.b64encode(content).decode()]
            REPLAY.setdefault(asked, kept)


def give_addresses() -> None:
    """Give everybody an e-mail address. All but the owner's are confirmed."""
    people = get_user_model()
    dates = [field.name for field in people._meta.get_fields() if re.search("email.*confirm", field.name)]
    for user in people.objects.all():
        facts = dict.fromkeys(dates, None if user.get_username() == "owner" else timezone.now())
        people.objects.filter(pk=user.pk).update(email=f"{user.get_username()}@example.org", **facts)


def shown(content: bytes) -> str:
    """A response as text: of an archive its members, of other bytes their checksum."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(f"{name}:\n{shown(archive.read(name))}" for name in archive.namelist())
    try:
        return content.decode()
    except UnicodeDecodeError:
        return f"{len(content)} bytes, {hashlib.sha256(content).hexdigest()}"


def answer(response: Any, content: bytes, queries: int) -> dict[str, Any]:
    return {
        "status": response.status_code,
        "queries": queries,
        "headers": {name: response.headers[name] for name in HEADERS if name in response.headers},
        "cookies": sorted(response.cookies),
        "body": shown(content),
    }


# --- What can be read without a request -------------------------------------------------------------------------------


def rest(test: Any) -> Any:
    return pytest.mark.skipif(PART != "rest", reason="another part")(test)


@rest
def test_urls() -> None:
    for name, pattern in urls(get_resolver().url_patterns, "", ""):
        RECORD.setdefault("URLs", {}).setdefault(name, []).append(pattern)


def urls(patterns: Sequence[Any], namespace: str, before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from urls(pattern.url_patterns, inner, here)
        elif isinstance(pattern, URLPattern):
            given = [f"{name}: {type(each).__name__}" for name, each in pattern.pattern.converters.items()]
            yield f"{namespace}{pattern.name}", f"{here} {', '.join(given)}".rstrip()


@rest
def test_email_templates() -> None:
    """Every text below the templates, with a name in brackets for each value that it shows."""
    folders = [str(folder) for template in settings.TEMPLATES for folder in template["DIRS"]]
    engine = Engine(
        dirs=folders,
        libraries=Engine.get_default().libraries,
        builtins=Engine.get_default().builtins,
        string_if_invalid="[%s]",
        autoescape=False,
    )
    for folder in map(Path, folders):
        for path in sorted(folder.rglob("*.txt"), key=lambda path: path.name):
            name = path.relative_to(folder).as_posix()
            text = engine.get_template(name).render(Context(autoescape=False))
            RECORD.setdefault("e-mail templates", {}).setdefault(path.name, []).append(text)


@rest
def test_management_commands() -> None:
    for name, app in sorted(get_commands().items()):
        command = load_command_class(app, name) if isinstance(app, str) else app
        for path, text in helps(command.create_parser("manage.py", name)):
            note("help", f"manage.py {' '.join((name, *path))}", text)


@rest
@pytest.mark.parametrize("module", ["qc4", "studies", "bench"])
def test_help(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[argparse.ArgumentParser] = []

    def parse(self: argparse.ArgumentParser, *_args: object, **_options: object) -> None:
        found.append(self)
        raise SystemExit

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    monkeypatch.setattr(argparse.ArgumentParser, "parse_known_args", parse)
    monkeypatch.setattr(sys, "argv", [module])
    warnings.simplefilter("ignore")  # it is loaded already, by tests; pytest takes this back
    with pytest.raises(SystemExit):
        runpy.run_module(module, run_name="__main__")
    for path, text in helps(found[0]):
        note("help", " ".join(("python -m", module, *path)), text)


def helps(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """The help of a command and of all its subcommands."""
    yield path, parser.format_help()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from helps(inner, (*path, name))
