"""Every command and every program in docs/users runs as it stands, each block after the one before it.

`library.md` has a test of its own, which also holds what is printed (tests/qc4/test_library_page.py), as has all of
`scripts.md`, which talks to a server (tests/whole_site/test_api_main_job.py); examples of formats are read in
tests/qc4/io/test_documentation.py.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from qc4.cli import main
from qc4.io import page_lists, read_gold_document, read_submission
from studies.__main__ import main as run_study
from studies.behaviour import stored_study
from tests.documentation.code_blocks import Block, blocks
from tests.paths import DOCS, ROOT
from tests.samples.documents import saturn

USERS = DOCS / "users"
EXAMPLES = USERS / "examples"
DOCUMENTS = sorted(USERS.glob("*.md"))
PROGRAMS_ELSEWHERE = {"library.md", "scripts.md"}
MOST_NOT_RUN = 4
LANGUAGES = {"sh", "bash", "python", "json", "csv", "text"}

Run = Callable[[list[str]], None]


def of(language: str) -> list[Path]:
    return [path for path in DOCUMENTS if any(each.language == language and not each.not_run for each in blocks(path))]


def named(path: Path) -> str:
    return path.name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's folder as examples see it, with their files at hand."""
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "demo").symlink_to(ROOT / "demo")
    (tmp_path / "docs").symlink_to(DOCS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def demo(owner: User) -> Collection:
    """A collection of that name, with one small query."""
    return import_documents(documents=[saturn()], user=owner, name="Demo", slug="demo")


def run_command(words: list[str]) -> None:
    """Run ``qc4 …``, ``python -m studies …`` or ``manage.py …`` in this process; a refusal fails the test."""
    if words[0] == "qc4":
        assert main(words[1:]) == 0
    elif words[:3] == ["python", "-m", "qc4"]:
        assert main(words[3:]) == 0
    elif words[:3] == ["python", "-m", "studies"]:
        assert run_study(words[3:]) == 0
    elif words[:2] == [".venv/bin/python", "manage.py"]:
        call_command(words[2], *words[3:])
    else:
        raise AssertionError(f"no way to run {words[0]}")


@pytest.mark.parametrize("document", of("sh"), ids=named)
def test_its_commands_run(
    document: Path, folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its computing is tested by itself, and is what takes time here.
    monkeypatch.setattr("studies.behaviour.command.run_study", stored_study)
    commands = [words for block in shell(document) for words in block.commands]
    if any("manage.py" in words for words in commands):
        request.getfixturevalue("demo")
    for words in commands:
        run_command(words)


def shell(document: Path) -> list[Block]:
    return [block for block in blocks(document) if block.language == "sh" and not block.not_run]


@pytest.mark.parametrize("document", [path for path in of("python") if path.name not in PROGRAMS_ELSEWHERE], ids=named)
def test_its_programs_run(document: Path, folder: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(document):
        if block.language == "python" and not block.not_run:
            exec(compile("\n" * block.line + block.code, document.name, "exec"), names)


@pytest.mark.parametrize("document", of("json"), ids=named)
def test_what_is_said_to_be_json_is(document: Path) -> None:
    for block in blocks(document):
        if block.language == "json":
            assert all(map(json.loads, [block.code] if _is_one(block.code) else block.code.splitlines()))


def _is_one(text: str) -> bool:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    return True


def test_the_table_of_first_steps_is_a_submission() -> None:
    (table,) = (block.code for block in blocks(USERS / "first-steps.md") if block.language == "csv")
    pages = [{"id": f"p{number}"} for number in (1, 2, 3)]
    gold = {"format": "qc4-gold/1", "query": {"id": "jaguar"}, "pages": pages}
    submission = read_submission(table.encode(), page_lists([read_gold_document(gold)]))
    assert [len(found.clusters) for found in submission.clusterings] == [2]


def test_the_page_of_the_api_names_every_address_with_its_methods_and_no_other() -> None:
    schema = (DOCS / "api" / "openapi.yaml").read_text(encoding="utf-8")
    there = re.findall(r"^  /api/v1(/[^:\n]*):\n((?:(?:    .*)?\n)+)", schema, re.MULTILINE)
    methods = {path: re.findall(r"^    (\w+):", body, re.MULTILINE) for path, body in there if path != "/"}
    offered = [(path, method.upper()) for path, own in methods.items() for method in own]
    assert len(offered) > 100
    assert sorted(_told((USERS / "api.md").read_text(encoding="utf-8"))) == sorted(offered)


def _told(text: str) -> Iterator[tuple[str, str]]:
    """(address, method) of every line of the tables of addresses; "…" stands for a collection."""
    for table in re.findall(r"^\| address below .*\n((?:\|.*\n)+)", text, re.MULTILINE):
        for line in table.splitlines()[1:]:
            _, addresses, methods, *_ = line.replace("…", "/collections/{slug}").split("|")
            named, own = re.findall(r"`([^`]+)`", addresses), methods.split(";")
            for address, these in zip(named, own * len(named) if len(own) == 1 else own, strict=True):
                yield from ((address, method.strip()) for method in these.split(","))


def test_every_block_says_what_it_is_and_few_are_not_run() -> None:
    found = [(path.name, block) for path in DOCUMENTS for block in blocks(path)]
    assert {(name, block.line) for name, block in found if block.language not in LANGUAGES} == set()
    assert len([block for _, block in found if block.not_run]) <= MOST_NOT_RUN


def test_the_files_of_the_examples_are_described() -> None:
    text = (USERS / "examples.md").read_text(encoding="utf-8")
    assert {path.name for path in EXAMPLES.iterdir() if f"](examples/{path.name})" not in text} == set()
