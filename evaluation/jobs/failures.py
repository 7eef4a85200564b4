"""Tell the person who started a run that it failed."""

from __future__ import annotations

import logging
from typing import Any

from accounts import mail, notices
from accounts.mail import notify
from evaluation.access import visible_runs
from evaluation.models import Run

log = logging.getLogger(__name__)


def tell(run_id: int) -> None:
    """By e-mail, if somebody started it who still sees it. A courtesy: nothing fails where it does."""
    try:
        _tell(run_id)
    except Exception:
        log.exception("run %s failed, and its person was not told", run_id)


def _tell(run_id: int) -> None:
    run = Run.objects.select_related(*Run.ABOUT, "submission__algorithm", "created_by").get(pk=run_id)
    user, error = run.created_by, run.error or {}
    if run.state != Run.State.FAILED or user is None or not visible_runs(user).filter(pk=run_id).exists():
        return
    facts = {
        "run": str(run_id),
        "what": _what(run),
        "sentence": _said(error, "sentence"),
        "fix": _said(error, "fix"),
        "page": mail.link("run", run_id),
    }
    notify([user], notices.FAILED_RUNS, "run_failed", **facts)


def _what(run: Run) -> str:
    of = f" of {run.submission.algorithm}" if run.submission else ""
    where = f" in {run.collection}" if run.collection else ""
    return f"{run.kind}{of}{where}"


def _said(error: dict[str, Any], what: str) -> str:
    return str(error.get(what) or "see its page.")
