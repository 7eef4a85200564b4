"""The blocks of code in a document, in their order."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^(?P<indent> *)```(?P<info>[^\n]*)\n(?P<code>.*?)^ *```$", re.DOTALL | re.MULTILINE)
_NOT_RUN = re.compile(r'not-run="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its language, why it is not run (or nothing), the line it begins on, and what stands in it."""

    language: str
    not_run: str
    line: int
    code: str

    @property
    def commands(self) -> list[list[str]]:
        """The commands of a shell block, as their arguments; comments and prompts are left out."""
        lines = re.sub(r"\\\n", " ", self.code).splitlines()
        found = (shlex.split(line.removeprefix("$ "), comments=True) for line in lines)
        return [words for words in found if words]


def blocks(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    return [
        Block(
            found["info"].split(" ")[0],
            (_NOT_RUN.search(found["info"]) or ("", ""))[1],
            text[: found.start()].count("\n") + 1,
            found["code"],
        )
        for found in _BLOCK.finditer(text)
    ]
