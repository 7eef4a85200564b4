"""Where the links of a document lead on the site: to documents and pages, never to a file nobody can open here."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from django.urls import Resolver404, resolve, reverse
from markdown_it.token import Token

_HERE = "docs/users"
_EXAMPLES = f"{_HERE}/examples"
_SERVED = {"docs/api/openapi.yaml": "api:schema"}
"""Files of the project that have an address of their own."""
_ADDRESS = re.compile(r"/(?:[\w.\-]+/)*[\w.\-]*")


def rewrite(tokens: list[Token], documents: frozenset[str]) -> None:
    """Give every link its address on the site; addresses of pages that stand as code become links, too."""
    for token in tokens:
        if token.type == "inline":
            token.children = list(_rewritten(token.children or [], documents))


def target(href: str, documents: frozenset[str]) -> str | None:
    """The address of a link on the site; None where it leads to a file of the project that the site does not show."""
    if href.startswith(("http://", "https://", "#")):
        return href
    path, _, anchor = href.partition("#")
    file = posixpath.normpath(posixpath.join(_HERE, path))
    folder, name = posixpath.split(file)
    if folder == _HERE and name.removesuffix(".md") in documents:
        return reverse("document", args=[name.removesuffix(".md")]) + (f"#{anchor}" if anchor else "")
    if folder == _EXAMPLES:
        return reverse("docs-example", args=[name])
    return reverse(_SERVED[file]) if file in _SERVED else None


def _rewritten(children: list[Token], documents: frozenset[str]) -> Iterator[Token]:
    within, missing = False, ""
    for child in children:
        if child.type == "link_open":
            href = str(child.attrGet("href"))
            address = target(href, documents)
            within, missing = True, "" if address else posixpath.normpath(posixpath.join(_HERE, href.partition("#")[0]))
            if address:
                child.attrSet("href", address)
                yield child
        elif child.type == "link_close":
            if missing:
                yield Token("text", "", 0, content=f" ({missing} in the project’s folder)")
            else:
                yield child
            within = False
        elif child.type == "code_inline" and not within and _is_page(child.content):
            yield Token("link_open", "a", 1, attrs={"href": child.content})
            yield child
            yield Token("link_close", "a", -1)
        else:
            yield child


def _is_page(words: str) -> bool:
    """Whether a piece of code is the address of a page anybody may ask for, such as ``/measures/``."""
    if words == "/" or not _ADDRESS.fullmatch(words):
        return False
    try:
        found = resolve(words)
    except Resolver404:
        return False
    return not found.kwargs
