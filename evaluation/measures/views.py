"""Pages of the catalogue of measures: all measures, and one."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from common.downloads import attachment
from evaluation.measures.selectors import KINDS, NEEDS, MeasureFilter, matching, measure_page
from evaluation.problems import LISTINGS
from qc4.bibliography import SOFTWARE, bibtex, work
from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES, MEANINGS
from qc4.problems import InputError

POLICIES = [(name, choices, MEANINGS[name]) for name, choices in CHOICES.items()]


@require_safe
def catalogue(request: HttpRequest) -> HttpResponse:
    """List the measures by family, filtered by the URL's parameters."""
    choices = MeasureFilter.read(request.GET.dict())
    families = matching(choices)
    context = {
        "families": families,
        "all_families": REGISTRY.families(),
        "total": len(REGISTRY.all()),
        "shown": sum(len(measures) for _, measures in families),
        "choices": choices,
        "kinds": KINDS,
        "needs": NEEDS,
        "parametrised": REGISTRY.parametrised(),
        "policies": POLICIES,
        "citation": work(SOFTWARE),
    }
    return render(request, "measures/measures.html", context)


@require_safe
def measure(request: HttpRequest, key: str) -> HttpResponse:
    """Show one measure: meaning, formula, range, accepted inputs, degenerate cases, example, and how to call it."""
    try:
        page = measure_page(key)
    except InputError as error:
        raise Http404(f"There is no measure {key!r}. {error.problems[0].told(LISTINGS).fix}".strip()) from None
    read = [policy for policy in POLICIES if policy[0] in page.measure.policies]
    return render(request, "measures/measure.html", {"page": page, "policies": read, "kinds": KINDS})


@require_safe
def works(request: HttpRequest) -> HttpResponse:
    """Download the works that define the measures, and QC4 Bench itself, as BibTeX."""
    text = bibtex([SOFTWARE, *(key for found in REGISTRY.all() for key in found.works)])
    return attachment(text.encode(), "measures.bib", "application/x-bibtex")


@require_safe
def citation(request: HttpRequest) -> HttpResponse:
    """Show how to cite QC4 Bench, in the Citation File Format."""
    return HttpResponse((settings.BASE_DIR / "CITATION.cff").read_bytes(), "text/plain; charset=utf-8")
