"""What the server and the site say to each other about bodies that are still on their way.

The server calls the site with the head alone and ``environ[STATE] = ASKED``. The site answers with the status `GO_ON`
and the headers `MOST_BYTES` and `PERSON`, and is called again with the whole request; or with anything else, which is
the answer the client gets, and the body is never kept.
"""

from __future__ import annotations

STATE = "qc4.body"
ASKED = "asked"
LATE = "late"
"""The body stopped coming."""
CROWDED = "crowded"
"""Too many large bodies come in at once."""
TOO_LONG = "too-long"
"""A body of unknown length went beyond what this address takes."""
GO_ON = "204 No Content"
MOST_BYTES = "X-Body-Most-Bytes"
PERSON = "X-Body-Person"
