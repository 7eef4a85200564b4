"""``manage.py import_collection PATH --name NAME``: import queries, pages and gold standards from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from annotations.collections.forms import PARTICIPATION_WORDS, CollectionMetadataForm, ParticipationForm
from annotations.collections.services import metadata_problems, name_problems
from annotations.models import Collection
from evaluation.imports import services as imports
from evaluation.management.console import (
    Progress,
    add_user,
    carry_out,
    printable,
    refusals,
    refuse_unseen,
    tell_warnings,
    text_of,
    user_named,
)
from evaluation.uploads import services as uploads
from qc4.problems import InputError
from qc4.text import HTML_ENTITIES

FROM_FILE = "citation"
"""The field whose value is read from a file."""


class Command(SiteCommand):
    """Check the files first, and store all of them or nothing."""

    help = "Import a collection: a folder or ZIP in AMBIENT layout, qc4-gold/1, Carrot2, or a CSV/TSV page list."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--name", required=True, help="the name of the new collection")
        parser.add_argument(
            "--completion",
            choices=imports.COMPLETIONS,
            default="strict",
            help="pages in no topic: reject them (strict), or make them outliers and '(other)' subtopics (complete)",
        )
        parser.add_argument("--split-levels", metavar="SEP", help="split topic names into levels, e.g. '>'")
        parser.add_argument(
            "--html-entities",
            choices=HTML_ENTITIES,
            default="auto",
            help="'&amp;' and the like in names, titles, URLs and texts: auto decodes once in AMBIENT-like files and "
            "otherwise keeps them and warns (default: %(default)s)",
        )
        parser.add_argument("--description", default="", help="what the queries are and where they come from")
        for field, of in CollectionMetadataForm.base_fields.items():
            if field == FROM_FILE:
                parser.add_argument("--citation", type=Path, metavar="FILE", help="how to cite it: a BibTeX file")
            else:
                option = f"--{field.replace('_', '-')}"
                parser.add_argument(option, default="", metavar="TEXT", help=str(of.help_text))
        parser.add_argument("--public", action="store_true", help="everyone can read it")
        who = ParticipationForm.base_fields["participation"]
        choices = list(PARTICIPATION_WORDS)
        words = f"who can submit if it is public: {'; '.join(PARTICIPATION_WORDS.values())} (default {who.initial})"
        parser.add_argument("--participation", choices=choices, default=who.initial, help=words)
        add_user(parser, "its owner")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        user = user_named(options["user"])
        refuse_unseen(user, options["public"], "--public")
        face = {field: options[field] for field in Collection.FACE if options[field]}
        if FROM_FILE in face:
            face[FROM_FILE] = text_of(face[FROM_FILE])
        settings = {name: options[name] for name in ("completion", "split_levels", "html_entities")}
        with Progress("Checking") as progress:
            report = imports.check(path, **settings, progress=progress)
        with refusals(str(path)):
            if errors := [*name_problems(options["name"], user), *metadata_problems(face), *report.errors]:
                raise InputError(errors)
            tell_warnings(self, report.warnings)
            with uploads.deleted_on_error(uploads.store_path(path, user)) as upload:
                asked = {name: options[name] for name in ("name", "public", "description", "participation")}
                asked |= {**settings, "face": face}
                run = imports.enqueue(upload=upload, user=user, plain_address=True, **asked)
        collection = carry_out(run, "Importing").collection
        if collection is None:
            raise ValueError("a finished import has a collection")
        for note in collection.import_notes:
            self.stdout.write(printable(note))
        whose = f"Its owner is {user.get_username()}." if user else "It has no owner."
        self.stdout.write(f"Imported {report.summary} as {collection.slug!r}. {whose}")
