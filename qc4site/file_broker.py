"""The broker of files, where each message appears as a whole.

Kombu's own opens a message under the name that readers look for, and writes it then. A worker that looks in between
takes the empty file away and ends with what it cannot read.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """As Kombu's, but for how a message is put."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:  # type: ignore[override]  # Kombu's two differ
        """Write a message under a name that no reader looks for, then give it its own: in the order of time."""
        path = Path(self.data_folder_out) / f"{round(monotonic() * 1000)}_{uuid4()}.{queue}.msg"
        unfinished = path.with_suffix(".unfinished")
        try:
            unfinished.write_text(dumps(message), encoding="utf-8")
            unfinished.replace(path)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise ChannelError(f"Cannot add file {str(path)!r} to directory") from error


class Transport(filesystem.Transport):
    """As Kombu's, with that channel."""

    Channel = Channel
