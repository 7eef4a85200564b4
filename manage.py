#!/usr/bin/env python
"""Django's command line for QC4 Bench."""

import os
import sys

CLOSED_PIPE = 141
"""What shells report of a program whose reader went away (128 + SIGPIPE)."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qc4site.settings")
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output, such as `head`, has seen enough. What is still buffered goes nowhere, and so does
        # what Python says of cursors that are left open.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere, stream.fileno())
        sys.exit(CLOSED_PIPE)


if __name__ == "__main__":
    main()
