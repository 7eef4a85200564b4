"""``python -m measures``: the engine on the command line."""

import sys

from measures.cli import main

if __name__ == "__main__":
    sys.exit(main())
