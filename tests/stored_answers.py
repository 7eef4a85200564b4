"""Choose who computes the answers of pages and the API: the request itself or a worker."""

from __future__ import annotations

import pytest

from work import answers
from work.answer_worker import compute_waiting_answers

__all__ = ["compute_waiting_answers", "leave_all_to_workers", "work_out_at_once"]


def leave_all_to_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no request works out an answer itself, however cheap; `compute_waiting_answers` is the worker."""
    monkeypatch.setattr(answers, "spend_request_budget", lambda share: False)
    monkeypatch.setattr(answers, "STORED_FROM_SHARE", 0.0)


def work_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on requests work out and store whatever they are asked for."""
    monkeypatch.setattr(answers, "spend_request_budget", lambda share: True)
    monkeypatch.setattr(answers, "STORED_FROM_SHARE", 0.0)
