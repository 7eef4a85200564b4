"""Pages about the right to submit: the next step, requests, and owners' answers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.person import person
from accounts.signup_policy import ways_to_sign_up
from annotations.access import May, get_collection
from annotations.models import Collection
from annotations.people.forms import RequestAnswerForm, SubmitRequestForm
from annotations.people.selectors import answered_requests, get_request, open_requests, own_requests
from annotations.people.selectors import participation as standing_of
from annotations.people.services import participation
from qc4.problems import InputError

REQUESTS_PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def take_part(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a person's next step to submit; a POST sends a request to the owners."""
    collection = get_collection(request.user, slug)
    if request.method != "POST":
        return how_to_submit_page(request, collection)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    user, form = person(request), SubmitRequestForm(request.POST)
    if not form.is_valid():
        return how_to_submit_page(request, collection, form, status=400)
    try:
        participation.ask(collection=collection, user=user, message=form.cleaned_data["message"])
    except InputError as error:
        messages.info(request, f"{error.problems[0].found.capitalize()}. {error.problems[0].fix}")
    else:
        messages.success(request, "You asked to submit. You will see the owners' answer here.")
    return redirect("take-part", slug)


def how_to_submit_page(
    request: HttpRequest,
    collection: Collection,
    form: SubmitRequestForm | None = None,
    status: int = 200,
    back: str = "",
) -> HttpResponse:
    """Render the page about how to submit. Submission pages also use it, with status 403.

    Args:
        back: the URL to return to; by default the collection's form for clusterings.
    """
    context = {
        "collection": collection,
        "standing": standing_of(request.user, collection),
        "form": form or SubmitRequestForm(),
        "back": back or reverse("submit", args=[collection.slug]),
        **ways_to_sign_up(request.path),
        "trail": [(collection.name, reverse("collection", args=[collection.slug])), ("how to submit", "")],
    }
    return render(request, "people/take_part.html", context, status=status)


@login_required
@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a request, even if the person can no longer see the collection."""
    found = own_requests(person(request)).filter(pk=pk).first()
    if found is None:
        raise Http404("You have no such request.")
    if participation.withdraw(found):
        messages.success(request, "The request is withdrawn.")
    else:
        messages.info(request, f"The request was already {found.state}.")
    return redirect(reverse("account") + "#requests")


@login_required
@require_POST
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Accept or decline a request. If two owners answer, the first answer applies."""
    collection = get_collection(request.user, slug, May.MANAGE)
    found = get_request(collection, pk)
    form, by = RequestAnswerForm(request.POST), person(request)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return _inbox(slug)
    given = form.cleaned_data
    if given["answer"] == "accept":
        done, words = participation.accept(found, by), "can submit now"
    else:
        done, words = participation.decline(found, by, given["reason"]), "will be notified of your answer"
    name = found.user.get_username()
    if done:
        messages.success(request, f"{name} {words}.")
    else:
        whose = f" by {found.answered_by.get_username()}" if found.answered_by else ""
        messages.info(request, f"The request of {name} was already {found.state}{whose}. Nothing changed.")
    return _inbox(slug)


def requests_context(request: HttpRequest, collection: Collection) -> dict[str, object]:
    """Return the context for requests on the people page."""
    waiting, before = open_requests(collection), answered_requests(collection)
    return {
        "requests": Paginator(waiting, REQUESTS_PER_PAGE).get_page(request.GET.get("requests")),
        "n_waiting": waiting.count(),
        "answered": before[:REQUESTS_PER_PAGE],
        "answer_form": RequestAnswerForm(),
    }


def _inbox(slug: str) -> HttpResponse:
    return redirect(reverse("people", args=[slug]) + "#requests")
