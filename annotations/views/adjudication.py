"""Making one draft of two: one question after the other, and what came of it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from accounts.person import person
from annotations.access import DraftAccess, May, get_query
from annotations.agreement import Choice, Decision
from annotations.limits import NOTE_CHARS, OUTCOME_PAGES
from annotations.models import Adjudication, AdjudicationDecision, Draft
from annotations.selectors.adjudication import lines
from annotations.selectors.adjudication.cards import beside, card_at
from annotations.selectors.adjudication.decisions import subject_at
from annotations.selectors.adjudication.finding import reach_adjudication
from annotations.selectors.adjudication.outcomes import Outcomes
from annotations.selectors.adjudication.reading import Reading, read
from annotations.selectors.adjudication.talk import talk
from annotations.selectors.adjudication.words import told
from annotations.services import adjudication as adjudicating
from annotations.services.drafts.errors import DraftError
from annotations.views.agreement import draft_of, pair_of, trail
from qc4.problems import InputError, Problem

REASON_KEYS = {"guideline": "g", "slip": "l", "ambiguous": "a", "missing": "m", "other": "x", "": "-"}


@login_required
@require_POST
def start(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Begin to make one draft of two."""
    query = get_query(request.user, slug, key, May.PUBLISH)
    chosen = pair_of(request.POST)
    first, second = (draft_of(request.user, query, chosen[name], name) for name in ("first", "second"))
    user = person(request)
    draft = adjudicating.start(query=query, first=first, second=second, user=user, minimum=chosen["minimum"])
    return redirect("adjudicate", draft.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def adjudicate(request: HttpRequest, pk: int) -> HttpResponse:
    """The next question, and where every page came to be; a POST answers a question or takes an answer back."""
    access, found = reach_adjudication(request.user, pk)
    if request.method != "POST":
        return _page(request, access, read(found), request.GET)
    if not access.may_edit:
        raise PermissionDenied("Only who may publish adjudicates. You may read the outcome.")
    try:
        done = _carry_out(request.POST, access, found)
    except (DraftError, InputError) as error:
        return _page(request, access, read(found), request.POST, wrong=_words(error))
    if "HX-Request" in request.headers:
        return _page(request, access, done.reading, request.POST, done=done.row)
    messages.success(request, told(done.reading, done.row))
    kept = urlencode({"reason": request.POST.get("reason", "")})
    return redirect(f"{reverse('adjudicate', args=[pk])}?{kept}")


def _carry_out(given: QueryDict, access: DraftAccess, found: Adjudication) -> adjudicating.Done:
    """Answer, or take the last answer back."""
    if "undo" in given:
        return adjudicating.take_back(found, access.person, _op_id(given.get("undo", "")))
    return adjudicating.decide(found, access.person, _answer(given))


def _answer(given: QueryDict) -> adjudicating.Answer:
    subject, choice = subject_at(given.get("subject", "")), given.get("choice", "")
    if subject is None or choice not in set(Choice) - {Choice.REOPEN}:
        raise InputError([Problem("bad-answer", "answer", repr(choice), "one of the answers on the page")])
    other = given.get("other", "") if choice == Choice.SAME else ""
    note, reason = given.get("note", "").replace("\0", "").strip(), given.get("reason", "")
    return adjudicating.Answer(_op_id(given.get("op_id", "")), Decision(subject, Choice(choice), other), reason, note)


def _op_id(value: str) -> uuid.UUID:
    try:
        return uuid.UUID(value)
    except ValueError:
        raise InputError([Problem("bad-id", "op_id", repr(value), "a UUID")]) from None


def _words(error: DraftError | InputError) -> str:
    if isinstance(error, DraftError):
        return f"{error.sentence} {error.fix}".strip()
    return " ".join(str(problem) for problem in error.problems)


def _page(
    request: HttpRequest,
    access: DraftAccess,
    reading: Reading,
    given: QueryDict,
    wrong: str = "",
    done: AdjudicationDecision | None = None,
) -> HttpResponse:
    """The whole page, or for htmx only its desk; ``done`` is what was decided just now."""
    draft = access.draft
    card = card_at(reading, given.get("subject" if wrong else "at", ""))
    context = {
        "draft": draft,
        "reading": reading,
        "structure": lines.structure(reading),
        "skipped": lines.skipped(reading),
        "card": card,
        "desk_talk": talk(access, reading, card),
        "before": beside(reading, card, -1),
        "after": beside(reading, card, 1),
        "may_decide": access.may_edit and draft.status == Draft.Status.OPEN and draft.archived_at is None,
        "may_edit": access.may_edit,
        "errors": draft.summary.get("errors", 0),
        **_outcomes(reading, given),
        "reasons": [(value, label, REASON_KEYS[value]) for value, label in AdjudicationDecision.Reason.choices],
        "reason": given.get("reason", ""),
        "note": given.get("note", "") if wrong else "",
        "note_chars": NOTE_CHARS,
        "op_id": uuid.uuid4(),
        "undo_id": uuid.uuid4(),
        "can_undo": reading.latest_of(access.person) is not None,
        "wrong": wrong,
        "done": told(reading, done) if done else "",
        "trail": trail(draft.query, ("agreement", _agreement_address(draft)), (draft.name, "")),
    }
    if "HX-Request" in request.headers:
        # htmx shows nothing of answers that are errors; what is wrong stands in the desk itself.
        return render(request, "curate/adjudicate_desk.html", context)
    return render(request, "curate/adjudicate.html", context, status=422 if wrong else 200)


def _outcomes(reading: Reading, given: QueryDict) -> dict[str, Any]:
    """The part of the outcome that is shown, and how many pages are in each status."""
    show, start, outcomes = given.get("show", ""), _start(given.get("from", "")), Outcomes(reading)
    rows = outcomes.rows(show, start, OUTCOME_PAGES + 1)
    return {
        "outcomes": rows[:OUTCOME_PAGES],
        "counts": outcomes.counts,
        "earlier": max(0, start - OUTCOME_PAGES) if start else None,
        "later": start + OUTCOME_PAGES if len(rows) > OUTCOME_PAGES else None,
        "show": show,
    }


def _start(value: str) -> int:
    """From which page on the outcome is shown; from the first for anything that is no number."""
    return int(value) if value.isdecimal() and len(value) < 8 else 0


def _agreement_address(draft: Draft) -> str:
    address = reverse("agreement", args=[draft.query.collection.slug, draft.query.key])
    if draft.first_id is None or draft.second_id is None:
        return address
    return f"{address}?{urlencode({'first': draft.first_id, 'second': draft.second_id})}"
