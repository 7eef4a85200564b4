"""Check files of collections, and queue their import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from accounts.models import User
from annotations.collections.services import clean_metadata, metadata_problems, name_problems
from annotations.imports.services import PreparedImport, prepare_documents
from common.file_reading import read_sent
from evaluation.models import Run, Upload
from evaluation.runs import services as runs
from qc4.io import read_collection
from qc4.io.source import FileSource
from qc4.model.gold_document import Completion
from qc4.model.rules import COMPLETED
from qc4.problems import InputError, Problem, SeverityMixin
from qc4.text import HTML_ENTITIES
from qc4.wording import counted

Progress = Callable[[int, int, str], None]
COMPLETIONS: tuple[Completion, ...] = ("strict", "complete")


@dataclass(frozen=True, slots=True)
class Report(SeverityMixin):
    """The checker's report on a collection's file. ``prepared`` is None if and only if there are ``errors``.

    ``name`` comes from the file; ``notes`` list omitted or surprising content. ``text_warnings`` are the reader's
    warnings about texts, which are also among ``problems``.
    """

    problems: tuple[Problem, ...]
    name: str = ""
    notes: tuple[str, ...] = ()
    prepared: PreparedImport | None = None
    text_warnings: tuple[Problem, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of queries, pages, gold standards, topics and outliers; all 0 for a rejected file."""
        documents = self.prepared.documents if self.prepared else ()
        hierarchies = [gold.hierarchy for gold in self.prepared.golds.values()] if self.prepared else []
        return {
            "queries": len(documents),
            "pages": sum(len(document.pages) for document in documents),
            "golds": len(hierarchies),
            "topics": sum(hierarchy.n_topics for hierarchy in hierarchies),
            "outliers": sum(int(hierarchy.outliers.size) for hierarchy in hierarchies),
        }

    @property
    def summary(self) -> str:
        """The counts as text."""
        counts = self.counts
        return (
            f"{counted(counts['queries'], 'query', 'queries')}, {counted(counts['pages'], 'page')} and "
            f"{counted(counts['golds'], 'gold standard')} "
            f"({counted(counts['topics'], 'topic')}, {counted(counts['outliers'], 'outlier')})"
        )


def check(
    source: FileSource,
    *,
    filename: str | None = None,
    completion: str = "strict",
    split_levels: str | None = None,
    html_entities: str = "auto",
    progress: Progress | None = None,
) -> Report:
    """Read a collection in any format and check it against the rules. Writes nothing and does not raise for bad input.

    Args:
        html_entities: how HTML entities are treated, as in `qc4.io.read_collection`.
    """
    if completion not in COMPLETIONS:
        expected = f"one of {', '.join(COMPLETIONS)}"
        return Report((Problem("unknown-completion", "completion", repr(completion), expected),))
    try:
        found = read_sent(read_collection, source, split_levels or None, html_entities=html_entities, name=filename)
    except InputError as error:
        return Report(error.problems)
    prepared = prepare_documents(found.documents, completion, progress)
    refused = bool(prepared.problems.errors)
    problems = (*prepared.problems, *found.warnings)
    notes = (*found.notes, *(f"{warning.found}. {warning.fix}" for warning in found.warnings))
    return Report(problems, found.name, notes, None if refused else prepared, found.warnings)


def completable(problems: Iterable[Problem]) -> bool:
    """True if the rule ``complete`` solves all of these problems."""
    codes = {problem.code for problem in problems if problem.severity == "error"}
    return bool(codes) and codes <= COMPLETED


def enqueue(
    *,
    upload: Upload,
    name: str,
    completion: str = "strict",
    split_levels: str | None = None,
    html_entities: str = "auto",
    public: bool = False,
    description: str = "",
    face: Mapping[str, str] | None = None,
    participation: str = "",
    plain_address: bool = False,
    user: User | None = None,
) -> Run:
    """Queue the import of an upload into a new collection. The collection's details are those of `create_collection`.

    Args:
        plain_address: use the collection's name in its URL even if it is private; for operators, who see every name
            anyway.

    Raises:
        InputError: the name is taken or empty, the completion rule is unknown, or the collection's details (by the
            names of ``Collection.FACE``) are invalid.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    problems = [*name_problems(name, user), *metadata_problems(face or {})]
    if completion not in COMPLETIONS:
        expected = f"one of {', '.join(COMPLETIONS)}"
        problems.append(Problem("unknown-completion", "completion", repr(completion), expected))
    if html_entities not in HTML_ENTITIES:
        expected = f"one of {', '.join(HTML_ENTITIES)}"
        problems.append(Problem("unknown-choice", "html_entities", repr(html_entities), expected))
    if problems:
        raise InputError(problems)
    options: dict[str, object] = {
        "name": name.strip(),
        "completion": completion,
        "split_levels": split_levels or "",
        "html_entities": html_entities,
        "public": public,
    }
    # Only options that were given are stored, because a run's options are shown.
    said = {"description": description, "participation": participation, **clean_metadata(face or {})}
    options |= {key: text for key, text in said.items() if text}
    if plain_address:
        options["plain_address"] = True
    return runs.enqueue(Run(kind=Run.Kind.IMPORT, upload=upload, options=options), user)
