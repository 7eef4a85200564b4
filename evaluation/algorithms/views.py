"""Pages of an algorithm: view, edit, choose the effective submission, merge and delete."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluation.access import (
    changeable_algorithms,
    get_algorithm,
    may_change_algorithm,
    may_delete_algorithm,
    own_algorithm,
    visible_submissions,
)
from evaluation.algorithms import services as algorithms
from evaluation.algorithms.forms import EditAlgorithm, EffectiveSubmissionForm, MergeAlgorithm
from evaluation.algorithms.selectors import algorithm_page, merge_preview
from evaluation.baselines.catalogue import BASELINES
from evaluation.breadcrumbs import Trail, trail
from evaluation.charts.marks import marks
from evaluation.deletion.selectors import plan_algorithm_deletion
from evaluation.deletion.services import delete_algorithm
from evaluation.form_messages import add_form_errors
from evaluation.limits import BEST_OF
from evaluation.models import Algorithm
from qc4.problems import InputError


@require_safe
def algorithm(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an algorithm: description, submissions, and the same algorithm in other collections.

    An id from before a merge redirects here.
    """
    found = get_algorithm(request.user, pk)
    if found.pk != pk:
        return redirect("algorithm", found.pk, permanent=True)
    shown = algorithm_page(found, request.user, request.GET)
    start = {"counts": found.counts, "counts_by": found.counts_by or "qc4_f", "pinned": found.pinned_id}
    context = {
        "algorithm": found,
        "collection": found.collection,
        "shown": shown,
        "page": shown.page,
        "marks": marks(found.collection),
        "baseline": BASELINES.get(found.baseline),
        "may_change": may_change_algorithm(request.user, found),
        "may_delete": may_delete_algorithm(request.user, found),
        "counts_form": EffectiveSubmissionForm(initial=start),
        "best_of": BEST_OF,
        "former_names": list(found.former_names.values_list("name", flat=True)),
        "trail": _trail(found),
    }
    return render(request, "algorithms/algorithm.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit the name and the description."""
    found = own_algorithm(request.user, get_algorithm(request.user, pk))
    start = {name: getattr(found, name) for name in ("name", *Algorithm.ABOUT)}
    form = EditAlgorithm(request.POST or None, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            algorithms.change(found, form.said, form.cleaned_data["name"])
        except InputError as error:
            for problem in error.problems:
                form.add_error(problem.where if problem.where in form.fields else None, str(problem))
        else:
            messages.success(request, "Saved.")
            return redirect("algorithm", found.pk)
    context = {"algorithm": found, "collection": found.collection, "form": form, "trail": _trail(found, "edit")}
    return render(request, "algorithms/edit.html", context, status=400 if request.method == "POST" else 200)


@login_required
@require_POST
def counts(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the rule for the effective submission."""
    found = own_algorithm(request.user, get_algorithm(request.user, pk))
    form = EffectiveSubmissionForm(request.POST)
    back = _back(request, found)
    if not form.is_valid():
        add_form_errors(request, form)
        return back
    given = form.cleaned_data
    pinned = visible_submissions(request.user, found.collection).filter(pk=given["pinned"]).first()
    try:
        algorithms.set_rule(found, given["counts"], given["counts_by"], pinned)
    except InputError as error:
        for problem in error.problems:
            messages.error(request, f"Nothing was changed: found {problem.found}; expected {problem.expected}.")
    else:
        messages.success(request, f"Leaderboards now use {algorithms.rule_words(found)}.")
    return back


def _back(request: HttpRequest, found: Algorithm) -> HttpResponse:
    """Redirect to the page that had the form: that of a submission, or of the algorithm."""
    asked = EffectiveSubmissionForm.back_to(request.POST)
    seen = visible_submissions(request.user, found.collection).filter(algorithm=found, pk__in=[asked])
    return redirect("submission", asked) if seen.exists() else redirect("algorithm", found.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose the algorithm to merge into, show the effects, and merge."""
    gone = own_algorithm(request.user, get_algorithm(request.user, pk))
    mine = list(changeable_algorithms(request.user, gone.collection).exclude(pk=gone.pk).order_by("name"))
    names = [(one.pk, one.name) for one in mine]
    given = request.POST or request.GET
    into = next((one for one in mine if str(one.pk) == given.get("into")), None)
    form = MergeAlgorithm(request.POST or None, others=names, initial={"into": into.pk if into else ""})
    if request.method == "POST" and form.is_valid() and into is not None:
        algorithms.merge(gone, into)
        messages.success(request, f"{gone.name} is now part of {into.name}.")
        return redirect("algorithm", into.pk)
    context = {
        "algorithm": gone,
        "collection": gone.collection,
        "form": form,
        "others": names,
        "into": into,
        "merger": merge_preview(gone, into) if into else None,
        "trail": _trail(gone, "merge"),
    }
    return render(request, "algorithms/merge.html", context, status=400 if request.method == "POST" else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what would be deleted; a POST deletes the algorithm with all its submissions."""
    found = get_algorithm(request.user, pk)
    if not may_delete_algorithm(request.user, found):
        raise PermissionDenied(
            "Only owners of the collection can delete this algorithm, or its creator if all submissions are theirs."
        )
    going = plan_algorithm_deletion(found)
    if request.method == "POST" and not going.held:
        name, slug = found.name, found.collection.slug
        delete_algorithm(found)
        messages.success(request, f"{name} is deleted with its submissions.")
        return redirect("collection", slug)
    context = {"algorithm": found, "collection": found.collection, "going": going, "trail": _trail(found, "delete")}
    return render(request, "algorithms/delete.html", context, status=409 if request.method == "POST" else 200)


def _trail(found: Algorithm, here: str = "") -> Trail:
    address = reverse("algorithm", args=[found.pk]) if here else ""
    return trail(found.collection, (found.name, address), *([(here, "")] if here else []))
