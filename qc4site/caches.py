"""Caches that fail no request: while the shared one cannot be used, this process remembers by itself.

A full disk, a folder that cannot be written or a Redis that is away would otherwise answer requests with 500.
"""

from __future__ import annotations

import logging
import pickle
import zlib
from contextlib import suppress
from typing import Any, ClassVar

from django.core.cache import BaseCache, caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache

log = logging.getLogger(__name__)
_ABSENT = object()
_PAUSED = "the-cache-is-not-asked"


class MemoryMeanwhile(BaseCache):
    """What this process remembers is asked first, and forgotten as soon as the shared cache takes the entry again."""

    broken: ClassVar[tuple[type[Exception], ...]]
    """What the shared cache raises where it cannot be used."""
    pause: ClassVar[float] = 0
    """Seconds for which it is not asked again then: one that does not answer would hold a thread at each request."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        kept = caches["memory"].get(key, _ABSENT, version)
        if kept is not _ABSENT:
            return kept
        if self._is_paused:
            return default
        try:
            return super().get(key, default, version)
        except self.broken as error:
            self._note(error)
            return default

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        if not self._is_paused:
            try:
                super().set(key, value, timeout, version)
            except self.broken as error:
                self._note(error)
            else:
                caches["memory"].delete(key, version)
                return
        caches["memory"].set(key, value, timeout, version)

    @property
    def _is_paused(self) -> bool:
        return bool(self.pause and caches["memory"].get(_PAUSED))

    def _note(self, error: Exception) -> None:
        if self.pause:
            caches["memory"].set(_PAUSED, True, self.pause)
        _tell(error)

    def clear(self) -> None:
        caches["memory"].clear()
        super().clear()


class Files(MemoryMeanwhile, FileBasedCache):
    """Files, which all processes of a host share."""

    broken = (OSError, EOFError, zlib.error, pickle.UnpicklingError)

    def _createdir(self) -> None:
        """Also when it is opened: what goes wrong then is told when something is to be kept."""
        with suppress(OSError):
            super()._createdir()  # type: ignore[misc]  # the stubs leave it out


def _tell(error: Exception) -> None:
    """Once a minute: every request comes by here."""
    if caches["memory"].add("told-that-the-cache-is-broken", True, 60):
        log.warning("The cache cannot be used (%s): this process remembers by itself.", type(error).__name__)
