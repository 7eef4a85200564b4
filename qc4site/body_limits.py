"""How large a body each address takes, and which addresses take files. This is the only such table.

Add an address here when its form has a file, or when its endpoint takes more than a few fields. The reverse proxy has
the same sizes (`deploy/nginx.conf`); tests compare both with the forms and endpoints of the site.
"""

from __future__ import annotations

from dataclasses import dataclass

from annotations.limits import BODY_BYTES, FORM_BYTES, LIMITS, REQUEST_BYTES


@dataclass(frozen=True, slots=True)
class Takes:
    """What an address takes.

    Attributes:
        most: the size of the whole body in bytes.
        files: True if the body may be a form with files (``multipart/form-data``).
    """

    most: int
    files: bool = False


FEW_FIELDS = Takes(BODY_BYTES)
"""Every address that is not in the table."""
LARGE_JSON = Takes(REQUEST_BYTES)
ONE_FILE = LIMITS.file_bytes + FORM_BYTES
SEVERAL_FILES = LIMITS.archive_bytes + FORM_BYTES
"""They are read as a folder is, or a ZIP unpacked."""
TAKES: dict[str, Takes] = {
    "import": Takes(SEVERAL_FILES, files=True),
    "gold-publish": Takes(SEVERAL_FILES, files=True),
    "drafts": Takes(ONE_FILE, files=True),
    "submit": Takes(ONE_FILE, files=True),
    "vectors-upload": Takes(ONE_FILE, files=True),
    "streams": Takes(ONE_FILE, files=True),
    "stream-submit": Takes(ONE_FILE, files=True),
    "api:collections": Takes(ONE_FILE, files=True),
    "api:gold-versions": Takes(ONE_FILE, files=True),
    "api:submissions": Takes(ONE_FILE, files=True),
    "api:submission-check": Takes(ONE_FILE, files=True),
    "api:vectors": Takes(ONE_FILE, files=True),
    "api:query-vectors": Takes(ONE_FILE, files=True),
    "api:streams": Takes(ONE_FILE, files=True),
    "api:stream-submissions": Takes(ONE_FILE, files=True),
    # A new draft may come with a whole document, as JSON.
    "api:drafts": Takes(ONE_FILE),
    "api:draft-operations": LARGE_JSON,
    "api:assignments": LARGE_JSON,
    "api:draft-decisions-several": LARGE_JSON,
    "assign": LARGE_JSON,
}
LARGEST = max(takes.most for takes in TAKES.values())
ANONYMOUS = FORM_BYTES
"""The largest body of a page's form that the site reads for someone who has not signed in."""


def taken_at(view_name: str | None) -> Takes:
    """What the address of this view takes."""
    return TAKES.get(view_name or "", FEW_FIELDS)
