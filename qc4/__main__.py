"""``python -m qc4``: the same as the command ``qc4``, also where that is not installed."""

import sys

from qc4.cli import main

if __name__ == "__main__":
    sys.exit(main(name="python -m qc4"))
