"""The archive of everything the site holds of one account, written piece by piece."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from evaluation.selectors.own_data import File, facts, files

# The same content gives the same archive.
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def export_account(user: User) -> Iterator[bytes]:
    """A ZIP of ``account.json`` and files, in pieces: it is never whole in memory or on disk."""
    text = json.dumps(facts(user), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in _all(text, user):
            yield from _add(archive, file, pipe)
    yield pipe.taken()


def _all(text: str, user: User) -> Iterator[File]:
    yield "account.json", [text.encode()]
    yield from files(user)


def _add(archive: zipfile.ZipFile, file: File, pipe: _Pipe) -> Iterator[bytes]:
    name, pieces = file
    info = zipfile.ZipInfo(name, _NO_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as target:
        for piece in pieces:
            target.write(piece)
            yield pipe.taken()


class _Pipe:
    """What is written is handed on; it cannot be sought in, which `zipfile` allows for."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """As `flush`."""

    def taken(self) -> bytes:
        """What was written since."""
        data, self._written = b"".join(self._written), []
        return data
