"""How large a body each address takes, which of them take files, and from whom. The one table of it.

Whoever writes a form with a file, or an endpoint that takes more than a few fields, adds its address here; a test
holds the forms against it. The reverse proxy has the largest of these numbers (`deploy/nginx.conf`).
"""

from __future__ import annotations

from dataclasses import dataclass

from annotations.access import May
from annotations.limits import BODY_BYTES, FORM_BYTES, LIMITS, REQUEST_BYTES


@dataclass(frozen=True, slots=True)
class Takes:
    """What an address takes.

    Attributes:
        most: bytes of the whole body.
        files: whether forms with files (``multipart/form-data``) are welcome.
        may: what its sender must be allowed to do in the collection of the address; None where there is none, or where
            only the view can tell.
    """

    most: int
    files: bool = False
    may: May | None = None


FEW_FIELDS = Takes(BODY_BYTES)
"""Every address that is not in the table."""
LARGE_JSON = Takes(REQUEST_BYTES)
ONE_FILE = LIMITS.file_bytes + FORM_BYTES
SEVERAL_FILES = LIMITS.archive_bytes + FORM_BYTES
"""They are read as a folder is, or a ZIP unpacked."""
TAKES: dict[str, Takes] = {
    "import": Takes(SEVERAL_FILES, files=True),
    "gold-publish": Takes(SEVERAL_FILES, files=True, may=May.PUBLISH),
    "drafts": Takes(ONE_FILE, files=True, may=May.CURATE),
    "submit": Takes(ONE_FILE, files=True, may=May.SUBMIT),
    "vectors-upload": Takes(ONE_FILE, files=True, may=May.CURATE),
    "streams": Takes(ONE_FILE, files=True, may=May.CURATE),
    "stream-submit": Takes(ONE_FILE, files=True, may=May.SUBMIT),
    "api:collections": Takes(ONE_FILE, files=True),
    "api:gold-versions": Takes(ONE_FILE, files=True, may=May.PUBLISH),
    "api:submissions": Takes(ONE_FILE, files=True, may=May.SUBMIT),
    "api:submission-check": Takes(ONE_FILE, files=True, may=May.SUBMIT),
    "api:vectors": Takes(ONE_FILE, files=True, may=May.CURATE),
    "api:query-vectors": Takes(ONE_FILE, files=True, may=May.CURATE),
    "api:streams": Takes(ONE_FILE, files=True, may=May.CURATE),
    "api:stream-submissions": Takes(ONE_FILE, files=True, may=May.SUBMIT),
    # A new draft may come with a whole document, as JSON.
    "api:drafts": Takes(ONE_FILE, may=May.CURATE),
    "api:draft-operations": LARGE_JSON,
    "api:assignments": LARGE_JSON,
    "api:draft-decisions-several": LARGE_JSON,
    "assign": LARGE_JSON,
}
UNKNOWN_SENDERS = FORM_BYTES
"""Nobody fills in more than this without having signed in: the forms to sign in and up, searches, invitations."""


def taken_at(view_name: str | None) -> Takes:
    """What the address of this view takes."""
    return TAKES.get(view_name or "", FEW_FIELDS)
