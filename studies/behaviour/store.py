"""``python -m studies.behaviour.store``: compute and write the stored scores of the study (`make study`)."""

from __future__ import annotations

from studies.behaviour import stored
from studies.behaviour.study import computed_scores

if __name__ == "__main__":
    stored.FILE.write_text(stored.format_scores(computed_scores()), encoding="utf-8")
