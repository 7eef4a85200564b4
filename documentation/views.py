"""The pages of the documentation. Anyone can read them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from documentation import library
from documentation.search import SEARCH_CHARS
from documentation.search import search as search_for

_SEARCH = {"search_chars": SEARCH_CHARS}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All documents, in the order of the table of contents."""
    context = {"shelves": library.shelves(), "trail": [("documentation", "")], **_SEARCH}
    return render(request, "documentation/index.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """The results of a search for ``?q=``."""
    results = search_for(request.GET.get("q", ""))
    trail = [("documentation", reverse("docs")), ("search", "")]
    context = {"results": results, "shelves": library.shelves(), "trail": trail, **_SEARCH}
    return render(request, "documentation/search.html", context)


@require_safe
def example(request: HttpRequest, name: str) -> HttpResponse:
    """An example file as a download."""
    found = library.example(name)
    if found is None:
        raise Http404("The examples of the documentation have no such file.")
    kind = "application/json" if name.endswith((".json", ".jsonl")) else "text/csv; charset=utf-8"
    return HttpResponse(
        found, content_type=kind, headers={"Content-Disposition": content_disposition_header(True, name) or ""}
    )


@require_safe
def document(request: HttpRequest, name: str) -> HttpResponse:
    """One document. An unknown name returns 404 with the results of a search for its words."""
    present = library.MOVED.get(name.removesuffix(".md"), name.removesuffix(".md"))
    if present != name and present in library.names():
        return redirect("document", present, permanent=True)
    found = library.find(name)
    if found is None:
        return _unknown(request, name)
    before, after = library.neighbours(found)
    context = {
        "document": found,
        "shelves": library.shelves(),
        "before": before,
        "after": after,
        "trail": [("documentation", reverse("docs")), (found.title, "")],
        **_SEARCH,
    }
    return render(request, "documentation/document.html", context)


def _unknown(request: HttpRequest, name: str) -> HttpResponse:
    words = " ".join(name.removesuffix(".md").replace("-", " ").replace("_", " ").split())
    trail = [("documentation", reverse("docs")), ("not found", "")]
    context = {"results": search_for(words), "unknown": True, "shelves": library.shelves(), "trail": trail, **_SEARCH}
    return render(request, "documentation/search.html", context, status=404)
