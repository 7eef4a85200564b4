"""One's own submissions, all in one list; many of them deleted at once, once it was said what goes."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from accounts.person import person
from annotations.limits import SEARCH_CHARS, SLUG_CHARS
from evaluation.limits import DELETED_AT_ONCE
from evaluation.selectors.deletions import deletion
from evaluation.selectors.marks import marks
from evaluation.selectors.own_submissions import Wanted, chosen, everything, listed_page, name_of
from evaluation.services.submission_deletion import delete_chosen
from qc4.wording import counted


@login_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What one submitted, the latest first; owners see all of a collection they choose."""
    wanted = _wanted(request.GET)
    found = listed_page(person(request), wanted, request.GET)
    lines = [(one, name_of(one)) for one in found.rows]
    context = {
        "lines": lines,
        "page": found.page,
        "number": found.page.paginator.count,
        "collections": found.collections,
        "wanted": wanted,
        "carried": f"&{_address(wanted)}" if _address(wanted) else "",
        "marks": marks(*{one.collection for one in found.rows}),
        "most": DELETED_AT_ONCE,
    }
    return render(request, "submissions/mine.html", context)


@login_required
@require_POST
def delete(request: HttpRequest) -> HttpResponse:
    """Say what deleting the chosen ones takes along and what stays; with ``sure`` it is done."""
    user, wanted = person(request), _wanted(request.POST)
    back = _back(request, wanted)
    some = everything(user, wanted) if "all" in request.POST else chosen(user, request.POST.getlist("one"), wanted)
    if not some:
        messages.error(request, "Nothing is chosen, or it is gone already. Tick what is to be deleted.")
        return redirect(back)
    if "sure" in request.POST:
        gone = delete_chosen(some)
        messages.success(request, f"{counted(len(gone.all), 'submission')} deleted.")
        for one, why in gone.held[:10]:
            messages.warning(request, f"{one} stays: {why}.")
        if len(gone.held) > 10:
            messages.warning(
                request, f"{counted(len(gone.held) - 10, 'other submission')} could not be deleted either."
            )
        return redirect(back)
    names = [name_of(one) for one in some]
    context = {"going": deletion(some), "names": names, "wanted": wanted, "back": back}
    context["from"] = request.POST.get("from", "")
    return render(request, "submissions/delete_many.html", context)


def _wanted(given: QueryDict) -> Wanted:
    return Wanted(given.get("q", "").strip()[:SEARCH_CHARS], given.get("collection", "")[:SLUG_CHARS])


def _address(wanted: Wanted) -> str:
    given = {"q": wanted.text, "collection": wanted.collection}
    return urlencode({name: value for name, value in given.items() if value})


def _back(request: HttpRequest, wanted: Wanted) -> str:
    """The list the choice was made in."""
    if request.POST.get("from") == "collection" and wanted.collection:
        return reverse("collection", args=[wanted.collection]) + "#submissions"
    return f"{reverse('my-submissions')}?{_address(wanted)}"
