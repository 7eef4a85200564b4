"""Join a JavaScript module and all modules it imports into one script.

In development the browser loads the modules as they are. When static files are collected, each page's script becomes
one file, so that a first visit needs one request for it instead of one per module.

Every module becomes a function that returns its exports, and the functions run in the order in which a browser would
run the modules. So each module keeps its own names, and nothing is renamed or parsed beyond its import and export
statements. Only statements that our modules use are supported: named imports and exports at the start of a line. Any
other kind raises `ScriptError`, and so does a circle of imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import (?:\{(?P<names>[^}]*)\} from )?"(?P<path>\.\.?/[^"]+)";\n', re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:async function|function|class|const) (?P<name>[\w$]+))", re.MULTILINE)
_LISTED = re.compile(r"^export \{(?P<names>[^}]*)\};\n", re.MULTILINE)
_STATEMENT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
# `import("…")` also names types in comments, where it does nothing.
_DYNAMIC = re.compile(r"^(?!\s*\*)(?!.*/[*/].*\bimport\b).*\bimport\s*[(.].*", re.MULTILINE)
_PREFIX = "joined_"

Read = Callable[[str], str]
"""Return the text of a static file by its name."""


class ScriptError(Exception):
    """A module that cannot be joined. The message names the module and the statement."""


def imports_of(name: str, text: str) -> tuple[str, ...]:
    """Return the names of the static files that a module imports itself, in the order of its import statements."""
    return tuple(dict.fromkeys(_absolute(name, found["path"]) for found in _IMPORT.finditer(text)))


def in_order(entry: str, read: Read) -> tuple[str, ...]:
    """Return the entry and all modules it needs in the order in which a browser runs them: imported modules first.

    Raises:
        ScriptError: if modules import each other in a circle.
    """
    found: dict[str, None] = {}

    def visit(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            circle = " -> ".join((*way[way.index(name) :], name))
            raise ScriptError(f"Modules import each other in a circle: {circle}.")
        if name in found:
            return
        for imported in imports_of(name, read(name)):
            visit(imported, (*way, name))
        found[name] = None

    visit(entry, ())
    return tuple(found)


def entries(names: Iterable[str], read: Read) -> tuple[str, ...]:
    """Return the modules that import others and that no other module imports: those that pages load."""
    imports = {name: imports_of(name, read(name)) for name in names}
    imported = {each for others in imports.values() for each in others}
    return tuple(name for name, others in imports.items() if others and name not in imported)


def joined_name(entry: str) -> str:
    """Return the name of the static file that holds the joined script of this entry."""
    return f"js/joined/{entry.removeprefix('js/')}"


def joined(entry: str, read: Read) -> str:
    """Return one script that does what the entry does with all modules it imports.

    Raises:
        ScriptError: if a module has a statement that cannot be joined, or if modules import each other in a circle.
    """
    names = in_order(entry, read)
    numbers = {name: number for number, name in enumerate(names)}
    parts = [_as_function(name, read(name), numbers) for name in names]
    return f"// {entry} and the modules it imports, joined when static files were collected.\n\n" + "\n".join(parts)


def _as_function(name: str, text: str, numbers: dict[str, int]) -> str:
    if _PREFIX in text:
        raise ScriptError(f"{name}: names that contain {_PREFIX} are reserved for joined scripts.")
    received = [
        f"const {{ {_renamed(found['names'], ': ')} }} = {_PREFIX}{numbers[_absolute(name, found['path'])]};"
        for found in _IMPORT.finditer(text)
        if found["names"]
    ]
    exported = [found["name"] for found in _DECLARED.finditer(text)]
    # `export { inside as outside }` is the property `outside: inside`.
    exported += [_swapped(each) for found in _LISTED.finditer(text) for each in _listed(found["names"])]
    for pattern in (_IMPORT, _DECLARED, _LISTED):
        text = pattern.sub("", text)
    for pattern in (_STATEMENT, _DYNAMIC):
        unknown = pattern.search(text)
        if unknown:
            raise ScriptError(f"{name}: cannot join the statement {unknown[0].strip()!r}.")
    lines = [f"// {name}", f"const {_PREFIX}{numbers[name]} = (() => {{", *received, text.strip("\n")]
    return "\n".join([*lines, f"return {{ {', '.join(exported)} }};", "})();", ""])


def _absolute(name: str, path: str) -> str:
    return normpath(join(dirname(name), path))


def _listed(names: str) -> list[str]:
    return [each.strip() for each in names.split(",") if each.strip()]


def _renamed(names: str, between: str) -> str:
    return ", ".join(re.sub(r"\s+as\s+", between, each) for each in _listed(names))


def _swapped(name: str) -> str:
    inside, _, outside = name.partition(" as ")
    return f"{outside.strip()}: {inside.strip()}" if outside else inside
