"""The files of a page: its tables as CSV, one table as LaTeX, its pictures as SVG, and its content as JSON.

A page registers its files once, as `PageFiles`. This defines their URLs (the URL of the page plus ``.csv``, ``.json``,
``.tex`` or ``.svg``), the view that serves them, and the links to them on the page (the tag ``page_files``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict, StreamingHttpResponse
from django.urls import URLPattern, reverse
from django.views.decorators.http import require_safe

from common.downloads import attachment_headers
from common.parameters import one_option
from common.routes import Cost, page
from qc4.tables import Table, as_latex, csv_lines

Found = TypeVar("Found")
KINDS = {
    "csv": ("CSV", "text/csv; charset=utf-8"),
    "json": ("JSON", "application/json"),
    "tex": ("LaTeX", "application/x-tex; charset=utf-8"),
    "svg": ("SVG", "image/svg+xml"),
}
"""Suffix -> label of links and content type, in the order of links."""


@dataclass(frozen=True, kw_only=True)
class PageFiles(Generic[Found]):
    """The files of a page.

    Attributes:
        name: the URL name of the page. The URL names of its files are "name-csv" and so on.
        route: the route of the page, without its final slash.
        read: a function that takes the request and the arguments of the URL, checks access, and returns the content
            that all files show.
        tables: name -> function that returns a table in full precision, or CSV. The first one is the default.
        latex_table: a function that returns the table for LaTeX, rounded as on the page.
        pictures: name -> function that returns SVG. The first one is the default.
        file_name: the file name without a suffix: a format string over the arguments of the URL and ``found``. The
            default is the key of the collection and the last part of the route.
        has_json: True if there is a JSON file.
        json: a function with the arguments of ``read`` that returns the JSON content as an object or as pieces of a
            document. The default is ``to_dict()`` of the result of ``read``.
        permalink: a function that returns a URL whose content never changes, for a comment in the LaTeX file.
        labels: "name.suffix" -> label of the links to tables and pictures that are not the default.
        picture_option: the query parameter that selects a picture.
        names_default: True if the file name contains the name of the table or picture even if it is the default.
        saves_json: True if browsers save the JSON file; otherwise they show it.
        streams: True if CSV is sent while it is being written.
        signed_in: True if only signed-in people can download the files.
    """

    name: str
    route: str
    read: Callable[..., Found]
    tables: Mapping[str, Callable[[Found], Table | str]] = field(default_factory=dict)
    latex_table: Callable[[Found], Table] | None = None
    pictures: Mapping[str, Callable[[Found], str]] = field(default_factory=dict)
    file_name: str = ""
    has_json: bool = True
    json: Callable[..., dict[str, Any] | Iterator[str] | bytes] | None = None
    permalink: Callable[[Found], str] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    picture_option: str = "picture"
    names_default: bool = False
    saves_json: bool = False
    streams: bool = False
    signed_in: bool = False
    cost: Cost = Cost.PLAIN

    def stem(self, found: Found, url_args: Mapping[str, object]) -> str:
        """Return the file name without a suffix."""
        name = self.file_name or f"{{slug}}-{self.route.rpartition('/')[2]}"
        return name.format(found=found, **url_args)

    @property
    def suffixes(self) -> list[str]:
        has = {"csv": self.tables, "json": self.has_json, "tex": self.latex_table, "svg": self.pictures}
        return [suffix for suffix in KINDS if has[suffix]]

    def paths(self) -> list[URLPattern]:
        """Register the files and return their URL patterns."""
        _REGISTERED[self.name] = self
        view = login_required(page_file) if self.signed_in else page_file
        return [
            page(
                f"{self.route}.{suffix}",
                view,
                {"files": self, "suffix": suffix},
                name=f"{self.name}-{suffix}",
                cost=self.cost,
            )
            for suffix in self.suffixes
        ]

    def option(self, suffix: str) -> tuple[str, Mapping[str, Callable[[Found], Table | str]]]:
        """Return the query parameter that selects a table or picture, and the tables or pictures by name."""
        if suffix == "csv":
            return "table", self.tables
        return self.picture_option, self.pictures if suffix == "svg" else {}


_REGISTERED: dict[str, PageFiles[Any]] = {}


@require_safe
def page_file(request: HttpRequest, files: PageFiles[Any], suffix: str, **url_args: Any) -> HttpResponseBase:
    """Serve a file of a page. An invalid option is rejected before anything is computed."""
    if suffix == "json":
        return _json(request, files, url_args)
    option, parts = files.option(suffix)
    part = one_option(request.GET, option, parts) if parts else ""
    found = files.read(request, **url_args)
    stem = files.stem(found, url_args)
    if part and (files.names_default or part != next(iter(parts))):
        stem += f"-{part.lower()}"
    if suffix == "tex" and files.latex_table:
        source = request.build_absolute_uri(files.permalink(found)) if files.permalink else ""
        content: Table | str = as_latex(files.latex_table(found), stem, source)
    else:
        content = parts[part](found)
    lines = csv_lines(content) if isinstance(content, Table) else content
    respond = StreamingHttpResponse if files.streams else HttpResponse
    return respond(lines, content_type=KINDS[suffix][1], headers=attachment_headers(f"{stem}.{suffix}"))


def _json(request: HttpRequest, files: PageFiles[Any], url_args: Mapping[str, Any]) -> HttpResponseBase:
    found: Any = None if files.json else files.read(request, **url_args)
    document = files.json(request, **url_args) if files.json else found.to_dict()
    headers = attachment_headers(f"{files.stem(found, url_args)}.json") if files.saves_json else {}
    if isinstance(document, dict):
        return JsonResponse(document, headers=headers)
    respond = HttpResponse if isinstance(document, bytes) else StreamingHttpResponse
    return respond(document, content_type=KINDS["json"][1], headers=headers)


def file_links(name: str, query: str, wanted: Iterable[str], *args: object) -> list[tuple[str, str]]:
    """Return the URL and the link label of each file of a page.

    Args:
        name: the URL name of the page.
        query: the options of the page as a query string.
        wanted: the tables and pictures to link, as "name.suffix"; by default one file of each kind.
        args: the arguments of the page's URL.
    """
    files, found = _REGISTERED[name], []
    for one in wanted or files.suffixes:
        part, _, suffix = one.rpartition(".")
        given = QueryDict(query.lstrip("?"), mutable=True)
        if part:
            given[files.option(suffix)[0]] = part
        asked = f"?{given.urlencode(safe=',')}" if given else ""
        url = reverse(f"{name}-{suffix}", args=args) + asked
        found.append((url, files.labels.get(one, KINDS[suffix][0])))
    return found
