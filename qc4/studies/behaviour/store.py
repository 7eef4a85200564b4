"""``python -m qc4.studies.behaviour.store`` writes the scores that the engine comes with (`make study`)."""

from __future__ import annotations

from qc4.studies.behaviour import stored
from qc4.studies.behaviour.study import computed_scores

if __name__ == "__main__":
    stored.FILE.write_text(stored.written(computed_scores()), encoding="utf-8")
