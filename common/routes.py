"""Declare a page or an endpoint: its URL, and everything else the site must know about it, in one place.

`page` and `endpoint` take the place of `django.urls.path` in the URL modules of the site. What they declare is looked
up by the name of the URL with `declared`: the middleware that limits bodies, requests and slow work, the permission
that checks the scopes of tokens, and the help link at the head of a page all read it from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from django.http import HttpResponseBase
from django.urls import ResolverMatch, URLPattern, get_resolver, path

API = "api"
"""The namespace of endpoints."""


class Help(NamedTuple):
    """A section of the documentation: the document, the anchor of a heading ("" for its top), and the link text."""

    document: str
    anchor: str
    text: str


class Body(NamedTuple):
    """The request body that a URL accepts.

    Attributes:
        max_bytes: the size of the whole body.
        files: True if the body may be a form with files (``multipart/form-data``).
    """

    max_bytes: int
    files: bool = False


class Cost(Enum):
    """What a request does beyond reading a few rows. It decides how often and how many at once may do so."""

    PLAIN = "reads a few rows"
    COMPUTES = "computes its response, or sends a whole stored document"
    COMPUTES_IN_BACKGROUND = "computes while a person works on the page that sends the request by itself"
    ANSWERS = "looks up answers that workers compute"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What is declared about one URL.

    Attributes:
        help: the section that explains the page, or a sentence that says why none is needed.
        body: the body it accepts; None if a few fields are enough.
        cost: what a GET request of it costs.
        scope: the token scope that other methods than GET need; None for URLs that only support GET.
        scopes: methods that need another scope.
        person_only: True if no token is enough, because one that leaks could be used to take the account over.
    """

    help: Help | str = ""
    body: Body | None = None
    cost: Cost = Cost.PLAIN
    scope: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict)
    person_only: bool = False


PLAIN = Declaration()
"""What holds for a URL without a declaration, such as one of Django's admin site."""
_DECLARED: dict[str, Declaration] = {}


def page(
    route: str,
    view: Callable[..., HttpResponseBase],
    kwargs: dict[str, Any] | None = None,
    *,
    name: str,
    help: Help | str = "",
    body: Body | None = None,
    cost: Cost = Cost.PLAIN,
) -> URLPattern:
    """Return the URL pattern of a page, a file or a form's target. See `Declaration` for the arguments."""
    _DECLARED[name] = Declaration(help=help, body=body, cost=cost)
    return path(route, view, kwargs, name)


def endpoint(
    route: str,
    view: Callable[..., HttpResponseBase],
    *,
    name: str,
    help: Help | str = "",
    scope: str | None = None,
    scopes: Mapping[str, str] | None = None,
    person_only: bool = False,
    body: Body | None = None,
    cost: Cost = Cost.PLAIN,
) -> URLPattern:
    """Return the URL pattern of an endpoint of the API. See `Declaration` for the arguments."""
    _DECLARED[f"{API}:{name}"] = Declaration(
        help=help, scope=scope, scopes=scopes or {}, person_only=person_only, body=body, cost=cost
    )
    return path(route, view, name=name)


def declared() -> Mapping[str, Declaration]:
    """Return all declarations by the full name of their URL, such as "compare" and "api:compare"."""
    get_resolver().url_patterns  # noqa: B018  # loads the modules that declare them
    return _DECLARED


def declaration_of(match: ResolverMatch | None) -> Declaration:
    """Return the declaration of the URL that a request matched."""
    return declared().get(match.view_name, PLAIN) if match else PLAIN
