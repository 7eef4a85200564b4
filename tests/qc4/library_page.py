"""Run the examples of docs/users/library.md and compare their output with that shown on the page.

This is a separate program, so that it also runs with only the library installed: ``python library_page.py library.md``
prints how many examples it ran.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"^```python(?: needs=(\w+))?\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


class Example(NamedTuple):
    """A block of code, the module it needs besides the library, and its expected output (… matches anything)."""

    needs: str
    code: str
    promised: str

    def is_matched_by(self, printed: str) -> bool:
        promise = ".*?".join(map(re.escape, self.promised.strip().split("…")))
        return re.fullmatch(promise, printed, re.DOTALL) is not None


def examples(page: Path) -> list[Example]:
    return [Example(*(part or "" for part in found)) for found in BLOCK.findall(page.read_text(encoding="utf-8"))]


def printed_by(code: str, names: dict[str, object]) -> str:
    """Return a block's output without trailing spaces. Its names are available to the next block."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "library.md", "exec"), names)
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


def run(page: Path) -> int:
    """Run all examples that can run here, in order, and return their number."""
    names: dict[str, object] = {}
    possible = [example for example in examples(page) if not example.needs or find_spec(example.needs)]
    for example in possible:
        found = printed_by(example.code, names)
        assert example.is_matched_by(found), f"{example.code}prints\n{found}\nand not\n{example.promised}"
    return len(possible)


if __name__ == "__main__":
    print(run(Path(sys.argv[1])))
