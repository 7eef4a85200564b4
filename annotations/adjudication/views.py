"""Pages of an adjudication: one question after the other, and the outcome."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from accounts.person import person
from annotations.access import May, get_query
from annotations.adjudication import services as adjudication
from annotations.adjudication.selectors import disagreements as lines
from annotations.adjudication.selectors import names
from annotations.adjudication.selectors.disagreements import card_at, discussion_about, neighbour_address
from annotations.adjudication.selectors.meanwhile import changes_meanwhile, news_since, two_answers
from annotations.adjudication.selectors.outcomes import Outcomes
from annotations.adjudication.selectors.reading import Reading, SeenState, read, subject_at, undoing_of
from annotations.adjudication.selectors.wording import step_words
from annotations.adjudication.session import Decision
from annotations.adjudication_choices import Choice
from annotations.agreement.views import choice_of, draft_of, trail
from annotations.drafts.access import DraftAccess
from annotations.drafts.exposure import open_adjudication, open_adjudication_to_decide
from annotations.drafts.services.errors import DraftError
from annotations.drafts.state_machine.summaries import n_issues
from annotations.guidelines import selectors as guidelines
from annotations.limits import NAME_CHARS, NOTE_CHARS, OUTCOME_PAGES
from annotations.models import Adjudication, AdjudicationDecision, Draft
from qc4.problems import InputError, Problem

REASON_KEYS = {"guideline": "g", "slip": "l", "ambiguous": "a", "missing": "m", "other": "x", "": "-"}


@login_required
@require_POST
def start(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Start an adjudication."""
    query = get_query(request.user, slug, key, May.PUBLISH)
    chosen = choice_of(request.POST)
    drafts = [draft_of(request.user, query, number) for number in chosen["draft"]]
    draft = adjudication.start(query=query, drafts=drafts, user=person(request), minimum=chosen["minimum"])
    return redirect("adjudicate", draft.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def adjudicate(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next question and the outcome; a POST answers a question, or undoes or redoes an answer.

    An open page uses ``known`` to ask whether there is anything new.
    """
    if request.method != "POST":
        access, found = open_adjudication(request.user, pk)
        if "HX-Request" in request.headers and request.GET.get("known") == _known(access.draft, SeenState.of(found)):
            return HttpResponse(status=204)  # htmx leaves the page as it is
        return _page(request, access, read(found), request.GET)
    access, found = open_adjudication_to_decide(request.user, pk)
    try:
        done = _carry_out(request.POST, access, found)
    except (DraftError, InputError) as error:
        return _page(request, access, read(found), request.POST, wrong=_words(error))
    if "HX-Request" in request.headers:
        return _page(request, access, done.reading, request.POST, done=_told(done))
    messages.success(request, _told(done))
    kept = urlencode({"reason": request.POST.get("reason", "")})
    return redirect(f"{reverse('adjudicate', args=[pk])}?{kept}")


def _carry_out(given: QueryDict, access: DraftAccess, found: Adjudication) -> adjudication.StepResult:
    """Answer one question or several, undo the last step, or redo it."""
    for name, act in _STEPS.items():
        if name in given:
            return act(found, access.person, _op_id(given.get(name, "")))
    return adjudication.decide(found, access.person, _answers(given) if "names" in given else _answer(given))


_STEPS = {"undo": adjudication.undo, "redo": adjudication.redo, "accept": adjudication.accept_proposals}
"""Buttons that need only an id, which is their value."""


def _told(done: adjudication.StepResult) -> str:
    """Return what was done, in words."""
    return step_words(done.reading, done.step) if done.step else f"In the workspace: {done.label}."


def _answer(given: QueryDict) -> adjudication.Answer:
    """Return the answer to the question that was asked."""
    decision = _decision(
        given.get("subject", ""), given.get("choice", ""), given.get("other", ""), given.get("typed", "")
    )
    note, reason = given.get("note", "").replace("\0", "").strip(), given.get("reason", "")
    return adjudication.Answer(_op_id(given.get("op_id", "")), (decision,), reason, note, _seen(given))


def _answers(given: QueryDict) -> adjudication.Answer:
    """Return the answers of the table of names: a choice and perhaps a typed name per question. Others stay open."""
    everywhere = given.get("all", "")
    decisions = []
    for address in given.getlist("names"):
        as_sides = dict(pair.split("=", 1) for pair in given.get(f"as {address}", "").split() if "=" in pair)
        choice = as_sides.get(everywhere, "") if everywhere else given.get(f"choice {address}", "")
        if choice:
            decisions.append(_decision(address, choice, "", given.get(f"typed {address}", "")))
    reason, seen = given.get("reason", ""), _seen(given)
    return adjudication.Answer(_op_id(given.get("op_id", "")), tuple(decisions), reason, state=seen)


def _decision(address: str, choice: str, other: str, typed: str) -> Decision:
    subject = subject_at(address)
    if subject is None or choice not in set(Choice) - {Choice.REOPEN}:
        raise InputError([Problem("bad-answer", "answer", repr(choice), "one of the answers on the page")])
    said = {Choice.SAME: other, Choice.TYPED: typed.strip()}.get(Choice(choice), "")
    return Decision(subject, Choice(choice), said)


def _seen(given: QueryDict) -> SeenState:
    """Return the state that the page showed when the person answered."""
    seen = SeenState.read(given.get("state", ""))
    if seen is None:
        found = repr(given.get("state", ""))
        raise InputError([Problem("bad-state", "state", found, "the state of the page", "Load the page again.")])
    return seen


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
    done: str = "",
) -> HttpResponse:
    """Return the whole page, or only its session for htmx; ``done`` says what was just decided."""
    draft = access.draft
    at, known = given.get("subject" if wrong else "at", ""), given.get("known", "")
    card = card_at(reading, at)
    is_gone = bool(known and at and (card is None or card.address != at))
    if is_gone:
        card = None  # do not show another question to somebody who is about to press a key
    seen, news = reading.state, list[str]()
    if before := SeenState.read(known.partition("-")[0]):
        news = news_since(reading, access.person, before)
    if card and (earlier := SeenState.read(given.get("seen", ""))):
        # Others' answers since are shown. An answer is still compared with the state in which the person
        # first saw the question.
        met = changes_meanwhile(reading, access.person, [card.question.subject], earlier)
        seen = earlier if met else seen
    if card and wrong:
        card = replace(card, typed=card.typed if card.typed is None else given.get("typed", card.typed))
    context = {
        "state": reading.state,
        "seen": seen,
        "known": _known(draft, reading.state),
        "news": news,
        "is_gone": is_gone,
        "next_open": next((question.subject.address for question in reading.open), ""),
        "two_answers": two_answers(reading),
        "other": given.get("other", "") if wrong else "",
        "part": "&" + urlencode({"show": given.get("show", ""), "from": f"{_start(given.get('from', ''))}"}),
        "draft": draft,
        "reading": reading,
        "structure": lines.structure(reading),
        "skipped": lines.skipped(reading),
        "card": card,
        "desk_talk": discussion_about(access, reading, card),
        "before": neighbour_address(reading, card, -1),
        "after": neighbour_address(reading, card, 1),
        "may_decide": access.may_edit and draft.status == Draft.Status.OPEN and draft.archived_at is None,
        "may_edit": access.may_edit,
        "errors": n_issues(draft.summary),
        **_outcomes(reading, given),
        "reasons": [(value, label, REASON_KEYS[value]) for value, label in AdjudicationDecision.Reason.choices],
        "reason": given.get("reason", ""),
        "note": given.get("note", "") if wrong else "",
        "note_chars": NOTE_CHARS,
        "op_id": uuid.uuid4(),
        "undo_id": uuid.uuid4(),
        "redo_id": uuid.uuid4(),
        "accept_id": uuid.uuid4(),
        "names_id": uuid.uuid4(),
        "names": names.name_table(reading),
        "beside": names.sibling_names(reading),
        "name_chars": NAME_CHARS,
        **undoing_of(reading, access.person),
        "wrong": wrong,
        "done": done,
        "trail": trail(draft.query, ("agreement", _agreement_address(reading)), (draft.name, "")),
    }
    if "HX-Request" in request.headers:
        # htmx does not show responses with an error status, so the session itself shows what is wrong.
        return render(request, "adjudication/session.html", context)
    latest = guidelines.latest_guidelines(draft.query.collection)
    context["guidelines"] = latest
    context["guidelines_html"] = guidelines.render_markdown(latest.text) if latest else ""
    return render(request, "adjudication/adjudication.html", context, status=422 if wrong else 200)


def _known(draft: Draft, state: SeenState) -> str:
    """Return the version that an open page shows. If it differs from the current version, there is something new."""
    return f"{state}-{draft.status}-{draft.archived_at is not None}"


def _outcomes(reading: Reading, given: QueryDict) -> dict[str, Any]:
    """Return the shown part of the outcome, and the number of pages in each status."""
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
    """Return the index of the first page of the outcome to show; 0 for invalid values."""
    return int(value) if value.isdecimal() and len(value) < 8 else 0


def _agreement_address(reading: Reading) -> str:
    query = reading.adjudication.draft.query
    address = reverse("agreement", args=[query.collection.slug, query.key])
    return f"{address}?{urlencode({'draft': [row.draft_id for row in reading.compared]}, doseq=True)}"
