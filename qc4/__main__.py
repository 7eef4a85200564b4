"""Run the command line with ``python -m qc4``, which works even if the command ``qc4`` is not installed."""

import sys

from qc4.cli import main

if __name__ == "__main__":
    sys.exit(main(name="python -m qc4"))
