"""``python -m qc4``: the engine on the command line."""

import sys

from qc4.cli import main

if __name__ == "__main__":
    sys.exit(main())
