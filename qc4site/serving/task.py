"""One request, whole or its head alone, as the site is called with it."""

from __future__ import annotations

from typing import Any

from waitress.task import WSGITask

from qc4site.serving import protocol
from qc4site.serving.incoming import Answer


class Task(WSGITask):
    """Says what became of the body, and sends none to who asked for the head of an answer."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["wsgi.multiprocess"] = True
        environ[protocol.STATE] = self.request.course.state
        if self._is_head:
            environ.pop("wsgi.file_wrapper", None)
        return environ

    def write(self, data: bytes) -> None:
        super().write(b"" if self._is_head else data)

    def finish(self) -> None:
        if not self.wrote_header:
            self.write(b"")
        if self._is_head:
            self.chunked_response = False
        super().finish()

    def ask(self) -> Answer:
        """The site's answer to the head alone."""
        started: list[tuple[str, list[tuple[str, str]]]] = []
        found = self.channel.server.application(
            self.get_environment(), lambda status, headers, _=None: started.append((status, headers))
        )
        try:
            body = b"".join(found)
        finally:
            if hasattr(found, "close"):
                found.close()
        status, headers = started[-1]
        return Answer(status, headers, body)

    @property
    def _is_head(self) -> bool:
        return bool(self.request.command == "HEAD")
