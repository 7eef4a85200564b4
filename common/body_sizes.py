"""Sizes of request bodies, for declarations of pages and endpoints (`common.routes`).

The reverse proxy has the same sizes (`deploy/nginx.conf`); tests compare both with the forms and endpoints of the site.
"""

from __future__ import annotations

from common.limits import BODY_BYTES, FORM_BYTES, LIMITS, REQUEST_BYTES
from common.routes import Body

FEW_FIELDS = Body(BODY_BYTES)
"""What every page and endpoint accepts unless it declares another body."""
LARGE_JSON = Body(REQUEST_BYTES)
ONE_FILE = Body(LIMITS.file_bytes + FORM_BYTES, files=True)
SEVERAL_FILES = Body(LIMITS.archive_bytes + FORM_BYTES, files=True)
"""Several files are read like a folder, or like an unpacked ZIP."""
ONE_DOCUMENT = Body(ONE_FILE.max_bytes)
"""A whole document, as JSON."""
LARGEST = SEVERAL_FILES.max_bytes
"""The largest body that any URL accepts, in bytes."""
ANONYMOUS = FORM_BYTES
"""The largest body of a page's form that the site reads for someone who has not signed in."""
