"""How refused requests look in the site's log."""

from __future__ import annotations

import logging


class WithoutTraceback(logging.Filter):
    """Logs what Django refused (400 to 499) as one line. Only a failure of ours (500 and above) needs a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Take the traceback off a refusal. Every record is logged."""
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True
