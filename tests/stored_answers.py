"""Choose who computes the answers of pages and the API: the request itself or a worker."""

from __future__ import annotations

import pytest

from work import answers
from work.answer_worker import work_off

__all__ = ["leave_all_to_workers", "work_off", "work_out_at_once"]


def leave_all_to_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no request works out an answer itself, however cheap; `work_off` is the worker."""
    monkeypatch.setattr(answers, "cheap_in_this_request", lambda share: False)
    monkeypatch.setattr(answers, "KEPT_FROM", 0.0)


def work_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on requests work out and store whatever they are asked for."""
    monkeypatch.setattr(answers, "cheap_in_this_request", lambda share: True)
    monkeypatch.setattr(answers, "KEPT_FROM", 0.0)
