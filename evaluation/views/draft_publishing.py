"""Publish a draft in the browser: what it changes first, then the version."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.person import person
from annotations.access import May
from annotations.drafts.exposure import open_draft
from annotations.drafts.services.errors import DraftError
from annotations.models import Draft
from evaluation.draft_publishing_forms import PublishDraft
from evaluation.problems import told
from evaluation.selectors.publication import publication
from evaluation.selectors.publication_words import words
from evaluation.services.draft_publishing import publish_draft
from evaluation.views.trails import trail
from qc4.problems import InputError, Problem
from qc4.wording import counted


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, pk: int) -> HttpResponse:
    """Rules, difference and consequences; a POST publishes the revision that was looked at."""
    draft = open_draft(request.user, pk, May.PUBLISH).draft
    form = PublishDraft(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, draft, form, 400 if request.method == "POST" else 200)
    try:
        published = publish_draft(
            draft=draft,
            revision=form.cleaned_data["revision"],
            user=person(request),
            note=form.cleaned_data["note"],
        )
    except InputError as error:
        moved = [problem for problem in error.problems if problem.code == "draft-moved-on"]
        return _page(request, draft, form, 409 if moved else 400, moved)
    except DraftError as refusal:
        messages.error(request, f"{refusal.sentence} {refusal.fix}")
        return redirect("draft", pk)
    number = published.version.number
    if published.is_new:
        messages.success(request, f"Gold v{number} is the latest; {counted(len(published.runs), 'run')} queued.")
    else:
        messages.info(request, f"Gold v{number} says the same already; there is nothing new to publish.")
    return redirect("query", draft.query.collection.slug, draft.query.key)


def _page(
    request: HttpRequest, draft: Draft, form: PublishDraft, status: int, moved: Sequence[Problem] = ()
) -> HttpResponse:
    query = draft.query
    slug = query.collection.slug
    way = (
        (str(query), reverse("query", args=[slug, query.key])),
        ("drafts", reverse("drafts", args=[slug, query.key])),
        (draft.name, reverse("draft", args=[draft.pk])),
        ("publish", ""),
    )
    found = publication(draft)
    latest = query.collection.gold_versions.order_by("-number").values_list("number", flat=True).first()
    context = {
        "draft": draft,
        "form": form,
        "found": found,
        "words": words(draft, found),
        "titles": {page.id: page.title or page.id for page in found.document.pages},
        "moved": told(moved),
        "next_number": (latest or 0) + 1,
        "trail": trail(query.collection, *way),
    }
    return render(request, "curate/publish.html", context, status=status)
