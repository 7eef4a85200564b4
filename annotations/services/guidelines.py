"""A collection's guidelines: written in Markdown, kept in versions, shown as harmless HTML.

markdown-it-py renders with raw HTML and pictures off; nh3 then keeps a short list of elements and only http(s) links.
Either alone would do; two different programs must fail before a reader runs a writer's script.
"""

from __future__ import annotations

from functools import lru_cache

import nh3
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotations.models import Collection, GuidelinesVersion
from qc4.problems import InputError, Problem

MOST_CHARS = 50_000
_BELOW = 2
"""The page has the first heading and its panel the second; those of the text start on the third level."""
_LOWEST = 6
_ELEMENTS = {
    *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_DROPPED_WITH_CONTENT = {"script", "style"}


class NewerVersionError(InputError):
    """Somebody else saved guidelines since this text was opened."""

    def __init__(self, latest: GuidelinesVersion, base: int) -> None:
        self.latest = latest
        who = latest.created_by.get_username() if latest.created_by else "the site"
        fix = "Take over what changed there, then save again on top of it."
        found = f"version {base}, but {who} saved version {latest.number} meanwhile"
        super().__init__([Problem("newer-version", "guidelines", found, f"version {latest.number}", fix)])


def latest(collection: Collection) -> GuidelinesVersion | None:
    """The version that counts; None while nobody wrote one."""
    return collection.guidelines.select_related("created_by").order_by("-number").first()


def save(*, collection: Collection, text: str, base: int, user: User | None) -> GuidelinesVersion:
    """Keep a new version; the latest one where the text is the same.

    Args:
        base: the number of the version that was edited, 0 for none.

    Raises:
        InputError: the text is too long.
        NewerVersionError: the base is not the latest version.
    """
    text = text.replace("\r\n", "\n").strip()
    if len(text) > MOST_CHARS:
        fix = "Keep what curators must decide; put the rest on a page of its own and link to it."
        expected = f"at most {MOST_CHARS:,} characters"
        raise InputError([Problem("too-long", "text", f"{len(text):,} characters", expected, fix)])
    with transaction.atomic():
        # Whoever saves next waits here, so that numbers have no gaps and nobody's version is passed over.
        Collection.objects.select_for_update().get(pk=collection.pk)
        current = latest(collection)
        if current is not None and current.text == text:
            return current
        if current is not None and current.number != base:
            raise NewerVersionError(current, base)
        number = current.number + 1 if current else 1
        return collection.guidelines.create(number=number, text=text, created_by=user)


@lru_cache(maxsize=64)
def rendered(text: str) -> SafeString:
    """Markdown as HTML that cannot do anything: no scripts, no pictures, links to http(s) only, with ``rel``.

    Kept, because a text of nothing but brackets takes seconds, and every reader would wait for it.
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + _BELOW, _LOWEST)}"
    cleaned = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=_ELEMENTS,
        attributes=_ATTRIBUTES,
        clean_content_tags=_DROPPED_WITH_CONTENT,
        url_schemes={"http", "https"},
        url_relative="deny",
        link_rel="noopener noreferrer",
    )
    return mark_safe(cleaned)  # noqa: S308 - nh3 let through nothing but the list above


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
