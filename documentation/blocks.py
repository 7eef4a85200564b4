"""How the blocks of a document look on the site: tables that scroll in themselves, code with a button to copy it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.html import escape
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

_PROMPT = "$ "


class HtmlBlocks(RendererHTML):
    """The renderer of markdown-it-py with the site's tables, headings and blocks of code."""

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        heads = []
        for place in range(idx, len(tokens)):
            if tokens[place].type == "thead_close":
                break
            if tokens[place].type == "inline":
                heads.append(tokens[place].content.replace("`", ""))
        label = ", ".join(filter(None, heads)) or "Table"
        frame = f'<div class="scroll whole" role="group" aria-label="{escape(label)}" tabindex="0">'
        return f'{frame}<table class="data">\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        return "</table></div>\n"

    def heading_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """A link to the heading itself stands after its words."""
        anchor, words = tokens[idx - 2].attrGet("id"), tokens[idx - 1].content.replace("`", "")
        link = f' <a class="to-heading" href="#{escape(anchor)}" aria-label="Link to “{escape(words)}”">#</a>'
        return f"{link}</{tokens[idx].tag}>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """Prompts are drawn and not written, so that nobody copies them."""
        lines = tokens[idx].content.rstrip("\n").split("\n")
        shown = "\n".join(_line(line) for line in lines)
        name = f"code-{idx}"
        kind = tokens[idx].info.split(" ")[0]
        label = {"text": "What is printed", "": "Example", "sh": "Shell", "bash": "Shell"}.get(kind, kind.capitalize())
        button = f'<button type="button" class="btn btn-quiet copy" data-copy="{name}" hidden>Copy</button>'
        if kind == "text":  # what is printed, and nothing to run
            button = ""
        return (
            f'<div class="code">{button}<pre tabindex="0" role="group" aria-label="{escape(label)}">'
            f'<code id="{name}">{shown}</code></pre></div>\n'
        )


def _line(line: str) -> str:
    if line.startswith(_PROMPT):
        return f'<span class="prompt">{escape(line.removeprefix(_PROMPT))}</span>'
    return escape(line)
