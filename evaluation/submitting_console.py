"""Options of commands that submit: who does it, who is to see it, and what is said of the algorithm.

These last are named as the fields of its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django import forms
from django.core.management.base import CommandParser

from evaluation.algorithm_forms import AboutAlgorithm
from evaluation.console import Missing, add_user, refuse_unseen, user_named
from evaluation.models import Submission
from evaluation.services.provenance import Provenance

FROM_FILE = "bibtex"
"""Said in a file."""


def _add_about(parser: CommandParser) -> None:
    """An option for each thing that may be said; what is left out stays as it is."""
    group = parser.add_argument_group("about the algorithm (what is left out stays as its page has it)")
    for name, field in AboutAlgorithm.base_fields.items():
        kind: Any = float if isinstance(field, forms.FloatField) else Path if name == FROM_FILE else str
        metavar = {float: "NUMBER", Path: "FILE", str: "TEXT"}[kind]
        group.add_argument(_option(name), dest=f"about_{name}", type=kind, metavar=metavar, help=str(field.help_text))


def add_provenance(parser: CommandParser) -> None:
    """The options that `provenance_given` reads."""
    _add_about(parser)
    parser.add_argument(
        "--publish",
        action="store_true",
        help="everybody who sees the collection sees it; by default you and its owners. In a challenge a participant's "
        "submission takes part in the final results in either case",
    )
    add_user(parser, "who submits")


def provenance_given(options: Mapping[str, Any]) -> Provenance:
    """What the options of `add_provenance` came to.

    Raises:
        Missing: nobody would see it; there is no such account; a file they name cannot be read.
    """
    user = user_named(options["user"])
    refuse_unseen(user, options["publish"], "--publish")
    about = _about_given(options)
    return Provenance(user, Submission.Origin.COMMAND, published=options["publish"], about=about)


def _about_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the options of `_add_about` say.

    Raises:
        Missing: the file with BibTeX cannot be read.
    """
    given = {name: options[f"about_{name}"] for name in AboutAlgorithm.base_fields}
    found = {name: value for name, value in given.items() if value is not None}
    if FROM_FILE in found:
        found[FROM_FILE] = text_of(found[FROM_FILE])
    return found


def text_of(path: Path) -> str:
    """What a small file says.

    Raises:
        Missing: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Missing(f"{path} cannot be read: {reason}.") from None


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
