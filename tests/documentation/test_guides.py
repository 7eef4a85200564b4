"""What the guides name is there: files, folders, names in the code, commands, links; and the map is whole."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

from common.joined_scripts import in_order
from tests.paths import DOCS, ROOT

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
SECURITY = ROOT / "SECURITY.md"
LAYOUT = DOCS / "developers" / "layout.md"
FOR_DEVELOPERS = sorted(
    [CONTRIBUTING, SECURITY, *(DOCS / "developers").glob("*.md"), *(DOCS / "decisions").glob("*.md")]
)
GUIDES = sorted([CONTRIBUTING, SECURITY, ROOT / "README.md", ROOT / "deploy" / "README.md", *DOCS.rglob("*.md")])
PACKAGES = ("qc4", "studies", "common", "accounts", "work", "annotations", "documentation", "evaluation", "qc4site")
NOT_OURS = {".venv", "node_modules", ".git", "var", "__pycache__"}
CODE = {".py", ".js", ".ts", ".html", ".css", ".json", ".toml", ".yaml"}

PATH = re.compile(r"[\w.\-]+(?:/[\w.\-]+)*(?:/|\.(?:py|md|html|txt|js|css|json|toml|yaml|in))")
DOTTED = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+")
IDENTIFIER = re.compile(r"([a-z]+_\w+|[A-Z][a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+|\w+(?=\(.*\)$))(?:\(.*\))?")

each_guide = pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
each_of_developers = pytest.mark.parametrize("guide", FOR_DEVELOPERS, ids=lambda path: path.name)


def spans(guide: Path) -> list[str]:
    """What stands in backticks, outside of blocks of code."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", guide.read_text(encoding="utf-8"), flags=re.DOTALL))


@cache
def files() -> tuple[Path, ...]:
    def below(folder: Path) -> Iterator[Path]:
        for path in folder.iterdir():
            if path.name not in NOT_OURS:
                yield path
                yield from below(path) if path.is_dir() else ()

    return tuple(below(ROOT))


@cache
def ends() -> frozenset[str]:
    """Every file and folder by every end of its path: `jobs/context.py` says enough where it stands."""
    ways = [path.relative_to(ROOT).parts for path in files()]
    return frozenset("/".join(way[start:]) for way in ways for start in range(len(way)))


@cache
def words() -> frozenset[str]:
    """Every word of the code, this test aside."""
    texts = [path for path in files() if path.suffix in CODE and path.is_file() and path != Path(__file__)]
    return frozenset(word for path in texts for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))


@each_of_developers
def test_files_and_folders_are_there(guide: Path) -> None:
    named = [span.rstrip("/") for span in spans(guide) if PATH.fullmatch(span)]
    assert [name for name in named if name not in ends()] == []


@each_of_developers
def test_names_stand_in_the_code(guide: Path) -> None:
    found = filter(None, map(IDENTIFIER.fullmatch, spans(guide)))
    assert [name[1] for name in found if name[1] not in words()] == []


@each_guide
def test_dotted_names_can_be_imported(guide: Path) -> None:
    assert [name for name in filter(DOTTED.fullmatch, spans(guide)) if not is_there(name)] == []


@each_guide
def test_links_lead_somewhere(guide: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)\s]+)", guide.read_text(encoding="utf-8"))
    assert [link for link in links if not leads_somewhere(guide, *link.partition("#")[::2])] == []


@each_guide
def test_commands_and_targets_exist(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"`make (\w+)", text) if f"\n{target}:" not in makefile]
    commands = [name for name in re.findall(r"manage\.py ([a-z]\w+)", text) if name not in get_commands()]
    assert targets + commands == []


def test_every_attack_of_the_table_has_its_tests() -> None:
    """Those that the table of SECURITY.md names are there; what each holds back is for them to say."""
    table = SECURITY.read_text(encoding="utf-8").partition("## Known attacks")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    named = [re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row) for row in rows]
    assert len(rows) > 10
    assert [row for row, tests in zip(rows, named, strict=True) if not tests] == []
    missing = [f"{file}::{name}" for tests in named for file, name in tests if not has_test(ROOT / file, name)]
    assert missing == []


def has_test(file: Path, name: str) -> bool:
    return file.is_file() and f"\ndef {name}(" in file.read_text(encoding="utf-8")


def test_the_map_shows_every_room_and_no_other() -> None:
    drawn = LAYOUT.read_text(encoding="utf-8").partition("```\n")[2].partition("```")[0]
    shown, package = set(), ""
    for line in drawn.splitlines():
        name = line.split()[0]
        package = package if line.startswith(" ") else name
        shown.add((package if line.startswith(" ") else "") + name)
    assert {name for name in shown if not (ROOT / name).exists()} == set()
    rooms = {f"{path.parent.relative_to(ROOT)}/" for each in PACKAGES for path in (ROOT / each).glob("*/__init__.py")}
    assert {room for room in rooms if not room.endswith("/migrations/")} - shown == set()


def test_the_map_shows_the_rooms_of_the_engine_in_the_order_of_their_imports() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(each["layers"] for each in contracts if each["name"] == "The rooms of the engine")
    drawn = re.findall(r"^  (\w+)/ ", LAYOUT.read_text(encoding="utf-8").partition("\nstudies/ ")[0], re.MULTILINE)
    height = {name: number for number, layer in enumerate(reversed(layers)) for name in layer.split(" | ")}
    assert [height[name] for name in drawn] == sorted(height[name] for name in drawn)


def is_there(name: str) -> bool:
    """Whether a dotted name is a module, or something a module or a class in it holds."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def leads_somewhere(guide: Path, path: str, heading: str) -> bool:
    target = guide.parent / path if path else guide
    if not heading or target.suffix != ".md":
        return target.exists()
    titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return heading in {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_pages_about_the_workspace_tell_of_every_module_once() -> None:
    guides = [DOCS / "developers" / f"curation-{part}.md" for part in ("scripts", "screen")]
    rows = re.findall(r"^\| (`.*?) \|", "\n".join(guide.read_text(encoding="utf-8") for guide in guides), re.MULTILINE)
    told = sorted(name for row in rows for name in re.findall(r"`([\w-]+)`", row))
    static = ROOT / "static"
    entries = ("workspace/workspace", "discussion/comments-page", "drafts/waiting-work")
    modules = {
        name for entry in entries for name in in_order(f"js/{entry}.js", lambda name: (static / name).read_text())
    }
    assert told == sorted(Path(name).stem for name in modules)
