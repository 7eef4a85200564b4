"""Pages of a collection's guidelines: reading, editing with a preview, and earlier versions."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.person import person
from annotations.access import May, capabilities, get_collection
from annotations.guidelines import selectors as guidelines
from annotations.guidelines.forms import WriteGuidelines
from annotations.guidelines.selectors import news
from annotations.guidelines.services import NewerVersionError, note_read, save_guidelines
from annotations.limits import GUIDELINES_CHARS
from annotations.models import Collection, GuidelinesVersion
from common.database import write_unless_locked
from common.parameters import VERSION_DIGITS, parse_number


@require_safe
def read(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the latest version and what changed since this person last read it, or an earlier one (``?version=2``)."""
    collection = get_collection(request.user, slug)
    latest = guidelines.latest_guidelines(collection)
    shown = _version(collection, request.GET["version"]) if "version" in request.GET else latest
    new = news(collection, request.user) if latest is not None and shown == latest else None
    if new and request.method == "GET" and isinstance(request.user, User):
        reader, number = request.user, new.number
        write_unless_locked(lambda: note_read(collection, reader, number), "the guidelines version that a user read")
    return _page(
        request,
        collection,
        shown=shown,
        latest=latest,
        html=guidelines.render_markdown(shown.text) if shown else "",
        news=new,
        versions=collection.guidelines.select_related("created_by").defer("text"),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def write(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the editor. “Preview” renders the text without saving it, and “Save” saves a new version."""
    collection = get_collection(request.user, slug, May.PUBLISH)
    latest = guidelines.latest_guidelines(collection)
    if request.method != "POST":
        start = {"text": latest.text if latest else "", "base": latest.number if latest else 0}
        return _editor(request, collection, WriteGuidelines(initial=start))
    form = WriteGuidelines(request.POST)
    if not form.is_valid():
        return _editor(request, collection, form, 400)
    if "preview" in request.POST:
        preview = guidelines.render_markdown(form.cleaned_data["text"])
        return _editor(request, collection, form, preview=preview, previewed=True)
    return _save(request, collection, form)


def _save(request: HttpRequest, collection: Collection, form: WriteGuidelines) -> HttpResponse:
    """Save the text. If someone else has saved a newer version, show a notice; the next save is then based on it."""
    try:
        saved = save_guidelines(collection=collection, user=person(request), **form.cleaned_data)
    except NewerVersionError as error:
        again = WriteGuidelines(initial={"text": form.cleaned_data["text"], "base": error.latest.number})
        return _editor(request, collection, again, 409, newer=error.latest)
    messages.success(request, f"The guidelines are saved as version {saved.number}.")
    return redirect("guidelines", collection.slug)


def _version(collection: Collection, number: str) -> GuidelinesVersion:
    rows = collection.guidelines.select_related("created_by")
    wanted = parse_number(number, VERSION_DIGITS)
    found = None if wanted is None else rows.filter(number=wanted).first()
    if found is None:
        raise Http404("The guidelines have no version with this number.")
    return found


def _editor(
    request: HttpRequest, collection: Collection, form: WriteGuidelines, status: int = 200, **more: object
) -> HttpResponse:
    return _page(request, collection, status, form=form, most_chars=f"{GUIDELINES_CHARS:,}", **more)


def _page(request: HttpRequest, collection: Collection, status: int = 200, **more: object) -> HttpResponse:
    context = {
        "collection": collection,
        "may": {str(right) for right in capabilities(request.user, collection)},
        "trail": [(collection.name, reverse("collection", args=[collection.slug])), ("guidelines", "")],
        **more,
    }
    return render(request, "guidelines/guidelines.html", context, status=status)
