"""The drafts of a query: start, list, compare and publish them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.person import person
from annotations.access import May, capabilities, get_query
from annotations.drafts import services as drafts
from annotations.drafts.exposure import open_draft, record_exposure_to_drafts
from annotations.drafts.selectors.dependence import independence_status
from annotations.drafts.selectors.listing import drafts_of
from annotations.drafts.services.errors import DraftError
from annotations.gold.services import record_gold_exposure
from annotations.limits import COMPARED_DRAFTS
from annotations.models import Draft, GoldVersionEntry, OthersSeen, Query
from common.file_reading import read_sent
from evaluation.access import get_submission
from evaluation.breadcrumbs import trail
from evaluation.drafts.forms import PublishDraft, StartDraft
from evaluation.drafts.selectors import clusterings_to_start_from, publication, publication_words
from evaluation.drafts.services import from_clustering, publish_draft
from evaluation.models import Submission
from evaluation.problems import problems_to_json
from qc4.io import read_gold_document
from qc4.problems import InputError, Problem
from qc4.wording import counted


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def drafts_of_query(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """List the drafts; a POST starts a draft and opens it."""
    query = get_query(request.user, slug, key, May.CURATE)
    may = capabilities(request.user, query.collection)
    rows = drafts_of(request.user, query, may_publish=May.PUBLISH in may)
    entries = query.gold_entries.select_related("version", "gold__query").order_by("-version__number")
    form = StartDraft(
        request.POST or None,
        request.FILES or None,
        entries=list(entries),
        drafts=[row.draft for row in rows if not row.blind],
        submissions=clusterings_to_start_from(request.user, query),
        initial={name: request.GET[name] for name in ("source", "kind") if name in request.GET},
    )
    problems: tuple[object, ...] = ()
    if request.method == "POST" and form.is_valid():
        try:
            draft = _started(query, person(request), form)
        except InputError as error:
            problems = error.problems
        else:
            messages.success(request, f"The draft {draft.name} starts from {draft.started_from['words']}.")
            return redirect("draft", draft.pk)
    comparable = [row.draft for row in rows if not row.blind and row.draft.status == Draft.Status.SUBMITTED]
    own = [draft for draft in comparable if draft.kind != Draft.Kind.ADJUDICATION]
    context = {
        "query": query,
        "collection": query.collection,
        "rows": rows,
        "archived": drafts_of(request.user, query, may_publish=May.PUBLISH in may, archived=True),
        "comparable": comparable,
        "compared": own[:COMPARED_DRAFTS],
        "most_compared": COMPARED_DRAFTS,
        "compare_address": reverse("agreement", args=[slug, key]),
        "form": form,
        "otherwise": form.is_bound or bool(form.initial),
        "mine": any(row.draft.curator == request.user and row.draft.status == Draft.Status.OPEN for row in rows),
        "problems": problems,
        "standing": independence_status(request.user, query),
        "may_look": any(not row.blind and row.draft.curator != request.user for row in rows),
        "trail": trail(
            query.collection,
            (query.text or query.key, reverse("query", args=[slug, key])),
            ("drafts", ""),
        ),
    }
    return render(request, "drafts/drafts.html", context, status=400 if request.method == "POST" else 200)


def _started(query: Query, user: User, form: StartDraft) -> Draft:
    """Start the draft that the form describes.

    Raises:
        InputError: the file is not a hierarchy of this query's pages.
    """
    chosen = form.cleaned_data
    facts: dict[str, Any] = {"query": query, "user": user, "name": chosen["name"], "kind": chosen["kind"]}
    source = form.source_row()
    match source:
        case GoldVersionEntry():
            record_gold_exposure(user, query.collection, [source.gold])
            return drafts.from_gold(entry=source, **facts)
        case Draft():
            record_exposure_to_drafts(user, OthersSeen.What.DRAFT, [source])
            return drafts.from_draft(source=source, **facts)
        case Submission():
            return from_clustering(submission=get_submission(user, source.pk), **facts)
        case None:
            return drafts.from_nothing(**facts)
        case file:
            document = read_sent(read_gold_document, file, name=file.name)
            return drafts.from_file(document=document, **facts)


# --- Publish a draft in the browser, after a preview of the changes ---


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the rules, the difference and the effects; a POST publishes the revision that was shown."""
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
        messages.success(request, f"Gold v{number} is now the latest; {counted(len(published.runs), 'run')} queued.")
    else:
        messages.info(request, f"The draft is equal to gold v{number}, so there is nothing to publish.")
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
        "words": publication_words(draft, found),
        "titles": {page.id: page.title or page.id for page in found.document.pages},
        "moved": problems_to_json(moved),
        "next_number": (latest or 0) + 1,
        "trail": trail(query.collection, *way),
    }
    return render(request, "drafts/publish.html", context, status=status)
