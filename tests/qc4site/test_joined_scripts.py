"""Several modules become one script that does the same."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from common.joined_scripts import ScriptError, entries, in_order, joined
from tests.paths import ROOT
from tests.scripts.node import NODE

STATIC = ROOT / "static"
MODULES = {path.relative_to(STATIC).as_posix(): path.read_text() for path in (STATIC / "js").rglob("*.js")}

FILES = {
    "js/page.js": (
        'import { one as first, two } from "./parts/two.js";\nimport "./parts/loud.js";\n\nprint(first, two());\n'
    ),
    "js/parts/two.js": (
        'import { one } from "../one.js";\n\nconst name = "two";\n'
        "export function two() {\n  return `${name} ${one}`;\n}\nexport { one };\n"
    ),
    "js/parts/loud.js": 'import { Loud, name } from "../one.js";\n\nprint(new Loud().text, name);\n',
    "js/one.js": (
        'export const one = 1;\nconst name = "inside";\nexport { name as hidden };\n'
        'export class Loud {\n  text = "LOUD";\n}\n'
    ),
}


def output(script: str) -> list[str]:
    """Run the script as a module, and return the lines it prints."""
    code = f"const print = (...words) => console.log(...words);\n{script}"
    command = [NODE, "--input-type=module", "--eval", code]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def test_modules_run_in_the_order_of_a_browser_and_keep_their_own_names() -> None:
    files = FILES | {"js/parts/loud.js": FILES["js/parts/loud.js"].replace("Loud, name", "Loud, hidden as name")}
    assert in_order("js/page.js", files.__getitem__) == tuple(
        f"js/{name}.js" for name in ("one", "parts/two", "parts/loud", "page")
    )
    assert output(joined("js/page.js", files.__getitem__)) == ["LOUD inside", "1 two 1"]


def test_entries_import_others_and_are_imported_by_none() -> None:
    assert entries([*FILES, "js/alone.js"], (FILES | {"js/alone.js": "print(1);\n"}).__getitem__) == ("js/page.js",)


def test_a_circle_of_imports_is_named() -> None:
    files = {"js/a.js": 'import { b } from "./b.js";\n', "js/b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ScriptError, match=re.escape("in a circle: js/a.js -> js/b.js -> js/a.js.")):
        joined("js/a.js", files.__getitem__)


@pytest.mark.parametrize(
    "statement",
    [
        "export default function go() {}",
        "export let count = 0;",
        'export { one } from "./one.js";',
        'export * from "./one.js";',
        'import * as one from "./one.js";',
        'import one from "./one.js";',
        'const late = await import("./one.js");',
        "print(import.meta.url);",
    ],
)
def test_statements_that_cannot_be_joined_are_refused_with_their_module(statement: str) -> None:
    with pytest.raises(ScriptError, match=rf"js/a\.js: .*{re.escape(statement)}"):
        joined("js/a.js", {"js/a.js": f"{statement}\n", "js/one.js": FILES["js/one.js"]}.__getitem__)


def test_types_in_comments_may_name_modules() -> None:
    kind = 'import("./one.js").Loud'
    text = f"/** @param {{{kind}}} loud */\nfunction go(loud) {{}}\n/**\n * @type {{{kind}}}\n */\n"
    assert joined("js/a.js", {"js/a.js": text}.__getitem__).count(kind) == 2


@pytest.mark.parametrize("entry", entries(MODULES, MODULES.__getitem__))
def test_each_joined_script_of_the_site_is_valid(entry: str, tmp_path: Path) -> None:
    script = tmp_path / "joined.mjs"
    script.write_text(joined(entry, MODULES.__getitem__))
    checked = subprocess.run([NODE, "--check", script], stderr=subprocess.PIPE, text=True)
    assert checked.returncode == 0, checked.stderr


def test_two_scripts_of_one_page_share_no_module_that_holds_state() -> None:
    state = re.compile(r"^(?:let|var) |^const \w+ = new (?:Map|Set|WeakMap)\(\)", re.MULTILINE)
    for path in (ROOT / "templates").rglob("*.html"):
        needed = [
            set(in_order(entry, MODULES.__getitem__))
            for entry in re.findall(r"{% module_script '([^']+)' %}", path.read_text())
        ]
        for number, names in enumerate(needed):
            shared = names.intersection(*needed[:number]) if number else set()
            assert not [name for name in shared if state.search(MODULES[name])], path
