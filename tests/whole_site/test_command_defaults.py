"""What is left out on the command line is what the form shows at first, and what the API takes: one table of all pairs.

A command that makes something by a form of the site stands in `PAIRS`; every option of both is compared.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import pytest
from django import forms
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand
from rest_framework.fields import empty
from rest_framework.serializers import Serializer

from annotations.collections.forms import CollectionSettingsForm
from annotations.models import Collection
from evaluation.baseline_runs.api import BaselineOptions
from evaluation.baseline_runs.forms import RunBaselines
from evaluation.collections.api import ImportOptions
from evaluation.imports.forms import ImportCollection
from evaluation.scoring.api import ScoreOptions
from evaluation.scoring.forms import Score
from evaluation.selection.api import SweepOptions
from evaluation.selection.forms import RunSweep
from evaluation.stream_settings import StreamSettings
from evaluation.streams.api import StreamBaselinesOptions, StreamOptions, StreamSubmissionOptions
from evaluation.streams.forms import RunStreamBaselines, SubmitStream, UploadStream
from evaluation.submissions.api import SubmissionOptions
from evaluation.submissions.forms import SubmitClusterings
from evaluation.vectors.api import TextOptions
from evaluation.vectors.forms import TextVectors

PAIRS: dict[str, tuple[type[forms.Form], type[Serializer[Any]]]] = {
    "import_collection": (ImportCollection, ImportOptions),
    "import_stream": (UploadStream, StreamOptions),
    "submit": (SubmitClusterings, SubmissionOptions),
    "submit_stream": (SubmitStream, StreamSubmissionOptions),
    "run_baselines": (RunBaselines, BaselineOptions),
    "run_stream_baselines": (RunStreamBaselines, StreamBaselinesOptions),
    "run_sweep": (RunSweep, SweepOptions),
    "score": (Score, ScoreOptions),
    "vectors": (TextVectors, TextOptions),
}
MAKE_NOTHING = {
    "audit_log",
    "challenge",
    "ensure_user",
    "export_scores",
    "load_demo",
    "migrate",
    "serve",
    "sweep",
    "verify",
    "work",
}
BY_OPERATORS = {
    *("administrator", "delete_account", "export_account", "password_link", "quota", "second_factor", "sign_out"),
    *("sign_up_link", "tokens"),
}
"""What they do for others; the account page does it for oneself."""
CALLED = {"publish": "published"}
"""Options of commands that forms call otherwise."""
OF_THE_SITE = {"user", "collection", "stream", "path", "submission", "from_text"}
"""Who is signed in, and what the page is about."""
SAID_OTHERWISE = {"file", "files", "filename", "horizon", "parameters"}
"""Files are arguments, ``last`` and ``decay`` choose the horizon, parameters stand in files or behind a baseline."""
COUNTS = {"last": StreamSettings().to_dict()["last"]}
"""What counts where nothing is said because it may be said in two ways: without ``decay`` the last so many points."""


def parser_of(command: str) -> ArgumentParser:
    return load_command_class(get_commands()[command], command).create_parser("manage.py", command)


def defaults(command: str) -> dict[str, Any]:
    """Every option of its own -> what counts where it is left out."""
    general = {action.dest for action in BaseCommand().create_parser("", "")._actions}
    own = [action for action in parser_of(command)._actions if action.dest not in general]
    return {CALLED.get(action.dest, action.dest): action.default for action in own}


def plain(value: object) -> object:
    """Numbers in a text field are a list elsewhere; nothing at all is said in several ways."""
    if isinstance(value, str) and value and value.replace(",", "").isdigit():
        return [int(part) for part in value.split(",")] if "," in value else int(value)
    if isinstance(value, tuple):
        return list(value)
    return None if value in ("", None, False, empty) else value


def test_every_command_that_makes_something_is_compared() -> None:
    ours = {name for name, app in get_commands().items() if app in {"accounts", "annotations", "evaluation"}}
    assert ours - MAKE_NOTHING - BY_OPERATORS == set(PAIRS)


@pytest.mark.parametrize("command", PAIRS)
def test_what_is_left_out_is_as_in_the_form_and_the_api(command: str) -> None:
    form, options = PAIRS[command]
    fields, asked = form().fields, options().fields
    wrong = {}
    for name, default in defaults(command).items():
        if name in OF_THE_SITE:
            continue
        said = {"command": plain(default) or COUNTS.get(name)}
        if name in fields:
            said["form"] = plain(fields[name].initial)
        if name in asked:
            said["API"] = plain(asked[name].default) or COUNTS.get(name)
        if len({str(value) for value in said.values()}) != 1:
            wrong[name] = said
    assert wrong == {}


@pytest.mark.parametrize("command", PAIRS)
def test_what_a_form_or_the_api_takes_is_an_option(command: str) -> None:
    form, options = PAIRS[command]
    taken = {name for name in (*form().fields, *options().fields) if "." not in name} - SAID_OTHERWISE
    assert taken - {name.removeprefix("about_") for name in defaults(command)} == set()


def test_new_collections_are_as_their_table_says() -> None:
    """What is left out of all three is not sent on: the column has the same default."""
    for name in (*Collection.FACE, "participation"):
        column = plain(Collection._meta.get_field(name).default)
        assert str(column) == str(plain(ImportCollection().fields[name].initial)), name
    # Whether curators are timed is decided where they are assigned.
    changed = set(CollectionSettingsForm().fields) - {"visibility", "timing"}
    assert changed <= set(ImportCollection().fields), "all that settings change"


@pytest.mark.parametrize("command", PAIRS)
def test_whose_it_is_can_be_said(command: str) -> None:
    assert "user" in defaults(command)
