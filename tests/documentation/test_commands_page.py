"""docs/users/commands.md names every command and option, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import load_command_class
from django.core.management.base import BaseCommand

COMMANDS = {
    "import_collection": "evaluation",
    "submit": "evaluation",
    "score": "evaluation",
    "run_baselines": "evaluation",
    "run_sweep": "evaluation",
    "export_scores": "evaluation",
    "vectors": "evaluation",
    "load_demo": "evaluation",
    "ensure_user": "accounts",
    "tokens": "accounts",
    "audit_log": "evaluation",
}
PAGE = Path(settings.BASE_DIR) / "docs" / "users" / "commands.md"


@pytest.mark.parametrize("name", COMMANDS)
def test_options_and_arguments_are_documented(name: str) -> None:
    section = re.search(rf"^## `{name}\b(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    assert section is not None
    common = {option for action in BaseCommand().create_parser("x", "x")._actions for option in action.option_strings}
    parser = load_command_class(COMMANDS[name], name).create_parser("manage.py", name)
    options = {option for action in parser._actions for option in action.option_strings} - common
    assert set(re.findall(r"(?<!-)--[a-z][a-z0-9-]*", section[1])) == options
    for action in parser._actions:
        if not action.option_strings:
            assert action.dest.upper() in section[1]
