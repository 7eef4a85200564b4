"""Figures as files: CSV, JSON, LaTeX, SVG."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

from django.http import HttpResponse, JsonResponse

from common.downloads import saved_as
from qc4.formats.spreadsheets import cell
from qc4.records import Record


def csv_file(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A table, texts safe to open in a spreadsheet; None is an empty cell."""
    response = _file("text/csv; charset=utf-8", f"{name}.csv")
    writer = csv.writer(response)
    writer.writerow([cell(one) for one in head])
    writer.writerows([cell(value) for value in row] for row in rows)
    return response


def score_table_file(name: str, table: str) -> HttpResponse:
    """A table of scores, as `qc4.formats.score_tables` writes it."""
    response = _file("text/csv; charset=utf-8", f"{name}.csv")
    response.write(table)
    return response


def latex_file(name: str, table: str) -> HttpResponse:
    response = _file("application/x-tex; charset=utf-8", f"{name}.tex")
    response.write(table)
    return response


def svg_file(name: str, picture: str) -> HttpResponse:
    response = _file("image/svg+xml", f"{name}.svg")
    response.write(picture)
    return response


def json_file(found: Record) -> JsonResponse:
    """As the API answers it."""
    return JsonResponse(found.to_dict())


def _file(kind: str, name: str) -> HttpResponse:
    return HttpResponse(content_type=kind, headers=saved_as(name))
